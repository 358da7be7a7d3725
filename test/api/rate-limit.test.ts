import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'
import { head, listen, speak } from '../support/socket.ts'

const START = Date.UTC(2026, 0, 31, 18)
const WINDOW_MS = 600_000
// Six hundred real requests, on a machine that may be busy.
const SLOW = 60_000
const clock = { now: START }
const now = () => clock.now
const exchange = useExchange({ rateLimit: 600, now })
const tight = useExchange({ rateLimit: 3, now })

afterEach(() => {
  // Whatever a test used up has left the window when the next one starts.
  clock.now += 2 * WINDOW_MS
})

const rateOf = ({ headers }: { headers: Record<string, unknown> }) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  reset: headers['x-ratelimit-reset'],
  retryAfter: headers['retry-after'],
})

describe('the budget', () => {
  it(
    'of a key is 600 requests: the 600th passes, the 601st is refused',
    async () => {
      const { key } = await exchange.agent()
      const callMe = () =>
        exchange.app.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${key}` } })
      for (let i = 1; i < 600; i++) {
        const { statusCode, headers } = await callMe()
        if (statusCode !== 200 || headers['x-ratelimit-remaining'] !== String(600 - i)) {
          expect({ request: i, statusCode, ...headers }).toBeUndefined()
        }
      }
      expect(rateOf(await exchange.get('/me', key))).toEqual({
        limit: '600',
        remaining: '0',
        reset: String((clock.now + WINDOW_MS) / 1_000),
        retryAfter: undefined,
      })
      clock.now += 90_500
      const refused = await exchange.get('/me', key)
      expect(refused.status).toBe(429)
      expect(refused.body.error).toBe('rate_limited')
      expect(refused.body.message).toEqual(expect.any(String))
      expect(rateOf(refused)).toMatchObject({ limit: '600', remaining: '0', retryAfter: '510' })
    },
    SLOW,
  )

  it(
    'of an address without a key is 600 too',
    async () => {
      const statuses = new Set<number>()
      for (let i = 0; i < 600; i++) statuses.add((await exchange.app.inject('/api/v1/meta')).statusCode)
      expect([...statuses]).toEqual([200])
      expect((await exchange.get('/meta')).status).toBe(429)
      expect((await exchange.get('/openapi.json')).status).toBe(429)
    },
    SLOW,
  )
})

describe('429', () => {
  it('tells a wait after which the same request passes, and not a second earlier', async () => {
    const { key } = await tight.agent()
    for (let i = 0; i < 3; i++) {
      expect((await tight.get('/me', key)).status).toBe(200)
      clock.now += 10_000
    }
    const refused = await tight.get('/me', key)
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBe(570)
    clock.now += (seconds - 1) * 1_000
    expect((await tight.get('/me', key)).status).toBe(429)
    clock.now += 1_000
    expect((await tight.get('/me', key)).status).toBe(200)
    // Sliding: one slot came free, not three.
    expect(rateOf(await tight.get('/me', key)).retryAfter).toBe('10')
  })

  it('is not counted: who hammers recovers as soon as who waits', async () => {
    const { key } = await tight.agent()
    for (let i = 0; i < 3; i++) await tight.get('/me', key)
    for (let i = 0; i < 20; i++) {
      clock.now += 29_000
      expect((await tight.get('/me', key)).status).toBe(429)
    }
    clock.now += 20_000
    expect((await tight.get('/me', key)).status).toBe(200)
  })

  it('of one key leaves another key of the same agent and address alone', async () => {
    const agent = await tight.agent()
    for (let i = 0; i < 4; i++) await tight.get('/me', agent.key)
    expect((await tight.get('/me', agent.key)).status).toBe(429)
    expect((await tight.get('/me', await tight.key(agent.email))).status).toBe(200)
    expect((await tight.get('/meta')).status).toBe(200)
  })

  it('of one address leaves another address and every key alone', async () => {
    const { key } = await tight.agent()
    for (let i = 0; i < 4; i++) await tight.get('/meta')
    expect((await tight.get('/meta')).status).toBe(429)
    expect((await tight.get('/me', key)).status).toBe(200)
    const elsewhere = await tight.app.inject({ url: '/api/v1/meta', remoteAddress: '203.0.113.9' })
    expect(elsewhere.statusCode).toBe(200)
  })

  it('refuses before anything is written', async () => {
    const agent = await tight.agent()
    for (let i = 0; i < 3; i++) await tight.get('/me', agent.key)
    expect((await tight.post('/leads', agent.key, { name: 'María' })).status).toBe(429)
    const rows = await tight.db.selectFrom('leads').select('id').where('agent_id', '=', agent.id).execute()
    expect(rows).toEqual([])
  })

  it.each([
    ['a missing key', '/me', {}],
    ['an invented key', '/me', { authorization: 'Bearer svc_00000000_x' }],
    ['a key in the URL', '/me?api_key=x', {}],
    ['a path that is not there', '/nothing', {}],
  ])('comes after too many requests with %s', async (_what, path, headers) => {
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await tight.get(path, undefined, { headers })).status)
    expect(statuses).toEqual([...Array(3).fill(path === '/nothing' ? 404 : 401), 429])
  })

  it('comes before the scope and after the partner’s 403', async () => {
    const agent = await tight.agent()
    const [reader, partner] = [await tight.key(agent.email, 'read'), await tight.key(agent.email, 'partner')]
    const last = async (key: string) => {
      for (let i = 0; i < 3; i++) await tight.post('/leads', key, {})
      return (await tight.post('/leads', key, {})).status
    }
    expect(await last(reader)).toBe(429)
    expect(await last(partner)).toBe(403)
  })
})

describe('which address', () => {
  const askAs = (forwarded: string) =>
    tight.app.inject({ url: '/api/v1/meta', headers: { 'x-forwarded-for': forwarded } })

  it('is the socket’s: a header cannot buy a fresh budget', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await askAs(`198.51.100.${i}`)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('is a whole network of IPv6: its other addresses buy nothing, its neighbor has its own', async () => {
    const from = async (remoteAddress: string) =>
      (await tight.app.inject({ url: '/api/v1/meta', remoteAddress })).statusCode
    const statuses: number[] = []
    for (let i = 1; i <= 4; i++) statuses.push(await from(`2001:db8:0:7:${i}::${i}`))
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(await from('2001:db8:0:8::1')).toBe(200)
  })

  it('is the forwarded one behind a proxy that was named', async () => {
    const options = { db: tight.db, logger: pino({ level: 'silent' }), publicUrl: PUBLIC_URL, rateLimit: 1 }
    const app = await buildApp({ ...options, trustProxy: ['127.0.0.1'], now })
    const ask = async (forwarded: string) =>
      (await app.inject({ url: '/api/v1/meta', headers: { 'x-forwarded-for': forwarded } })).statusCode
    expect(await ask('198.51.100.1')).toBe(200)
    expect(await ask('198.51.100.2')).toBe(200)
    expect(await ask('198.51.100.1')).toBe(429)
    // Only the last hop is the proxy's word; what stands before it, the client wrote.
    expect(await ask('192.0.2.1, 198.51.100.2')).toBe(429)
    await app.close()
  })
})

describe('the headers are on every answer', () => {
  const seen = (headers: Record<string, unknown>) => {
    expect(headers['x-ratelimit-limit']).toBe('600')
    expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(600)
    const reset = Number(headers['x-ratelimit-reset'])
    expect(Number.isInteger(reset)).toBe(true)
    expect(reset * 1_000 - clock.now).toBeLessThanOrEqual(WINDOW_MS + 1_000)
    expect(reset * 1_000).toBeGreaterThan(clock.now)
  }
  const json = { 'content-type': 'application/json' }

  it.each([
    [200, 'GET', '/me', {}, undefined],
    [401, 'GET', '/me', { authorization: 'Bearer nonsense' }, undefined],
    [401, 'GET', '/meta?api_key=x', {}, undefined],
    [403, 'PUT', '/properties/FOREIGN', json, '{}'],
    [404, 'GET', '/properties/nothing', {}, undefined],
    [404, 'GET', '/nothing', {}, undefined],
    [405, 'DELETE', '/me', {}, undefined],
    [400, 'POST', '/leads', json, '{'],
    [413, 'POST', '/leads', json, 'x'.repeat(2_097_153)],
    [415, 'POST', '/leads', { 'content-type': 'text/plain' }, 'x'],
    [422, 'POST', '/leads', json, '{}'],
    [422, 'GET', '/properties?limit=x', {}, undefined],
  ])('%i to %s %s', async (status, method, path, headers, raw) => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    const foreign = path.includes('FOREIGN') ? (await exchange.listing(other)).id : ''
    const answer = await exchange.call(method, path.replace('FOREIGN', foreign), {
      key: agent.key,
      headers,
      ...(raw === undefined ? {} : { raw }),
    })
    expect(answer.status).toBe(status)
    seen(answer.headers)
  })

  it('and on what the parser refuses, which is counted for the address', async () => {
    const port = await listen(exchange)
    const remaining: number[] = []
    for (const bytes of [
      head('GET /api/v1/meta HTTP/1.1'),
      'NONSENSE\r\n\r\n',
      head('GET /api/v1/meta HTTP/1.1', 'Expect: wonders'),
      head('GET /api/v1/%zz HTTP/1.1'),
      head('GET /api/v1/meta HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`),
    ]) {
      const { headers } = await speak(port, bytes)
      seen(headers)
      remaining.push(Number(headers['x-ratelimit-remaining']))
    }
    expect(remaining).toEqual([599, 598, 597, 596, 595])
  })
})
