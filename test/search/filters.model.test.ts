import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { foldText } from '../../src/lib/text.ts'
import { propertyTypes, sorts } from '../../src/lookups/catalog.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { type Stocked, stock } from '../support/inventory.ts'

const exchange = useExchange()

const LISTINGS = 150
const CASES = 400
// Told in the title: with it a failing market can be made again.
const seed = Number(process.env.TEST_SEED) || Date.now() % 2 ** 31

// Few values each, so that filters find something and almost every order has ties.
const CITIES = ['Mérida', 'San Pedro', 'San Pedro Garza García', 'León', 'Río 50%_']
const STATES = ['Baja California', 'Baja California Sur', 'Yucatán', 'Nuevo León']
const NEIGHBORHOODS = ['Centro', 'Centro Histórico', 'Del Valle', 'Ñuñoa \\ 2']
const FEATURES = ['Alberca', 'Jardín', 'Terraza', 'Elevador']
// Words that no other text holds and that the stemmer keeps apart.
const WORDS = ['zafiro', 'topacio', 'granate']
const PRICES = [900, 1000, 1500.5, 25_000, 2_000_000, 2_000_000.01]
const AREAS = [40, 80.25, 80.5, 300]
const EPOCH = Date.UTC(2026, 4, 1, 12)
const GDL = { lat: 20.67, lng: -103.35 }

const time = fc.nat(5).map(step => new Date(EPOCH + step))
const orNull = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 3 })
const near = (center: number) => fc.integer({ min: -300, max: 300 }).map(step => center + step / 1000)
const point = fc.option(fc.record({ lat: near(GDL.lat), lng: near(GDL.lng) }), {
  nil: { lat: null, lng: null },
  freq: 4,
})
const price = fc.oneof(
  fc.record({ sale_price: fc.constantFrom(...PRICES), rent_price: orNull(PRICES) }),
  fc.record({ sale_price: fc.constant(null), rent_price: fc.constantFrom(...PRICES) }),
)
const currency = fc.constantFrom('MXN', 'USD')
const text = fc.subarray(WORDS).map(words => ['Propiedad', ...words].join(' '))

const listing = fc.record({
  fields: fc.record({
    title: text,
    description: text,
    property_type: fc.constantFrom(...propertyTypes),
    neighborhood: orNull([...NEIGHBORHOODS, ...WORDS]),
    city: fc.constantFrom(...CITIES),
    state: fc.constantFrom(...STATES),
    bedrooms: orNull([0, 1, 2, 3]),
    bathrooms: orNull([0, 1, 1.5, 2]),
    parking: orNull([0, 1, 2]),
    construction_m2: orNull(AREAS),
    lot_m2: orNull(AREAS),
    features: fc.subarray(FEATURES),
    show_exact_address: fc.boolean(),
  }),
  price,
  currencies: fc.tuple(currency, currency),
  point,
  isOwn: fc.boolean(),
  circumstances: fc.record({
    featured: fc.boolean(),
    created_at: time,
    updated_at: time,
    published_at: fc.option(time),
  }),
})

interface Asked {
  q?: string[]
  operation?: 'sale' | 'rental'
  rent_period?: 'monthly' | 'daily'
  type?: string[]
  state?: string
  city?: string
  neighborhood?: string
  min_price?: number
  max_price?: number
  currency?: string
  min_bedrooms?: number
  min_bathrooms?: number
  min_parking?: number
  min_construction?: number
  min_lot?: number
  features?: string[]
  exclude_features?: string[]
  rectangle?: { sw_lat: number; sw_lng: number; ne_lat: number; ne_lng: number }
  circle?: { lat: number; lng: number; radius_km: number }
  updated_since?: Date
  sort?: string
  page?: number
  limit?: number
}

const sometimes = <T>(value: fc.Arbitrary<T>, freq = 6) =>
  fc.oneof({ weight: freq, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const part = (names: string[]) =>
  fc.constantFrom(...names).chain(name =>
    fc
      .tuple(fc.nat(name.length - 1), fc.integer({ min: 1, max: name.length }), fc.nat(3))
      .map(([from, length, how]) => {
        const piece = name.slice(from, from + length).trim() || name
        return [piece, foldText(piece), piece.toUpperCase(), name][how] as string
      }),
  )
const ordered = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a])

