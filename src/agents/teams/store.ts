import { sql } from 'kysely'
import type { Sql, Tx } from '../../db/database.ts'
import { isUuid } from '../../lib/uuid.ts'

const INVITATION_DAYS = 14

export interface Member {
  id: string
  name: string
  email: string
  photo: string | null
  verified_at: Date | null
  is_agency_admin: boolean
  /** Whom an assistant works for. */
  assists_name: string | null
}

export async function listMembers(db: Sql, agencyId: string): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select a.id, a.name, a.email, a.photo, a.verified_at, a.is_agency_admin, p.name as assists_name
    from agents a left join agents p on p.id = a.assists_id and p.agency_id = a.agency_id and a.verified_at is null
    where a.agency_id = ${agencyId}
    order by a.is_agency_admin desc, a.assists_id is not null, a.name_fold limit 500`.execute(db)
  return rows
}

/** Undefined without an agency. */
export async function findMembership(db: Sql, agentId: string) {
  const { rows } = await sql<{ agency_id: string; agency: string; is_agency_admin: boolean }>`
    select a.agency_id, g.name as agency, a.is_agency_admin
    from agents a join agencies g on g.id = a.agency_id where a.id = ${agentId}`.execute(db)
  return rows[0]
}

export interface Invitation {
  id: string
  agency_id: string
  agency: string
  email: string
  assists_id: string | null
  assists_name: string | null
  by_name: string
  created_at: Date
}

/** Of those that have not expired. */
const INVITATION = sql`
  i.id, i.agency_id, g.name as agency, i.email, i.assists_id, p.name as assists_name, b.name as by_name, i.created_at
  from agency_invitations i join agencies g on g.id = i.agency_id and g.active join agents b on b.id = i.invited_by
  left join agents p on p.id = i.assists_id
  where i.created_at > now() - make_interval(days => ${sql.lit(INVITATION_DAYS)})`

export async function listInvitations(db: Sql, agencyId: string): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select ${INVITATION} and i.agency_id = ${agencyId} order by i.created_at desc`.execute(db)
  return rows
}

/** To the confirmed address of that account. */
export async function listInvitationsTo(db: Sql, agentId: string): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select ${INVITATION} and lower(i.email) = (
      select lower(email) from agents where id = ${agentId} and email_confirmed_at is not null)
    order by i.created_at desc`.execute(db)
  return rows
}

export async function findInvitation(db: Sql, id: string): Promise<Invitation | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<Invitation>`select ${INVITATION} and i.id = ${id}`.execute(db)
  return rows[0]
}

/** Again for the same address, it replaces the earlier one. */
export async function upsertInvitation(
  tx: Tx,
  one: { agency_id: string; email: string; assists_id: string | null; invited_by: string },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into agency_invitations (agency_id, email, assists_id, invited_by)
    values (${one.agency_id}, ${one.email}, ${one.assists_id}, ${one.invited_by})
    on conflict (agency_id, lower(email)) do update
      set assists_id = excluded.assists_id, invited_by = excluded.invited_by, created_at = now_ms()
    returning id`.execute(tx)
  return (rows[0] as { id: string }).id
}

/** Returns whether it was there: of two answers, only the first counts. */
export async function deleteInvitation(db: Sql, id: string): Promise<boolean> {
  const done = await db.deleteFrom('agency_invitations').where('id', '=', id).executeTakeFirst()
  return done.numDeletedRows > 0n
}

export async function deleteExpired(db: Sql): Promise<void> {
  await sql`delete from agency_invitations
    where created_at <= now() - make_interval(days => ${sql.lit(INVITATION_DAYS)})`.execute(db)
}

export function findAccount(db: Sql, id: string) {
  return db
    .selectFrom('agents')
    .select(['id', 'agency_id', 'is_agency_admin', 'is_operator', 'verified_at'])
    .where(sql`id::text`, '=', id)
    .executeTakeFirst()
}

/** In an agency or none; what depended on the former one ends. */
export async function updateMembership(
  tx: Tx,
  agentId: string,
  { agencyId, assistsId = null }: { agencyId: string | null; assistsId?: string | null },
): Promise<void> {
  await sql`
    update agents set agency_id = ${agencyId}, assists_id = ${assistsId}, is_agency_admin = false,
      agency_wanted = null where id = ${agentId}`.execute(tx)
  await sql`update agents set assists_id = null where assists_id = ${agentId}`.execute(tx)
}
