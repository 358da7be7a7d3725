import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import type { Browser } from 'playwright-core'
import { buildApp } from '../src/app.ts'
import { openDatabase, openPool } from '../src/db/database.ts'
import { openEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { loadDemo } from '../src/demo/load.ts'
import { MemorySearch } from '../src/search/memory.ts'
import { openBrowser } from '../test/support/browser.ts'
import { type Painted, PHONE, paintOf, SLOW_4G, SLOWER_CPU } from '../test/support/paint.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'

/** Largest paint, layout shift and weight on a slow phone with the demo market: `npm run bench -- paint --visits 5`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { visits: { type: 'string', default: '5' } } })
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
  await app.listen({ host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const { rows } = await pool.query(
    'select l.slug from listings l join agents a on a.id = l.agent_id where is_public(l, a) order by l.id limit 1',
  )

  const browser = await openBrowser()
  console.log(`${cpus().length} x ${cpus()[0]?.model}, Chromium ${browser.version()}`)
  console.log(
    `390 px, processor ${SLOWER_CPU} times slower, ${SLOW_4G.downKbps} kbit/s, ${SLOW_4G.latencyMs} ms`,
  )
  const pages = { home: '/', results: '/propiedades', listing: `/propiedades/${rows[0].slug}` }
  const report: Record<string, object> = {}
  for (const [name, path] of Object.entries(pages))
    report[name] = await visits(browser, base + path, Number(values.visits))
  console.table(report)

  await browser.close()
  await app.close()
  await search.close()
  await db.destroy()
  await postgres.stop()
  await rm(home, { recursive: true, force: true })
}

async function visits(browser: Browser, url: string, times: number): Promise<object> {
  const seen: Painted[] = []
  for (let i = 0; i < times; i++) {
    const context = await browser.newContext(PHONE)
    seen.push(await paintOf(await context.newPage(), url, true))
    await context.close()
  }
  seen.sort((a, b) => a.paintMs - b.paintMs)
  const median = seen[Math.floor(times / 2)] as Painted
  const kilobytes = (bytes: number) => Math.round(bytes / 1024)
  return {
    'largest paint s': Number((median.paintMs / 1000).toFixed(2)),
    'slowest s': Number(((seen.at(-1) as Painted).paintMs / 1000).toFixed(2)),
    painted: median.element,
    'layout shift': Number(Math.max(...seen.map(one => one.shift)).toFixed(3)),
    'KB without photos': kilobytes(median.rest),
    'KB of photos': kilobytes(median.photos),
  }
}
