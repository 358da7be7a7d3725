import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase, openPool } from '../../../src/db/database.ts'
import { groupBy } from '../../../src/lib/groups.ts'
import type { Receiver } from '../receiver.ts'
import { searchListings } from '../search-oracle.ts'
import type { Client } from './client.ts'
import type { Cluster, Member } from './cluster.ts'
import type { Ledger, Load, LoadAgent } from './load.ts'

/** As documented for /ready: it may be that far behind. */
const MAX_LAG_MS = 30_000
const CITIES = [undefined, 'Zapopan', 'Guadalajara']

export async function onDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(openPool(url, 2, { migrated: true }))
  return work(db).finally(() => db.destroy())
}

const totalsBySql = (db: Db, agent: LoadAgent) =>
  Promise.all(
    CITIES.map(async city => {
      const criteria = {
        sort: 'newest',
        page: 1,
        limit: 1,
        ...(city && { city: city.toLowerCase() }),
      } as const
      return Number((await searchListings(db, criteria, agent.id)).total)
    }),
  )

async function ask(web: Member, path: string, agent: LoadAgent) {
  const headers = { authorization: `Bearer ${agent.key}` }
  const answer = await fetch(`${web.url}/api/v1${path}`, { headers, signal: AbortSignal.timeout(10_000) })
  return { status: answer.status, body: await answer.json() }
}

const totalsOf = (web: Member, agent: LoadAgent) =>
  Promise.all(
    CITIES.map(async city => {
      const query = new URLSearchParams({ limit: '1', ...(city && { city }) })
      return (await ask(web, `/properties?${query}`, agent)).body.pagination.total as number
    }),
  )

/**
 * While nobody writes: what each web finds is what is in the tables, and every copy proves right. Returns what is wrong, and how long it
 * took the last web to be right.
 */
export async function checkQuiet(cluster: Cluster, load: Load, agent: LoadAgent) {
  const wrong: string[] = []
  const start = Date.now()
  let settledMs = 0
  const truth = await onDatabase(cluster.database.primaryUrl, db => totalsBySql(db, agent))
  for (const web of cluster.webs) {
    for (;;) {
      const found = await totalsOf(web, agent).catch(error => String(error))
      if (String(found) === String(truth)) break
      if (Date.now() - start > MAX_LAG_MS) {
        wrong.push(`${web.name} finds ${found} instead of ${truth}, /ready says ${await web.readiness()}`)
        break
      }
      await sleep(50)
    }
    settledMs = Math.max(settledMs, Date.now() - start)
  }
  await load.catchUp()
  for (const [i, follower] of load.followers.entries()) {
    const [copy, proof] = [follower.digest(), await follower.proof()]
    if (copy.hash !== proof.hash)
      wrong.push(`copy ${i} has ${copy.count} listings, the exchange ${proof.count}`)
  }
  return { wrong, settledMs }
}

/** Asks every web all the time: one that says it is ready answers a search. */
export function watchReadiness(webs: Member[], agent: LoadAgent) {
  const lies: string[] = []
  let asked = 0
  let isOver = false
  const watch = async (web: Member) => {
    while (!isOver) {
      await sleep(300)
      if ((await web.readiness()) !== 200) continue
      const found = await ask(web, '/properties?limit=1', agent).then(
        ({ status }) => String(status),
        error => String(error),
      )
      asked++
      if (found !== '200' && (await web.readiness()) === 200)
        lies.push(`${new Date().toISOString().slice(11, 23)} ${web.name}: ${found}`)
    }
  }
  const watching = webs.map(watch)
  return {
    async stop() {
      isOver = true
      await Promise.all(watching)
      return { lies, asked }
    },
  }
}

/** What was confirmed to a client and is not in the tables. */
export async function findLost(db: Db, ledger: Ledger, client: Client): Promise<string[]> {
  const lost: string[] = []
  const rows = await db.selectFrom('listings').select(['id', 'status', 'sale_price']).execute()
  const found = new Map(rows.map(row => [row.id, `${row.status} ${Number(row.sale_price)}`]))
  for (const [id, state] of ledger.listings) {
    const expected = `${state.status} ${state.price}`
    if (found.get(id) !== expected) lost.push(`listing ${id}: ${found.get(id)} instead of ${expected}`)
  }
  if (found.size !== ledger.listings.size)
    lost.push(`${found.size} listings for ${ledger.listings.size}: one was created twice`)
  const leads = (await db.selectFrom('leads').select('email').execute()).map(({ email }) => email)
  for (const sender of ledger.leads) {
    const received = leads.filter(email => email === sender).length
    if (received !== 1) lost.push(`${received} leads of ${sender}`)
  }
  const images = await db.selectFrom('listing_images').select(['listing_id', 'url']).execute()
  for (const [id, count] of ledger.photos) {
    const stored = images.filter(({ listing_id }) => listing_id === id)
    if (stored.length !== count) lost.push(`photos of ${id}: ${stored.length} of ${count}`)
  }
  for (const { url } of images) {
    const { status } = await client.send({ method: 'GET', path: url })
    if (status !== 200) lost.push(`${url} answers ${status}`)
  }
  return lost
}

/** Deliveries that arrived twice, or whose record is not what happened. Waits until all have ended. */
export async function checkWebhooks(db: Db, ledger: Ledger, receiver: Receiver) {
  const wrong: string[] = []
  const open = async () =>
    Number(
      (
        await sql<{ count: string }>`
        select count(*) from webhook_deliveries where finished_at is null`.execute(db)
      ).rows[0]?.count,
    )
  for (let tries = 0; (await open()) > 0 && tries < 120; tries++) await sleep(500)
  if ((await open()) > 0) wrong.push(`${await open()} deliveries have not ended`)
  const rows = await db
    .selectFrom('webhook_deliveries')
    .leftJoin('leads', 'leads.id', 'subject_id')
    .select(['uid', 'webhook_deliveries.status', 'event', 'subject_id', 'email'])
    .execute()
  const arrived = new Map<string, number>()
  for (const { headers } of receiver.received) {
    const uid = String(headers['x-svc-delivery'])
    arrived.set(uid, (arrived.get(uid) ?? 0) + 1)
  }
  for (const [uid, times] of arrived) if (times > 1) wrong.push(`${uid} arrived ${times} times`)
  for (const { uid, status } of rows) {
    if (status === null) wrong.push(`${uid} was not attempted`)
    if (status === 'ok' && !arrived.has(uid)) wrong.push(`${uid} is called delivered and never arrived`)
  }
  const delivered = groupBy(rows, ({ event, email, subject_id }) => `${event} ${email ?? subject_id}`)
  for (const event of new Set([...delivered.keys(), ...ledger.events.keys()])) {
    const [found, caused] = [delivered.get(event)?.length ?? 0, ledger.events.get(event) ?? 0]
    const most = caused + (ledger.doubtful.has(event) ? 1 : 0)
    if (found < caused || found > most) wrong.push(`${event}: ${found} deliveries for ${caused}`)
  }
  const ended = rows.filter(({ uid }) => !arrived.has(uid)).length
  return { wrong, delivered: arrived.size, cutOff: ended }
}
