import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { groupBy } from '../../lib/groups.ts'
import { foldText } from '../../lib/text.ts'
import { type KnownPlace, MOST_PLACES, placesInOrder } from '../understand/known-places.ts'
import { MOST_POINTS, radiusAround } from '../understand/market.ts'
import { type Condition, tsquery } from './conditions.ts'
import { mostCommon } from './overviews.ts'

interface Row {
  name: string
  folded: string
  within: string
  count: number
}

/** The places of public listings. */
export async function readPlaces(tx: Tx): Promise<KnownPlace[]> {
  const read = async (query: ReturnType<typeof sql<Row>>) => (await query.execute(tx)).rows
  const states = await read(sql<Row>`
    select l.state as name, l.state as folded, '' as within, count(*) as count from listings l where l.shown group by 1`)
  const cities = await read(sql<Row>`
    select l.city as name, l.city_fold as folded, l.state as within, count(*) as count
    from listings l where l.shown group by 1, 2, 3`)
  const municipalities = await read(sql<Row>`
    select l.municipality as name, l.municipality as folded, l.state as within, count(*) as count
    from listings l where l.shown and l.municipality is not null group by 1, 2, 3`)
  const neighborhoods = await read(sql<Row>`
    select mode() within group (order by l.neighborhood collate "C") as name, l.neighborhood_fold as folded,
      mode() within group (order by l.city collate "C") as within, count(*) as count
    from listings l where l.shown and l.neighborhood_fold is not null
    group by l.neighborhood_fold, l.city_fold, l.state order by count(*) desc limit ${MOST_PLACES}`)
  return placesInOrder({
    states: placesOf('state', states),
    cities: placesOf('city', cities),
    municipalities: placesOf('municipality', municipalities),
    // Already one row for each: a city of that name may be in several states.
    neighborhoods: neighborhoods.map(row => ({ ...row, kind: 'neighborhood' })),
  })
}

/** Spellings of one name in one place are one. */
function placesOf(kind: KnownPlace['kind'], rows: readonly Row[]): KnownPlace[] {
  const folded = rows.map(row => ({ ...row, folded: foldText(row.folded) }))
  const spelled = [...groupBy(folded, row => `${row.folded}\n${row.within}`).values()]
  return spelled.map(spellings => {
    const { folded, within } = spellings[0] as Row
    const count = spellings.reduce((sum, one) => sum + one.count, 0)
    return { name: mostCommon(spellings), folded, kind, within: within || null, count }
  })
}

/** The center of what is found, of the newest, in the city that has the most of it; undefined if none has a point. */
export async function middleOf(tx: Tx, names: readonly string[], where: Condition) {
  const { rows } = await sql<{ lat: number; lng: number; is_city: boolean }>`
    select avg(lat) as lat, avg(lng) as lng,
      exists (select from listings where city_fold = any(${names}::text[]) and shown) as is_city
    from (select l.public_lat as lat, l.public_lng as lng, l.city_fold from listings l where ${where}
      order by l.featured desc, coalesce(l.published_at, l.created_at) desc, l.id limit ${MOST_POINTS}) as newest
    where lat is not null group by city_fold order by count(*) desc, city_fold collate "C" limit 1`.execute(
    tx,
  )
  const [spot] = rows
  return spot && { lat: spot.lat, lng: spot.lng, radiusKm: radiusAround(spot.is_city) }
}

/** How many public listings contain one of the lexemes; counts no further than `most`. */
export async function timesSaid(tx: Tx, lexemes: readonly string[], most: number): Promise<number> {
  if (lexemes.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from listings l where l.shown and l.search @@ ${tsquery(lexemes)}::tsquery limit ${most}) as said`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}
