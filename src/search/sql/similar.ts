import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { KM_HALFWAY, type Like } from '../engine/similar.ts'
import { type Condition, kilometersFrom } from './conditions.ts'

/** NaN stands for what is unknown, which differs fully; so does 0, which has no double. */
const given = (value: number) => sql`nullif(${Number.isNaN(value) ? null : value}::float8, 0)`
const upToOne = (value: Condition) => sql`least(coalesce(${value}, 1), 1)`
const doublings = (value: number, column: Condition) =>
  sql`abs(ln(${given(value)} / nullif(${column}::float8, 0)) / ln(2::float8))`

/** The listings most like one, best first, without itself; by `difference` of the index. */
export async function similarWhere(tx: Tx, like: Like, where: Condition, limit: number): Promise<string[]> {
  const isUnplaced = Number.isNaN(like.lat)
  const km = isUnplaced ? sql`null::float8` : kilometersFrom(like)
  const price = like.offer?.operation === 'rental' ? sql`l.rent_price` : sql`l.sale_price`
  const size = like.measure === 'lot' ? sql`l.lot_m2` : sql`l.construction_m2`
  const { rows } = await sql<{ id: string }>`
    select l.id
    from listings l cross join lateral (select ${km} as km offset 0) as away
    where ${where} and l.id <> ${like.id}
    order by floor((2 * ${upToOne(sql`away.km / (away.km + ${KM_HALFWAY})`)} + ${upToOne(doublings(like.price, price))}
      + 0.5 * ${upToOne(doublings(like.size, size))}) * 1e6 + 0.5), l.id
    limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}