const asked = fc
  .record({
    q: sometimes(fc.subarray(WORDS, { minLength: 1 }), 2),
    operation: sometimes(fc.constantFrom('sale', 'rental'), 2),
    rent_period: sometimes(fc.constantFrom('monthly', 'daily')),
    type: sometimes(fc.array(fc.constantFrom(...propertyTypes), { minLength: 1, maxLength: 6 })),
    state: sometimes(fc.constantFrom(...STATES)),
    city: sometimes(part(CITIES)),
    neighborhood: sometimes(part(NEIGHBORHOODS)),
    min_price: sometimes(fc.constantFrom(0, ...PRICES), 3),
    max_price: sometimes(fc.constantFrom(...PRICES), 3),
    currency: sometimes(currency, 3),
    min_bedrooms: sometimes(fc.nat(3)),
    min_bathrooms: sometimes(fc.constantFrom(0, 1, 1.25, 1.5, 2)),
    min_parking: sometimes(fc.nat(2)),
    min_construction: sometimes(fc.constantFrom(0, 80.25, 80.3, 300)),
    min_lot: sometimes(fc.constantFrom(0, 80.25, 80.3, 300)),
    features: sometimes(fc.subarray(FEATURES, { minLength: 1, maxLength: 2 })),
    exclude_features: sometimes(fc.subarray(FEATURES, { minLength: 1, maxLength: 2 })),
    rectangle: sometimes(
      fc.tuple(near(GDL.lat), near(GDL.lat), near(GDL.lng), near(GDL.lng)).map(([a, b, c, d]) => {
        const [sw_lat, ne_lat] = ordered(a, b)
        const [sw_lng, ne_lng] = ordered(c, d)
        return { sw_lat, sw_lng, ne_lat, ne_lng }
      }),
      4,
    ),
    circle: sometimes(
      fc.record({ lat: near(GDL.lat), lng: near(GDL.lng), radius_km: fc.constantFrom(0.5, 8, 30, 200) }),
      4,
    ),
    updated_since: sometimes(time, 3),
    sort: sometimes(fc.constantFrom(...sorts), 1),
    page: sometimes(fc.integer({ min: 1, max: 5 }), 2),
    limit: sometimes(fc.constantFrom(1, 7, 24, 50, 100, 500), 1),
  })
  .filter(({ min_price, max_price }) => !min_price || max_price === undefined || min_price <= max_price)
  .map(given => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Asked)

function queryOf({ q, rectangle, circle, updated_since, ...others }: Asked) {
  const { type = [], features = [], exclude_features: excluded = [], ...plain } = others
  const query = new URLSearchParams()
  const single = {
    q: q?.join(' '),
    ...plain,
    ...rectangle,
    ...circle,
    updated_since: updated_since?.toISOString(),
  }
  for (const [name, value] of Object.entries(single)) if (value !== undefined) query.set(name, String(value))
  for (const value of type) query.append('type', value)
  for (const value of features) query.append('features', value)
  for (const value of excluded) query.append('exclude_features', value)
  return query
}

// ---- the model: what the filters mean, one listing at a time ---------------------------------------------

const has = (whole: string | null, piece: string) =>
  whole !== null && foldText(whole).includes(foldText(piece))
const reaches = (value: number | null, least = 0) => least === 0 || (value !== null && value >= least)
const holds = (whole: string | null, word: string) => whole?.split(' ').includes(word) ?? false

function distanceKm(a: { lat: number; lng: number }, b: { lat: number; lng: number }) {
  const rad = (degrees: number) => (degrees * Math.PI) / 180
  const cosine =
    Math.sin(rad(a.lat)) * Math.sin(rad(b.lat)) +
    Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.cos(rad(a.lng - b.lng))
  return 6371.0088 * Math.acos(Math.min(1, cosine))
}

function fitsPrice(one: Stocked, { operation, min_price, max_price, currency: wanted }: Asked) {
  if (!operation && !min_price && max_price === undefined && !wanted) return true
  const offers = [
    { kind: 'sale', amount: one.sale_price, currency: one.sale_currency },
    { kind: 'rental', amount: one.rent_price, currency: one.rent_currency },
  ]
  return offers.some(
    offer =>
      offer.amount !== null &&
      (!operation || offer.kind === operation) &&
      offer.amount >= (min_price ?? 0) &&
      offer.amount <= (max_price ?? Number.POSITIVE_INFINITY) &&
      (!wanted || offer.currency === wanted),
  )
}

function fitsMap(one: Stocked, { rectangle, circle }: Asked) {
  if (!rectangle && !circle) return true
  const { public_lat: lat, public_lng: lng } = one
  if (lat === null || lng === null) return false
  const isInside =
    !rectangle ||
    (lat >= rectangle.sw_lat && lat <= rectangle.ne_lat && lng >= rectangle.sw_lng && lng <= rectangle.ne_lng)
  return isInside && (!circle || distanceKm(circle, { lat, lng }) <= circle.radius_km)
}

/** By the best place each word is in; 0 if one is nowhere. */
function rank(one: Stocked, words: string[]): number {
  const weights = words.map((word): number => {
    if (holds(one.title, word)) return 8
    if (holds(one.neighborhood, word)) return 4
    return holds(one.description, word) ? 1 : 0
  })
  return weights.every(weight => weight > 0) ? weights.reduce((sum, weight) => sum + weight, 0) : 0
}

