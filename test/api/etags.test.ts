import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
let id: string

beforeAll(async () => {
  agent = await exchange.agent()
  ;({ id } = await exchange.published(agent))
})

const READS = [
  '/properties',
  '/properties?limit=5&q=casa',
  '/properties?ask=casa',
  '/my/properties',
  '/leads',
  '/me',
  '/meta',
  '/agents',
  '/agencies',
  '/locations',
  '/openapi.json',
]

const read = (path: string, ifNoneMatch?: string, method = 'GET') =>
  exchange.call(method, path, {
    key: agent.key,
    headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
  })

describe('a read', () => {
  it.each(READS)('%s has an ETag, and is answered 304 without a body to those who have it', async path => {
    const { status, headers } = await read(path)
    const etag = String(headers.etag)
    expect([status, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{22}"$/)])
    const answer = await read(path, etag)
    expect([answer.status, answer.body, answer.headers.etag]).toEqual([304, undefined, etag])
    expect(answer.headers['content-type']).toBeUndefined()
  })

  it('takes several tags, strong or weak, and any; and nonsense for none', async () => {
    const path = '/meta'
    const etag = String((await read(path)).headers.etag)
    for (const known of [etag.slice(2), `"other", ${etag}`, '*']) {
      expect((await read(path, known)).status, known).toBe(304)
    }
    for (const other of ['"other"', 'nonsense', '', `"${etag}"`, '"'.repeat(5_000)]) {
      expect((await read(path, other)).status, other.slice(0, 40)).toBe(200)
    }
  })

  it.each(['/properties', `/properties/PATH`, '/my/properties', '/locations'])(
    '%s has another ETag once the answer changes',
    async template => {
      const path = template.replace('PATH', id)
      const before = String((await read(path)).headers.etag)
      await exchange.published(agent, { city: 'Zapopan' })
      await exchange.put(`/properties/${id}`, agent.key, { bedrooms: Math.ceil(Math.random() * 900) })
      const after = await read(path, before)
      expect(after.status).toBe(200)
      expect(after.headers.etag).not.toBe(before)
    },
  )

  it('counts as a request also when nothing has changed', async () => {
    const { headers } = await read('/properties')
    const unchanged = await read('/properties', String(headers.etag))
    expect(Number(unchanged.headers['x-ratelimit-remaining'])).toBe(
      Number(headers['x-ratelimit-remaining']) - 1,
    )
  })

  it('is answered to HEAD with the same ETag, and 304', async () => {
    const { headers } = await read('/properties')
    const head = await read('/properties', undefined, 'HEAD')
    expect([head.status, head.headers.etag]).toEqual([200, headers.etag])
    expect((await read('/properties', String(headers.etag), 'HEAD')).status).toBe(304)
  })

  it('has an ETag of its own for each viewer of the same search', async () => {
    const other = await exchange.agent()
    const theirs = await exchange.get('/properties', other.key)
    expect(theirs.headers.etag).not.toBe((await read('/properties')).headers.etag)
  })
})

describe('no ETag', () => {
  it('on errors, on writes, and on changes, whose cursors are never the same', async () => {
    expect((await read('/properties?type=castle', '*')).headers.etag).toBeUndefined()
    expect((await read('/properties?type=castle', '*')).status).toBe(422)
    expect((await exchange.get('/properties', 'svc_x', { headers: { 'if-none-match': '*' } })).status).toBe(
      401,
    )
    const { status, headers } = await read('/changes', '*')
    expect([status, headers.etag]).toEqual([200, undefined])
    const lead = await exchange.post(
      '/leads',
      agent.key,
      { name: 'Ana' },
      { headers: { 'if-none-match': '*' } },
    )
    expect([lead.status, lead.headers.etag]).toEqual([201, undefined])
  })
})
