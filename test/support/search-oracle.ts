import { sql } from 'kysely'
import type { Sql } from '../../src/db/database.ts'
import { foldText } from '../../src/lib/text.ts'
import { visibleTo } from '../../src/listings/service.ts'
import type { Criteria, Reach } from '../../src/search/criteria.ts'
import { isCalled } from '../../src/search/places/place.ts'
import { matching } from '../../src/search/sql/conditions.ts'
import { orderingOf } from '../../src/search/sql/ordering.ts'
import { wordGroups } from '../../src/search/text/words.ts'

export interface SearchResult {
  ids: string[]
  total: number
}

/**
 * What search must answer: the reference for both engines in tests and benchmarks. One statement without any of their
 * shortcuts, so that the page and its total are consistent. `viewer` null is the public.
 */
export async function searchListings(
  db: Sql,
  criteria: Criteria,
  viewer: string | null,
  reach: Exclude<Reach, 'own'> = 'all',
): Promise<SearchResult> {
  const wanted = await wantedOf(db, criteria.q)
  const hasPlace = criteria.place !== undefined || wanted.groups.some(({ meaning }) => meaning?.place)
  const known = { municipalities: hasPlace ? await municipalitiesOf(db) : () => [] }
  const isVisible = reach === 'market' ? onMarketFor(viewer) : visibleTo(viewer)
  const { limit, page } = criteria
  const { rows } = await sql<SearchResult>`
    with hits as materialized (
      select l.id, row_number() over (order by ${orderingOf(criteria, wanted, reach, known).order}) as place
      from listings l join agents a on a.id = l.agent_id
      where ${isVisible} and ${matching(criteria, wanted, known)}
    )
    select
      (select count(*) from hits) as total,
      array(select id from hits order by place limit ${limit} offset ${(page - 1) * limit}) as ids`.execute(
    db,
  )
  return rows[0] as SearchResult
}

/** Stop words alone (la, de) are matched against the start of the title. */
export async function wantedOf(db: Sql, q: string | undefined) {
  const groups = q === undefined ? [] : await wordGroups(db, q)
  return { groups, titleStart: q !== undefined && groups.length === 0 ? foldText(q) : undefined }
}

async function municipalitiesOf(db: Sql) {
  const { rows } = await sql<{ name: string }>`
    select distinct municipality as name from listings where municipality is not null`.execute(db)
  return (names: readonly string[]) =>
    rows.flatMap(({ name }) => (isCalled(foldText(name), names) ? [name] : []))
}

/** Everything published by visible agents, opted out or not, and one's own listings. */
const onMarketFor = (viewer: string | null) => sql`not l.imported and (
  l.status = 'published' and a.verified_at is not null and not a.is_test or l.agent_id = ${viewer}::uuid)`

const SHOWN = sql`from listings l join agents a on a.id = l.agent_id where is_public(l, a)`

/** Public listings by city, under its most common spelling, most listings first. */
export async function countCities(db: Sql) {
  const { rows } = await sql`
    select l.state, l.city_fold as city, mode() within group (order by l.city collate "C") as name, count(*) as count,
           max(l.updated_at) as latest
    ${SHOWN} group by l.state, l.city_fold
    order by count(*) desc, l.state collate "C", l.city_fold collate "C"`.execute(db)
  return rows
}

/** An agent's public listings. */
export async function shareOf(db: Sql, agentId: string) {
  const { rows } = await sql`
    select coalesce(array_agg(distinct l.state collate "C" order by l.state collate "C"), '{}') as states,
           count(*) as listings, max(l.updated_at) as latest
    ${SHOWN} and l.agent_id = ${agentId}`.execute(db)
  return rows[0]
}
