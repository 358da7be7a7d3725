import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import pino from 'pino'
import type { Db } from '../src/db/database.ts'
import { Counter } from '../src/figures/counter.ts'
import { countShown } from '../src/figures/service.ts'

const LISTINGS = 20_000
const REQUESTS = 200_000
const ON_A_PAGE = 24
const PUBLIC_URL = 'https://lonja.example'

/** What counting adds to a request, without the flush: `npm run bench -- figures`. */
export async function run(): Promise<void> {
  const counter = new Counter({
    db: undefined as unknown as Db,
    logger: pino({ level: 'silent' }),
    now: Date.now,
  })
  const count = countShown(counter, PUBLIC_URL)
  const listings = Array.from({ length: LISTINGS }, () => randomUUID())
  const request = {
    method: 'GET',
    headers: {
      'user-agent':
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      referer: 'https://www.google.com/search?q=casa+en+guadalajara',
    },
  } as Parameters<typeof count>[0]
  const at = (i: number) => listings[(i * 7_919) % LISTINGS] as string
  const timed = (work: (i: number) => void) => {
    for (let i = 0; i < 10_000; i++) work(i)
    const started = performance.now()
    for (let i = 0; i < REQUESTS; i++) work(i)
    return ((performance.now() - started) / REQUESTS).toFixed(5)
  }
  const view = timed(i => count(request, 'views', [at(i)]))
  const page = timed(i =>
    count(request, 'appearances', listings.slice(i % LISTINGS, (i % LISTINGS) + ON_A_PAGE)),
  )
  console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}\n`)
  console.log('| a listing’s page | a page of 24 results |\n|---|---|')
  console.log(`| ${view} ms | ${page} ms |`)
  process.exit(0)
}
