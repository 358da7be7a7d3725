import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { Feed } from '../../src/search/feed/feed.ts'
import { readCriteria } from '../../src/search/parameters.ts'
import { wordGroups } from '../../src/search/text/words.ts'
import { searchListings } from '../../test/support/search-oracle.ts'
import { type Load, load, quantiles, type Timing } from './load.ts'
import { type Market, openMarket } from './market.ts'
import { type Server, startBare, startLonja, untilAllReady, untilReady, WEB } from './processes.ts'
import { shapes, unique } from './shapes.ts'
import { askSqlite, openSqlite } from './sqlite.ts'

const RESULTS = 'data/bench'
const SMALL = 10_000
const API = '/api/v1/properties'

const PARTS = ['shapes', 'others', 'loads', 'changes']

/** Measures search over HTTP against a market a hundred times smaller, plain SQL, SQLite and a bare route. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '1000000' },
      only: { type: 'string', default: PARTS.join() },
      'oracle-requests': { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
      processes: { type: 'string', default: '1' },
      built: { type: 'boolean', default: false },
    },
  })
  const [listings, seconds] = [Number(values.listings), Number(values.seconds)]
  const parts = values.only.split(',')
  const unknown = parts.filter(part => !PARTS.includes(part))
  if (unknown.length > 0) throw new Error(`--only takes ${PARTS.join(', ')}, not ${unknown.join(', ')}`)
  if (!values.built) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}, ${listings} listings; milliseconds`,
  )

  const small = parts.includes('shapes') ? await measureSmall(seconds) : undefined
  console.error(`${listings} listings`)
  const market = await openMarket(listings)
  const large = small && (await measureServer(market, listings, seconds))
  if (large) printShapes(large, small)
  if (parts.includes('others'))
    printOthers(await measureOthers(market, listings, Number(values['oracle-requests'])), large?.shapes)
  if (parts.includes('loads'))
    for (const count of new Set(['1', values.processes]))
      printLoads(await measureLoads(market, listings, seconds, count))
  if (parts.includes('changes')) printChanges(await measureApply(market))
  await market.stop()
}

type Timings = Record<string, Load>

async function measureSmall(seconds: number): Promise<Timings> {
  console.error(`${SMALL} listings`)
  const market = await openMarket(SMALL)
  const { shapes: timings } = await measureServer(market, SMALL, seconds)
  await market.stop()
  return timings
}

/** One request after the other, after a warm-up. */
async function measureServer(market: Market, listings: number, seconds: number) {
  const server = await startLonja(market.url, {}, WEB)
  const loadMs = Math.round(await untilReady(server.url, '/ready'))
  const loadedMemory = await server.memory()
  const timings: Timings = {}
  for (const { name, query } of shapes(Math.floor((listings * 0.88) / 24))) {
    console.error(`  ${name}`)
    const pathOf = (n: number) => `${API}?${unique(query(n), n)}`
    const questions = { url: server.url, key: market.key, pathOf }
    await load(1, 1, questions)
    timings[name] = await load(1, seconds, questions)
  }
  const memory = await server.memory()
  await server.stop()
  return { loadMs, loadedMemory, memory, shapes: timings }
}

/** The same questions in plain SQL and in SQLite; the totals of all three must be the same. */
async function measureOthers(market: Market, listings: number, requests: number) {
  const pool = openPool(market.url, 1)
  const db = openDatabase(pool)
  await pool.query('set statement_timeout = 0')
  const sqlite = await openSqlite(pool, listings)
  const { rows } = await pool.query('select id from agents where email = $1', [market.agent])
  const viewer = rows[0].id as string
  const server = await startLonja(market.url, {}, WEB)
  await untilReady(server.url, '/ready')
  const timings: Record<string, { sql: Timing; sqlite: Timing }> = {}
  for (const shape of shapes(Math.floor((listings * 0.88) / 24))) {
    const times: { sql: number[]; sqlite: number[] } = { sql: [], sqlite: [] }
    console.error(`  plain SQL and SQLite: ${shape.name}`)
    for (let n = 0; n < requests; n++) {
      const { value: criteria } = readCriteria(new URLSearchParams(shape.query(n)))
      const groups = criteria.q ? await wordGroups(db, criteria.q) : []
      const totals = [
        await totalOf(server, market.key, shape.query(n)),
        await timed(times.sql, async () => (await searchListings(db, criteria, viewer)).total),
        await timed(times.sqlite, () => askSqlite(sqlite, criteria, groups, viewer)),
      ].map(Number)
      if (new Set(totals).size > 1) throw new Error(`${shape.query(n)}: totals ${totals.join(', ')}`)
    }
    timings[shape.name] = { sql: quantiles(times.sql), sqlite: quantiles(times.sqlite) }
  }
  await server.stop()
  sqlite.close()
  await db.destroy()
  return timings
}

async function timed<T>(times: number[], work: () => T | Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  times.push(performance.now() - started)
  return result
}

