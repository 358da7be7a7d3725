import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { addListing, createCollection } from '../../src/collections/service.ts'
import { propose } from '../../src/cooperation/proposals.ts'
import type { Db } from '../../src/db/database.ts'
import { openFeedBox } from '../../src/feeds/rules.ts'
import { addressOf, createFeed, findOwn } from '../../src/feeds/service.ts'
import { createNeed } from '../../src/needs/service.ts'
import { openSession } from '../../src/portal/sessions.ts'
import { setRate } from '../../src/rates/service.ts'
import { sharedKey } from '../../src/webhooks/secrets.ts'
import { createWidget } from '../../src/widgets/service.ts'
import { AGENT } from '../search/market.ts'

export const PUBLIC_URL = 'http://127.0.0.1:3000'

/** What the requests are about: the agent who asks, who is also an operator, and things of that agent. */
export type Things = Awaited<ReturnType<typeof makeThings>>

export async function makeThings(app: FastifyInstance, pool: pg.Pool, db: Db, key: string) {
  const authorization = `Bearer ${key}`
  // Who is an operator and owns an agency sees every screen.
  await pool.query(
    'update agents set is_operator = true, is_agency_admin = true, email_confirmed_at = now() where email = $1',
    [AGENT],
  )
  const { rows: agents } = await pool.query(
    `select a.id, a.slug, a.calendar_key, (select slug from agencies where id = a.agency_id) as agency
     from agents a where email = $1`,
    [AGENT],
  )
  const agent = agents[0]
  const { rows: own } = await pool.query(
    `select l.id, l.slug, l.external_id,
       array(select i.id from listing_images i where i.listing_id = l.id order by i.position) as images
     from listings l join agents a on a.id = l.agent_id
     where a.email = $1 and is_public(l, a) order by l.id limit 100`,
    [AGENT],
  )
  const { rows: others } = await pool.query(
    `select l.id, l.slug, a.slug as agent from listings l tablesample system (1) join agents a on a.id = l.agent_id
     where is_public(l, a) and a.email <> $1 limit 500`,
    [AGENT],
  )
  const first = own[0]
  const lead = await app.inject({
    method: 'POST',
    url: '/api/v1/leads',
    headers: { authorization },
    payload: { name: 'Eva Ríos', email: 'eva@example.mx', property_id: first.id },
  })
  await removeOldThings(pool, agent.id)
  await setRate(db, { day: '2026-01-02', mxn_per_usd: '17.25', source: 'bench' }, new Date())
  const collection = await createCollection(db, agent.id, { value: { title: 'Casas' }, issues: [] })
  await addListing(db, agent.id, collection, first.id)
  const { rows: collections } = await pool.query('select token from collections where id = $1', [collection])
  const widget = await createWidget(db, agent.id, {
    value: { name: 'Búsqueda', kind: 'listings', domains: ['agente.example'] },
    issues: [],
  })
  const box = openFeedBox(await sharedKey(db, undefined))
  const feed = await createFeed(db, box, agent.id, {
    value: { name: 'Portal', format: 'json', listings: 'own' },
    issues: [],
  })
  const feedUrl = addressOf(box, PUBLIC_URL, await findOwn(db, agent.id, feed)) as string
  const needDeps = { db, search: undefined, now: () => new Date() }
  const need = await createNeed(needDeps, agent.id, new URLSearchParams({ places: 'Mérida' }))
  const { rows: known } = await pool.query('select id from cooperations where buyer_agent_id = $1 limit 1', [
    agent.id,
  ])
  const asking = { id: agent.id, isTest: false }
  const cooperation: string =
    known[0]?.id ?? (await propose(db, asking, others[0].id, { client: 'A. B.', split: '3' }))
  const sitemap = await app.inject('/sitemap.xml')
  return {
    /** The names of those of listings. */
    sitemaps: sitemap.body.match(/propiedades-[\w-]+/g) as string[],
    authorization,
    cookie: `sid=${await openSession(db, { agentId: agent.id, now: new Date(), address: '127.0.0.1', browser: 'bench' })}`,
    agent,
    own,
    others,
    lead: lead.json().id as string,
    collection: { id: collection, token: collections[0].token as string },
    widget,
    feed: { id: feed, path: feedUrl.slice(PUBLIC_URL.length) },
    need,
    cooperation,
  }
}

/** Of earlier runs: there is a limit to what one agent may have. */
async function removeOldThings(pool: pg.Pool, agentId: string): Promise<void> {
  for (const table of ['collections', 'widgets', 'feeds', 'needs'])
    await pool.query(`delete from ${table} where agent_id = $1`, [agentId])
}
