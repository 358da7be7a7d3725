import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { COLONIAS, SHARED_COLONIAS } from '../src/demo/colonias.ts'
import { CITIES } from '../src/demo/places.ts'
import { chance, int, pick, type Random, sample, stream, weighted } from '../src/demo/random.ts'
import { foldText } from '../src/lib/text.ts'
import { AMENITIES } from '../src/lookups/amenities.ts'
import { propertyTypes } from '../src/lookups/catalog.ts'
import type { Criteria, Point } from '../src/search/criteria.ts'
import { clustersIn } from '../src/search/engine/clusters.ts'
import { Engine } from '../src/search/engine/engine.ts'
import type { Entry } from '../src/search/engine/rows.ts'
import { GROUPINGS, statisticsOf } from '../src/search/engine/statistics.ts'
import { FACETS, talliesOf } from '../src/search/engine/tallies.ts'

const REQUESTS = 60
const LABELS = AMENITIES.map(({ label }) => label)
const PLAIN: Criteria = { sort: 'newest', page: 1, limit: 24 }
const NONE = { groups: [] }

/** Facets, areas, clusters, distance, one currency and the market, beside a plain search: `npm run bench -- overview`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { listings: { type: 'string', default: '100000' } } })
  const r = stream(7, 'overview')
  const engine = new Engine()
  engine.prepare(Number(values.listings))
  for (let n = 0; n < Number(values.listings); n++) engine.apply(drawEntry(r, n))
  for (const _step of engine.settle());

  const priceIn = { currency: 'MXN' as const, mxnPerUsd: 17.25 }
  const some = (): Criteria => ({ ...PLAIN, minPrice: int(r, 1, 900_000) })
  const search = (criteria: Criteria) => engine.search(criteria, null, NONE)
  const works: [string, () => unknown][] = [
    ['plain search by price', () => search(some())],
    ['polygon of 12 points', () => search({ ...some(), polygons: [[ring(r, 12)]] })],
    [
      'polygon of 500 points that crosses itself',
      () => search({ ...some(), polygons: [[scribble(r, 500)]] }),
    ],
    [
      'sort=distance',
      () => search({ ...some(), sort: 'distance', near: { lat: 20.6 + r() / 9, lng: -103.4 } }),
    ],
    ['price_in, sorted by price', () => search({ ...some(), sort: 'price_asc', operation: 'sale', priceIn })],
    ['all seven facets', () => talliesOf(engine, FACETS, some(), null, NONE)],
    ['clusters', () => clustersIn(engine, engine.select(some(), null, 'all', NONE), int(r, 4, 12), 500)],
    [
      'market by city, type and month',
      () => {
        const criteria = some()
        return statisticsOf(
          engine,
          engine.select(criteria, null, 'all', NONE),
          GROUPINGS.filter(one => !['state', 'neighborhood'].includes(one)),
          criteria,
          500,
        )
      },
    ],
  ]
  console.log(
    `${values.listings} listings in memory, without HTTP, ${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}\n`,
  )
  console.log('| question | p50 | p95 | times a plain search |\n|---|---|---|---|')
  let plain = 0
  for (const [name, work] of works) {
    const times = Array.from({ length: REQUESTS }, () => {
      const started = performance.now()
      work()
      return performance.now() - started
    })
      .slice(REQUESTS / 3)
      .sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] as number
    plain ||= at(0.5)
    console.log(
      `| ${name} | ${at(0.5).toFixed(2)} ms | ${at(0.95).toFixed(2)} ms | ${(at(0.5) / plain).toFixed(1)} |`,
    )
  }
}

const around = (r: Random, angle: number, reach: number): Point => [
  20.67 + Math.sin(angle) * reach * (0.5 + r() / 2),
  -103.35 + Math.cos(angle) * reach * (0.5 + r() / 2),
]
const ring = (r: Random, points: number) =>
  Array.from({ length: points }, (_, i) => around(r, (i / points) * 2 * Math.PI, 0.15))
const scribble = (r: Random, points: number) =>
  Array.from({ length: points }, () => around(r, r() * 2 * Math.PI, 3))

const BY_POPULATION = CITIES.map(city => [city, city.population] as const)

function drawEntry(r: Random, n: number): Entry {
  const city = weighted(r, BY_POPULATION)
  const isSale = chance(r, 0.7)
  const { alta, media } = COLONIAS[`${city.state}/${city.name}`] ?? SHARED_COLONIAS
  const colonia = pick(r, [...alta, ...media])
  const amount = int(r, 1, 400) * (isSale ? 25_000 : 500)
  const currency = chance(r, 0.9) ? 'MXN' : 'USD'
  return {
    id: [n, int(r, 0, 2 ** 31), int(r, 0, 2 ** 31), n],
    xid: n + 1,
    version: [0, n],
    agent: `agent${n % 3000}`.padEnd(16),
    isPublic: true,
    isOnMarket: true,
    featured: chance(r, 0.02),
    type: pick(r, propertyTypes),
    state: city.state,
    city: foldText(city.name),
    cityName: city.name,
    municipality: null,
    neighborhood: foldText(colonia),
    neighborhoodName: colonia,
    title: 'casa',
    salePrice: isSale ? amount : null,
    saleCurrency: isSale ? currency : null,
    rentPrice: isSale ? null : amount,
    rentCurrency: isSale ? null : currency,
    bedrooms: int(r, 0, 6),
    bathrooms: int(r, 1, 4),
    parking: int(r, 0, 3),
    construction: int(r, 40, 600),
    lot: int(r, 80, 2_000),
    halfBathrooms: int(r, 0, 1),
    yearBuilt: int(r, 1950, 2026),
    floors: int(r, 1, 3),
    amenities: sample(r, LABELS, 6),
    lat: city.lat + (r() - 0.5) / 5,
    lng: city.lng + (r() - 0.5) / 5,
    updated: Date.UTC(2026, 0) + n,
    newest: Date.UTC(2025, int(r, 0, 11)) + n,
    lowered: null,
    commission: null,
    isExclusive: false,
    hasMedia: false,
    isRentedByMonth: !isSale,
    words: Buffer.alloc(4),
  }
}
