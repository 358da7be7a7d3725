import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { UNBOUNDED } from '../../db/database.ts'
import { primaryOf } from '../../db/hosts.ts'
import { APPLIED_MIGRATIONS } from '../../db/migrate.ts'
import { COLUMNS, copiedRows, type Entry, NO_COLUMNS, type Removal, readEntry } from '../engine/rows.ts'
import type { History } from './history.ts'
import { parseSnapshot, type Snapshot } from './snapshot.ts'

/** Receives the results of a read, row by row. */
export interface Taker {
  listing(entry: Entry): void
  removal(removal: Removal): void
}

/** The moment of a read. */
export interface Moment {
  snapshot: Snapshot
  /** The id of the latest history it saw. */
  history: number
}

/** A server silent for this long is considered lost. */
const SILENCE_MS = 10_000
/** Shorter: behind a lock the server itself ends the read, and no backend is left waiting for nobody. */
const LOCK_MS = 5_000

/** A connection that reads for as long as it takes, but does not wait for long. */
export const openReader = (url: string, name: string): pg.Client =>
  new pg.Client({
    connectionString: primaryOf(url),
    application_name: name,
    connectionTimeoutMillis: 2_500,
    keepAlive: true,
    options: `${UNBOUNDED} -c lock_timeout=${LOCK_MS}`,
  })

/** Gives the connection up, and with it the work, once the server is silent; the work says when it has heard from it. */
async function unlessSilent<T>(client: pg.Client, work: (heard: () => void) => Promise<T>): Promise<T> {
  const alarm = setTimeout(() => void client.end().catch(() => {}), SILENCE_MS)
  try {
    return await work(() => alarm.refresh())
  } finally {
    clearTimeout(alarm)
  }
}

/** For statements that no size of the market makes long. */
export const askShort = (client: pg.Client, statement: string): Promise<pg.QueryResult> =>
  unlessSilent(client, () => client.query(statement))

const FEW = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']

/**
 * From here on, a connection reads few rows: PostgreSQL may expect thousands of changes, and scan whole tables, or read all
 * agents to join one listing with its own.
 */
export const expectFew = (client: pg.Client): Promise<unknown> =>
  askShort(client, FEW.map(name => `set ${name} = off`).join('; '))

/** As PostgreSQL decides by itself: to read everything, also again in a process that has long followed changes. */
export const expectMany = (client: pg.Client): Promise<unknown> =>
  askShort(client, FEW.map(name => `reset ${name}`).join('; '))

// Three kinds of rows: the moment of the read, which is there even if nothing else is; removals, of which one column says
// whether the listing no longer exists and the next who no longer sees it; and listings. In one union: a join would make PostgreSQL
// plan it for half as long again, and it is planned for every read.
const MOMENT = `select pg_current_snapshot()::text || ':' || (select max(id) from feed_histories),
  null::uuid, null::xid8, null::bigint, null::int, null::uuid, ${NO_COLUMNS}`
const removals = (
  isErased: string,
) => `select null::text, r.listing_id, r.change_xid, r.version, (${isErased})::int, r.agent_id, ${NO_COLUMNS}
  from listing_removals r`
const LISTINGS = `select null::text, l.id, l.change_xid, l.version, null::int, null::uuid, ${COLUMNS}
  from listings l join agents a on a.id = l.agent_id`

const ALL_REMOVALS = `(${removals('false')} order by r.change_xid)`

/** Every listing that search can show to anyone, and all removals in order. */
export const readEverything = (client: pg.Client, taker: Taker): Promise<Moment> =>
  readRows(client, `${ALL_REMOVALS} union all ${LISTINGS} where not l.imported`, taker)

/** Who can no longer see what, in order. */
export const readRemovals = (client: pg.Client, taker: Taker): Promise<Moment> =>
  readRows(client, ALL_REMOVALS, taker)

/**
 * Everything that changed since the last read, regardless of commit order: exactly the changes of transactions that had
 * not begun by then or were still open.
 */
