import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { COLUMNS, copiedRows, type Entry, readEntry } from '../engine/rows.ts'

/** Which transactions a read could see: those before `next`, except the ones still open then. */
export interface Snapshot {
  next: number
  open: number[]
}

/** A server that is silent for so long is taken for lost. */
const SILENCE_MS = 10_000

const LISTINGS = `select l.id, l.change_xid, ${COLUMNS} from listings l join agents a on a.id = l.agent_id`

/** Every listing that search can show to somebody. */
export const readEverything = (client: pg.Client, take: (entry: Entry) => void): Promise<Snapshot> =>
  readEntries(client, `${LISTINGS} where not l.imported`, take)

/**
 * Every listing with a change that was not in the last read, whenever it was made: exactly those changed by
 * transactions that had not begun then, or were still open.
 */
export function readChanges(client: pg.Client, last: Snapshot, take: (entry: Entry) => void) {
  const isNew = (row: string) =>
    [`${row}.change_xid >= '${last.next}'`, ...last.open.map(xid => `${row}.change_xid = '${xid}'`)].join(
      ' or ',
    )
  // Deletions first, in case an id came back.
  const query = `
    select d.id, d.change_xid, ${COLUMNS}
    from listing_deletions d left join (listings l join agents a on a.id = l.agent_id) on false
    where ${isNew('d')}
    union all
    ${LISTINGS} where ${isNew('l')}`
  return readEntries(client, query, take)
}

/** One statement, and so of one moment, which it tells in its first column: also when there is nothing to read. */
async function readEntries(
  client: pg.Client,
  query: string,
  take: (entry: Entry) => void,
): Promise<Snapshot> {
  const stream = client.query(
    copyTo(`copy (
      select pg_current_snapshot()::text, found.*
      from (values (true)) as always left join (${query}) as found on true
    ) to stdout (format binary)`),
  )
  const alarm = setTimeout(() => void client.end().catch(() => {}), SILENCE_MS)
  let snapshot: Snapshot | undefined
  try {
    for await (const rows of copiedRows(stream)) {
      alarm.refresh()
      for (const row of rows) {
        const text = row.text()
        snapshot ??= parseSnapshot(text ?? '')
        const id = row.uuid()
        if (id) take(readEntry(row, id))
      }
    }
  } finally {
    clearTimeout(alarm)
  }
  if (!snapshot) throw new Error('the read of changes was cut short')
  return snapshot
}

function parseSnapshot(text: string): Snapshot {
  const [, next, open] = text.split(':')
  return { next: Number(next), open: open ? open.split(',').map(Number) : [] }
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
  await client.query(`delete from listing_deletions where ${isFuture}`)
}
