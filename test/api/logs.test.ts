import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newKey } from '../../src/keys/rules.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { head, listen, speak } from '../support/socket.ts'

const exchange = useExchange()
let agent: TestAgent
let port: number

const LEAD = {
  name: 'Xochitlalpan Quetzalli',
  email: 'xochitlalpan@example.com',
  phone: '+52 33 9876 5432',
  message: 'mensaje-confidencial',
}
const secrets = () => [...Object.values(LEAD), '9876', agent.key, agent.key.slice(13), 'busqueda-privada']

beforeAll(async () => {
  agent = await exchange.agent()
  port = await listen(exchange)
})

beforeEach(() => {
  exchange.log.length = 0
})

/** Everything written since the test began; it must be something, and nothing of it secret. */
async function cleanLog(): Promise<string> {
  // A request's line is written when its answer is out, which may be after the client has it.
  await vi.waitFor(() => expect(exchange.log.some(line => line.includes('"msg":"request"'))).toBe(true))
  const log = exchange.log.join('')
  // Numbers that are there for their own sake could hold four digits of a phone by chance.
  const words = log.replace(/"(reqId|time|pid|ms)":("[^"]*"|[\d.]+)/g, '')
  for (const secret of secrets()) expect(words).not.toContain(secret)
  return log
}
const lines = () => exchange.log.map(line => JSON.parse(line))

describe('each request is one line', () => {
  it('with method, path, status, time taken and the request id of the answer', async () => {
    const { headers } = await exchange.get('/properties?q=busqueda-privada', agent.key)
    const requests = () => lines().filter(line => line.msg === 'request')
    await vi.waitFor(() => expect(requests()).not.toHaveLength(0))
    expect(requests()).toEqual([
      expect.objectContaining({
        reqId: headers['x-request-id'],
        method: 'GET',
        path: '/api/v1/properties',
        status: 200,
        ms: expect.any(Number),
      }),
    ])
    await cleanLog()
  })

  it('with the request id that the client sent, as every other line of the request', async () => {
    await sql`alter table leads rename to mislaid`.execute(exchange.db)
    await exchange.call('POST', '/leads', {
      key: agent.key,
      headers: { 'x-request-id': 'from-the-client', 'content-type': 'application/json' },
      raw: JSON.stringify(LEAD),
    })
    await sql`alter table mislaid rename to leads`.execute(exchange.db)
    await cleanLog()
    const written = lines().map(({ msg, reqId }) => ({ msg, reqId }))
    expect(written).toEqual(['request failed', 'request'].map(msg => ({ msg, reqId: 'from-the-client' })))
  })
})

describe('no line holds what is secret', () => {
  it.each([
    ['a lead that is taken', LEAD, 201],
    ['a lead that is refused', { ...LEAD, source: 'widget:1' }, 422],
    ['a lead without name', { ...LEAD, name: '' }, 422],
  ])('%s', async (_what, body, status) => {
    expect((await exchange.post('/leads', agent.key, body)).status).toBe(status)
    await cleanLog()
  })

  it('a body that cannot be read', async () => {
    const raw = `${JSON.stringify(LEAD)}}`
    const headers = { 'content-type': 'application/json' }
    expect((await exchange.call('POST', '/leads', { key: agent.key, headers, raw })).status).toBe(400)
    await cleanLog()
  })

  it.each([
    ['in the query', (key: string) => `/me?api_key=${key}`],
    ['in the query of a path that needs none', (key: string) => `/meta?x=${key}`],
    ['in the query of an unknown path', (key: string) => `/nothing?api_key=${key}`],
    ['in the path', (key: string) => `/properties/${key}`],
    ['in an unknown path', (key: string) => `/nothing/${key}`],
    ['in the path, encoded', (key: string) => `/properties/${key.replaceAll('_', '%5F')}`],
    ['behind a hash', (key: string) => `/meta#q=busqueda-privada&k=${key}`],
    ['in a URL that cannot be decoded', (key: string) => `/%zz/${key}?api_key=${key}`],
  ])('a key %s', async (_where, path) => {
    await speak(port, head(`GET /api/v1${path(agent.key)} HTTP/1.1`, `Authorization: Bearer ${agent.key}`))
    await exchange.get('/meta')
    await cleanLog()
  })

  it.each([
    ['wrong', () => newKey()],
    ['revoked or malformed', () => `${agent.key}x`],
  ])('a key that is %s', async (_what, key) => {
    const sent = key()
    expect((await exchange.get('/me', sent)).status).toBe(401)
    expect(await cleanLog()).not.toContain(sent)
  })

  it('what the parser refuses', async () => {
    await speak(
      port,
      `GET /api/v1/meta?api_key=${agent.key} HTTP/1.1\r\nAuthorization : ${agent.key}\r\n\r\n`,
    )
    await exchange.get('/meta')
    await cleanLog()
  })
})

describe('500', () => {
  it('tells the client an id and nothing else, and the log the cause under that id', async () => {
    await sql`alter table leads rename to mislaid`.execute(exchange.db)
    const answer = await exchange.post('/leads', agent.key, LEAD)
    await sql`alter table mislaid rename to leads`.execute(exchange.db)
    const id = answer.headers['x-request-id']
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({ error: 'server_error', message: expect.stringContaining(String(id)) })
    expect(JSON.stringify(answer.body)).not.toMatch(/relation|leads|select|insert|node_modules|\.ts/)
    await cleanLog()
    const failure = lines().find(line => line.msg === 'request failed')
    expect(failure).toMatchObject({ level: 50, reqId: id, cause: { code: '42P01' } })
    expect(failure.cause.message).toContain('relation "leads" does not exist')
  })

  it('does not log the row that the database quotes when it refuses one', async () => {
    await sql`alter table leads add constraint no_more check (false) not valid`.execute(exchange.db)
    const answer = await exchange.post('/leads', agent.key, LEAD)
    await sql`alter table leads drop constraint no_more`.execute(exchange.db)
    expect(answer.status).toBe(500)
    await cleanLog()
    expect(lines()).toContainEqual(
      expect.objectContaining({ cause: expect.objectContaining({ code: '23514', constraint: 'no_more' }) }),
    )
  })

  it('passes: the next request is served', async () => {
    expect((await exchange.post('/leads', agent.key, LEAD)).status).toBe(201)
  })
})