export function readChanges(client: pg.Client, last: Snapshot, taker: Taker): Promise<Moment> {
  const isErased = 'not exists (select from listings where id = r.listing_id)'
  return readRows(
    client,
    `${removals(isErased)} where ${isNew('r', last)} union all ${LISTINGS} where ${isNew('l', last)}`,
    taker,
  )
}

const isNew = (row: string, { next, open }: Snapshot) =>
  [`${row}.change_xid >= '${next}'`, ...open.map(xid => `${row}.change_xid = '${xid}'`)].join(' or ')

/** The current moment, and whether anything has changed since the last one. */
export async function readMoment(
  client: pg.Client,
  last: Snapshot | undefined,
): Promise<Moment & { isNew: boolean }> {
  const isAnyNew = last
    ? `exists (select from listings l where ${isNew('l', last)})
       or exists (select from listing_removals r where ${isNew('r', last)})`
    : 'true'
  const { rows } = await askShort(
    client,
    `select pg_current_snapshot()::text as snapshot, (select max(id) from feed_histories)::int as history,
       (${isAnyNew}) as is_new`,
  )
  const { snapshot, history, is_new } = rows[0]
  return { snapshot: parseSnapshot(snapshot), history, isNew: is_new }
}

/** Whether at most that many listings changed since the last read. */
export async function areFewNew(client: pg.Client, last: Snapshot, most: number): Promise<boolean> {
  const { rows } = await askShort(
    client,
    `select count(*)::int as found from (select from listings l where ${isNew('l', last)} limit ${most + 1}) as new`,
  )
  return rows[0].found <= most
}

/** Changes when the tables are others, with what they hold: by a migration, a restore or a rewrite. */
export async function readTables(client: pg.Client): Promise<string> {
  const { rows } = await askShort(
    client,
    `select concat_ws('/', pg_relation_filenode('listings'), pg_relation_filenode('listing_removals'),
       ${APPLIED_MIGRATIONS}) as tables`,
  )
  return rows[0].tables
}

/** A single statement, hence a consistent snapshot. */
async function readRows(client: pg.Client, query: string, taker: Taker): Promise<Moment> {
  const stream = client.query(copyTo(`copy (${MOMENT} union all ${query}) to stdout (format binary)`))
  const moment = await unlessSilent(client, async heard => {
    let read: Moment | undefined
    for await (const rows of copiedRows(stream)) {
      heard()
      for (const row of rows) {
        const text = row.text()
        if (text) read = { snapshot: parseSnapshot(text), history: Number(text.split(':')[3]) }
        const id = row.uuid()
        if (!id) continue
        const stamp = { id, xid: row.long() ?? 0, version: row.word64() }
        const isErased = row.integer()
        const viewer = row.bytes()?.toString('latin1') ?? null
        if (isErased === null) taker.listing(readEntry(row, stamp))
        else taker.removal({ ...stamp, viewer, isErased: isErased === 1 })
      }
    }
    return read
  })
  if (!moment) throw new Error('the read of changes was cut short')
  return moment
}

export async function readHistories(client: pg.Client): Promise<History[]> {
  const { rows } = await askShort(
    client,
    'select id, token, server, change_xid::text::float8 as xid from feed_histories order by id',
  )
  return rows
}

/**
 * Tables restored from another server carry its transaction ids, which may lie in this server's future and would look
 * like changes on every read. Restamping gives them current ids.
 */
export async function restampFuture(client: pg.Client): Promise<void> {
  const isFuture = 'change_xid >= pg_snapshot_xmax(pg_current_snapshot())'
  const { rows } = await client.query(`select exists (select from listings where ${isFuture}) as found`)
  if (rows[0].found)
    await client.query(`update listings set change_xid = pg_current_xact_id() where ${isFuture}`)
  await client.query(`delete from listing_removals where ${isFuture}`)
  await client.query(`update outbox set change_xid = pg_current_xact_id() where ${isFuture}`)
}