const fits = (one: Stocked, a: Asked) =>
  fitsPrice(one, a) &&
  fitsMap(one, a) &&
  (!a.q || rank(one, a.q) > 0) &&
  (!a.rent_period || one.rent_period === a.rent_period) &&
  (!a.type || a.type.includes(one.property_type)) &&
  (!a.state || one.state === a.state) &&
  (!a.city || has(one.city, a.city)) &&
  (!a.neighborhood || has(one.neighborhood, a.neighborhood)) &&
  reaches(one.bedrooms, a.min_bedrooms) &&
  reaches(one.bathrooms, a.min_bathrooms) &&
  reaches(one.parking, a.min_parking) &&
  reaches(one.construction_m2, a.min_construction) &&
  reaches(one.lot_m2, a.min_lot) &&
  (a.features ?? []).every(feature => one.features.includes(feature)) &&
  !(a.exclude_features ?? []).some(feature => one.features.includes(feature)) &&
  (!a.updated_since || one.updated_at >= a.updated_since)

/** Smaller comes first. */
function keyOf(one: Stocked, { sort = 'newest', operation, q }: Asked): number[] {
  const newest = -(one.published_at ?? one.created_at).getTime()
  if (sort === 'updated') return [-one.updated_at.getTime()]
  if (sort === 'relevance') return [q ? -rank(one, q) : 0, newest]
  if (sort === 'newest') return [newest]
  const either = one.sale_price ?? one.rent_price
  const amount = operation === 'sale' ? one.sale_price : operation === 'rental' ? one.rent_price : either
  if (amount === null) return [Number.POSITIVE_INFINITY]
  return [sort === 'price_asc' ? amount : -amount]
}

function compare(a: Stocked, b: Stocked, question: Asked): number {
  const left = [a.featured ? 0 : 1, ...keyOf(a, question)]
  const right = [b.featured ? 0 : 1, ...keyOf(b, question)]
  const at = left.findIndex((value, i) => value !== right[i])
  if (at >= 0) return (left[at] as number) < (right[at] as number) ? -1 : 1
  return a.id < b.id ? -1 : 1
}

// ----------------------------------------------------------------------------------------------------------

describe('search, against a filter and a sort in memory', () => {
  let viewer: TestAgent
  const market: Stocked[] = []

  beforeAll(async () => {
    const owner = await exchange.agent({ name: 'Olga Ortiz' })
    viewer = await exchange.agent({ name: 'Luis Ramos' })
    for (const { fields, price, currencies, point, isOwn, circumstances } of fc.sample(listing, {
      numRuns: LISTINGS,
      seed,
    })) {
      const prices = {
        ...price,
        ...(price.sale_price === null ? {} : { sale_currency: currencies[0] }),
        ...(price.rent_price === null
          ? {}
          : { rent_currency: currencies[1], rent_period: currencies[1] === 'USD' ? 'daily' : 'monthly' }),
      }
      const agent = isOwn ? viewer : owner
      const more: Parameters<typeof stock>[3] = { ...circumstances, status: isOwn ? 'draft' : 'published' }
      market.push(await stock(exchange, agent, { ...fields, ...prices, ...point }, more))
    }
    // Own drafts may lose their last price: they sort last.
    for (const one of market.filter(({ status }) => status === 'draft').slice(0, 10)) {
      const none = {
        sale_price: null,
        sale_currency: null,
        rent_price: null,
        rent_currency: null,
        rent_period: null,
      }
      await exchange.db.updateTable('listings').set(none).where('id', '=', one.id).execute()
      Object.assign(one, none)
    }
  })

  /** How many the page held, once they are the expected ones in the expected order. */
  async function checkPage(question: Asked): Promise<number> {
    const expected = market.filter(one => fits(one, question)).sort((a, b) => compare(a, b, question))
    const limit = Math.min(question.limit ?? 24, 100)
    const page = question.page ?? 1
    const { status, body } = await exchange.get(`/properties?${queryOf(question)}`, viewer.key)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.pagination).toEqual({
      page,
      limit,
      total: expected.length,
      pages: Math.ceil(expected.length / limit),
    })
    const ids = expected.slice((page - 1) * limit, page * limit).map(({ id }) => id)
    expect(body.content.map((one: { id: string }) => one.id)).toEqual(ids)
    return ids.length
  }

  it(`finds the same listings in the same order for ${CASES} random questions (seed ${seed})`, async () => {
    let fruitful = 0
    const property = fc.asyncProperty(asked, async question => {
      if ((await checkPage(question)) > 1) fruitful++
    })
    await fc.assert(property, { numRuns: CASES, seed })
    // Questions that find nothing prove little.
    expect(fruitful).toBeGreaterThan(CASES / 8)
  }, 60_000)

  it(`ranks by relevance in the same order for every set of words (seed ${seed})`, async () => {
    const sets = fc.sample(fc.subarray(WORDS, { minLength: 1 }), { numRuns: 30, seed })
    for (const q of sets) expect(await checkPage({ q, sort: 'relevance', limit: 100 })).toBeGreaterThan(1)
  })
})
