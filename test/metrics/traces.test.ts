import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { Observer } from '../../src/observer.ts'
import { Traces } from '../../src/traces/traces.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'

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
const traces = new Traces({ url: `http://127.0.0.1:${port}`, share: 1, service: 'lonja' })
const observer = new Observer('0', traces)

const exchange = useExchange({ observe: (app, readiness) => observer.app(app, readiness) })
let agent: TestAgent

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

beforeAll(async () => {
  observer.pools({ requests: exchange.pool })
  observer.search(exchange.search)
  agent = await exchange.agent()
  await exchange.published(agent)
})

afterAll(async () => {
  await traces.close()
  collector.close()
})

const spansOf = (traceId: string): SentSpan[] =>
  bodies
    .flatMap(body => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .filter(span => span.traceId === traceId)

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
  await vi.waitFor(
    () => expect(spansOf(TRACE).map(({ name }) => name)).toEqual(expect.arrayContaining(names)),
    { timeout: 20_000 },
  )
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
  const all = bodies.join()
  for (const secret of ['palabrasecreta', agent.key, agent.id, agent.email]) expect(all).not.toContain(secret)
})

it('what belongs to no request is not traced, and a collector that is away delays no answer', async () => {
  const sent = bodies.length
  await exchange.pool.query('select 1')
  await exchange.search.refresh()
  collector.closeAllConnections()
  await new Promise(resolve => collector.close(resolve))
  const answer = await exchange.get('/properties', agent.key)
  expect(answer.status).toBe(200)
  expect(bodies.length).toBe(sent)
})
