import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Criteria, Place, Reach } from '../criteria.ts'
import { uuidOf } from '../engine/ids.ts'
import type { Wanted } from '../engine/wanted.ts'
import { type Asked, countWhere } from './asking.ts'
import { comesThrough, type Ordering, orderingOf } from './ordering.ts'

export interface Hits {
  /** The page, in order. */
  ids: string[]
  total: number
  /** How many hits come before the page. */
  offset: number
  /** Where the page ends, if more hits follow. */
  last: Place | undefined
}

interface Row {
  id: string
  is_ahead: boolean
  score: number
  rank: number
}

/** The page and its exact total. They are counted and sorted apart: an index may serve one and not the other. */
export async function findPage(
  tx: Tx,
  criteria: Criteria,
  { where, known }: Asked,
  wanted: Wanted,
  reach: Reach,
): Promise<Hits> {
  const { page, limit, after } = criteria
  const ordering = orderingOf(criteria, wanted, reach, known)
  const through = after && comesThrough(ordering, after)
  const total = await countWhere(tx, where)
  const offset = through ? await countWhere(tx, sql`${where} and ${through}`) : (page - 1) * limit
  if (offset >= total) return { ids: [], total, offset, last: undefined }
  const rest = through ? sql`${where} and not ${through}` : where
  const rows = await sortedRows(tx, rest, ordering, limit, through ? 0 : offset)
  const end = offset + rows.length < total ? rows.at(-1) : undefined
  return { ids: rows.map(({ id }) => id), total, offset, last: end && placeOf(end) }
}

async function sortedRows(
  tx: Tx,
  where: Asked['where'],
  { ahead, score, rank, order }: Ordering,
  limit: number,
  offset: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select l.id, ${ahead} as is_ahead, ${score} as score, ${rank} as rank
    from listings l where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(tx)
  return rows
}

const placeOf = ({ id, is_ahead, score, rank }: Row): Place => ({
  isAhead: is_ahead,
  score,
  rank,
  id: uuidOf(id),
})
