import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  body: Buffer
}

/**
 * Requests written on sockets and read to their length: `node:http` takes a third of the processors that client and server
 * share. A connection serves one request at a time; there are as many as requests under way.
 */
export class Connections {
  readonly #url: URL
  readonly #key: string
  readonly #idle: Socket[] = []

  constructor(url: string, key: string) {
    this.#url = new URL(url)
    this.#key = key
  }

  async get(path: string): Promise<Answer> {
    let socket = this.#idle.pop()
    while (socket?.destroyed) socket = this.#idle.pop()
    socket ??= await this.#connect()
    const answer = await answerOf(
      socket,
      `GET ${encodeURI(decodeURI(path))} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${this.#key}\r\n\r\n`,
    )
    this.#idle.push(socket)
    return answer
  }

  close(): void {
    for (const socket of this.#idle.splice(0)) socket.destroy()
  }

  async #connect(): Promise<Socket> {
    const socket = connect(Number(this.#url.port), this.#url.hostname).setNoDelay()
    await once(socket, 'connect')
    // It closes too, which `answerOf` reports.
    return socket.on('error', () => {})
  }
}

function answerOf(socket: Socket, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let head: Head | undefined
    let left = 0
    const take = (data: Buffer) => {
      chunks.push(data)
      if (!head) {
        head = headIn(data)
        left = head.bytes + head.length
      }
      left -= data.length
      if (left > 0) return
      socket.off('data', take).off('close', lose)
      if (left === 0) resolve({ status: head.status, body: Buffer.concat(chunks).subarray(head.bytes) })
      else reject(new Error(`an answer without its length to ${request}`))
    }
    const lose = () => reject(new Error(`no answer to ${request}`))
    socket.on('data', take).on('close', lose).write(request)
  })
}

interface Head {
  status: number
  /** Of the head itself, and of the body. */
  bytes: number
  length: number
}

/** From the first bytes of an answer, in which it fits. */
function headIn(data: Buffer): Head {
  const bytes = data.indexOf('\r\n\r\n') + 4
  const head = data.toString('latin1', 0, bytes)
  return {
    status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
    bytes,
    length: Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]),
  }
}
