import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { groupBy } from '../../lib/groups.ts'
import type { Filters } from '../criteria.ts'
import { byCount, type CityCount, cityKey } from '../engine/census.ts'
import type { Share } from '../service.ts'
import { all, type Condition, filterConditions, type Known } from './conditions.ts'
import { mostCommon } from './overviews.ts'

/** Public listings by city, under its most common spelling, most listings first. */
export async function countCities(tx: Tx, state: string | undefined): Promise<CityCount[]> {
  const { rows } = await sql<CityCount>`
    select l.state, l.city_fold as city, l.city as name, count(*) as count from listings l
    where l.shown and (${state ?? null}::text is null or l.state = ${state ?? null}) group by 1, 2, 3`.execute(
    tx,
  )
  const cities = [...groupBy(rows, cityKey).values()].map(spellings => ({
    ...(spellings[0] as CityCount),
    name: mostCommon(spellings),
    count: spellings.reduce((sum, { count }) => sum + count, 0),
  }))
  return cities.sort(byCount)
}

export async function latestByCity(tx: Tx): Promise<Map<string, Date>> {
  const { rows } = await sql<{ state: string; city: string; latest: Date }>`
    select l.state, l.city_fold as city, max(l.updated_at) as latest from listings l where l.shown group by 1, 2`.execute(
    tx,
  )
  return new Map(rows.map(row => [cityKey(row), row.latest]))
}

export async function sharesOf(tx: Tx, agentIds: readonly string[]): Promise<Map<string, Share>> {
  const { rows } = await sql<Share & { agent_id: string }>`
    select l.agent_id, array_agg(distinct l.state collate "C" order by l.state collate "C") as states,
      count(*) as listings, max(l.updated_at) as latest
    from listings l where l.shown and l.agent_id = any(${[...agentIds]}::uuid[]) group by 1`.execute(tx)
  return new Map(rows.map(({ agent_id: id, ...share }) => [id, share]))
}

const onlyFeature = ({ features, ...others }: Filters): string | undefined =>
  features?.length === 1 && Object.keys(others).length === 0 ? features[0] : undefined

/** How many of what is found also match each option: one pass for all of them, and one for single amenities. */
export async function countOptions(
  tx: Tx,
  where: Condition,
  options: readonly Filters[],
  known: Known,
): Promise<number[]> {
  const features = options.map(onlyFeature)
  const others = options.filter((_, i) => features[i] === undefined)
  const counted = await countEach(tx, where, others, known)
  const ofFeatures = features.some(one => one !== undefined) ? await countFeatures(tx, where) : new Map()
  return features.map(one => (one === undefined ? (counted.shift() ?? 0) : (ofFeatures.get(one) ?? 0)))
}

async function countEach(tx: Tx, where: Condition, options: readonly Filters[], known: Known) {
  if (options.length === 0) return []
  const counts = options.map(option => sql`count(*) filter (where ${all(filterConditions(option, known))})`)
  const { rows } = await sql<{ counts: string[] }>`
    select array[${sql.join(counts)}] as counts from listings l where ${where}`.execute(tx)
  return (rows[0]?.counts ?? []).map(Number)
}

async function countFeatures(tx: Tx, where: Condition): Promise<Map<string, number>> {
  const { rows } = await sql<{ feature: string; count: number }>`
    select feature, count(*) as count from listings l, unnest(l.features) as feature where ${where} group by 1`.execute(
    tx,
  )
  return new Map(rows.map(({ feature, count }) => [feature, count]))
}
