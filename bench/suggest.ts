import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { buildApp } from '../src/app.ts'
import { openDatabase, openPool } from '../src/db/database.ts'
import { MemorySearch } from '../src/search/memory.ts'
import { completionsOf } from '../src/search/suggest/entries.ts'
import { Gazetteer } from '../src/search/understand/gazetteer.ts'
import { knownPlaces } from '../src/search/understand/known-places.ts'
import { openMarket } from './search/market.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'
const WORDS = [
  'guadalajara',
  'monterrey',
  'merida',
  'centro',
  'san miguel',
  'playa del carmen',
  'roma norte',
  'zapopan',
]
const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
const begun = (word: string, n: number) => word.slice(0, 2 + (n % (word.length - 2)))

const SHAPES: Record<string, (n: number) => string> = {
  'two letters': n => at(['sa', 'ca', 'gu', 'me', 'de', 'pu', 'lo', 'al', 'ci', 'te'], n),
  'a place': n => begun(at(WORDS, n), n),
  'a type or an amenity': n =>
    begun(at(['departamento', 'alberca', 'terreno', 'swimming pool', 'gimnasio'], n), n),
  'an agent': n => begun(at(['agente', 'ana lopez', 'maria'], n), n),
  'a reference': n => `EXT-${(n * 7919) % 100_000}`,
  'the end of a question': n => `casa en renta con jardín en ${begun(at(WORDS, n), n)}`,
  'nothing known': n => `xyzzy ${n}`,
}

/** What completing takes, by the clock and of the processor, in milliseconds: `npm run bench -- suggest --listings 1000000`. The market is the one of `search`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '1000000' },
      requests: { type: 'string', default: '300' },
    },
  })
  const market = await openMarket(Number(values.listings))
  const pool = openPool(market.url, 4)
  const db = openDatabase(pool)
  const logger = pino({ level: 'silent' })
  const search = new MemorySearch({ db, url: market.url, publicUrl: PUBLIC_URL, logger })
  await search.refresh()
  const app = await buildApp({ db, search, logger, publicUrl: PUBLIC_URL, rateLimit: 1e9, trustProxy: [] })
  await app.ready()

  console.table(await measureBuild(search))
  const headers = { authorization: `Bearer ${market.key}` }
  const report: Record<string, object> = {}
  for (const [name, typed] of Object.entries(SHAPES)) {
    const times: number[] = []
    let cpu = process.cpuUsage()
    for (let n = -30; n < Number(values.requests); n++) {
      const url = `/api/v1/suggest?q=${encodeURIComponent(typed(n + 30))}`
      if (n === 0) cpu = process.cpuUsage()
      const started = performance.now()
      const { statusCode } = await app.inject({ url, headers })
      if (statusCode !== 200) throw new Error(`${name}: answered ${statusCode}`)
      if (n >= 0) times.push(performance.now() - started)
    }
    const { user, system } = process.cpuUsage(cpu)
    report[name] = { ...quantiles(times), processor: round((user + system) / 1000 / times.length) }
  }
  console.table(report)

  await app.close()
  await search.close()
  await db.destroy()
  await market.stop()
}

/** In all, and the longest that a step holds the thread. */
async function measureBuild(search: MemorySearch) {
  const engine = search.state?.engine
  if (!engine) throw new Error('not loaded')
  const measured = <T>(steps: Generator<void, T>) => {
    let [total, longest] = [0, 0]
    for (;;) {
      const started = performance.now()
      const step = steps.next()
      const took = performance.now() - started
      total += took
      longest = Math.max(longest, took)
      if (step.done) return { value: step.value, times: { total: round(total), longest: round(longest) } }
    }
  }
  const places = measured(knownPlaces(engine))
  const gazetteer = measured(Gazetteer.of(places.value))
  const started = performance.now()
  await completionsOf(search, gazetteer.value, [])
  return {
    [`${places.value.length} places`]: places.times,
    gazetteer: gazetteer.times,
    completions: { total: round(performance.now() - started) },
  }
}

const round = (ms: number) => Math.round(ms * 100) / 100

function quantiles(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const of = (share: number) => round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN)
  return { p50: of(0.5), p95: of(0.95), p99: of(0.99), max: of(1) }
}
