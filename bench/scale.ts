import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { type Db, openDatabase, openPool } from '../src/db/database.ts'
import { appendEvent } from '../src/outbox/store.ts'
import { openSecretBox } from '../src/webhooks/secrets.ts'
import { addWebhook } from '../src/webhooks/service.ts'
import { HOUSE } from '../test/support/exchange.ts'
import { loopbackNetwork } from '../test/support/receiver.ts'
import { openMarket } from './search/market.ts'
import { startLonja, untilReady } from './search/processes.ts'

const CHANGES = 200
const SUBSCRIPTIONS = 200
const DELIVERIES = 10_000
/** As the dispatcher claims. */
const SEATS = 50
const PER_WEBHOOK = 5

/**
 * `npm run bench -- scale [--listings 25000]`: what docs/scale.md needs and no other benchmark measures: bytes of PostgreSQL's log for each
 * change, bytes on disk for each listing, and how many deliveries can be claimed in a second.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      // A market of its own, since it is changed.
      listings: { type: 'string', default: '25000' },
      built: { type: 'boolean', default: false },
    },
  })
  if (!values.built) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const market = await openMarket(Number(values.listings), { durable: true })
  const pool = openPool(market.url, 4)
  const db = openDatabase(pool)
  try {
    await measureDisk(pool, Number(values.listings))
    const server = await startLonja(market.url, { LONJA_WEBHOOK_ALLOW_PRIVATE: '1' })
    await untilReady(server.url, '/ready')
    await measureLog(pool, server.url, market.key)
    await server.stop()
    const agents = await subscribe(db)
    for (const workers of [1, 2]) await measureClaims(pool, db, agents, workers)
  } finally {
    await pool.query(`delete from webhooks where url like 'http://hook.example/%'`)
    await pool.end()
    await market.stop()
  }
}

async function measureDisk(pool: pg.Pool, listings: number): Promise<void> {
  const { rows } = await pool.query('select pg_database_size(current_database())::bigint as bytes')
  console.log(
    `on disk: ${Math.round(Number(rows[0].bytes) / listings)} bytes for each listing, images and indexes included`,
  )
}

/** The agent's own listings, one change each: pages that were not touched since a checkpoint are logged whole. */
async function measureLog(pool: pg.Pool, url: string, key: string): Promise<void> {
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      body: JSON.stringify(body ?? {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const ids: string[] = []
  const each = (work: (id: string, i: number) => Promise<unknown>) => async () => {
    for (const [i, id] of ids.entries()) await work(id, i)
  }
  const kinds: [string, () => Promise<unknown>][] = [
    [
      'create',
      async () => {
        for (let i = 0; i < CHANGES; i++) ids.push((await ask('POST', '/properties', HOUSE)).id)
      },
    ],
    ['publish', each(id => ask('POST', `/properties/${id}/publish`))],
    ['price', each((id, i) => ask('PUT', `/properties/${id}`, { sale_price: 2_000_000 + i }))],
    ['price again', each((id, i) => ask('PUT', `/properties/${id}`, { sale_price: 3_000_000 + i }))],
    [
      'lead',
      each((id, i) => ask('POST', '/leads', { listing_id: id, name: 'Rosa', email: `r${i}@example.mx` })),
    ],
    ['withdraw', each(id => ask('DELETE', `/properties/${id}`))],
  ]
  for (const [name, work] of kinds) {
    const isAgain = name.endsWith('again')
    if (!isAgain) await pool.query('checkpoint')
    const before = await logged(pool)
    const start = performance.now()
    await work()
    const seconds = (performance.now() - start) / 1_000
    const after = await logged(pool)
    const per = (what: 'bytes' | 'records' | 'pages') => Math.round((after[what] - before[what]) / CHANGES)
    console.log(
      `log, ${name}: ${per('bytes')} bytes, ${per('records')} records, ${per('pages')} whole pages for each; ` +
        `${Math.round(CHANGES / seconds)} a second, one after the other`,
    )
  }
}

async function logged(pool: pg.Pool): Promise<{ bytes: number; records: number; pages: number }> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes, wal_records::float8 as records,
       wal_fpi::float8 as pages from pg_stat_wal`,
  )
  return rows[0]
}

async function subscribe(db: Db): Promise<string[]> {
  const box = await openSecretBox(db, undefined)
  const policy = { allowPrivate: true, publicUrl: 'https://lonja.example' }
  const agents = await db
    .selectFrom('agents')
    .select('id')
    .where('verified_at', 'is not', null)
    .limit(SUBSCRIPTIONS)
    .execute()
  for (const [i, { id }] of agents.entries()) {
    const wanted = { url: `http://hook.example/${i}`, events: ['listing.published'] }
    await addWebhook({ db, box, network: loopbackNetwork(), policy }, id, wanted)
  }
  await db.updateTable('webhooks').set({ last_status: 'ok' }).execute()
  return agents.map(({ id }) => id)
}

/** As many loops as workers: claim, and record the end of each at once. Nothing is sent. */
async function measureClaims(pool: pg.Pool, db: Db, agents: string[], workers: number): Promise<void> {
  await db.transaction().execute(async tx => {
    for (let i = 0; i < DELIVERIES; i++) {
      await appendEvent(tx, {
        agentId: agents[i % agents.length] as string,
        event: 'listing.published',
        data: { id: randomUUID(), slug: 'casa', title: 'Casa', status: 'published' },
        createdAt: new Date(),
        channels: ['webhook'],
      })
    }
  })
  await pool.query('vacuum analyze webhook_deliveries')
  let claims = 0
  let claimed = 0
  const work = async () => {
    for (;;) {
      const { rows } = await pool.query('select id from claim_deliveries($1, $2)', [SEATS, PER_WEBHOOK])
      if (rows.length === 0) return
      claims++
      claimed += rows.length
      const ids = rows.map(({ id }) => id)
      await pool.query(
        `update webhook_deliveries set finished_at = now_ms(), status = 'ok' where id = any($1)`,
        [ids],
      )
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: workers }, work))
  const seconds = (performance.now() - start) / 1_000
  console.log(
    `claims, ${workers} at a time: ${claimed} deliveries in ${claims} claims, ${Math.round(claimed / seconds)} deliveries a second`,
  )
}
