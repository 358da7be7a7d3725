import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pino from 'pino'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { Feed } from '../../src/search/feed/feed.ts'
import { readCriteria } from '../../src/search/parameters.ts'
import { searchListings } from '../../test/support/search-oracle.ts'
import { type Market, openMarket } from './market.ts'
import { type Server, startBare, startLonja, untilReady } from './processes.ts'
import { type Shape, shapes } from './shapes.ts'

const RESULTS = 'data/bench'
const SMALL = 10_000
const API = '/api/v1/properties'

/** Measures search over HTTP against plain SQL, a bare route and a market a hundred times smaller. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '1000000' },
      requests: { type: 'string', default: '200' },
      'oracle-requests': { type: 'string', default: '3' },
      built: { type: 'boolean', default: false },
    },
  })
  const listings = Number(values.listings)
  const requests = Number(values.requests)
  if (!values.built) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })

  const small = await measureSmall(requests)
  console.error(`${listings} listings`)
  const market = await openMarket(listings)
  const report = {
    machine: `${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`,
    listings,
    ...(await measureServer(market, listings, requests)),
    small,
    oracle: await measureOracle(market, listings, Number(values['oracle-requests'])),
    throughput: await measureThroughput(market),
    apply: await measureApply(market),
  }
  await market.stop()
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(`${RESULTS}/search.json`, JSON.stringify(report, null, 2))
  print(report)
}

interface Timing {
  p50: number
  p95: number
  p99: number
}
type Timings = Record<string, Timing>

async function measureSmall(requests: number): Promise<Timings> {
  console.error(`${SMALL} listings`)
  const market = await openMarket(SMALL)
  const { shapes: timings } = await measureServer(market, SMALL, requests)
  await market.stop()
  return timings
}

async function measureServer(market: Market, listings: number, requests: number) {
  const server = await startLonja(market.url, 'info')
  const loadMs = Math.round(await untilReady(server.url, '/ready'))
  const loadedMemory = await server.memory()
  const timings: Timings = {}
  for (const shape of shapes(Math.floor((listings * 0.88) / 24))) {
    console.error(`  ${shape.name}`)
    timings[shape.name] = await measureShape(server, market.key, shape, requests)
  }
  const memory = await server.memory()
  await server.stop()
  return { loadMs, loadedMemory, memory, shapes: timings }
}

/** Sequential requests, after a warm-up of a tenth, with the time the server logs for each. */
async function measureShape(server: Server, key: string, shape: Shape, requests: number): Promise<Timing> {
  const headers = { authorization: `Bearer ${key}` }
  for (let n = -requests / 10; n < requests; n++) {
    if (n === 0) server.takeTimes()
    const question = unique(shape.query(n + requests), n + requests)
    const answer = await fetch(`${server.url}${API}?${question}`, { headers })
    const { pagination } = (await answer.json()) as { pagination?: { total: number } }
    if (!pagination) throw new Error(`${shape.name}: answered ${answer.status}`)
  }
  await new Promise(resolve => setTimeout(resolve, 50))
  return quantiles(server.takeTimes())
}

/** Varies the wording of each query, so that the cache of whole answers does not help. */
function unique(query: string, n: number): string {
  const fraction = String(n).padStart(3, '0')
  return query.includes('updated_since')
    ? query.replace('00:00:00Z', `00:00:00.${fraction}Z`)
    : `${query}&updated_since=2000-01-01T00:00:00.${fraction}Z`
}

async function measureOracle(market: Market, listings: number, requests: number): Promise<Timings> {
  const pool = openPool(market.url, 1)
  const db = openDatabase(pool)
  await pool.query('set statement_timeout = 0')
  const timings: Timings = {}
  for (const shape of shapes(Math.floor((listings * 0.88) / 24))) {
    const times: number[] = []
    console.error(`  plain SQL: ${shape.name}`)
    for (let n = 0; n < requests; n++) {
      const { value: criteria } = readCriteria(new URLSearchParams(shape.query(n)))
      const started = performance.now()
      await searchListings(db, criteria, null)
      times.push(performance.now() - started)
    }
    timings[shape.name] = quantiles(times)
  }
  await db.destroy()
  return timings
}

