import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { buildApp } from '../src/app.ts'
import { openDatabase, openPool } from '../src/db/database.ts'
import { openEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { DEMO_KEYS } from '../src/demo/access.ts'
import { loadDemo } from '../src/demo/load.ts'
import { MemorySearch } from '../src/search/memory.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'
const ROUNDS = 300

/** What compression, `fields` and ETags cost on a search answer of the demo market: `npm run bench -- answers`. */
export async function run(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'lonja-bench-'))
  const postgres = await openEmbeddedPostgres({ dataDir: home, role: 'server' })
  const pool = openPool(postgres.url, 4)
  const db = openDatabase(pool)
  await migrate(pool)
  await loadDemo(db, () => {})
  const logger = pino({ level: 'silent' })
  const search = new MemorySearch({ db, url: postgres.url, publicUrl: PUBLIC_URL, logger })
  await search.refresh()
  const app = await buildApp({ db, search, logger, publicUrl: PUBLIC_URL, rateLimit: 1e9, trustProxy: [] })
  await app.ready()

  // Another question each time, so that the cache of whole answers does not help; its records are the same.
  const asked = (i: number) => `/api/v1/properties?max_price=${1e14 + i}`
  const all = (i: number) => `${asked(i)}&limit=100`
  const fields = 'fields=title,operations,location.city'
  const cases: Record<string, [(i: number) => string, Record<string, string>?]> = {
    'first, unmeasured': [all],
    '24 listings': [asked],
    '24, gzip': [asked, { 'accept-encoding': 'gzip' }],
    '24, br': [asked, { 'accept-encoding': 'br' }],
    '24, fields': [i => `${asked(i)}&${fields}`],
    '100 listings': [all],
    '100, gzip': [all, { 'accept-encoding': 'gzip' }],
    '100, br': [all, { 'accept-encoding': 'br' }],
    '100, fields': [i => `${all(i)}&${fields}`],
    '24, cached': [() => asked(0)],
    '24, cached, br': [() => asked(0), { 'accept-encoding': 'br' }],
    '24, cached, 304': [() => asked(0), { 'if-none-match': '*' }],
    '1,000 changes': [() => '/api/v1/changes?limit=1000'],
    '1,000 changes, fields': [() => `/api/v1/changes?limit=1000&${fields}`],
  }
  const report: Record<string, object> = {}
  for (const [name, [pathOf, headers]] of Object.entries(cases))
    report[name] = await measure(app, pathOf, headers)
  console.table(report)

  await app.close()
  await search.close()
  await db.destroy()
  await postgres.stop()
  await rm(home, { recursive: true, force: true })
}

async function measure(
  app: FastifyInstance,
  pathOf: (i: number) => string,
  more: Record<string, string> = {},
) {
  const headers = { authorization: `Bearer ${DEMO_KEYS.readWrite}`, ...more }
  const times: number[] = []
  let bytes = 0
  const [loop, cpu] = [performance.eventLoopUtilization(), process.cpuUsage()]
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now()
    const answer = await app.inject({ url: pathOf(i), headers })
    times.push(performance.now() - start)
    bytes = answer.rawPayload.length
  }
  const { active } = performance.eventLoopUtilization(loop)
  const { user, system } = process.cpuUsage(cpu)
  times.sort((a, b) => a - b)
  const each = (ms: number) => Number((ms / ROUNDS).toFixed(2))
  return {
    'median ms': Number((times[ROUNDS / 2] as number).toFixed(2)),
    // How long the one thread that answers everybody was busy, the client's part of this process included.
    'thread ms': each(active),
    'cpu ms': each((user + system) / 1000),
    KB: Number((bytes / 1024).toFixed(1)),
  }
}
