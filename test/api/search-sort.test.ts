import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { type Circumstances, stock, walkPages } from '../support/inventory.ts'

const exchange = useExchange()
let viewer: TestAgent
let owner: TestAgent
/** Ids by the name they are stocked under. */
const ids: Record<string, string> = {}

const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 12, n))
const order = async (query: string, key = viewer.key) => {
  const { status, body } = await exchange.get(`/properties?limit=100&${query}`, key)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.content.map((one: { source_id: string }) => one.source_id) as string[]
}

async function place(
  agent: TestAgent,
  name: string,
  fields: Record<string, unknown>,
  circumstances: Circumstances,
) {
  const { id } = await stock(exchange, agent, { ...fields, external_id: name }, circumstances)
  ids[name] = id
}

describe('200 order', () => {
  beforeAll(async () => {
    owner = await exchange.agent()
    viewer = await exchange.agent({ name: 'Luis Ramos' })
    const at = (published: number, updated: number) => ({
      created_at: minute(0),
      published_at: minute(published),
      updated_at: minute(updated),
    })
    // A city of its own for each question keeps them apart.
    const base = { city: 'Orden', title: 'Granito por todas partes' }
    await place(owner, 'cheap', { ...base, sale_price: 1000 }, at(1, 30))
    await place(owner, 'middle', { ...base, sale_price: 2000, rent_price: 50 }, at(4, 20))
    await place(owner, 'dear', { ...base, sale_price: 3000, sale_currency: 'USD' }, at(2, 40))
    await place(owner, 'rent', { ...base, sale_price: null, rent_price: 1500 }, at(5, 10))
    await place(owner, 'star', { ...base, sale_price: 2500, rent_price: 80 }, { ...at(0, 1), featured: true })
    await place(owner, 'star2', { ...base, sale_price: 500 }, { ...at(6, 2), featured: true })
    await place(viewer, 'draft', base, {
      status: 'draft',
      published_at: null,
      created_at: minute(3),
      updated_at: minute(25),
    })
    await exchange.db
      .updateTable('listings')
      .set({ sale_price: null, sale_currency: null })
      .where('id', '=', ids.draft as string)
      .execute()
  })

  it.each([
    ['', 'star2 star rent middle draft dear cheap'],
    ['sort=newest', 'star2 star rent middle draft dear cheap'],
    ['sort=relevance', 'star2 star rent middle draft dear cheap'],
    ['sort=updated', 'star2 star dear cheap draft middle rent'],
    ['sort=price_asc', 'star2 star cheap rent middle dear draft'],
    ['sort=price_desc', 'star star2 dear middle rent cheap draft'],
    ['sort=price_asc&operation=sale', 'star2 star cheap middle dear'],
    ['sort=price_desc&operation=sale', 'star star2 dear middle cheap'],
    ['sort=price_asc&operation=rental', 'star middle rent'],
    ['sort=price_desc&operation=rental', 'star rent middle'],
    ['sort=relevance&q=granito', 'star2 star rent middle draft dear cheap'],
    ['q=granito', 'star2 star rent middle draft dear cheap'],
  ])('%s: %s', async (query, expected) => {
    expect(await order(`city=orden&${query}`)).toEqual(expected.split(' '))
  })

  it('gives the rows without a price last in both directions', async () => {
    for (const sort of ['price_asc', 'price_desc']) {
      expect((await order(`city=orden&sort=${sort}`)).at(-1)).toBe('draft')
    }
  })

  it('puts a listing that is published again before those published since', async () => {
    const { id } = await exchange.published(owner, { city: 'Regreso', external_id: 'again' })
    await exchange.published(owner, { city: 'Regreso', external_id: 'since' })
    expect(await order('city=regreso')).toEqual(['since', 'again'])
    await exchange.post(`/properties/${id}/unpublish`, owner.key)
    expect(await order('city=regreso', owner.key)).toEqual(['since', 'again'])
    await exchange.post(`/properties/${id}/publish`, owner.key)
    expect(await order('city=regreso')).toEqual(['again', 'since'])
  })

  it('brings what is changed to the top of sort=updated, and nowhere else', async () => {
    const first = await exchange.published(owner, { city: 'Cambio', external_id: 'first' })
    await exchange.published(owner, { city: 'Cambio', external_id: 'second' })
    await exchange.put(`/properties/${first.id}`, owner.key, { bedrooms: 7 })
    expect(await order('city=cambio&sort=updated')).toEqual(['first', 'second'])
    expect(await order('city=cambio')).toEqual(['second', 'first'])
  })
})

