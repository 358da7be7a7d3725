import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import { middleOf } from '../db/middle.ts'

/** The middle of a neighborhood by the public points of its listings, which everyone can see. Names are folded. */
export const findMiddle = (db: Sql, at: { state: string; towns: readonly string[]; neighborhood: string }) =>
  middleOf(
    db,
    sql`select l.public_lat as lat, l.public_lng as lng
      from listings l join agents a on a.id = l.agent_id
      where l.status = 'published' and l.state = ${at.state} and l.neighborhood_fold = ${at.neighborhood}
        and l.city_fold = any (${at.towns}) and l.public_lat is not null and is_public(l, a)`,
  )

/** Postal codes are private: only those of the agent's own listings are read. */
export const findOwnPostalCode = (db: Sql, agentId: string, code: string) =>
  middleOf(
    db,
    sql`select lat, lng from listings
      where agent_id = ${agentId} and postal_code = ${code} and lat is not null order by updated_at desc`,
  )
