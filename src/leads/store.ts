import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Client, eraseClient, mentions } from '../cooperation/thread/clients.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { eraseFromAnswers } from '../idempotency/service.ts'
import type { ListPlace } from '../lib/list-page.ts'
import { likePattern } from '../lib/text.ts'
import { ZONE } from '../lib/time.ts'
import { isUuid } from '../lib/uuid.ts'
import type { Whereabouts } from '../lib/zones.ts'
import { eraseFromNeeds } from '../needs/persons.ts'
import { eraseFromEvents } from '../outbox/store.ts'
import { eraseIdentification } from './identification/store.ts'
import type { LEAD_STATUSES } from './rules.ts'

export interface LeadRow
  extends Omit<Selectable<Database['leads']>, 'listing_title' | 'listing_slug' | 'listing_place'> {
  listing_title: string | null
  listing_slug: string | null
  /** False if a collection showed another agent's listing. */
  listing_is_own: boolean | null
  listing_is_public: boolean | null
  listing_whereabouts: Whereabouts | null
  /** State of the showing's identification; null if none was requested. */
  identification: 'asked' | 'submitted' | 'verified' | 'refused' | null
}

const ROW = sql`
  d.id, d.agent_id, d.listing_id, s.title as listing_title, s.slug as listing_slug, s.is_own as listing_is_own,
  s.is_public as listing_is_public, s.whereabouts as listing_whereabouts, d.name, d.email, d.phone, d.phone_e164, d.message,
  d.source, d.status, d.kind, d.lang, d.interest, d.budget_min, d.budget_max, d.follow_up_at, d.tour_at,
  d.tour_status, d.showing_at, d.id_status, d.awaiting_id, d.created_at, d.updated_at,
  d.erased_at, d.consent_at, d.consent_notice, d.told_showing_at, d.told_at,
  case when i.status = 'submitted' and i.details is null then 'asked' else i.status end as identification
  from leads d left join lead_listings s on s.lead_id = d.id left join identifications i on i.lead_id = d.id`

interface LeadPage {
  /** Inclusive. */
  updatedSince: Date | undefined
  after: ListPlace | undefined
  limit: number
}

/** Newest first. */
export async function listLeads(
  db: Sql,
  agentId: string,
  { updatedSince, after, limit }: LeadPage,
): Promise<LeadRow[]> {
  const { rows } = await sql<LeadRow>`
    select ${ROW} where d.agent_id = ${agentId}
      ${updatedSince ? sql`and d.updated_at >= ${updatedSince}` : sql``}
      ${after ? sql`and (d.created_at, d.id) < (${after.at}, ${after.id}::uuid)` : sql``}
    order by d.created_at desc, d.id desc limit ${limit}`.execute(db)
  return rows
}

export interface LeadFilter {
  status?: string | undefined
  /** Matches the name, contact details or listing title. */
  q?: string | undefined
}

const like = (text: string) => likePattern(text.trim())