describe('200 pages', () => {
  const TOTAL = 57

  beforeAll(async () => {
    // Three prices, three times and two kinds of rank: almost every neighbor is a tie.
    for (let i = 0; i < TOTAL; i++) {
      const time = minute(i % 3)
      const fields = { city: 'Empate', title: 'Cuarzo rosa', sale_price: 1000 * (1 + (i % 3)) }
      const times = { created_at: time, published_at: time, updated_at: time }
      await stock(exchange, owner, fields, { ...times, featured: i % 5 === 0 })
    }
  })

  const sorts = ['newest', 'price_asc', 'price_desc', 'updated', 'relevance']

  it.each(sorts.flatMap(sort => [1, 7, 24].map(limit => [sort, limit] as const)))(
    'walking sort=%s in pages of %d meets each listing exactly once, in one order',
    async (sort, limit) => {
      const query = `city=empate&q=cuarzo&sort=${sort}`
      const walked = await walkPages(exchange, viewer.key, query, limit)
      const whole = await walkPages(exchange, viewer.key, query, 100)
      expect(walked).toEqual(whole)
      expect(new Set(walked).size).toBe(TOTAL)
      expect(walked).toHaveLength(TOTAL)
    },
  )

  it.each(sorts)('breaks ties of sort=%s by id', async sort => {
    const { body } = await exchange.get(`/properties?city=empate&sort=${sort}&limit=100`, viewer.key)
    const { rows } = await exchange.pool.query(
      `select id::text, featured, sale_price, updated_at::text from listings where city = 'Empate'`,
    )
    const rowOf = new Map(rows.map(row => [row.id, row]))
    const groupOf = (id: string) => {
      const { featured, sale_price, updated_at } = rowOf.get(id)
      return `${featured} ${sort.startsWith('price') ? sale_price : updated_at}`
    }
    const found: string[] = body.content.map((one: { id: string }) => one.id)
    const ties = found.slice(1).filter((id, i) => groupOf(id) === groupOf(found[i] as string))
    expect(ties.length).toBeGreaterThan(TOTAL / 2)
    for (const id of ties) expect(id > (found[found.indexOf(id) - 1] as string)).toBe(true)
  })

  const page = async (query: string) =>
    (await exchange.get(`/properties?city=empate&${query}`, viewer.key)).body

  it('gives page 1 of 24 when neither is asked for', async () => {
    const { pagination, content } = await page('')
    expect(pagination).toEqual({ page: 1, pages: 3, total: TOTAL, limit: 24 })
    expect(content).toHaveLength(24)
  })

  it.each([101, 1000, Number.MAX_SAFE_INTEGER])('counts a limit of %d as 100', async limit => {
    const { pagination, content } = await page(`limit=${limit}`)
    expect(pagination).toEqual({ page: 1, pages: 1, total: TOTAL, limit: 100 })
    expect(content).toHaveLength(TOTAL)
  })

  it.each([
    [1, TOTAL],
    [TOTAL, 1],
    [TOTAL - 1, 2],
    [100, 1],
  ])('cuts pages of %d', async (limit, pages) => {
    const { pagination, content } = await page(`limit=${limit}`)
    expect(pagination).toEqual({ page: 1, pages, total: TOTAL, limit })
    expect(content).toHaveLength(Math.min(limit, TOTAL))
  })

  it.each([7, 1_000_000, Number.MAX_SAFE_INTEGER])(
    'answers page %d beyond the last with nothing and the true total',
    async number => {
      expect(await page(`limit=10&page=${number}`)).toEqual({
        pagination: { page: number, pages: 6, total: TOTAL, limit: 10 },
        content: [],
      })
    },
  )

  it('gives the rest on the last page', async () => {
    expect((await page('limit=10&page=6')).content).toHaveLength(7)
  })

  it('says 0 pages of nothing', async () => {
    expect(await page('q=nowhere')).toEqual({
      pagination: { page: 1, pages: 0, total: 0, limit: 24 },
      content: [],
    })
  })
})