/** Requests per second of one page, and of a route that only sends its bytes. */
async function measureThroughput({ url, key }: Market) {
  const headers = { authorization: `Bearer ${key}` }
  const lonja = await startLonja(url, 'warn')
  await untilReady(lonja.url, '/ready')
  const target = `${lonja.url}${API}?operation=sale&min_bedrooms=3`
  const body = Buffer.from(await (await fetch(target, { headers })).arrayBuffer())
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(`${RESULTS}/page.json`, body)
  const bare = await startBare(`${RESULTS}/page.json`)
  await untilReady(bare.url, '/')
  const rate = async (address: string) => {
    const { requests } = await autocannon({ url: address, headers, connections: 10, duration: 8 })
    return Math.round(requests.average)
  }
  // Alternating, so that other load on the machine affects both.
  const rounds: { lonja: number; bare: number }[] = []
  for (let i = 0; i < 3; i++) rounds.push({ lonja: await rate(target), bare: await rate(`${bare.url}/`) })
  await Promise.all([lonja.stop(), bare.stop()])
  const best = (name: 'lonja' | 'bare') => Math.max(...rounds.map(round => round[name]))
  return { bytes: body.length, lonja: best('lonja'), bare: best('bare'), rounds }
}

/** The time to apply a change to an engine in this process, and from the commit until it can be found. */
async function measureApply({ url }: Market) {
  const feed = new Feed({ url, logger: pino({ level: 'silent' }) })
  await feed.refresh()
  const engine = feed.engine
  if (!engine) throw new Error('not loaded')
  const applied: number[] = []
  const apply = engine.apply.bind(engine)
  engine.apply = entry => {
    const started = performance.now()
    apply(entry)
    applied.push(performance.now() - started)
  }
  const pool = openPool(url, 1)
  const { rows } = await pool.query('select id from listings tablesample system (0.1) limit 400')
  const visible: number[] = []
  for (const { id } of rows) {
    await pool.query(
      `update listings set sale_price = sale_price * 1.1, updated_at = next_stamp(updated_at) where id = $1`,
      [id],
    )
    const started = performance.now()
    await feed.refresh()
    visible.push(performance.now() - started)
  }
  await feed.close()
  await pool.end()
  return { apply: quantiles(applied), visible: quantiles(visible) }
}

function quantiles(times: number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) * 100) /
    100
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

type Report = Awaited<ReturnType<typeof measureServer>> & {
  machine: string
  listings: number
  small: Timings
  oracle: Timings
  throughput: Awaited<ReturnType<typeof measureThroughput>>
  apply: Awaited<ReturnType<typeof measureApply>>
}

function print(report: Report): void {
  const { listings, shapes: timings, small, oracle, throughput, apply, memory, loadedMemory, loadMs } = report
  const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
  console.log(`${report.machine}, ${listings} listings; milliseconds\n`)
  row('shape', 'p50', 'p95', 'p99', `p50 of ${SMALL}`, 'plain SQL', 'times faster')
  row(...Array(7).fill('---'))
  for (const [name, { p50, p95, p99 }] of Object.entries(timings)) {
    const sql = oracle[name]?.p50 ?? Number.NaN
    row(name, p50, p95, p99, small[name]?.p50 ?? '', Math.round(sql), Math.round(sql / p50))
  }
  const median = (all: Timings) => quantiles(Object.values(all).map(({ p50 }) => p50)).p50
  console.log(`\nmedian shape: ${median(timings)}; with ${SMALL} listings ${median(small)}`)
  console.log(
    `load: ${loadMs} ms; memory: ${loadedMemory.now} MB loaded, ${memory.now} MB at the end, ${memory.peak} MB peak`,
  )
  console.log(
    `one change: applied in ${apply.apply.p50} (p99 ${apply.apply.p99}), found after ${apply.visible.p50} (p99 ${apply.visible.p99})`,
  )
  const share = Math.round((throughput.lonja / throughput.bare) * 100)
  console.log(
    `requests/s of a page of ${throughput.bytes} bytes: ${throughput.lonja}, bare route ${throughput.bare} (${share} %)`,
  )
}
