import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import type { Role, State } from './rules.ts'

export interface CooperationRow extends Selectable<Database['cooperations']> {
  state: State
  awaited: Role | null
  proposed_by: Role
}

/** Locked until the transaction ends, so that two steps follow each other. */
export function lockCooperation(tx: Tx, id: string): Promise<CooperationRow | undefined> {
  return tx
    .selectFrom('cooperations')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<CooperationRow | undefined>
}

export interface CooperationInList extends CooperationRow {
  listing_title: string
  listing_slug: string
  buyer_agent_name: string
  owner_name: string
}

const IN_LIST = sql`
  select c.*, l.title as listing_title, l.slug as listing_slug, b.name as buyer_agent_name, o.name as owner_name
  from cooperations c
  join listings l on l.id = c.listing_id
  join agents b on b.id = c.buyer_agent_id
  join agents o on o.id = c.owner_id`

export async function findCooperation(db: Sql, id: string): Promise<CooperationInList | undefined> {
  const { rows } = await sql<CooperationInList>`${IN_LIST} where c.id = ${id}`.execute(db)
  return rows[0]
}

/** Those that wait for the agent first, then by last step. */
export async function listCooperations(
  db: Sql,
  agentId: string,
  range: { limit: number; offset: number },
): Promise<CooperationInList[]> {
  const { rows } = await sql<CooperationInList>`
    ${IN_LIST} where ${agentId} in (c.buyer_agent_id, c.owner_id)
    order by (case c.awaited when 'buyer' then c.buyer_agent_id when 'owner' then c.owner_id end = ${agentId}) is true desc,
      c.updated_at desc, c.id
    limit ${range.limit} offset ${range.offset}`.execute(db)
  return rows
}

/** Oldest first. */
export async function listDisputed(db: Sql, limit: number): Promise<CooperationInList[]> {
  const { rows } = await sql<CooperationInList>`
    ${IN_LIST} where c.disputed_at is not null order by c.disputed_at limit ${limit}`.execute(db)
  return rows
}

export async function countAwaiting(db: Sql, agentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from cooperations
    where (buyer_agent_id = ${agentId} and awaited = 'buyer') or (owner_id = ${agentId} and awaited = 'owner')`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export async function countProposed(tx: Tx, agentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from cooperations
    where case proposed_by when 'buyer' then buyer_agent_id else owner_id end = ${agentId}
      and ${agentId} in (buyer_agent_id, owner_id) and state = 'proposed'`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Whether the buyer's agent has an open one about that listing for that client. */
export async function isProposed(
  tx: Tx,
  one: { listing_id: string; buyer_agent_id: string; client: string; lead_id: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    select from cooperations
    where listing_id = ${one.listing_id} and buyer_agent_id = ${one.buyer_agent_id}
      and state in ('proposed', 'accepted', 'showing', 'offer')
      and (client = ${one.client} or lead_id = ${one.lead_id})`.execute(tx)
  return rows.length > 0
}

/** Whether the listing was offered to the need before: an open offer, or one that was declined. */
export async function isOffered(tx: Tx, one: { listing_id: string; need_id: string }): Promise<boolean> {
  const { rows } = await sql`
    select from cooperations
    where listing_id = ${one.listing_id} and need_id = ${one.need_id}
      and state not in ('withdrawn', 'expired')`.execute(tx)
  return rows.length > 0
}

export function insertCooperation(tx: Tx, row: Insertable<Database['cooperations']>) {
  return tx.insertInto('cooperations').values(row).returning(['id', 'created_at']).executeTakeFirstOrThrow()
}

/** Returns the time of the change, which grows with each. */
export async function updateCooperation(
  tx: Tx,
  id: string,
  changes: Updateable<Database['cooperations']>,
): Promise<Date> {
  const { updated_at: at } = await tx
    .updateTable('cooperations')
    .set({ ...changes, updated_at: sql<Date>`next_stamp(updated_at)` })
    .where('id', '=', id)
    .returning('updated_at')
    .executeTakeFirstOrThrow()
  return at
}

export async function lockUnanswered(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from cooperations where state = 'proposed' and awaited_since < ${before}
    order by awaited_since limit ${limit} for update skip locked`.execute(tx)
  return rows.map(row => row.id)
}

// ---- the thread ------------------------------------------------------------------------------------------

export async function insertEntry(
  tx: Tx,
  entry: Insertable<Database['cooperation_entries']>,
): Promise<{ id: number }> {
  return tx.insertInto('cooperation_entries').values(entry).returning('id').executeTakeFirstOrThrow()
}

export interface Entry extends Selectable<Database['cooperation_entries']> {
  agent_name: string | null
}

export async function listEntries(db: Sql, cooperationId: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select e.*, a.name as agent_name from cooperation_entries e left join agents a on a.id = e.agent_id
    where e.cooperation_id = ${cooperationId} order by e.id`.execute(db)
  return rows
}

/** A step, as a mail names it. */
export async function findStep(db: Sql, cooperationId: string, entryId: number) {
  const { rows } = await sql<{
    kind: string
    agent_name: string | null
    listing_title: string
    is_offer: boolean
  }>`
    select e.kind, a.name as agent_name, l.title as listing_title, c.proposed_by = 'owner' as is_offer
    from cooperation_entries e
    join cooperations c on c.id = e.cooperation_id
    join listings l on l.id = c.listing_id
    left join agents a on a.id = e.agent_id
    where e.id = ${entryId} and e.cooperation_id = ${cooperationId}`.execute(db)
  return rows[0]
}

export async function countEntries(
  tx: Tx,
  cooperationId: string,
): Promise<{ entries: number; files: number }> {
  const { rows } = await sql<{ entries: number; files: number }>`
    select count(*) as entries, count(file) as files from cooperation_entries
    where cooperation_id = ${cooperationId}`.execute(tx)
  return rows[0] as { entries: number; files: number }
}
