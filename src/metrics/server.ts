import { createServer, type Server } from 'node:http'
import { Registry } from 'prom-client'
import { shared } from '../lib/once.ts'

/** `/metrics` and nothing else, on a port of its own: the public must not reach it. */
export function metricsServer(read: () => Promise<string>): Server {
  // Some values are read from the database.
  const readOnce = shared(read)
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    const text = await readOnce().catch(() => undefined)
    if (text === undefined) return void response.writeHead(503).end()
    response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text)
  })
}
