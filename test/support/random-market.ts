import fc from 'fast-check'
import { sql } from 'kysely'
import { createAgent } from '../../src/agents/service.ts'
import type { Db } from '../../src/db/database.ts'
import { foldText, wordsOf } from '../../src/lib/text.ts'
import { searchVector } from '../../src/listings/store.ts'
import { listingStatuses, propertyTypes } from '../../src/lookups/catalog.ts'
import { type Criteria, MARKET_SORTS, MARKS } from '../../src/search/criteria.ts'
import { type PlacePart, readPlace } from '../../src/search/places/place.ts'

/** Few values of each kind, so that random queries find something and random listings have ties. */
const CITIES = ['Guadalajara', 'Zapopan', 'Mérida', 'San Miguel de Allende', 'Tijuana 100%']
const STATES = ['Jalisco', 'Yucatán', 'Baja California']
const NEIGHBORHOODS = [null, 'Centro', 'Providencia', 'La Estancia', 'Las_Águilas']
const MUNICIPALITIES = [null, 'Zapopan', 'Los Cabos', 'Allende']
const PLACES = [
  'Guadalajara',
  'san miguel',
  'Zapopan, Jalisco',
  'col. Centro',
  'estancia',
  'Los Cabos',
  'YUC',
  'B.C., Merida',
  'Zapopan o Mérida',
  'col. Centro or YUC, Jalisco',
  'tijuana 100%',
]
const AMENITIES = ['Alberca', 'Jardín', 'Elevador', 'Terraza']
const WORDS = 'casa casas jardín jardin alberca habitación amplia la de vista mar terreno lote depa'.split(
  ' ',
)
const PRICES = [null, 950_000, 1_500_000, 1_500_000.5, 2_000_000, 999_999_999_999.99]

const COMMISSIONS = [null, '3', '2.5 %', ' 5,25% + IVA', '20', '20.5', '50', '50% de la comisión', '3%%', '0']

const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })
const text = (most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most }).map(words => words.join(' '))
const time = fc.integer({ min: 0, max: 40 }).map(minutes => new Date(Date.UTC(2026, 0, 1, 12, minutes)))
/** Words of a query that also mean a type, an operation, an amenity or a place, and noise. */
const meant = fc
  .subarray(
    [
      'piscina',
      'nave industrial',
      'en renta',
      'se vende',
      'zmg',
      'yuc',
      'bc',
      'los cabos',
      'col',
      'sin jardin',
      'con lift',
      'casa',
    ],
    { minLength: 1, maxLength: 3 },
  )
  .map(words => words.join(' '))
// On a grid, so that points fall on the edges of rectangles.
const lat = fc.integer({ min: 0, max: 20 }).map(step => 20.5 + step / 40)
const lng = fc.integer({ min: 0, max: 20 }).map(step => -103.6 + step / 40)

const fields = {
  status: fc.constantFrom('published', 'published', 'published', ...listingStatuses),
  featured: fc.boolean(),
  imported: fc.constantFrom(false, false, false, false, true),
  idx_opt_out: fc.constantFrom(false, false, false, false, true),
  property_type: fc.constantFrom(...propertyTypes),
  sale: fc.tuple(fc.constantFrom(...PRICES), fc.constantFrom('MXN', 'USD')),
  rent: fc.tuple(
    fc.constantFrom(...PRICES),
    fc.constantFrom('MXN', 'USD'),
    fc.constantFrom('monthly', 'daily'),
  ),
  municipality: fc.constantFrom(...MUNICIPALITIES),
  bedrooms: maybe(fc.integer({ min: 0, max: 12 })),
  bathrooms: maybe(fc.constantFrom(1, 1.5, 2, 2.25, 3)),
  parking: maybe(fc.integer({ min: 0, max: 4 })),
  construction_m2: maybe(fc.constantFrom(80, 120.5, 300)),
  lot_m2: maybe(fc.constantFrom(90, 200, 1000.25)),
  half_bathrooms: maybe(fc.nat(2)),
  year_built: maybe(fc.constantFrom(1950, 1999, 2020)),
  floors: maybe(fc.nat(3)),
  features: fc.uniqueArray(fc.constantFrom(...AMENITIES)),
  place: fc.tuple(fc.constantFrom(...CITIES), fc.constantFrom(...NEIGHBORHOODS), fc.constantFrom(...STATES)),
  point: maybe(fc.tuple(lat, lng)),
  words: fc.tuple(text(3), text(8)),
  created_at: time,
  updated_at: time,
  published_at: maybe(time),
  price_lowered_at: maybe(time),
  shared_commission: fc.constantFrom(...COMMISSIONS),
  exclusive: fc.boolean(),
  video_url: fc.constantFrom(null, null, 'https://video.example/1'),
  virtual_tour_url: fc.constantFrom(null, null, 'https://tour.example/1'),
}
type Drawn = { [K in keyof typeof fields]: (typeof fields)[K] extends fc.Arbitrary<infer T> ? T : never }

