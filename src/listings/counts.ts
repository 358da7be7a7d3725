import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import { toReconfirm } from './confirmation.ts'

/** An agent's listings by status, most frequent first. */
export function countByStatus(db: Sql, agentId: string) {
  return db
    .selectFrom('listings')
    .select(['status', eb => eb.fn.countAll<number>().as('count')])
    .where('agent_id', '=', agentId)
    .where('imported', '=', false)
    .groupBy('status')
    .orderBy('count', 'desc')
    .execute()
}

interface ToDo {
  toReconfirm: number
  incompleteDrafts: number
}

/** Listings that need the agent's attention. */
export async function countToDo(db: Sql, agentId: string, reconfirmDays: number): Promise<ToDo> {
  const { rows } = await sql<ToDo>`
    select
      count(*) filter (where ${toReconfirm(reconfirmDays)}) as "toReconfirm",
      count(*) filter (where l.status = 'draft'
        and (l.description is null or l.lat is null or (l.sale_price is null and l.rent_price is null)
          or not exists (select from listing_images i where i.listing_id = l.id))) as "incompleteDrafts"
    from listings l where l.agent_id = ${agentId} and not l.imported`.execute(db)
  return rows[0] as ToDo
}

/** All of an agent's listings, imported ones included. */
export async function countListingsOf(db: Sql, agentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from listings where agent_id = ${agentId}`.execute(db)
  return rows[0]?.count ?? 0
}
