import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { COLONIAS, SHARED_COLONIAS } from '../src/demo/colonias.ts'
import { CITIES, type City } from '../src/demo/places.ts'
import { chance, int, pick, type Random, sample, stream, weighted } from '../src/demo/random.ts'
import { foldText } from '../src/lib/text.ts'
import { AMENITIES } from '../src/lookups/amenities.ts'
import type { Operation, PropertyType } from '../src/lookups/catalog.ts'
import type { Filters } from '../src/search/criteria.ts'
import { type Candidate, matches, type StoredSearch } from '../src/search/matching/matches.ts'
import { StoredSearches } from '../src/search/matching/stored.ts'
import { readPlace } from '../src/search/places/place.ts'
import { heapMegabytes } from '../test/support/heap.ts'

/** Held against every stored search one by one, to compare. */
const COMPARED = 20
const LABELS = AMENITIES.map(({ label }) => label)
const TYPES = ['house', 'house', 'house', 'apartment', 'apartment', 'land', 'office', 'commercial'] as const
const LEXEMES = Array.from({ length: 2_000 }, (_, n) => `palabra${n}`)

/** Which of many stored searches does a changed listing satisfy: `npm run bench -- matching`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      searches: { type: 'string', default: '100000' },
      listings: { type: 'string', default: '2000' },
    },
  })
  const r = stream(11, 'matching')
  const before = await heapMegabytes()
  const index = new StoredSearches<number>()
  const all: StoredSearch[] = []
  for (let n = 0; n < Number(values.searches); n++) {
    const search = drawSearch(r)
    all.push(search)
    index.set(n, [search])
  }
  const megabytes = (await heapMegabytes()) - before
  const listings = Array.from({ length: Number(values.listings) }, () => drawListing(r))
  for (const listing of listings.slice(0, 300)) index.matching(listing)
  let found = 0
  const times = listings.map(listing => {
    const started = performance.now()
    found += index.matching(listing).size
    return performance.now() - started
  })
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(times.length * share)] as number).toFixed(3)
  compare(index, all, listings.slice(0, COMPARED))
  console.log(
    `${values.searches} stored searches, ${values.listings} changed listings, ${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}\n`,
  )
  console.log('| p50 | p99 | most | memory | matches of a listing |\n|---|---|---|---|---|')
  console.log(
    `| ${at(0.5)} ms | ${at(0.99)} ms | ${times.at(-1)?.toFixed(1)} ms | ${megabytes.toFixed(0)} MB | ${Math.round(found / listings.length)} |`,
  )
}

function compare(index: StoredSearches<number>, all: StoredSearch[], listings: Candidate[]): void {
  for (const listing of listings) {
    const found = index.matching(listing)
    const expected = all.flatMap((search, n) => (matches(search, listing) ? [n] : []))
    if (expected.length !== found.size || expected.some(n => !found.has(n)))
      throw new Error('the index does not find what each search finds')
  }
}

const BY_POPULATION = CITIES.map(city => [city, city.population] as const)
const drawCity = (r: Random): City => weighted(r, BY_POPULATION)
const drawType = (r: Random): PropertyType => pick(r, TYPES)
const drawColonia = (r: Random, city: City) => {
  const { alta, media } = COLONIAS[`${city.state}/${city.name}`] ?? SHARED_COLONIAS
  return pick(r, [...alta, ...media])
}
const drawPrice = (r: Random, operation: Operation) =>
  operation === 'sale' ? int(r, 8, 120) * 100_000 : int(r, 5, 80) * 1_000

/** Most people know where, what and how much; one in fifty only what. */
function drawSearch(r: Random): StoredSearch {
  const operation = chance(r, 0.7) ? 'sale' : 'rental'
  const price = drawPrice(r, operation)
  const filters: Filters = {
    operation,
    types: [...new Set([drawType(r), ...(chance(r, 0.3) ? [drawType(r)] : [])])],
    minPrice: Math.round(price * 0.7),
    maxPrice: price,
    currency: 'MXN',
    ...drawArea(r),
    ...(chance(r, 0.6) ? { minBedrooms: int(r, 1, 4) } : {}),
    ...(chance(r, 0.3) ? { minBathrooms: int(r, 1, 3) } : {}),
    ...(chance(r, 0.2) ? { features: sample(r, LABELS, 2) } : {}),
  }
  const groups = chance(r, 0.1) ? [{ lexemes: [pick(r, LEXEMES)] }] : []
  return { filters, wanted: { groups }, reach: chance(r, 0.5) ? 'market' : 'all' }
}

function drawArea(r: Random): Filters {
  const city = drawCity(r)
  const kind = r()
  if (kind < 0.02) return {}
  if (kind < 0.1) return { state: city.state }
  if (kind < 0.2) return { circle: { lat: city.lat, lng: city.lng, radiusKm: int(r, 1, 10) } }
  const place = kind < 0.6 ? city.name : `${drawColonia(r, city)}, ${city.name}`
  return { place: readPlace(place) ?? [] }
}

function drawListing(r: Random): Candidate {
  const city = drawCity(r)
  const isSale = chance(r, 0.7)
  const neighborhood = drawColonia(r, city)
  return {
    id: '00000000-0000-4000-8000-000000000000',
    xid: 1,
    version: [0, 0],
    agent: '00000000-0000-4000-8000-000000000001',
    isPublic: true,
    isOnMarket: true,
    featured: false,
    type: drawType(r),
    state: city.state,
    city: foldText(city.name),
    cityName: city.name,
    municipality: foldText(city.municipality),
    neighborhood: foldText(neighborhood),
    neighborhoodName: neighborhood,
    halfBathrooms: null,
    yearBuilt: null,
    floors: null,
    rentPeriod: null,
    title: 'casa',
    salePrice: isSale ? drawPrice(r, 'sale') : null,
    saleCurrency: isSale ? 'MXN' : null,
    rentPrice: isSale ? null : drawPrice(r, 'rental'),
    rentCurrency: isSale ? null : 'MXN',
    bedrooms: int(r, 1, 5),
    bathrooms: int(r, 1, 4),
    parking: int(r, 0, 3),
    construction: int(r, 50, 500),
    lot: int(r, 50, 900),
    amenities: sample(r, LABELS, 12),
    lat: city.lat + (r() - 0.5) / 5,
    lng: city.lng + (r() - 0.5) / 5,
    updated: 0,
    newest: 0,
    lowered: null,
    commission: 3,
    isExclusive: false,
    hasMedia: false,
    lexemes: new Set(sample(r, LEXEMES, 60)),
  }
}
