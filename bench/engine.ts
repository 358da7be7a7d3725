import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { openDatabase, openPool } from '../src/db/database.ts'
import { int, type Random, stream } from '../src/demo/random.ts'
import { SLICE_MS } from '../src/lib/slices.ts'
import type { Criteria, Point } from '../src/search/criteria.ts'
import { clustersIn } from '../src/search/engine/clusters.ts'
import type { Engine } from '../src/search/engine/engine.ts'
import { prepared } from '../src/search/engine/prepare.ts'
import { statisticsOf } from '../src/search/engine/statistics.ts'
import { FACETS, talliesOf } from '../src/search/engine/tallies.ts'
import type { Wanted } from '../src/search/engine/wanted.ts'
import { Feed } from '../src/search/feed/feed.ts'
import { readCriteria } from '../src/search/parameters.ts'
import { rememberedStems, wordGroups } from '../src/search/text/words.ts'
import { openMarket, savedIndex } from './search/market.ts'
import { shapes } from './search/shapes.ts'

const REQUESTS = 90
const NONE: Wanted = { groups: [] }
const MEGABYTE = 2 ** 20

type Work = () => unknown

/** What the index alone takes for each question, without HTTP: `npm run bench -- engine --listings 1000000`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { listings: { type: 'string', default: '1000000' }, only: { type: 'string', default: '' } },
  })
  const listings = Number(values.listings)
  const market = await openMarket(listings)
  const pool = openPool(market.url, 1)
  const started = performance.now()
  const feed = new Feed({ url: market.url, logger: pino({ level: 'silent' }), saving: savedIndex(listings) })
  await feed.refresh()
  const { engine } = feed
  if (!engine) throw new Error('not loaded')
  console.log(`${listings} listings, ${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`)
  console.log(`loaded in ${((performance.now() - started) / 1000).toFixed(1)} s; ${memory()}\n`)

  const works: [string, Work[]][] = []
  const stems = rememberedStems()
  const db = openDatabase(pool)
  for (const shape of shapes(Math.floor((listings * 0.88) / 24))) {
    const asked: Work[] = []
    for (let n = 0; n < REQUESTS; n++) {
      const { value: criteria } = readCriteria(new URLSearchParams(shape.query(n)))
      const wanted = { groups: criteria.q ? await wordGroups(db, criteria.q, stems) : [] }
      asked.push(() => engine.search(criteria, null, wanted))
    }
    works.push([shape.name, asked])
  }
  works.push(...overviews(engine))

  console.log('| question | p50 | p95 | longest | held |\n|---|---|---|---|---|')
  const medians: number[] = []
  for (const [name, asked] of works.filter(([name]) => name.includes(values.only)))
    medians.push(measure(name, asked))
  medians.sort((a, b) => a - b)
  console.log(`\nmedian question: ${medians[medians.length >>> 1]?.toFixed(2)} ms; ${memory()}`)
  await feed.close()
  await db.destroy()
  await market.stop()
}

function memory(): string {
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  const [all, heap, arrays] = [rss, heapUsed, arrayBuffers].map(bytes => Math.round(bytes / MEGABYTE))
  return `${all} MB resident, ${heap} MB heap, ${arrays} MB arrays`
}

/** Of the whole process: other work on the machine does not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The first third warms up. */
function measure(name: string, asked: Work[]): number {
  const measured = asked
    .map(work => {
      const started = processorMs()
      const done = work()
      return isInSteps(done) ? timesOf(done, started) : [processorMs() - started]
    })
    .slice(asked.length / 3)
  const times = measured.map(parts => parts.reduce((sum, part) => sum + part)).sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  const shown = [at(0.5), at(0.95), at(1), Math.max(...measured.flat())].map(ms => `${ms.toFixed(2)} ms`)
  console.log(`| ${name} | ${shown.join(' | ')} |`)
  return at(0.5)
}

const isInSteps = (done: unknown): done is Generator => Object(done)[Symbol.toStringTag] === 'Generator'

/** Of the slices between which the thread is free. */
function timesOf(work: Generator, started: number): number[] {
  const times: number[] = []
  for (;;) {
    const { done } = work.next()
    const spent = processorMs() - started
    if (!done && spent < SLICE_MS) continue
    times.push(spent)
    if (done) return times
    started = processorMs()
  }
}

/** Facets, areas, clusters, distance, one currency and the figures of the market: broad, and for one state. */
function overviews(engine: Engine): [string, Work[]][] {
  const r = stream(7, 'overviews')
  const priceIn = { currency: 'MXN' as const, mxnPerUsd: 17.25 }
  const some = (): Criteria => ({ sort: 'newest', page: 1, limit: 24, minPrice: int(r, 1, 900_000) })
  const inState = (): Criteria => ({ ...some(), state: 'Jalisco' })
  const search = (criteria: Criteria) => engine.search(criteria, null, NONE)
  const inPolygon = function* (points: Point[]) {
    const criteria = { ...some(), polygons: [[points]] }
    return engine.search(
      criteria,
      null,
      yield* prepared(engine, criteria, NONE, { viewer: null, reach: 'all' }),
    )
  }
  const hits = (criteria: Criteria) => engine.select(criteria, null, 'all', NONE).clone()
  const market = (criteria: Criteria) =>
    statisticsOf(engine, hits(criteria), ['city', 'type', 'month'], criteria, 500)
  const clusters = (criteria: Criteria, zoom: number) => clustersIn(engine, hits(criteria), zoom, 500)
  const near = () => ({ lat: 20.6 + r() / 9, lng: -103.4 })
  const works: [string, Work][] = [
    ['polygon of 12 points', () => inPolygon(ring(r, 12))],
    ['polygon of 500 points that crosses itself', () => inPolygon(scribble(r, 500))],
    ['sort=distance', () => search({ ...some(), sort: 'distance', near: near() })],
    ['price_in, sorted by price', () => search({ ...some(), sort: 'price_asc', operation: 'sale', priceIn })],
    ['all seven facets', () => talliesOf(engine, FACETS, some(), null, NONE)],
    ['all seven facets of a state', () => talliesOf(engine, FACETS, inState(), null, NONE)],
    ['clusters of everything', () => clusters(some(), int(r, 4, 12))],
    ['clusters of a state', () => clusters(inState(), int(r, 6, 12))],
    ['market by city, type and month', () => market(some())],
    ['market of a state by city, type and month', () => market(inState())],
  ]
  return works.map(([name, work]) => [name, Array.from({ length: REQUESTS / 3 }, () => work)])
}

const around = (r: Random, angle: number, reach: number): Point => [
  20.67 + Math.sin(angle) * reach * (0.5 + r() / 2),
  -103.35 + Math.cos(angle) * reach * (0.5 + r() / 2),
]
const ring = (r: Random, points: number) =>
  Array.from({ length: points }, (_, i) => around(r, (i / points) * 2 * Math.PI, 0.15))
const scribble = (r: Random, points: number) =>
  Array.from({ length: points }, () => around(r, r() * 2 * Math.PI, 3))
