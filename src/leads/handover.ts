import { sql } from 'kysely'
import { isInOpenCooperation } from '../cooperation/thread/clients.ts'
import type { Db, Sql } from '../db/database.ts'
import { issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import { appendEvent, requestNotice } from '../outbox/store.ts'
import { renewReminders } from './contacts/service.ts'
import { announceLead } from './service.ts'
import { findLead, type LeadRow, lockLead, updateDetails } from './store.ts'

export interface Colleague {
  id: string
  name: string
}

/** Verified agents of the same agency, who can take over a lead of that agent. */
export async function listHeirs(db: Sql, agentId: string): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select c.id, c.name from agents a join agents c on c.agency_id = a.agency_id and c.id <> a.id
    where a.id = ${agentId} and c.verified_at is not null and c.is_test = a.is_test
    order by c.name_fold, c.id limit 200`.execute(db)
  return rows
}

/** Whether the lead is that agent's, or the agent owns the agency its holder belongs to. */
async function canHandOver(db: Sql, byId: string, lead: Pick<LeadRow, 'agent_id'>): Promise<boolean> {
  if (lead.agent_id === byId) return true
  const { rows } = await sql`
    select from agents o join agents a on a.agency_id = o.agency_id
    where o.id = ${byId} and o.is_agency_admin and a.id = ${lead.agent_id}`.execute(db)
  return rows.length > 0
}

/**
 * To a colleague, with its notes and tasks, in one transaction. For the new agent it is a lead that came in; the systems
 * of the former one are notified that it is gone; the person, if they wrote through our forms, who answers from now on.
 */
export async function handOver(db: Db, byId: string, leadId: string, toId: string): Promise<void> {
  await db.transaction().execute(async tx => {
    const found = isUuid(leadId) ? await findLead(tx, leadId) : undefined
    if (!found || !(await canHandOver(tx, byId, found))) throw new Problem('not_found')
    const before = await lockLead(tx, found.id)
    if (before.erased_at || before.agent_id !== found.agent_id) throw new Problem('not_found')
    const heir = (await listHeirs(tx, before.agent_id)).find(({ id }) => id === toId)
    if (!heir) refuseIfAny([issue('to', 'not_a_colleague')])
    if (await isInOpenCooperation(tx, before.id)) refuseIfAny([issue('to', 'lead_in_cooperation')])
    await updateDetails(tx, before.id, { agent_id: toId })
    const handover = { lead_id: before.id, from_id: before.agent_id, to_id: toId, by_id: byId }
    await tx.insertInto('lead_handovers').values(handover).execute()
    await renewReminders(tx, before.id, toId)
    const lead = (await findLead(tx, before.id)) as LeadRow
    await appendEvent(tx, {
      agentId: before.agent_id,
      event: 'lead.updated',
      data: { id: lead.id, status: lead.status, handed_over: true },
      createdAt: lead.updated_at,
      channels: ['webhook'],
    })
    await announceLead(tx, lead, lead.updated_at)
    if (lead.consent_at && lead.email)
      await requestNotice(tx, { kind: 'handed-over', agentId: toId, ids: [lead.id] })
  })
}

/** Who handed it over last; undefined if nobody did. */
export async function findHandover(db: Sql, leadId: string) {
  const { rows } = await sql<{ from_name: string; at: Date }>`
    select a.name as from_name, h.at from lead_handovers h join agents a on a.id = h.from_id
    where h.lead_id = ${leadId} order by h.at desc limit 1`.execute(db)
  return rows[0]
}

/** The addresses of all agents who have or had the lead: mail to them may name the person. */
export async function listHolders(db: Sql, leadId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from agents where id in (
      select agent_id from leads where id = ${leadId}
      union select from_id from lead_handovers where lead_id = ${leadId})`.execute(db)
  return rows.map(row => row.email)
}

/** An allow-list: neither messages nor notes, tasks or documents. */
export interface AgencyLead {
  id: string
  name: string
  email: string | null
  phone: string | null
  status: string
  created_at: Date
  listing_title: string | null
  agent_id: string
  agent_name: string
}

/** Leads of every agent of the agency that this agent owns; none for everyone else. Newest first. */
export async function listAgencyLeads(
  db: Sql,
  ownerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<AgencyLead[]> {
  const { rows } = await sql<AgencyLead>`
    select d.id, d.name, d.email, d.phone, d.status, d.created_at, s.title as listing_title, a.id as agent_id,
      a.name as agent_name
    from agents o join agents a on a.agency_id = o.agency_id join leads d on d.agent_id = a.id
    left join lead_listings s on s.lead_id = d.id
    where o.id = ${ownerId} and o.is_agency_admin and d.erased_at is null
    order by d.created_at desc, d.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}
