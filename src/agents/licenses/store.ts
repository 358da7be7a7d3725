import { type Insertable, sql } from 'kysely'
import type { Sql } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'

export async function insertLicenseRequest(
  db: Sql,
  request: Insertable<Database['licence_requests']>,
): Promise<void> {
  await db.insertInto('licence_requests').values(request).execute()
}

export async function countPending(db: Sql): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from licence_requests where status = 'pending'`.execute(db)
  return rows[0]?.count ?? 0
}

const requests = (db: Sql) =>
  db
    .selectFrom('licence_requests as r')
    .innerJoin('agents as a', 'a.id', 'r.agent_id')
    .select([
      'r.id',
      'r.agent_id',
      'r.state',
      'r.authority',
      'r.number',
      'r.document',
      'r.document_type',
      'r.status',
      'r.reason',
      'r.created_at',
      'r.decided_at',
      'a.name',
      'a.email',
      'a.phone',
      'a.agency_wanted',
      'a.verified_at',
    ])

export function lockLicenseRequest(tx: Sql, id: string) {
  return requests(tx).where(sql`r.id::text`, '=', id).forUpdate().executeTakeFirst()
}

export function findLicenseRequest(db: Sql, id: string) {
  return requests(db).where(sql`r.id::text`, '=', id).executeTakeFirst()
}

export function latestLicenseRequest(db: Sql, agentId: string) {
  return requests(db).where('r.agent_id', '=', agentId).orderBy('r.created_at', 'desc').executeTakeFirst()
}

/** Pending ones oldest first, decided ones newest first. */
export function listLicenseRequests(db: Sql, status: 'pending' | 'verified' | 'refused', limit: number) {
  return requests(db)
    .where('r.status', '=', status)
    .orderBy('r.created_at', status === 'pending' ? 'asc' : 'desc')
    .limit(limit)
    .execute()
}

export async function decideLicenseRequest(
  db: Sql,
  id: string,
  decision: { status: 'verified' | 'refused'; decided_by: string; reason: string | null },
): Promise<void> {
  await db
    .updateTable('licence_requests')
    .set({ ...decision, decided_at: sql<Date>`now_ms()` })
    .where('id', '=', id)
    .execute()
}
