import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { listingRecord } from '../../src/listings/record.ts'
import { findVisible, setFlags, suspendListing } from '../../src/listings/service.ts'
import { updateSearch } from '../../src/listings/store.ts'
import { type Call, PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let owner: TestAgent
let other: TestAgent
beforeAll(async () => {
  owner = await exchange.agent({ agency: 'Faro Norte' })
  other = await exchange.agent()
})

const read = (id: string, agent = other, call: Call = {}) =>
  exchange.get(`/properties/${id}`, agent.key, call)
const versionOf = async (id: string, agent = owner): Promise<string> => (await read(id, agent)).body.version

describe('the version of a listing', () => {
  it('is the same in every answer that has the record, for its owner and for others, and is the strong ETag', async () => {
    const { id } = await exchange.published(owner, { city: 'Tequila' })
    const { body, headers } = await read(id)
    expect(body.version).toMatch(/^[0-9a-f]{16}$/)
    expect(headers.etag).toBe(`"${body.version}"`)
    const records = [
      (await read(id, owner)).body,
      (await exchange.get('/properties?city=tequila', other.key)).body.content[0],
      (await exchange.get('/properties?city=tequila', owner.key)).body.content[0],
      (await exchange.get('/my/properties', owner.key)).body.content.find(
        (one: { id: string }) => one.id === id,
      ),
    ]
    expect(records.map(({ version }) => version)).toEqual(records.map(() => body.version))
  })

  const agencies = () => exchange.db.updateTable('agencies').where('name', 'like', 'Faro %')
  const agents = () => exchange.db.updateTable('agents').where('id', '=', owner.id)
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['an edit', id => exchange.put(`/properties/${id}`, owner.key, { bedrooms: 7 })],
    [
      'an edit that only its owner sees',
      id => exchange.put(`/properties/${id}`, owner.key, { internal_id: 'C' }),
    ],
    [
      'an image',
      id => exchange.post(`/properties/${id}/images`, owner.key, { urls: ['https://a.example/1.jpg'] }),
    ],
    ['fewer images', id => exchange.put(`/properties/${id}`, owner.key, { images: [] })],
    ['being unpublished', id => exchange.post(`/properties/${id}/unpublish`, owner.key)],
    ['being withdrawn', id => exchange.delete(`/properties/${id}`, owner.key)],
    ['being reconfirmed', id => exchange.post(`/properties/${id}/publish`, owner.key)],
    ['being sold', id => exchange.setStatus(id, 'sold')],
    ['being suspended', id => suspendListing(exchange.db, id)],
    ['being featured', id => setFlags(exchange.db, id, { featured: true })],
    ['an opt-out', id => exchange.put(`/properties/${id}`, owner.key, { idx_opt_out: true })],
    [
      'the agent’s new name',
      () =>
        agents()
          .set({ name: `Ana ${randomUUID()}` })
          .execute(),
    ],
    ['the agent’s new phone', () => agents().set({ phone: '+523312345678' }).execute()],
    [
      'the agency’s new name',
      () =>
        agencies()
          .set({ name: `Faro ${randomUUID()}` })
          .execute(),
    ],
    ['the agency’s new logo', () => agencies().set({ logo_url: 'https://a.example/logo.png' }).execute()],
    ['the end of the agency', () => agencies().set({ active: false }).execute()],
    [
      'SQL of the operator',
      id => exchange.db.updateTable('listings').set({ floors: 3 }).where('id', '=', id).execute(),
    ],
  ])('changes with %s', async (_what, change) => {
    const { id } = await exchange.published(owner, { images: ['https://a.example/0.jpg'] })
    const before = await versionOf(id)
    await change(id)
    expect(await versionOf(id)).not.toBe(before)
  })

  it('changes when its agent is no longer verified, and again when verified', async () => {
    const lapsed = await exchange.agent()
    const { id } = await exchange.published(lapsed)
    const rowVersion = async () =>
      (await exchange.pool.query('select version::text from listings where id = $1', [id])).rows[0].version
    const versions = [await rowVersion()]
    for (const isVerified of [false, true]) {
      await setVerified(exchange.db, lapsed.email, isVerified)
      versions.push(await rowVersion())
    }
    expect(new Set(versions).size).toBe(3)
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['an edit to what it is already', id => exchange.put(`/properties/${id}`, owner.key, { bedrooms: 2 })],
    [
      'a new text for search',
      async id =>
        exchange.db
          .transaction()
          .execute(tx => updateSearch(tx, id, { title: 'x', place: '', features: '', body: '' })),
    ],
    [
      'a reminder',
      id =>
        exchange.db.updateTable('listings').set({ reminded_at: new Date() }).where('id', '=', id).execute(),
    ],
    ['a lead', id => exchange.post('/leads', owner.key, { name: 'Eva', property_id: id })],
  ])('stays with %s', async (_what, change) => {
    const { id } = await exchange.published(owner, { bedrooms: 2 })
    const before = await versionOf(id)
    await change(id)
    expect(await versionOf(id)).toBe(before)
  })

  it('is another one under another public address, which is in every record', async () => {
    const { id, version } = await exchange.published(owner)
    const row = await findVisible(exchange.db, id, owner.id)
    if (!row) throw new Error('gone')
    const [here, there] = [PUBLIC_URL, 'https://elsewhere.example'].map(url => listingRecord(row, null, url))
    expect(here?.version).toBe(await versionOf(id))
    expect([version, here?.version]).not.toContain(there?.version)
  })
})