/** Newest first. */
export async function searchLeads(
  db: Sql,
  agentId: string,
  { status, q }: LeadFilter,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<LeadRow[]> {
  const digits = q?.replace(/\D/g, '') ?? ''
  const { rows } = await sql<LeadRow>`
    select ${ROW} where d.agent_id = ${agentId}
      ${status ? sql`and d.status = ${status}` : sql``}
      ${
        q
          ? sql`and (d.name ilike ${like(q)} or d.email ilike ${like(q)} or s.title ilike ${like(q)}
              ${digits.length > 3 ? sql`or d.phone_e164 like ${like(digits)}` : sql``})`
          : sql``
      }
    order by d.created_at desc, d.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countLeads(db: Sql, agentId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from leads where agent_id = ${agentId} group by status`.execute(db)
  return Object.fromEntries(rows.map(row => [row.status, row.count]))
}

/** An agent's leads per listing; listings without leads are omitted. */
export async function countByListing(db: Sql, agentId: string, listingIds: readonly string[]) {
  const { rows } = await sql<{ listing_id: string; count: number }>`
    select listing_id, count(*) as count from leads
    where agent_id = ${agentId} and listing_id = any(${[...listingIds]}::uuid[])
    group by listing_id`.execute(db)
  return new Map(rows.map(row => [row.listing_id, row.count]))
}

const zone = sql.lit(ZONE)

/** Weeks start on Monday, central Mexico time; weeks without leads are included as zero. */
export async function countByWeek(db: Sql, agentId: string, now: Date, weeks: number) {
  const { rows } = await sql<{ week: Date; leads: number }>`
    with weeks as (
      select date_trunc('week', ${now}::timestamptz at time zone ${zone}) - n * interval '1 week' as week
      from generate_series(0, ${weeks - 1}::int) n
    )
    select w.week at time zone 'UTC' as week, count(l.id) as leads
    from weeks w
    left join leads l on l.agent_id = ${agentId}
      and l.created_at at time zone ${zone} >= w.week
      and l.created_at at time zone ${zone} < w.week + interval '1 week'
    group by w.week order by w.week`.execute(db)
  return rows
}

/** The agent's lead; not found if it is another agent's. */
export async function findOwnLead(db: Sql, agentId: string, id: string): Promise<LeadRow | undefined> {
  const lead = isUuid(id) ? await findLead(db, id) : undefined
  return lead?.agent_id === agentId ? lead : undefined
}

/** Locks an existing lead until the transaction ends. */
export async function lockLead(tx: Tx, id: string): Promise<LeadRow> {
  await sql`select from leads where id = ${id} for update`.execute(tx)
  return (await findLead(tx, id)) as LeadRow
}

export async function findLead(db: Sql, id: string): Promise<LeadRow | undefined> {
  const { rows } = await sql<LeadRow>`select ${ROW} where d.id = ${id}`.execute(db)
  return rows[0]
}

/** Any agent's lead, with the agent's name: for operators. */
export async function findLeadForDesk(db: Sql, id: string) {
  const lead = isUuid(id) ? await findLead(db, id) : undefined
  if (!lead) return undefined
  const agent = await db
    .selectFrom('agents')
    .select('name')
    .where('id', '=', lead.agent_id)
    .executeTakeFirstOrThrow()
  return { ...lead, agent_name: agent.name }
}

/** Data for an email to the visitor; undefined once erased or if they left no address. */
export async function findVisitor(db: Sql, leadId: string) {
  const found = await db
    .selectFrom('leads as d')
    .innerJoin('agents as a', 'a.id', 'd.agent_id')
    .leftJoin('lead_listings as s', 's.lead_id', 'd.id')
    .leftJoin('identifications as i', 'i.lead_id', 'd.id')
    .select([
      'd.email',
      'd.lang',
      'd.tour_at',
      'd.tour_status',
      'd.showing_at',
      'd.told_showing_at',
      'i.reason',
    ])
    .select(['a.name as agent_name', 'a.phone as agent_phone'])
    .select(['s.public_title as listing_title', 's.slug as listing_slug', 's.is_public as listing_is_public'])
    .select('s.whereabouts')
    .where('d.id', '=', leadId)
    .where('d.erased_at', 'is', null)
    .executeTakeFirst()
  return found?.email ? { ...found, email: found.email } : undefined
}

/** The visitor was notified of the showing's time. */
export async function updateNotified(db: Sql, id: string, showingAt: Date): Promise<void> {
  const notified = { told_showing_at: showingAt, told_at: sql<Date>`now_ms()` }
  await db.updateTable('leads').set(notified).where('id', '=', id).execute()
}

export function insertLead(tx: Tx, lead: Insertable<Database['leads']>) {
  return tx.insertInto('leads').values(lead).returning('id').executeTakeFirstOrThrow()
}

/** Returns whether the agent's systems were waiting for it, as for every showing that a visitor requests. */
export async function updateIdentified(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ awaiting_id: boolean }>`
    with before as (select awaiting_id from leads where id = ${id} and id_status = 'pending' for update)
    update leads set id_status = 'verified', awaiting_id = false, updated_at = next_stamp(updated_at)
    from before where id = ${id} returning before.awaiting_id`.execute(tx)
  return rows[0]?.awaiting_id ?? false
}

