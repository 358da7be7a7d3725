import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { difference } from '../../src/search/engine/similar.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { type Stocked, stock } from '../support/inventory.ts'

const exchange = useExchange()
const seed = Number(process.env.TEST_SEED) || Date.now() % 2 ** 31
const LISTINGS = 80

// Few values each, so that there are ties.
const orNull = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { freq: 5 })
const listing = fc.record({
  property_type: fc.constantFrom('house', 'house', 'apartment', 'land'),
  state: fc.constantFrom('Jalisco', 'Jalisco', 'Yucatán'),
  lat: fc.integer({ min: 0, max: 12 }).map(step => 20.6 + step / 50),
  lng: fc.integer({ min: 0, max: 12 }).map(step => -103.4 + step / 50),
  sale_price: orNull(900_000, 1_500_000, 2_000_000, 4_500_000),
  sale_currency: fc.constantFrom('MXN', 'MXN', 'USD'),
  rent_price: orNull(9_000, 15_000),
  rent_currency: fc.constantFrom('MXN', 'USD'),
  construction_m2: orNull(80, 120, 300),
  lot_m2: orNull(90, 200, 1000),
})

let [me, other] = [] as unknown as [TestAgent, TestAgent]
const all: Stocked[] = []

beforeAll(async () => {
  me = await exchange.agent()
  other = await exchange.agent()
  const drawn = fc.sample(
    fc.record({
      fields: listing,
      isOwn: fc.boolean(),
      status: fc.constantFrom('published', 'published', 'draft'),
    }),
    { numRuns: LISTINGS, seed },
  )
  for (const { fields, isOwn, status } of drawn) {
    const { rent_price, ...rest } = fields
    // One of them is required.
    const sale_price = fields.sale_price ?? (rent_price === null ? 900_000 : null)
    const prices = {
      sale_price,
      ...(sale_price === null ? { sale_currency: null } : {}),
      ...(rent_price === null ? { rent_price: null, rent_currency: null } : { rent_price }),
    }
    all.push(
      await stock(exchange, isOwn ? me : other, { ...rest, ...prices }, { status: status as 'published' }),
    )
  }
}, 60_000)

// ---- the model, written as simply as possible -----------------------------------------------------------

const rad = (degrees: number) => (degrees * Math.PI) / 180
function distance(a: Stocked, b: Stocked): number {
  if (a.public_lat === null || b.public_lat === null) return Number.NaN
  const [lat, lng] = [
    rad(b.public_lat - a.public_lat),
    rad((b.public_lng as number) - (a.public_lng as number)),
  ]
  const h =
    Math.sin(lat / 2) ** 2 +
    Math.cos(rad(a.public_lat)) * Math.cos(rad(b.public_lat)) * Math.sin(lng / 2) ** 2
  return 2 * 6371.0088 * Math.asin(Math.sqrt(h))
}
const twice = (a: number | null, b: number | null, most: number) =>
  a === null || b === null ? most : Math.min(most, Math.abs(Math.log(a / b) / Math.LN2) * most)

function expected(one: Stocked, viewer: string, limit: number): string[] {
  const isSale = one.sale_price !== null
  const [price, currency] = isSale
    ? (['sale_price', 'sale_currency'] as const)
    : (['rent_price', 'rent_currency'] as const)
  const size = one.construction_m2 === null ? 'lot_m2' : 'construction_m2'
  const unlike = (two: Stocked) => {
    const km = distance(one, two)
    const far = Number.isNaN(km) ? 2 : (2 * km) / (km + 5)
    return Math.round((far + twice(one[price], two[price], 1) + twice(one[size], two[size], 0.5)) * 1e6)
  }
  return all
    .filter(two => two.id !== one.id && (two.status === 'published' || two.agent_id === viewer))
    .filter(two => two.property_type === one.property_type && two.state === one.state)
    .filter(two => one[price] === null || (two[price] !== null && two[currency] === one[currency]))
    .map(two => ({ id: two.id, by: unlike(two) }))
    .sort((a, b) => a.by - b.by || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id)
}

describe(`similar listings (TEST_SEED=${seed})`, () => {
  it('are those that comparing every visible listing finds, in that order', async () => {
    let found = 0
    for (const one of all.filter(({ status, agent_id }) => status === 'published' || agent_id === me.id)) {
      const { status, body } = await exchange.get(`/properties/${one.id}/similar?limit=20`, me.key)
      expect(status).toBe(200)
      const ids = body.content.map((record: { id: string }) => record.id)
      expect(ids, one.id).toEqual(expected(one, me.id, 20))
      found += ids.length
    }
    expect(found).toBeGreaterThan(LISTINGS)
  })

  it('are the same records as in a search, six unless asked otherwise, with only the fields asked for', async () => {
    const one = all.find(row => row.status === 'published' && expected(row, me.id, 7).length === 7) as Stocked
    const { body } = await exchange.get(`/properties/${one.slug}/similar`, me.key)
    expect(body.content).toHaveLength(6)
    const ids = body.content.map((record: { id: string }) => record.id)
    const search = await exchange.get(`/properties?ids=${ids}`, me.key)
    const byId = (records: { id: string }[]) => [...records].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId(body.content)).toEqual(byId(search.body.content))
    const few = await exchange.get(`/properties/${one.id}/similar?limit=2&fields=title`, me.key)
    expect(few.body.content.map((record: object) => Object.keys(record))).toEqual([
      ['id', 'title'],
      ['id', 'title'],
    ])
  })

  it('of a listing the caller cannot see do not exist, and a wrong limit is refused', async () => {
    const hidden = all.find(row => row.status === 'draft' && row.agent_id === other.id) as Stocked
    expect((await exchange.get(`/properties/${hidden.id}/similar`, me.key)).status).toBe(404)
    expect((await exchange.get('/properties/unknown/similar', me.key)).status).toBe(404)
    for (const limit of ['0', '21', 'x', '1.5']) {
      const { status, body } = await exchange.get(`/properties/${all[0]?.id}/similar?limit=${limit}`, me.key)
      expect([404, 422], JSON.stringify(body)).toContain(status)
    }
    const own = all.find(row => row.agent_id === me.id) as Stocked
    expect((await exchange.get(`/properties/${own.id}/similar?limit=21`, me.key)).status).toBe(422)
    expect((await exchange.get(`/properties/${own.id}/similar`)).status).toBe(401)
  })
})

describe('the difference', () => {
  const here = { lat: 20, lng: -103, price: 1_000_000, size: 100 }
  it('is nothing for the same, grows with distance, price and size, and is the most where nothing is known', () => {
    expect(difference(here, here)).toBe(0)
    expect(difference(here, { ...here, price: 2_000_000 })).toBe(1e6)
    expect(difference(here, { ...here, price: 500_000 })).toBe(1e6)
    expect(difference(here, { ...here, size: 400 })).toBe(5e5)
    expect(difference(here, { ...here, lat: 20.01 })).toBeLessThan(difference(here, { ...here, lat: 20.02 }))
    const unknown = { lat: Number.NaN, lng: Number.NaN, price: Number.NaN, size: Number.NaN }
    expect(difference(here, unknown)).toBe(3.5e6)
  })
})
