import { beforeAll, describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { composeKey, newKey } from '../../src/keys/rules.ts'
import { revokeKey } from '../../src/keys/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { head, listen, speak } from '../support/socket.ts'

const exchange = useExchange()
let agent: TestAgent
let port: number

beforeAll(async () => {
  agent = await exchange.agent()
  port = await listen(exchange)
})

const withHeader = (authorization: string, path = '/me') =>
  exchange.get(path, undefined, { headers: { authorization } })
const prefixOf = (key: string) => key.split('_')[1] as string

describe('200', () => {
  it.each([
    ['the usual form', (key: string) => `Bearer ${key}`],
    ['the scheme in lower case', (key: string) => `bearer ${key}`],
    ['the scheme in upper case', (key: string) => `BEARER ${key}`],
    ['spaces at the end', (key: string) => `Bearer ${key}  `],
  ])('accepts %s', async (_form, header) => {
    const answer = await withHeader(header(agent.key))
    expect(answer.status).toBe(200)
    expect(answer.body.agent.id).toBe(agent.id)
  })

  it('tells the scopes that the key has', async () => {
    const readOnly = await exchange.key(agent.email, 'read')
    expect((await exchange.get('/me', readOnly)).body.scopes).toEqual(['read'])
    expect((await exchange.get('/me', agent.key)).body.scopes).toEqual(['read', 'write'])
  })

  it.each(['/meta', '/openapi.json'])(
    'needs no key for %s, and does not mind one that is wrong',
    async path => {
      const partner = await exchange.key(agent.email, 'partner')
      expect((await exchange.get(path)).status).toBe(200)
      expect((await exchange.get(path, partner)).status).toBe(200)
      expect((await exchange.get(path, newKey())).status).toBe(200)
      expect((await withHeader('nonsense', path)).status).toBe(200)
    },
  )

  it('remembers when a key was used last, and keeps only its hash', async () => {
    const key = await exchange.key(agent.email)
    const row = () =>
      exchange.db
        .selectFrom('api_keys')
        .selectAll()
        .where('prefix', '=', prefixOf(key))
        .executeTakeFirstOrThrow()
    expect((await row()).last_used_at).toBeNull()
    await exchange.get('/me', key)
    const used = await row()
    expect(used.last_used_at).toBeInstanceOf(Date)
    expect(JSON.stringify(used)).not.toContain(key.slice(13))
  })
})

describe('401', () => {
  const secret = () => agent.key.slice('svc_12345678_'.length)
  const HEADERS: [string, () => string][] = [
    ['an empty header', () => ''],
    ['a key without scheme', () => agent.key],
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and a space', () => 'Bearer '],
    ['two spaces', () => `Bearer  ${agent.key}`],
    ['a tab for the space', () => `Bearer\t${agent.key}`],
    ['another scheme', () => `Basic ${agent.key}`],
    ['another scheme with the key in base64', () => `Basic ${btoa(`${agent.key}:`)}`],
    ['two keys in one header', () => `Bearer ${agent.key} ${agent.key}`],
    ['two keys and a comma', () => `Bearer ${agent.key}, Bearer ${agent.key}`],
    ['quotes around the key', () => `Bearer "${agent.key}"`],
    ['a key cut short', () => `Bearer ${agent.key.slice(0, -1)}`],
    ['a key with one character more', () => `Bearer ${agent.key}a`],
    ['a key in upper case', () => `Bearer ${agent.key.toUpperCase()}`],
    ['a prefix alone', () => `Bearer svc_${prefixOf(agent.key)}`],
    ['another service’s prefix', () => `Bearer abc_${prefixOf(agent.key)}_${secret()}`],
    ['a well-formed key nobody issued', () => `Bearer ${newKey()}`],
    ['a known prefix with another secret', () => `Bearer ${composeKey(prefixOf(agent.key), 'A'.repeat(42))}`],
    ['a wrong checksum', () => `Bearer ${agent.key.slice(0, -1)}${agent.key.endsWith('0') ? '1' : '0'}`],
    ['text that looks like SQL', () => `Bearer svc_' or 1=1--`],
  ]
  it.each(HEADERS)('refuses %s', async (_what, header) => {
    const answer = await withHeader(header())
    expect(answer.status).toBe(401)
    expect(answer.body.error).toBe('unauthorized')
  })

  it('gives the same answer whether the key is missing, unknown, revoked or of an unverified agent', async () => {
    const revoked = await exchange.key(agent.email)
    await revokeKey(exchange.db, prefixOf(revoked))
    const unverified = await exchange.agent({ verified: false })
    const answers = await Promise.all(
      [undefined, newKey(), revoked, unverified.key, 'svc_x'].map(key => exchange.get('/me', key)),
    )
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401)
      expect(headers['www-authenticate']).toBe('Bearer')
      expect(body).toEqual(answers[0]?.body)
    }
  })

  it('stops a revoked key at its very next request', async () => {
    const key = await exchange.key(agent.email)
    expect((await exchange.get('/me', key)).status).toBe(200)
    await revokeKey(exchange.db, prefixOf(key))
    expect((await exchange.get('/me', key)).status).toBe(401)
    expect((await exchange.get('/me', agent.key)).status).toBe(200)
  })

  it('stops every key of an agent who is no longer verified, and takes them back with the verification', async () => {
    const other = await exchange.agent()
    await setVerified(exchange.db, other.email, false)
    expect((await exchange.get('/me', other.key)).status).toBe(401)
    await setVerified(exchange.db, other.email, true)
    expect((await exchange.get('/me', other.key)).status).toBe(200)
  })

  it.each([
    ['the same key twice', () => [agent.key, agent.key]],
    ['a good key and nonsense', () => [agent.key, 'nonsense']],
    ['nonsense and a good key', () => ['nonsense', agent.key]],
  ])('refuses two Authorization headers: %s', async (_what, keys) => {
    const headers = keys().map(key => `Authorization: Bearer ${key}`)
    const answer = await speak(port, head('GET /api/v1/me HTTP/1.1', ...headers))
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  it('does not read the key from another header or a cookie', async () => {
    for (const name of ['x-api-key', 'api-key', 'proxy-authorization', 'cookie']) {
      const headers = { [name]: name === 'cookie' ? `key=${agent.key}` : agent.key }
      expect((await exchange.get('/me', undefined, { headers })).status, name).toBe(401)
    }
  })
})

describe('a key in the URL is refused with 401, even beside a good header', () => {
  const NAMES = ['api_key', 'apikey', 'api-key', 'key', 'access_token', 'token', 'authorization']
  it.each([...NAMES, 'API_KEY', 'ApiKey', 'api%5Fkey'])('as %s', async name => {
    for (const path of ['/me', '/meta', '/openapi.json', '/properties', '/leads']) {
      for (const value of [agent.key, 'abc', '']) {
        const answer = await exchange.get(`${path}?limit=1&${name}=${value}`, agent.key)
        expect(answer.status, `${path} ${value}`).toBe(401)
        expect(answer.headers['www-authenticate']).toBe('Bearer')
      }
    }
  })

  it.each([
    ['as the value of any parameter', (key: string) => `/meta?q=${key}`],
    ['inside a longer value', (key: string) => `/meta?q=Bearer+${key}+x`],
    ['percent-encoded', (key: string) => `/meta?q=${key.replaceAll('_', '%5F')}`],
    ['as the name of a parameter', (key: string) => `/meta?${key}`],
    ['in place of a listing', (key: string) => `/properties/${key}`],
  ])('%s', async (_where, path) => {
    expect((await exchange.get(path(agent.key), agent.key)).status).toBe(401)
    expect((await exchange.get(path(newKey()), agent.key)).status).toBe(401)
  })

  it('on writes, which do not happen', async () => {
    const listing = await exchange.listing(agent)
    const answer = await exchange.post(`/properties/${listing.id}/publish?api_key=${agent.key}`, agent.key)
    expect(answer.status).toBe(401)
    expect((await exchange.get(`/properties/${listing.id}`, agent.key)).body.status).toBe('draft')
  })

  it('but words that only resemble a key are searched for', async () => {
    expect((await exchange.get('/properties?q=svc_casa', agent.key)).status).toBe(200)
  })
})

describe('403', () => {
  it('refuses a partner key wherever a key is needed', async () => {
    const partner = await exchange.key(agent.email, 'partner')
    const answer = await exchange.get('/properties', partner)
    expect(answer.status).toBe(403)
    expect(answer.body.error).toBe('forbidden')
  })
})

describe('of several faults, the first of this order is told', () => {
  const big = 'x'.repeat(2_097_153)
  const text = { 'content-type': 'text/plain' }
  const json = { 'content-type': 'application/json' }
  const partner = () => exchange.key(agent.email, 'partner')
  const reader = () => exchange.key(agent.email, 'read')
  const writer = async () => agent.key
  const nobody = async () => undefined
  let foreign: string

  beforeAll(async () => {
    const other = await exchange.agent()
    foreign = (await exchange.listing(other)).id
    await exchange.listing(agent, { external_id: 'taken' })
  })

  interface Faults {
    expected: number
    because: string
    method: string
    path: () => string
    key: () => Promise<string | undefined>
    headers?: Record<string, string>
    raw?: string
  }
  const FAULTS: Faults[] = [
    {
      expected: 404,
      because: 'no such path',
      method: 'POST',
      path: () => '/nothing?api_key=x',
      key: nobody,
      headers: text,
      raw: big,
    },
    {
      expected: 405,
      because: 'no such method',
      method: 'PUT',
      path: () => '/properties?api_key=x',
      key: nobody,
      headers: text,
      raw: '{',
    },
    {
      expected: 401,
      because: 'a key in the URL',
      method: 'POST',
      path: () => '/properties?api_key=x',
      key: partner,
      headers: text,
      raw: '{',
    },
    {
      expected: 401,
      because: 'no key',
      method: 'POST',
      path: () => '/properties',
      key: nobody,
      headers: text,
      raw: big,
    },
    {
      expected: 403,
      because: 'a partner key',
      method: 'POST',
      path: () => '/properties',
      key: partner,
      headers: text,
      raw: '{',
    },
    {
      expected: 403,
      because: 'a key without write',
      method: 'POST',
      path: () => '/properties',
      key: reader,
      headers: text,
      raw: big,
    },
    {
      expected: 413,
      because: 'too large',
      method: 'PUT',
      path: () => `/properties/${foreign}`,
      key: writer,
      headers: json,
      raw: big,
    },
    {
      expected: 415,
      because: 'not JSON by its own word',
      method: 'PUT',
      path: () => `/properties/${foreign}`,
      key: writer,
      headers: text,
      raw: '{',
    },
    {
      expected: 400,
      because: 'not JSON in fact',
      method: 'PUT',
      path: () => `/properties/${foreign}`,
      key: writer,
      headers: json,
      raw: '{',
    },
    {
      expected: 404,
      because: 'no such listing',
      method: 'PUT',
      path: () => '/properties/nothing',
      key: writer,
      headers: json,
      raw: '{"title":1}',
    },
    {
      expected: 403,
      because: 'another’s listing',
      method: 'PUT',
      path: () => `/properties/${foreign}`,
      key: writer,
      headers: json,
      raw: '{"title":1}',
    },
    {
      expected: 422,
      because: 'a wrong value',
      method: 'POST',
      path: () => '/properties',
      key: writer,
      headers: json,
      raw: '{"external_id":"taken","title":1}',
    },
    {
      expected: 409,
      because: 'an external_id that is taken',
      method: 'POST',
      path: () => '/properties',
      key: writer,
      headers: json,
      raw: '{"external_id":"taken","title":"Casa azul","city":"León","state":"Guanajuato","sale_price":1}',
    },
  ]
  it.each(FAULTS)('$expected for $because', async ({ expected, method, path, key, headers = {}, raw }) => {
    const answer = await exchange.call(method, path(), {
      key: await key(),
      headers,
      ...(raw === undefined ? {} : { raw }),
    })
    expect(answer.status).toBe(expected)
  })
})