/** For a lead that was not a request for a showing. */
export async function startIdentification(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('leads')
    .set({ id_status: 'pending', updated_at: sql<Date>`next_stamp(updated_at)` })
    .where('id', '=', id)
    .where('id_status', 'is', null)
    .execute()
}

/** Returns whether the lead was the agent's and in another stage. */
export async function updateStage(
  tx: Tx,
  agentId: string,
  id: string,
  status: (typeof LEAD_STATUSES)[number],
): Promise<boolean> {
  const changed = await tx
    .updateTable('leads')
    .set({ status, updated_at: sql<Date>`next_stamp(updated_at)` })
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .where('status', '<>', status)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

export function updateDetails(tx: Tx, id: string, details: Updateable<Database['leads']>) {
  return tx
    .updateTable('leads')
    .set({ ...details, updated_at: sql<Date>`next_stamp(updated_at)` })
    .where('id', '=', id)
    .execute()
}

// ---- used forms ------------------------------------------------------------------------------------------

export async function isFormUsed(db: Sql, hash: Buffer): Promise<boolean> {
  const found = await db.selectFrom('form_uses').select('hash').where('hash', '=', hash).executeTakeFirst()
  return found !== undefined
}

/** Returns whether this is the first use. Waits for a concurrent use to finish. */
export async function insertFormUse(tx: Tx, hash: Buffer, leadId: string): Promise<boolean> {
  const added = await tx
    .insertInto('form_uses')
    .values({ hash, lead_id: leadId })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteOldUses(db: Sql, days: number): Promise<void> {
  await sql`delete from form_uses where used_at < now() - make_interval(days => ${days}::int)`.execute(db)
}

// ---- notes -----------------------------------------------------------------------------------------------

export function listNotes(db: Sql, leadId: string) {
  return db
    .selectFrom('lead_notes')
    .select(['id', 'at', 'text'])
    .where('lead_id', '=', leadId)
    .orderBy('at', 'desc')
    .execute()
}

export function insertNote(tx: Tx, leadId: string, text: string) {
  return tx.insertInto('lead_notes').values({ lead_id: leadId, text }).execute()
}

export async function deleteNote(tx: Tx, leadId: string, noteId: string): Promise<void> {
  if (!isUuid(noteId)) return
  await tx.deleteFrom('lead_notes').where('lead_id', '=', leadId).where('id', '=', noteId).execute()
}

// ---- erasing a person ------------------------------------------------------------------------------------

const ERASED_NAME = '—'

/** Erases personal data here, in cooperations, needs, stored webhook events and answers kept for retries. Stage, dates, budget and source stay. */
export async function erasePerson(tx: Tx, client: Client): Promise<void> {
  const leadId = client.id
  // First: a step of a cooperation locks the cooperation, then the lead.
  await eraseClient(tx, client)
  await tx.deleteFrom('lead_notes').where('lead_id', '=', leadId).execute()
  await tx.deleteFrom('lead_tasks').where('lead_id', '=', leadId).execute()
  await eraseIdentification(tx, leadId)
  const { rows } = await sql<{ agent_id: string }>`
    update leads set name = ${ERASED_NAME}, email = null, phone = null, phone_e164 = null, message = null,
      erased_at = now_ms(), updated_at = next_stamp(updated_at)
    where id = ${leadId} returning agent_id`.execute(tx)
  const earlier = await tx
    .selectFrom('lead_handovers')
    .select('from_id as agent_id')
    .distinct()
    .where('lead_id', '=', leadId)
    .execute()
  for (const { agent_id } of [...rows, ...earlier])
    await eraseFromNeeds(tx, agent_id, text => mentions(text, client))
  await eraseFromEvents(tx, leadId, ERASED_NAME)
  await eraseFromAnswers(tx, leadId, ERASED_NAME)
}
