import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A network between a process and its database that can be cut, hold its bytes, and lead to another server. */
export class Relay {
  #port: number
  #isHeld = false
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  private constructor(port: number, server: Server) {
    this.#port = port
    this.#server = server
  }

  static async to(url: string): Promise<Relay> {
    const server = createServer()
    const relay = new Relay(Number(new URL(url).port), server)
    server.on('connection', socket => relay.#join(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return relay
  }

  /** The same address, through the relay. */
  urlOf(url: string): string {
    const through = new URL(url)
    through.port = String((this.#server.address() as AddressInfo).port)
    return through.href
  }

  #join(socket: Socket): void {
    const other = connect(this.#port, '127.0.0.1')
    const ends = [socket, other]
    for (const [one, opposite] of [ends, ends.toReversed()] as [Socket, Socket][]) {
      this.#sockets.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(one)
          opposite.destroy()
        })
      one.on('data', chunk => opposite.write(chunk))
      if (this.#isHeld) one.pause()
    }
  }

  /** From now on nothing arrives on either side, and nobody is notified: connections are accepted and stay silent. */
  hold(): void {
    this.#isHeld = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** What is open stays silent, later connections work: the host is gone, and another one has its address. */
  abandon(): void {
    for (const socket of this.#sockets) socket.pause()
  }

  release(): void {
    this.#isHeld = false
    for (const socket of this.#sockets) socket.resume()
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Cuts what is open; later connections reach that server. */
  leadTo(url: string): void {
    this.#port = Number(new URL(url).port)
    this.cut()
  }

  get connections(): number {
    return this.#sockets.size / 2
  }

  async close(): Promise<void> {
    this.#server.close()
    this.cut()
    await once(this.#server, 'close')
  }
}
