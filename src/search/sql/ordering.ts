import { type RawBuilder, sql } from 'kysely'
import type { Criteria, Place, Reach } from '../criteria.ts'
import { uuidText } from '../engine/ids.ts'
import type { Wanted } from '../engine/wanted.ts'
import { type Condition, type Known, kilometersFrom, PERCENT, relevance } from './conditions.ts'

/** The order of a page: ahead, then the higher score, then the key, then the id. */
export interface Ordering {
  ahead: Condition
  score: Condition
  /** Ascending, Infinity where there is no key: as in a cursor. */
  rank: RawBuilder<number>
  /** The whole `order by`. */
  order: Condition
}

export function orderingOf(criteria: Criteria, wanted: Wanted, reach: Reach, known: Known): Ordering {
  const { sort, likedBedrooms, featuredFirst } = criteria
  const isRanked = sort === 'relevance' && wanted.groups.length > 0
  const words = isRanked ? relevance(wanted.groups, known) : undefined
  const isLiked =
    sort === 'relevance' && likedBedrooms !== undefined
      ? sql`coalesce(l.bedrooms = ${likedBedrooms}, false)`
      : undefined
  const featured = reach === 'market' || featuredFirst === false ? undefined : sql`l.featured`
  const { key, isAscending } = keyOf(criteria)
  const terms = [isLiked, featured, words].flatMap(term => (term ? [sql`${term} desc`] : []))
  const byKey = isAscending ? sql`${key} asc nulls last` : sql`${key} desc nulls last`
  return {
    ahead: isLiked ?? featured ?? sql`false`,
    score: scoreOf(isLiked ? featured : undefined, words, bitsOf(isRanked ? wanted : { groups: [] })),
    rank: sql`coalesce(${isAscending ? sql`` : sql`-`}(${rankOf(criteria, key)})::float8, 'Infinity')`,
    order: sql.join([...terms, byKey, sql`l.id`]),
  }
}

/** A cursor has room for one number besides the first distinction. */
function scoreOf(featured: Condition | undefined, words: Condition | undefined, bits: number): Condition {
  if (!featured) return words ?? sql`0`
  return sql`(${featured}::int * ${2 ** bits}::int + ${words ?? sql`0`})`
}

/** As many as the highest relevance needs. */
function bitsOf({ groups }: Wanted): number {
  const most = groups.reduce((sum, { meaning }) => sum + (meaning ? 16 : 8), 0)
  return 32 - Math.clz32(most)
}

const NEWEST = sql`coalesce(l.published_at, l.created_at)`

function keyOf({ sort, operation, near, priceIn }: Criteria): { key: Condition; isAscending: boolean } {
  if (sort === 'distance' && near)
    return { key: sql`round((${kilometersFrom(near)}) * 1e6) / 1e6`, isAscending: true }
  if (sort === 'updated') return { key: sql`l.updated_at`, isAscending: false }
  if (sort === 'commission') return { key: PERCENT, isAscending: false }
  if (sort === 'construction') return { key: sql`l.construction_m2`, isAscending: false }
  if (sort === 'lot') return { key: sql`l.lot_m2`, isAscending: false }
  if (sort !== 'price_asc' && sort !== 'price_desc') return { key: NEWEST, isAscending: false }
  const pesos = (column: 'sale' | 'rent') => {
    const [price, currency] = [sql.ref(`l.${column}_price`), sql.ref(`l.${column}_currency`)]
    return priceIn
      ? sql`${price}::float8 * case ${currency} when 'USD' then ${priceIn.mxnPerUsd}::float8 else 1 end`
      : price
  }
  const either = sql`coalesce(${pesos('sale')}, ${pesos('rent')})`
  const key = operation === 'sale' ? pesos('sale') : operation === 'rental' ? pesos('rent') : either
  return { key: sql`(${key})`, isAscending: sort === 'price_asc' }
}

/** Times as milliseconds. */
const rankOf = ({ sort }: Criteria, key: Condition): Condition =>
  sort === 'updated' || sort === 'newest' || sort === 'relevance'
    ? sql`extract(epoch from ${key}) * 1000`
    : key

/** Whether a listing comes at or before that place, which may no longer exist. */
export function comesThrough({ ahead, score, rank }: Ordering, place: Place): Condition {
  const [isAhead, least, most] = [place.isAhead, place.score, place.rank]
  return sql`(${ahead} > ${isAhead}::bool or ${ahead} = ${isAhead}::bool and (${score} > ${least}::bigint
    or ${score} = ${least}::bigint and (${rank} < ${most}::float8 or ${rank} = ${most}::float8 and l.id <= ${uuidText(place.id)}::uuid)))`
}
