import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { Replica } from '../../src/db/replica.ts'
import { routeOf } from '../../src/metrics/requests.ts'
import { Observer } from '../../src/observer.ts'
import { Traces } from '../../src/traces/traces.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { head, listen } from '../support/socket.ts'

interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number }
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** A collector, as OpenTelemetry's own receives spans over HTTP. */
const bodies: string[] = []
const collector = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', part => parts.push(part))
  request.on('end', () => {
    if (request.url === '/v1/traces') bodies.push(Buffer.concat(parts).toString())
    response.setHeader('content-type', 'application/json').end('{}')
  })
})
await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
const { port } = collector.address() as AddressInfo
const url = `http://127.0.0.1:${port}`
const traces = new Traces({ url, share: 1, service: 'lonja' })
const some = new Traces({ url, share: 0.5, service: 'lonja' })
const observer = new Observer('0', traces)

const exchange = useExchange({ observe: (app, readiness) => observer.app(app, readiness) })
let agent: TestAgent

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
/** The smallest: of a share of ids, it would always be one. */
const CHOSEN = `${'0'.repeat(31)}1`
const LATER = '0af7651916cd43dd8448eb211c80319d'

beforeAll(async () => {
  observer.pools({ requests: exchange.pool })
  observer.search(exchange.search)
  agent = await exchange.agent()
  await exchange.published(agent)
  await askOften()
  await sendBodyLater()
})

/** Sixty requests of an app that sends half of them, all with the id that the caller chose. */
async function askOften(): Promise<void> {
  const app = Fastify()
  some.app(app, routeOf)
  // No standby, so what asks it for a read gets it from the primary, the same way.
  const pool = exchange.pool
  const url = String(pool.options.connectionString)
  const replica = new Replica({ url, primary: pool, reserved: pool, size: 1, maxLagMs: 1_000 })
  app.addHook('onClose', () => replica.close())
  app.get('/', () => sql`select 1`.execute(replica.reader))
  const headers = { traceparent: `00-${CHOSEN}-${CALLER}-01` }
  for (let i = 0; i < 60; i++) expect((await app.inject({ url: '/', headers })).statusCode).toBe(200)
  await app.close()
}

async function sendBodyLater(): Promise<void> {
  const body = JSON.stringify({ name: 'Eva' })
  const socket = connect(await listen(exchange), '127.0.0.1')
  socket.write(
    head(
      'POST /api/v1/leads HTTP/1.1',
      `Authorization: Bearer ${agent.key}`,
      `traceparent: 00-${LATER}-${CALLER}-01`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ),
  )
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 100/)
  socket.write(body)
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 201/)
  await once(socket, 'close')
}

afterAll(async () => {
  await traces.close()
  await some.close()
  collector.close()
})

const spansOf = (traceId: string): SentSpan[] =>
  bodies
    .flatMap(body => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .filter(span => span.traceId === traceId)

const sent = (traceId: string, ...names: string[]) =>
  vi.waitFor(() => expect(spansOf(traceId).map(({ name }) => name)).toEqual(expect.arrayContaining(names)), {
    timeout: 20_000,
  })

it('a request continues the trace of its caller; its search and its statements are parts of it, without any value', async () => {
  const headers = {
    authorization: `Bearer ${agent.key}`,
    traceparent: `00-${TRACE}-${CALLER}-01`,
    'x-request-id': 'from-the-caller',
  }
  const search = '/api/v1/properties?q=palabrasecreta'
  expect((await exchange.app.inject({ url: search, headers })).statusCode).toBe(200)
  const one = `/api/v1/properties/${agent.id}`
  expect((await exchange.app.inject({ url: one, headers })).statusCode).toBe(404)
  const names = ['GET /api/v1/properties', 'GET /api/v1/properties/:id']
  await sent(TRACE, ...names)
  const spans = spansOf(TRACE)
  const request = spans.find(({ name }) => name === names[0])
  expect(request?.parentSpanId).toBe(CALLER)
  const attributes = Object.fromEntries(request?.attributes.map(({ key, value }) => [key, value]) ?? [])
  expect(attributes).toMatchObject({
    'http.route': { stringValue: '/api/v1/properties' },
    'http.response.status_code': { intValue: 200 },
    'lonja.request_id': { stringValue: 'from-the-caller' },
  })
  expect(spans.find(({ name }) => name === 'search text')?.parentSpanId).toBe(request?.spanId)
  expect(spans.map(({ name }) => name)).toContain('database select')
  expect(spans.map(({ name }) => name)).not.toContain('database prepared')
  const all = bodies.join()
  for (const secret of ['palabrasecreta', agent.key, agent.id, agent.email]) expect(all).not.toContain(secret)
})

it('a share of requests is sent whatever trace the caller names, each with its statements', async () => {
  await sent(CHOSEN, 'GET /', 'database select')
  const idsOf = (name: string, id: 'spanId' | 'parentSpanId') =>
    spansOf(CHOSEN)
      .filter(span => span.name === name)
      .map(span => span[id])
      .sort()
  const requests = idsOf('GET /', 'spanId')
  expect(requests.length).toBeLessThan(60)
  expect(idsOf('database select', 'parentSpanId')).toEqual(requests)
})

it('the statements of a request whose body arrives later are parts of it too', async () => {
  await sent(LATER, 'POST /api/v1/leads', 'database insert')
})

it('what belongs to no request is not traced, and a collector that is away delays no answer', async () => {
  const before = bodies.length
  await exchange.pool.query('select 1')
  await exchange.search.refresh()
  collector.closeAllConnections()
  await new Promise(resolve => collector.close(resolve))
  const answer = await exchange.get('/properties', agent.key)
  expect(answer.status).toBe(200)
  expect(bodies.length).toBe(before)
})
