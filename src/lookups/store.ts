import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'

interface LocationCount {
  city: string
  state: string
  count: number
}

/**
 * Only what everybody may see is counted: a count must not betray what is hidden. Spellings of one city that
 * differ in case or accents are one city, under the spelling used most.
 */
export async function listLocations(db: Sql, limit: number): Promise<LocationCount[]> {
  const { rows } = await sql<LocationCount>`
    select mode() within group (order by l.city) as city, l.state, count(*) as count
    from listings l join agents a on a.id = l.agent_id
    where is_public(l, a)
    group by l.state, l.city_fold
    order by count(*) desc, l.state, l.city_fold
    limit ${limit}`.execute(db)
  return rows
}
