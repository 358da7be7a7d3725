import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { buildApp } from '../src/app.ts'
import { openDatabase, openPool } from '../src/db/database.ts'
import { Search } from '../src/search/service.ts'
import { ROUNDS, timePages } from './pages.ts'
import { openMarket } from './search/market.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'

/** Server time and size of each kind of page, one request at a time: `npm run bench -- site --listings 100000`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { listings: { type: 'string', default: '100000' } } })
  const market = await openMarket(Number(values.listings))
  const pool = openPool(market.url, 4)
  const db = openDatabase(pool)
  const logger = pino({ level: 'silent' })
  const search = new Search({ db, url: market.url, publicUrl: PUBLIC_URL, logger })
  await search.refresh()
  const app = await buildApp({ db, search, logger, publicUrl: PUBLIC_URL, rateLimit: 1e9, trustProxy: [] })
  await app.ready()

  const { rows } = await pool.query(`
    select l.slug, a.slug as agent, (select slug from agencies g where g.id = a.agency_id) as agency
    from listings l join agents a on a.id = l.agent_id where is_public(l, a) order by l.id limit ${ROUNDS}`)
  const one = rows[0]
  const pages: Record<string, (i: number) => string> = {
    'front page': () => '/',
    'results, all': () => '/propiedades',
    'results, filtered': i => `/propiedades?operation=sale&min_bedrooms=${1 + (i % 4)}&features=Alberca`,
    'results, words': i => `/propiedades?q=casa+jardin&page=${1 + i}`,
    'results, a map area': i =>
      `/propiedades?sw_lat=${18 + (i % 5)}&sw_lng=-104&ne_lat=${20 + (i % 5)}&ne_lng=-99`,
    listing: i => `/propiedades/${rows[i % rows.length].slug}`,
    agent: () => `/agentes/${one.agent}`,
    ...(one.agency ? { agency: () => `/inmobiliarias/${one.agency}` } : {}),
    'all agents': () => '/agentes',
    'all agencies': () => '/inmobiliarias',
    country: () => '/mx',
    state: () => '/mx/jalisco',
    city: () => '/mx/jalisco/guadalajara',
    'map data': () => '/mapa.json?operation=sale',
  }
  console.log(
    `${values.listings} listings, ${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`,
  )
  await timePages(app, pages)

  await app.close()
  await search.close()
  await db.destroy()
  await market.stop()
}
