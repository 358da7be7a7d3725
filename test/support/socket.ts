import { type AddressInfo, connect } from 'node:net'
import type { Exchange } from './exchange.ts'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

/** Makes the exchange listen on its own port, for tests that need real sockets. */
export async function listen(exchange: Pick<Exchange, 'app'>): Promise<number> {
  await exchange.app.listen({ port: 0, host: '127.0.0.1' })
  return (exchange.app.server.address() as AddressInfo).port
}

/** The head of a request that asks the server to close the connection afterwards. */
export const head = (line: string, ...headers: string[]) =>
  [line, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n')

/** Sends the bytes unchanged and reads until the server closes. */
export async function speak(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  const received: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer in 5 s')))
    socket.on('data', chunk => received.push(chunk))
    // A server that rejects the rest of a body closes the connection: what it sent before counts.
    socket.on('error', error => (received.length > 0 ? resolve() : reject(error)))
    socket.on('close', () => resolve())
    for (const part of parts) socket.write(part)
  })
  return parse(Buffer.concat(received).toString('utf8'))
}

function parse(message: string): RawAnswer {
  const [top = '', ...rest] = message.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '').split('\r\n\r\n')
  const [line = '', ...lines] = top.split('\r\n')
  const headers = Object.fromEntries(
    lines.map(one => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
  )
  const text = rest.join('\r\n\r\n')
  const isJson = headers['content-type']?.startsWith('application/json') && text !== ''
  return {
    status: Number(line.split(' ')[1] ?? 0),
    headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  }
}
