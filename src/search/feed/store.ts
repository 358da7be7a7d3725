import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { COLUMNS, copiedRows, type Entry, type Removal, readEntry } from '../engine/rows.ts'
import type { History } from './history.ts'
import { parseSnapshot, type Snapshot } from './snapshot.ts'

/** Where what a read finds goes, row by row. */
export interface Taker {
  listing(entry: Entry): void
  removal(removal: Removal): void
}

/** When a read was made. */
export interface Moment {
  snapshot: Snapshot
  /** The id of the latest history it saw. */
  history: number
}

/** A server that is silent for so long is taken for lost. */
const SILENCE_MS = 10_000

// Of a removal, the fourth column says whether the listing is there no more, the fifth who no longer sees it.
const LISTINGS = `select l.id, l.change_xid, l.version, null::int, null::uuid, ${COLUMNS}
  from listings l join agents a on a.id = l.agent_id`
const removals = (
  isErased: string,
) => `select r.listing_id, r.change_xid, r.version, (${isErased})::int, r.agent_id, ${COLUMNS}
  from listing_removals r left join (listings l join agents a on a.id = l.agent_id) on false`

/** Every listing that search can show to somebody, and all removals in their order. */
export const readEverything = (client: pg.Client, taker: Taker): Promise<Moment> =>
  readRows(
    client,
    `(${removals('false')} order by r.change_xid) union all ${LISTINGS} where not l.imported`,
    taker,
  )

/**
 * Everything with a change that was not in the last read, whenever it was made: exactly what was changed by
 * transactions that had not begun then, or were still open.
 */
export function readChanges(client: pg.Client, last: Snapshot, taker: Taker): Promise<Moment> {
  const isNew = (row: string) =>
    [`${row}.change_xid >= '${last.next}'`, ...last.open.map(xid => `${row}.change_xid = '${xid}'`)].join(
      ' or ',
    )
  const isErased = 'not exists (select from listings where id = r.listing_id)'
  return readRows(
    client,
    `${removals(isErased)} where ${isNew('r')} union all ${LISTINGS} where ${isNew('l')}`,
    taker,
  )
}

/** One statement, and so of one moment, which it tells in its first column: also when there is nothing to read. */
async function readRows(client: pg.Client, query: string, taker: Taker): Promise<Moment> {
  const stream = client.query(
    copyTo(`copy (
      select pg_current_snapshot()::text || ':' || (select max(id) from feed_histories), found.*
      from (values (true)) as always left join (${query}) as found on true
    ) to stdout (format binary)`),
  )
  const alarm = setTimeout(() => void client.end().catch(() => {}), SILENCE_MS)
  let moment: Moment | undefined
  try {
    for await (const rows of copiedRows(stream)) {
      alarm.refresh()
      for (const row of rows) {
        const text = row.text() ?? ''
        moment ??= { snapshot: parseSnapshot(text), history: Number(text.split(':')[3]) }
        const id = row.uuid()
        if (!id) continue
        const stamp = { id, xid: row.long() ?? 0, version: row.word64() }
        const isErased = row.integer()
        const viewer = row.bytes()?.toString('latin1') ?? null
        if (isErased === null) taker.listing(readEntry(row, stamp))
        else taker.removal({ ...stamp, viewer, isErased: isErased === 1 })
      }
    }
  } finally {
    clearTimeout(alarm)
  }
  if (!moment) throw new Error('the read of changes was cut short')
  return moment
}

export async function readHistories(client: pg.Client): Promise<History[]> {
  const { rows } = await client.query(
    'select id, token, server, change_xid::text::float8 as xid from feed_histories order by id',
  )
  return rows
}

/**
 * Tables restored from another server carry its transaction ids, and these may lie in the future of this one,
 * where they would look like changes at every read. Once stamped anew they are of the present.
 */
export async function restampFuture(client: pg.Client): Promise<void> {
  const isFuture = 'change_xid >= pg_snapshot_xmax(pg_current_snapshot())'
  const { rows } = await client.query(`select exists (select from listings where ${isFuture}) as found`)
  if (rows[0].found)
    await client.query(`update listings set change_xid = pg_current_xact_id() where ${isFuture}`)
  await client.query(`delete from listing_removals where ${isFuture}`)
}
