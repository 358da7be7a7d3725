import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { buildApp } from '../../src/app.ts'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { diskStorage } from '../../src/files/disk.ts'
import { MemorySearch } from '../../src/search/memory.ts'
import { openMarket, savedIndex } from '../search/market.ts'
import { type Timing, time } from './measure.ts'
import { makeThings, PUBLIC_URL } from './things.ts'
import { apiVisits, pageVisits } from './visits.ts'

const AIM = { p50: 10, p99: 50, held: 20 }
const SMALL = 10_000
/** Longer than any page or count is remembered. */
const LATER_MS = 61_000

/** Every route of the API, every kind of page and every screen: `npm run bench -- routes --listings 1000000 [--only agent,market]`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '40' },
      only: { type: 'string', default: '' },
    },
  })
  const [listings, rounds] = [Number(values.listings), Number(values.rounds)]
  const small = listings > SMALL ? await walk(SMALL, rounds, values.only) : []
  const timings = await walk(listings, rounds, values.only)
  console.log(
    `${listings} listings, ${rounds} requests each, ${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}; milliseconds\n`,
  )
  print(timings, new Map(small.map(timing => [timing.name, timing])))
}

async function walk(listings: number, rounds: number, only: string): Promise<Timing[]> {
  const market = await openMarket(listings)
  const pool = openPool(market.url, 4)
  const db = openDatabase(pool)
  const logger = pino({ level: 'silent' })
  const search = new MemorySearch({
    db,
    url: market.url,
    publicUrl: PUBLIC_URL,
    logger,
    saving: savedIndex(listings),
  })
  const home = await mkdtemp(join(tmpdir(), 'lonja-bench-'))
  await search.refresh()
  let later = 0
  const app = await buildApp({
    db,
    search,
    logger,
    publicUrl: PUBLIC_URL,
    rateLimit: 1e9,
    trustProxy: [],
    files: diskStorage(home),
    loop: { delayMs: 0 },
    now: () => Date.now() + later,
  })
  await app.ready()
  const things = await makeThings(app, pool, db, market.key)
  await search.refresh()
  const visits = [...apiVisits(app, things), ...pageVisits(app, things)].filter(({ name }) =>
    only.split(',').some(one => name.includes(one)),
  )
  const timings: Timing[] = []
  for (const visit of visits) {
    process.stderr.write(`\r  ${listings}: ${visit.name.padEnd(60)}`)
    const request = (round: number) => {
      // Screens remember nothing, and a session does not outlive an idle hour.
      if (!visit.name.startsWith('/portal')) later += LATER_MS
      else later = 0
      return visit.request(round)
    }
    timings.push(await time(app, { ...visit, request }, rounds))
  }
  process.stderr.write('\n')
  await app.close()
  await search.close()
  await db.destroy()
  await market.stop()
  await rm(home, { recursive: true, force: true })
  return timings
}

function print(timings: Timing[], small: Map<string, Timing>): void {
  const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
  const ms = (value: number | undefined) => value?.toFixed(1) ?? ''
  row('route', 'status', 'p50', 'p99', 'held', 'usually', 'cpu', 'KB', `p50 of ${SMALL}`, 'misses')
  row(...Array(10).fill('---'))
  for (const { name, status, p50, p99, held, heldP50, cpu, kilobytes } of timings.toSorted(
    (a, b) => b.p50 - a.p50,
  )) {
    const missed = [p50 > AIM.p50 && 'p50', p99 > AIM.p99 && 'p99', held > AIM.held && 'held'].filter(Boolean)
    row(
      name,
      status,
      ms(p50),
      ms(p99),
      ms(held),
      ms(heldP50),
      ms(cpu),
      Math.round(kilobytes),
      ms(small.get(name)?.p50),
      missed.join(' '),
    )
  }
  const reached = timings.filter(({ p50, p99, held }) => p50 <= AIM.p50 && p99 <= AIM.p99 && held <= AIM.held)
  console.log(
    `\n${reached.length} of ${timings.length} routes within ${AIM.p50} ms at p50, ${AIM.p99} ms at p99, and none held the thread for ${AIM.held} ms`,
  )
}
