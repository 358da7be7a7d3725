import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import type { Rate } from './rules.ts'

const COLUMNS = sql`day::text as day, mxn_per_usd::float8 as "mxnPerUsd", source`

/** Of that day, or the latest before it; without a day, the latest. */
export async function findRate(db: Sql, day: string | undefined): Promise<Rate | undefined> {
  const { rows } = await sql<Rate>`
    select ${COLUMNS} from exchange_rates where day <= coalesce(${day ?? null}::date, 'infinity')
    order by exchange_rates.day desc limit 1`.execute(db)
  return rows[0]
}

/** Latest first. */
export async function listRates(db: Sql, limit: number): Promise<Rate[]> {
  const { rows } = await sql<Rate>`
    select ${COLUMNS} from exchange_rates order by exchange_rates.day desc limit ${limit}`.execute(db)
  return rows
}

/** Replaces the rate of that day. */
export async function saveRate(db: Sql, { day, mxnPerUsd, source }: Rate): Promise<void> {
  await sql`insert into exchange_rates (day, mxn_per_usd, source) values (${day}, ${mxnPerUsd}, ${source})
    on conflict (day) do update set mxn_per_usd = excluded.mxn_per_usd, source = excluded.source, stored_at = now()`.execute(
    db,
  )
}