describe('If-None-Match', () => {
  it.each([
    ['the ETag', (etag: string) => etag],
    ['a list with the ETag', (etag: string) => `"0123456789abcdef", ${etag}`],
    ['the weak form', (etag: string) => `W/${etag}`],
    ['anything', () => '*'],
  ])('with %s is answered 304 without a body', async (_what, headerOf) => {
    const { id, slug } = await exchange.published(owner)
    const etag = String((await read(id)).headers.etag)
    for (const name of [id, slug]) {
      const answer = await read(name, other, { headers: { 'if-none-match': headerOf(etag) } })
      expect([answer.status, answer.body, answer.headers.etag]).toEqual([304, undefined, etag])
    }
  })

  it.each(['"0123456789abcdef"', 'nonsense', '', '"', '"*"', 'W/"0"'])(
    'with %s is answered 200',
    async header => {
      const { id } = await exchange.published(owner)
      expect((await read(id, other, { headers: { 'if-none-match': header } })).status).toBe(200)
    },
  )

  it('with a version of before a change is answered 200, and what is hidden 404', async () => {
    const { id } = await exchange.published(owner)
    const headers = { 'if-none-match': String((await read(id)).headers.etag) }
    await exchange.put(`/properties/${id}`, owner.key, { bedrooms: 4 })
    expect((await read(id, other, { headers })).status).toBe(200)
    await exchange.delete(`/properties/${id}`, owner.key)
    expect((await read(id, other, { headers: { 'if-none-match': '*' } })).status).toBe(404)
  })

  it('costs a request of the budget', async () => {
    const { id } = await exchange.published(owner)
    const first = await read(id)
    const second = await read(id, other, { headers: { 'if-none-match': String(first.headers.etag) } })
    expect(Number(second.headers['x-ratelimit-remaining'])).toBe(
      Number(first.headers['x-ratelimit-remaining']) - 1,
    )
  })
})

it('If-Match takes no weak tag', async () => {
  const { id } = await exchange.listing(owner)
  const headers = { 'if-match': `W/${String((await read(id, owner)).headers.etag)}` }
  expect((await exchange.put(`/properties/${id}`, owner.key, { bedrooms: 4 }, { headers })).status).toBe(412)
})

describe('GET /properties?ids=', () => {
  const find = async (ids: string[], more = '', agent = other) =>
    (await exchange.get(`/properties?ids=${ids.join(',')}${more}`, agent.key)).body

  it('answers those that can be seen, all on one page; unknown and hidden ones are absent', async () => {
    const shown: string[] = []
    for (let i = 0; i < 30; i++) shown.push((await exchange.published(owner)).id)
    const draft = (await exchange.listing(owner)).id
    const asked = [...shown.map(id => id.toUpperCase()), draft, randomUUID(), shown[0] as string]
    const { content, pagination } = await find(asked)
    expect(content.map(({ id }: { id: string }) => id).sort()).toEqual([...shown].sort())
    expect(pagination).toEqual({ page: 1, pages: 1, total: 30, limit: 100 })
    expect((await find([draft], '', owner)).content).toMatchObject([{ id: draft, status: 'draft' }])
    expect((await find([draft])).content).toEqual([])
  })

  it('goes with the other filters, a limit and the link to the next page', async () => {
    const ids: string[] = []
    for (const bedrooms of [1, 2, 3]) ids.push((await exchange.published(owner, { bedrooms })).id)
    expect((await find(ids, '&min_bedrooms=2')).pagination.total).toBe(2)
    const { body, headers } = await exchange.get(`/properties?ids=${ids.join(',')}&limit=2`, other.key)
    expect(body.content).toHaveLength(2)
    const next = /<https:\/\/[^/]+(.+)>/.exec(String(headers.link))?.[1] ?? ''
    expect((await exchange.get(next, other.key)).body.content).toHaveLength(1)
  })

  it.each([
    ['no UUID', 'abc'],
    ['an empty one', `${randomUUID()},`],
    ['a slug', 'casa-en-tequila-abc234'],
    ['101', Array.from({ length: 101 }, () => randomUUID()).join()],
    ['a NUL', `${randomUUID()}%00`],
  ])('refuses %s', async (_what, ids) => {
    const { status, body } = await exchange.get(`/properties?ids=${ids}`, other.key)
    expect([status, body.errors.length]).toEqual([422, 1])
    expect(body.errors[0]).toMatch(/^ids must /)
  })
})