describe('200 updated_since', () => {
  const CHANGED = '2026-03-01T10:20:30.123Z'

  beforeAll(async () => {
    const fields = { city: 'Reloj' }
    await place(owner, 'exact', fields, { updated_at: new Date(CHANGED) })
    await place(owner, 'later', fields, { updated_at: new Date('2026-03-01T10:20:30.124Z') })
    await place(owner, 'midnight', fields, { updated_at: new Date('2026-03-01T00:00:00.000Z') })
  })

  it.each([
    [CHANGED, 'later exact'],
    ['2026-03-01T10:20:30.124Z', 'later'],
    ['2026-03-01T10:20:30.125Z', ''],
    ['2026-03-01T10:20:30.122Z', 'later exact'],
    // Digits beyond milliseconds are cut, as they were when the change was stored.
    ['2026-03-01T10:20:30.123999Z', 'later exact'],
    ['2026-03-01T04:20:30.123-06:00', 'later exact'],
    ['2026-03-01T04:20:30.124-06:00', 'later'],
    ['2026-03-01T12:20:30.123%2B02:00', 'later exact'],
    ['2026-03-01T12:20:30.123+02:00', 'later exact'],
    ['2026-03-01T12:20:30.124+02:00', 'later'],
    ['2026-03-01T10:20:31Z', ''],
    ['2026-03-01', 'later exact midnight'],
    ['2026-03-02', ''],
    ['2026-02-28', 'later exact midnight'],
    ['2999-01-01T00:00:00Z', ''],
  ])('%s finds [%s]', async (time, expected) => {
    const found = await order(`city=reloj&sort=updated&updated_since=${time}`)
    expect(found).toEqual(expected.split(' ').filter(Boolean))
  })

  it('takes back the updated_at of any record and finds that record', async () => {
    const created = await exchange.published(owner, { city: 'Vuelta', external_id: 'vuelta' })
    const { updated_at } = (await exchange.get(`/properties/${created.id}`, viewer.key)).body
    expect(await order(`city=vuelta&updated_since=${updated_at}`)).toEqual(['vuelta'])
    const next = new Date(Date.parse(updated_at) + 1).toISOString()
    expect(await order(`city=vuelta&updated_since=${next}`)).toEqual([])
  })

  it('loses no listing for a reader that starts each round at the latest change it knows', async () => {
    const known = new Map<string, string>()
    let since = '2026-01-01T00:00:00.000Z'
    const synchronize = async () => {
      const query = `city=ronda&sort=updated&updated_since=${since}`
      for (let page = 1, pages = 1; page <= pages; page++) {
        const { body } = await exchange.get(`/properties?${query}&page=${page}&limit=2`, viewer.key)
        for (const one of body.content) known.set(one.id, one.title)
        for (const one of body.content) if (one.updated_at > since) since = one.updated_at
        pages = body.pagination.pages
        // Somebody edits a listing of a page already read, in the middle of the walk.
        if (page === 1) await edit(body.content[0].id)
      }
    }
    let edits = 0
    const edit = (id: string) =>
      exchange.put(`/properties/${id}`, owner.key, { title: `Título número ${++edits}` })
    for (let i = 0; i < 7; i++) await exchange.published(owner, { city: 'Ronda' })
    for (let round = 0; round < 3; round++) await synchronize()
    const now = await exchange.get('/properties?city=ronda&limit=100', viewer.key)
    expect(known.size).toBe(7)
    // The last edit came after its page was read; the next round would bring it.
    const stale = now.body.content.filter(
      (one: { id: string; title: string }) => known.get(one.id) !== one.title,
    )
    expect(stale.length).toBeLessThanOrEqual(1)
    const query = `city=ronda&sort=updated&updated_since=${since}`
    const again = (await exchange.get(`/properties?${query}`, viewer.key)).body.content
    const fresh = new Set(again.map((one: { id: string }) => one.id))
    expect(stale.every((one: { id: string }) => fresh.has(one.id))).toBe(true)
  })
})
