import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { openDatabase, openPool } from '../src/db/database.ts'
import type { Criteria } from '../src/search/criteria.ts'
import { FACETS } from '../src/search/engine/tallies.ts'
import { openSearch } from '../src/search/open.ts'
import { readCriteria } from '../src/search/parameters.ts'
import type { Search } from '../src/search/service.ts'
import { openMarket } from './search/market.ts'
import { shapes } from './search/shapes.ts'

type Ask = (n: number) => Promise<unknown>

/** The same questions to either engine, without HTTP: `npm run bench -- engines --engine sql --listings 1000000`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      engine: { type: 'string', default: 'memory' },
      listings: { type: 'string', default: '1000000' },
      requests: { type: 'string', default: '9' },
      only: { type: 'string', default: '' },
    },
  })
  const [listings, requests] = [Number(values.listings), Number(values.requests)]
  const market = await openMarket(listings)
  const db = openDatabase(openPool(market.url, 10))
  const engine = values.engine === 'sql' ? 'sql' : 'memory'
  const publicUrl = 'http://127.0.0.1:3000'
  const options = { engine, db, url: market.url, publicUrl, logger: pino({ level: 'silent' }) } as const
  const started = performance.now()
  const search = openSearch(options)
  await search.refresh()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `${listings} listings, ${cpus().length} x ${cpus()[0]?.model}, engine ${engine}, ready in ${seconds} s`,
  )
  console.log('\n| question | p50 | longest |\n|---|---|---|')
  for (const [name, ask] of questions(search, listings).filter(([name]) => name.includes(values.only)))
    await measure(name, ask, requests)
  console.log(`\n${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB resident`)
  await search.close()
  await db.destroy()
  await market.stop()
}

function questions(search: Search, listings: number): [string, Ask][] {
  // Another maximum each time, so that the cache of whole answers does not help.
  const criteriaOf = (query: string, n: number): Criteria => ({
    ...readCriteria(new URLSearchParams(query)).value,
    maxFloors: 1000 + n,
  })
  const plain = shapes(Math.floor((listings * 0.88) / 24)).map(({ name, query }): [string, Ask] => [
    name,
    n => search.page(readCriteria(new URLSearchParams(query(n))).value, null),
  ])
  const jalisco = (n: number) => criteriaOf('state=Jalisco', n)
  const everything = (n: number) => criteriaOf('', n)
  return [
    ...plain,
    ['all facets of a state', n => search.page(jalisco(n), null, undefined, FACETS)],
    ['clusters of a state', n => search.clusters(jalisco(n), null, 10, 500)],
    ['market of a state by city and type', n => search.statistics(jalisco(n), ['city', 'type'], 500)],
    ['all facets of everything', n => search.page(everything(n), null, undefined, FACETS)],
    ['clusters of everything', n => search.clusters(everything(n), null, 6, 500)],
    ['market of everything by state', n => search.statistics(everything(n), ['state'], 500)],
    ['cities', () => search.cities()],
    ['typed text', n => search.understand(`depa ${n % 4} recamaras cerca de zapopan con albrca`)],
  ]
}

/** The first answer, from cold caches, counts only as the longest. */
async function measure(name: string, ask: Ask, requests: number): Promise<void> {
  const times: number[] = []
  for (let n = 0; n <= requests; n++) {
    const started = performance.now()
    const outcome = await ask(n).then(
      () => '',
      (error: Error) => error.message,
    )
    times.push(performance.now() - started)
    if (outcome) return console.log(`| ${name} | ${outcome} | ${Math.round(times.at(-1) as number)} ms |`)
  }
  const [longest, warm] = [Math.max(...times), times.slice(1).sort((a, b) => a - b)]
  const text = (ms: number) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
  console.log(`| ${name} | ${text(warm[warm.length >>> 1] as number)} | ${text(longest)} |`)
}
