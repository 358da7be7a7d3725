import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type Network, trust } from '../../src/webhooks/sender/network.ts'
import { CERTIFICATE } from './certificate.ts'

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
  at: number
}

export type Answer = (request: IncomingMessage, response: ServerResponse, received: Received) => void

const ok: Answer = (_request, response) => void response.writeHead(200).end('ok')

/** A real server on a loopback port that records every request completely before it responds. */
export class Receiver {
  readonly received: Received[] = []
  answer: Answer = ok
  port = 0
  /** Connections ever opened, with or without requests. */
  connections = 0
  readonly #sockets = new Set<Socket>()
  readonly #server: ReturnType<typeof createHttp>
  readonly #scheme: string

  constructor({ secure = true } = {}) {
    const handle = (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => {
        const received = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks),
          at: Date.now(),
        }
        this.received.push(received)
        this.answer(request, response, received)
      })
    }
    this.#scheme = secure ? 'https' : 'http'
    this.#server = secure ? createHttps(CERTIFICATE, handle) : createHttp(handle)
    this.#server.on('connection', (socket: Socket) => {
      this.connections++
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    this.#server.on('tlsClientError', () => {})
  }

  async listen(host = '127.0.0.1'): Promise<this> {
    await new Promise<void>(done => this.#server.listen(0, host, done))
    this.port = (this.#server.address() as AddressInfo).port
    return this
  }

  url = (path = '/hook', host = 'hook.example') => `${this.#scheme}://${host}:${this.port}${path}`

  /** The data ids it received, in order. */
  ids = () => this.received.map(({ body }) => JSON.parse(body.toString()).data.id as string)

  get open(): number {
    return this.#sockets.size
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(done => this.#server.close(done))
  }
}

const TRUSTED = trust(CERTIFICATE.ca)

/** This machine's loopback stands for the internet; every name resolves to it. */
export const loopbackNetwork = (): Network => ({
  resolve: async () => ['127.0.0.1'],
  isAllowed: address => address === '127.0.0.1',
  isPublic: address => address === '127.0.0.1',
  tls: TRUSTED,
})

export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time')
    await new Promise(done => setTimeout(done, 10))
  }
}