export const someListing = fc.record(fields) as fc.Arbitrary<Drawn>

function columnsOf(drawn: Partial<Drawn>) {
  const { sale, rent, place, point, words, ...plain } = drawn
  return {
    ...plain,
    ...(sale && { sale_price: sale[0], sale_currency: sale[0] && sale[1] }),
    ...(rent && {
      rent_price: rent[0],
      rent_currency: rent[0] && rent[1],
      rent_period: rent[0] && rent[2],
    }),
    ...(point !== undefined && {
      lat: point?.[0] ?? null,
      lng: point?.[1] ?? null,
      public_lat: point?.[0] ?? null,
      public_lng: point?.[1] ?? null,
    }),
    ...(place && {
      city: place[0],
      city_fold: foldText(place[0]),
      neighborhood: place[1],
      neighborhood_fold: place[1] && foldText(place[1]),
      state: place[2],
    }),
    ...(words && {
      title: words[0],
      title_fold: foldText(words[0]),
      description: words[1],
      search: searchVector({
        title: joined(words[0]),
        place: place ? joined(place.join(' ')) : '',
        features: joined((plain.features ?? []).join(' ')),
        body: joined(words[1]),
      }),
    }),
  }
}
const joined = (words: string) => wordsOf(words).join(' ')

let serial = 0

export async function insertSome(db: Db, agents: { id: string }[], drawn: Drawn[]): Promise<string[]> {
  if (drawn.length === 0) return []
  const rows = drawn.map((one, i) => ({
    ...columnsOf(one),
    agent_id: agents[i % agents.length]?.id,
    slug: `propiedad-${serial++}`,
    show_exact_address: false,
  }))
  const inserted = await db
    .insertInto('listings')
    .values(rows as never)
    .returning('id')
    .execute()
  return inserted.map(({ id }) => id)
}

export async function marketAgents(db: Db) {
  const agents: { id: string }[] = []
  for (const [i, name] of ['Ana', 'Beto', 'Carla', 'Dora'].entries()) {
    agents.push(
      await createAgent(db, {
        name,
        email: `${name}-${serial++}@example.mx`,
        agency: i < 3 ? 'Casas del Sur' : undefined,
        verified: i !== 2,
        test: i === 3,
      }),
    )
  }
  return agents
}

/** A change that search can see; `which` selects what it applies to. */
export const someEdit = fc.record({
  which: fc.nat(),
  kind: fc.constantFrom(
    ...([
      'listing',
      'listing',
      'listing',
      'listing',
      'agent',
      'agency',
      'image',
      'delete',
      'insert',
    ] as const),
  ),
  drawn: someListing,
  names: fc.subarray(Object.keys(fields) as (keyof Drawn)[], { minLength: 1 }),
  flag: fc.boolean(),
})
type Edit = typeof someEdit extends fc.Arbitrary<infer T> ? T : never

export async function edit(db: Db, agents: { id: string }[], ids: string[], change: Edit): Promise<void> {
  const { which, kind, drawn, names, flag } = change
  const id = ids[which % ids.length]
  const agent = agents[which % agents.length] as { id: string }
  if (kind === 'insert') ids.push(...(await insertSome(db, [agent], [drawn])))
  if (kind === 'agent') {
    const changed = flag ? { verified_at: which % 2 ? new Date() : null } : { is_test: which % 2 === 0 }
    await db.updateTable('agents').set(changed).where('id', '=', agent.id).execute()
  }
  if (kind === 'agency') await db.updateTable('agencies').set({ active: flag }).execute()
  if (id === undefined) return
  if (kind === 'listing') {
    const some = Object.fromEntries(names.map(name => [name, drawn[name]])) as Partial<Drawn>
    const columns = columnsOf({
      ...some,
      ...(some.words && { place: drawn.place, features: drawn.features }),
    })
    await db
      .updateTable('listings')
      .set(columns as never)
      .where('id', '=', id)
      .execute()
  }
  if (kind === 'image') {
    const position = sql<number>`(select count(*) from listing_images where listing_id = ${id})`
    const url = `https://images.example/${serial++}.jpg`
    await db.insertInto('listing_images').values({ listing_id: id, position, url, thumb: url }).execute()
  }
  if (kind === 'delete') {
    await db.deleteFrom('listing_images').where('listing_id', '=', id).execute()
    await db.deleteFrom('listings').where('id', '=', id).execute()
    ids.splice(ids.indexOf(id), 1)
  }
}

const onlyAsked = (drawn: object) =>
  Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined))

