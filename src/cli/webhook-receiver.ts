import { createServer, type Server } from 'node:http'
import { isSignedBy } from '../webhooks/sender/signature.ts'

const MAX_BODY = 1024 * 1024

/** A receiver for getting started: accepts every delivery, prints it, and checks its signature. */
export function startReceiver(
  options: { port: number; secret: string | undefined },
  print: (line: string) => void,
): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BODY) request.destroy()
      else chunks.push(chunk)
    })
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const header = (name: string) => String(request.headers[name] ?? '')
      print(
        [
          '',
          `${new Date().toISOString()}  ${header('x-svc-event') || 'no X-SVC-Event'}  ${header('x-svc-delivery')}`,
          verdict(body, request.headers['x-svc-signature'], options.secret),
          pretty(body),
        ].join('\n'),
      )
      response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n')
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', () => resolve(server))
  })
}

function verdict(body: Buffer, signature: string | string[] | undefined, secret: string | undefined): string {
  if (typeof signature !== 'string') return 'signature MISSING'
  if (secret === undefined) return 'signature not checked: give --secret whsec_…'
  return isSignedBy(body, signature, secret)
    ? 'signature valid'
    : 'signature INVALID: wrong secret, or altered in transit'
}

/** Input may be anything, and terminals interpret control characters. */
function pretty(body: Buffer): string {
  const text = body.toString('utf8')
  const shown = (() => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      return text
    }
  })()
  return shown.replace(/(?!\n)\p{Cc}/gu, '\ufffd')
}
