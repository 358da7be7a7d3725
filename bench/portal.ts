import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { setOperator } from '../src/agents/service.ts'
import { buildApp } from '../src/app.ts'
import { openDatabase, openPool } from '../src/db/database.ts'
import { openEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { DEMO_ACCOUNTS } from '../src/demo/access.ts'
import { loadDemo } from '../src/demo/load.ts'
import { diskStorage } from '../src/files/storage.ts'
import { openSession } from '../src/portal/sessions.ts'
import { Search } from '../src/search/service.ts'
import { timePages } from './pages.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'

/** Server time of each portal page with the demo market: `npm run bench -- portal`. */
export async function run(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'lonja-bench-'))
  const postgres = await openEmbeddedPostgres({ dataDir: home, role: 'server' })
  const pool = openPool(postgres.url, 4)
  const db = openDatabase(pool)
  await migrate(pool)
  await loadDemo(db, () => {})
  await setOperator(db, DEMO_ACCOUNTS.agent, true)
  const logger = pino({ level: 'silent' })
  const search = new Search({ db, url: postgres.url, publicUrl: PUBLIC_URL, logger })
  await search.refresh()
  const app = await buildApp({
    db,
    search,
    logger,
    publicUrl: PUBLIC_URL,
    rateLimit: 1e9,
    trustProxy: [],
    files: diskStorage(home),
  })
  await app.ready()

  const { rows } = await pool.query(
    `select a.id as agent, (select id from listings where agent_id = a.id order by id limit 1) as listing,
       (select id from leads where agent_id = a.id order by id limit 1) as lead,
       (select id from collections where agent_id = a.id limit 1) as collection,
       (select id from widgets where agent_id = a.id limit 1) as widget
     from agents a where email = $1`,
    [DEMO_ACCOUNTS.agent],
  )
  const { agent, listing, lead, collection, widget } = rows[0]
  const session = await openSession(db, {
    agentId: agent,
    now: new Date(),
    address: '127.0.0.1',
    browser: 'bench',
  })
  const paths = [
    ...[
      '',
      '/listings',
      '/listings?view=cards',
      '/listings/new',
      `/listings/${listing}`,
      `/listings/${listing}/edit`,
    ],
    ...[
      `/listings/${listing}/photos`,
      `/listings/${listing}/history`,
      '/leads',
      '/leads?view=table',
      `/leads/${lead}`,
    ],
    ...[
      '/calendar',
      '/collections',
      `/collections/${collection}`,
      '/widgets',
      `/widgets/${widget}`,
      '/keys',
      '/webhooks',
    ],
    ...['/profile', '/account', '/operator', '/operator/licences', '/operator/agents', '/operator/agencies'],
    ...[
      '/operator/listings',
      '/operator/keys',
      '/operator/webhooks',
      '/operator/widgets',
      '/operator/identifications',
    ],
    ...['/operator/health', '/operator/audit'],
  ]
  const pages = Object.fromEntries(paths.map(path => [path || '/', () => `/portal${path}`]))
  await timePages(app, pages, { cookie: `sid=${session}` })

  await app.close()
  await search.close()
  await db.destroy()
  await postgres.stop()
  await rm(home, { recursive: true, force: true })
}
