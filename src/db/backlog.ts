import { type RawBuilder, sql } from 'kysely'
import type { Sql } from './database.ts'

/** What waits to be done now. */
export interface Backlog {
  count: number
  /** Zero if nothing waits. */
  oldestSeconds: number
}

/** Counting a million rows would cost more than it tells. */
const MOST_COUNTED = 100_000

/** `waiting` selects when each row began to wait, as `since`; beyond `MOST_COUNTED`, the rest is not looked at. */
export async function readBacklog(db: Sql, waiting: RawBuilder<{ since: Date }>): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*)::int as count,
      coalesce(greatest(0, extract(epoch from now() - min(since))), 0)::float8 as "oldestSeconds"
    from (${waiting} limit ${sql.lit(MOST_COUNTED)}) waiting`.execute(db)
  return rows[0] as Backlog
}
