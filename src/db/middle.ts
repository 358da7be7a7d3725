import { sql } from 'kysely'
import type { Sql } from './database.ts'

/** Of many points, enough for a middle. */
const ENOUGH = 200

/** The median of selected `lat` and `lng`: a few wrong points do not move it. */
export async function middleOf(
  db: Sql,
  points: ReturnType<typeof sql>,
): Promise<{ lat: number; lng: number } | undefined> {
  const { rows } = await sql<{ lat: number; lng: number } | { lat: null }>`
    select percentile_cont(0.5) within group (order by p.lat) as lat,
      percentile_cont(0.5) within group (order by p.lng) as lng
    from (${points} limit ${ENOUGH}) p`.execute(db)
  const [middle] = rows
  return middle && middle.lat !== null ? middle : undefined
}
