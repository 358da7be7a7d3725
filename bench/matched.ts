import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import pino from 'pino'
import { openPool } from '../src/db/database.ts'
import { openEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { needSource } from '../src/needs/source.ts'
import { MatchFollower } from '../src/search/matching/follower.ts'
import { generate } from './search/generate.ts'

/**
 * `npm run bench -- matched [--needs 100000] [--listings 20000]`: from the commit of a changed listing until its matches are
 * committed by a worker that follows, everything in the database included.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      needs: { type: 'string', default: '100000' },
      listings: { type: 'string', default: '20000' },
      changes: { type: 'string', default: '200' },
    },
  })
  const { needs, listings, changes } = values
  const dataDir = resolve(`data/bench/matched-${listings}-${needs}`)
  const postgres = await openEmbeddedPostgres({ dataDir, role: 'server' })
  const pool = openPool(postgres.url, 2, { patient: true })
  await migrate(pool)
  await fill(pool, postgres.url, Number(listings), Number(needs))
  const follower = new MatchFollower({
    url: postgres.url,
    logger: pino({ level: 'warn' }),
    sources: [needSource],
  })
  const { rows } = await pool.query<{ id: string }>(
    `select l.id from listings l join agents a on a.id = l.agent_id where is_on_market(l, a) and sale_price is not null
     order by md5(l.id::text) limit $1`,
    [Number(changes) + 1],
  )
  const times: number[] = []
  for (const { id } of rows) times.push(await change(pool, id))
  // The first one waits until the worker has read all needs.
  const [first = 0, ...others] = times
  others.sort((a, b) => a - b)
  const at = (share: number) => (others[Math.floor(others.length * share)] as number).toFixed(1)
  const matched = await pool.query<{ count: number }>('select count(*)::int as count from need_matches')
  console.log(
    `${needs} needs, ${listings} listings, ${changes} changes, ${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}\n`,
  )
  console.log('| p50 | p99 | most | the first, with all needs to read | matches |\n|---|---|---|---|---|')
  console.log(
    `| ${at(0.5)} ms | ${at(0.99)} ms | ${others.at(-1)?.toFixed(1)} ms | ${(first / 1000).toFixed(1)} s | ${matched.rows[0]?.count} |`,
  )
  await follower.stop()
  await pool.end()
  await postgres.stop()
}

/** Milliseconds from the commit until the worker's position is past it, which is one transaction with the matches. */
async function change(pool: pg.Pool, id: string): Promise<number> {
  await pool.query('update listings set sale_price = sale_price + 1 where id = $1', [id])
  const started = performance.now()
  for (;;) {
    const { rows } = await pool.query<{ passed: boolean }>(
      `select pg_visible_in_snapshot(l.change_xid, nullif(p.snapshot, '')::pg_snapshot) as passed
       from listings l, need_position p where l.id = $1`,
      [id],
    )
    if (rows[0]?.passed) return performance.now() - started
    await sleep(1)
  }
}

/** Needs like the listings there are: that city and type, up to a little more than that price. */
async function fill(pool: pg.Pool, url: string, listings: number, needs: number): Promise<void> {
  const { rows } = await pool.query('select count(*)::int as count from listings')
  if (rows[0].count !== listings) await generate(url, listings)
  await pool.query('truncate need_matches, needs cascade')
  await pool.query(
    `insert into needs (agent_id, query, places, notices, until, held_at)
     select (array(select a.id from agents a where is_public(a)))[1 + n % 10],
       'operation=sale&currency=MXN&type=' || l.property_type || '&max_price=' || ceil(l.sale_price * 1.1),
       array[l.city], 'none', now() + interval '90 days', now()
     from (select row_number() over () as n, l.* from listings l, generate_series(1, $1 / 1000) copy
       where l.sale_price is not null and l.sale_currency = 'MXN' and l.city is not null limit $1) l`,
    [needs],
  )
  await pool.query('vacuum analyze needs')
}
