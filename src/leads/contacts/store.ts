import { sql } from 'kysely'
import type { Sql, Tx } from '../../db/database.ts'
import { likePattern } from '../../lib/text.ts'
import { isUuid } from '../../lib/uuid.ts'

/**
 * A contact is the person behind one or more leads of an agent: those with the same mailbox, and those with only a phone
 * that another of them has. Nothing about a person is stored twice, so erasing the leads erases the contact.
 */
const people = (agentId: string) => sql`
  mailboxes as (
    select phone_e164, min(mailbox_of(email)) as mailbox from leads
    where agent_id = ${agentId} and erased_at is null and email is not null and phone_e164 is not null
    group by phone_e164
  ), people as (
    select d.id, d.name, d.email, d.phone, d.phone_e164, d.status, d.created_at,
      coalesce(mailbox_of(d.email), m.mailbox, d.phone_e164, d.id::text) as person
    from leads d left join mailboxes m on m.phone_e164 = d.phone_e164
    where d.agent_id = ${agentId} and d.erased_at is null
  )`

export interface ContactRow {
  /** Of the latest lead. */
  id: string
  name: string
  email: string | null
  phone: string | null
  leads: number
  last_at: Date
  /** When the next open task is due. */
  due_at: Date | null
}

const latest = (column: string) =>
  sql`(array_agg(${sql.ref(`p.${column}`)} order by p.created_at desc, p.id)
    filter (where ${sql.ref(`p.${column}`)} is not null))[1]`

/** Latest lead first. */
export async function listContacts(
  db: Sql,
  agentId: string,
  { q, limit, offset }: { q: string | undefined; limit: number; offset: number },
): Promise<ContactRow[]> {
  const digits = q?.replace(/\D/g, '') ?? ''
  const like = likePattern(q?.trim() ?? '')
  const { rows } = await sql<ContactRow>`
    with ${people(agentId)}
    select ${latest('id')} as id, ${latest('name')} as name, ${latest('email')} as email, ${latest('phone')} as phone,
      count(*) as leads, max(p.created_at) as last_at,
      min((select min(t.due_at) from lead_tasks t where t.lead_id = p.id and t.done_at is null)) as due_at
    from people p group by p.person
    ${
      q
        ? sql`having bool_or(p.name ilike ${like} or p.email ilike ${like}
            ${digits.length > 3 ? sql`or p.phone_e164 like ${likePattern(digits)}` : sql``})`
        : sql``
    }
    order by last_at desc, id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export interface ContactLead {
  id: string
  name: string
  email: string | null
  phone: string | null
  phone_e164: string | null
  status: string
  created_at: Date
  listing_title: string | null
}

/** All leads of the person behind one of them, latest first; none if that lead is not the agent's or was erased. */
export async function listLeadsOfPerson(db: Sql, agentId: string, leadId: string): Promise<ContactLead[]> {
  if (!isUuid(leadId)) return []
  const { rows } = await sql<ContactLead>`
    with ${people(agentId)}
    select p.id, p.name, p.email, p.phone, p.phone_e164, p.status, p.created_at, s.title as listing_title
    from people p left join lead_listings s on s.lead_id = p.id
    where p.person = (select person from people where id = ${leadId})
    order by p.created_at desc, p.id`.execute(db)
  return rows
}

export function listNotesOf(db: Sql, leadIds: readonly string[]) {
  return db
    .selectFrom('lead_notes')
    .select(['id', 'lead_id', 'at', 'text'])
    .where('lead_id', 'in', [...leadIds])
    .orderBy('at', 'desc')
    .limit(500)
    .execute()
}

// ---- tasks -----------------------------------------------------------------------------------------------

export interface TaskRow {
  id: string
  lead_id: string
  /** The person, as named in that lead. */
  name: string
  text: string
  due_at: Date
  reminded_at: Date | null
  done_at: Date | null
}

const TASK = sql`t.id, t.lead_id, d.name, t.text, t.due_at, t.reminded_at, t.done_at
  from lead_tasks t join leads d on d.id = t.lead_id`

/** Open ones first, the earliest first. */
export async function listTasksOf(db: Sql, leadIds: readonly string[]): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${TASK} where t.lead_id = any(${[...leadIds]}::uuid[])
    order by t.done_at is not null, t.due_at, t.id limit 500`.execute(db)
  return rows
}

/** The earliest first. */
export async function listOpenTasks(db: Sql, agentId: string, limit: number): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${TASK} where d.agent_id = ${agentId} and t.done_at is null
    order by t.due_at, t.id limit ${limit}`.execute(db)
  return rows
}

export async function countOpen(db: Sql, agentId: string, dueBefore?: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from lead_tasks t join leads d on d.id = t.lead_id
    where d.agent_id = ${agentId} and t.done_at is null
      ${dueBefore ? sql`and t.due_at < ${dueBefore}` : sql``}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The agent's task; undefined if it is about another agent's lead. */
export async function findOwnTask(db: Sql, agentId: string, id: string): Promise<TaskRow | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<TaskRow>`
    select ${TASK} where t.id = ${id} and d.agent_id = ${agentId}`.execute(db)
  return rows[0]
}

export function insertTask(tx: Tx, task: { lead_id: string; text: string; due_at: Date }) {
  return tx.insertInto('lead_tasks').values(task).returning('id').executeTakeFirstOrThrow()
}

export async function updateTask(
  db: Sql,
  id: string,
  columns: { due_at?: Date; done_at?: Date | null; reminded_at?: Date | null },
): Promise<void> {
  await db.updateTable('lead_tasks').set(columns).where('id', '=', id).execute()
}

export async function deleteTask(db: Sql, id: string): Promise<void> {
  await db.deleteFrom('lead_tasks').where('id', '=', id).execute()
}

export async function deleteDone(db: Sql, before: Date): Promise<void> {
  await db.deleteFrom('lead_tasks').where('done_at', '<', before).execute()
}