async function totalOf(server: Server, key: string, query: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${server.url}${API}?${query}`, { headers })
  const { pagination } = (await answer.json()) as { pagination?: { total: number } }
  if (!pagination) throw new Error(`${query}: answered ${answer.status}`)
  return pagination.total
}

const CONNECTIONS = [1, 8, 64]
type Loads = Record<string, { connections: number; lonja: Load; bare: Load }[]>

/** Many at once, each request another one, and beside it a route that only sends as many bytes. */
async function measureLoads({ url, key }: Market, listings: number, seconds: number, processes: string) {
  const metricsPort = await freePort('127.0.0.1')
  const settings = { METRICS_PORT: String(metricsPort) }
  const lonja = await startLonja(url, settings, [...WEB, '--processes', processes])
  await untilAllReady(lonja.url, metricsPort, processes)
  const all = shapes(Math.floor((listings * 0.88) / 24))
  const pool = openPool(url, 1)
  const { rows } = await pool.query(
    `select l.id from listings l tablesample system (1) join agents a on a.id = l.agent_id where is_public(l, a) limit 2000`,
  )
  await pool.end()
  const kinds: Record<string, (n: number) => string> = {
    searches: n => `${API}?${unique(all[n % all.length]?.query(Math.floor(n / all.length)) as string, n)}`,
    'any page': n => `${API}?${unique(all[1]?.query(n) as string, n)}`,
    'single records': n => `${API}/${rows[n % rows.length].id}`,
  }
  mkdirSync(RESULTS, { recursive: true })
  const loads: Loads = {}
  for (const [kind, pathOf] of Object.entries(kinds)) {
    console.error(`  ${kind}, ${processes} processes`)
    const answer = await fetch(lonja.url + pathOf(0), { headers: { authorization: `Bearer ${key}` } })
    writeFileSync(`${RESULTS}/page.json`, Buffer.from(await answer.arrayBuffer()))
    const bare = await startBare(`${RESULTS}/page.json`)
    await untilReady(bare.url, '/')
    const questions = { url: lonja.url, key, pathOf }
    const sameBytes = { url: bare.url, key, pathOf: () => '/' }
    for (const each of [questions, sameBytes]) await load(8, Math.ceil(seconds / 2), each)
    loads[kind] = []
    for (const connections of CONNECTIONS)
      loads[kind].push({
        connections,
        lonja: await load(connections, seconds, questions),
        bare: await load(connections, Math.ceil(seconds / 2), sameBytes),
      })
    await bare.stop()
  }
  const memory = await lonja.memory()
  await lonja.stop()
  return { processes, loads, memory }
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

const percent = (share: number) => `${Math.round(share * 100)} %`
const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
function heading(...names: string[]): void {
  console.log('')
  row(...names)
  row(...names.map(() => '---'))
}

function printShapes(large: Awaited<ReturnType<typeof measureServer>>, small: Timings): void {
  heading('shape', 'p50', 'p95', 'p99', 'stolen', `p50 of ${SMALL}`)
  for (const [name, { p50, p95, p99, stolen }] of Object.entries(large.shapes))
    row(name, p50, p95, p99, percent(stolen), small[name]?.p50 ?? '')
  const median = (all: Timings) => quantiles(Object.values(all).map(({ p50 }) => p50)).p50
  const { loadMs, loadedMemory, memory } = large
  console.log(`
median shape: ${median(large.shapes)}; with ${SMALL} listings ${median(small)}
load: ${loadMs} ms; memory: ${loadedMemory.now} MB loaded, ${memory.now} MB at the end, ${memory.peak} MB peak`)
}

function printOthers(others: Awaited<ReturnType<typeof measureOthers>>, lonja: Timings | undefined): void {
  heading('shape', 'plain SQL', 'SQLite', 'times faster')
  for (const [name, { sql, sqlite }] of Object.entries(others)) {
    const times = [sql.p50, sqlite.p50].map(p50 => Math.round(p50 / (lonja?.[name]?.p50 ?? Number.NaN)))
    row(name, Math.round(sql.p50), Math.round(sqlite.p50), lonja ? times.join(', ') : '')
  }
}

function printChanges({ apply, visible }: Awaited<ReturnType<typeof measureApply>>): void {
  console.log(
    `\none change: applied in ${apply.p50} (p99 ${apply.p99}), found after ${visible.p50} (p99 ${visible.p99})`,
  )
}

function printLoads({ processes, loads, memory }: Awaited<ReturnType<typeof measureLoads>>): void {
  console.log(`\n${processes} processes, ${memory.now} MB`)
  heading(
    ...['requests', 'connections', 'a second', 'p50', 'p99', 'stolen'],
    ...['bare route: a second', 'p50', 'p99', 'share'],
  )
  for (const [kind, all] of Object.entries(loads))
    for (const { connections, lonja, bare } of all)
      row(
        ...[kind, connections, lonja.perSecond, lonja.p50, lonja.p99, percent(lonja.stolen)],
        ...[bare.perSecond, bare.p50, bare.p99, percent(lonja.perSecond / bare.perSecond)],
      )
}