/** One in ten: more filters at once would find nothing most of the time. */
const asked = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one })
const rectangle = fc.tuple(lat, lng, lat, lng).map(([a, b, c, d]) => ({
  swLat: Math.min(a, c),
  swLng: Math.min(b, d),
  neLat: Math.max(a, c),
  neLng: Math.max(b, d),
}))

/** Any ring, also one that crosses itself; points of listings are often on its edges and corners. */
const ring = fc.array(fc.tuple(lat, lng), { minLength: 3, maxLength: 9 })
const polygons = fc.array(fc.array(ring, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 })

export const someCriteria = fc
  .record({
    q: asked(fc.oneof(text(3), meant, fc.constantFrom('la', 'de la', 'c', '%', 'ca', 'xyzzy'))),
    operation: asked(fc.constantFrom('sale', 'rental')),
    rentPeriod: asked(fc.constantFrom('monthly', 'daily', 'weekly')),
    types: asked(fc.uniqueArray(fc.constantFrom(...propertyTypes), { minLength: 1, maxLength: 6 })),
    state: asked(fc.constantFrom(...STATES)),
    city: asked(fc.constantFrom('a', 'guada', 'san miguel', '%', '_', 'nowhere')),
    neighborhood: asked(fc.constantFrom('centro', 'la', '_', 'estancia')),
    minPrice: asked(fc.constantFrom(1, 950_000, 1_500_000.25, 3_000_000)),
    maxPrice: asked(fc.constantFrom(950_000, 1_500_000, 1e12)),
    currency: asked(fc.constantFrom('MXN', 'USD')),
    priceIn: fc.option(
      fc.record({
        currency: fc.constantFrom('MXN', 'USD'),
        mxnPerUsd: fc.constantFrom(1.5, 18.35, 1.578947, 17.1234),
      }),
      { nil: undefined, freq: 3 },
    ),
    minBedrooms: asked(fc.constantFrom(1, 2.5, 3, 8, 9, 12)),
    minBathrooms: asked(fc.constantFrom(1, 1.5, 2, 2.2)),
    minParking: asked(fc.constantFrom(1, 2, 4)),
    minConstruction: asked(fc.constantFrom(80, 120.5, 121)),
    minLot: asked(fc.constantFrom(90.5, 1000.25)),
    maxBedrooms: asked(fc.constantFrom(0, 2, 9.5)),
    maxBathrooms: asked(fc.constantFrom(1, 2.25)),
    maxParking: asked(fc.constantFrom(0, 2)),
    maxConstruction: asked(fc.constantFrom(100, 120.5)),
    maxLot: asked(fc.constantFrom(200, 1000)),
    minHalfBathrooms: asked(fc.constantFrom(1, 1.5)),
    maxHalfBathrooms: asked(fc.constantFrom(0, 1)),
    minYearBuilt: asked(fc.constantFrom(1950, 2000)),
    maxYearBuilt: asked(fc.constantFrom(1950, 2020)),
    minFloors: asked(fc.nat(3)),
    maxFloors: asked(fc.nat(2)),
    likedBedrooms: asked(fc.integer({ min: 0, max: 4 })),
    place: asked(fc.constantFrom(...PLACES).map(place => readPlace(place) as PlacePart[])),
    features: asked(fc.uniqueArray(fc.constantFrom(...AMENITIES), { minLength: 1, maxLength: 2 })),
    notFeatures: asked(fc.uniqueArray(fc.constantFrom(...AMENITIES), { minLength: 1, maxLength: 2 })),
    rectangle: asked(rectangle),
    circle: asked(fc.record({ lat, lng, radiusKm: fc.constantFrom(0.5, 5, 20, 200) })),
    polygons: asked(polygons),
    updatedSince: asked(time),
    sort: fc.constantFrom('newest', 'updated', 'price_asc', 'price_desc', 'relevance', 'distance'),
    near: fc.record({ lat, lng }),
    page: fc.constantFrom(1, 1, 2, 3, 7, 20),
    limit: fc.constantFrom(1, 5, 24, 100),
  })
  .map(
    ({ near, ...drawn }) =>
      onlyAsked({ ...drawn, ...(drawn.sort === 'distance' ? { near } : {}) }) as unknown as Criteria,
  )

/** Criteria that only the market has; they replace those of another query. */
export const someMarketCriteria = fc
  .record({
    minCommission: fc.option(fc.constantFrom(0.5, 2.5, 3, 5.25, 20), { nil: undefined }),
    marks: asked(fc.subarray([...MARKS], { minLength: 1 })),
    fresh: asked(fc.record({ since: time, isNew: fc.boolean(), isLowered: fc.boolean() })),
    sort: fc.constantFrom(undefined, ...MARKET_SORTS),
  })
  .map(drawn => onlyAsked(drawn) as Partial<Criteria>)
