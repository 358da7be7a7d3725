import { atomically, type Db, type Sql, type Tx } from '../db/database.ts'
import type { Patch, Reading } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { normalizePhone } from '../lib/phone.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { findVisible } from '../listings/service.ts'
import { requestLetter } from '../outbox/letters.ts'
import { appendEvent, requestNotice } from '../outbox/store.ts'
import type { LeadDetails, NewNote } from './details.ts'
import { contactsOf, type RemoveMails } from './persons.ts'
import type { INTERESTS, LEAD_STATUSES } from './rules.ts'
import type { leadFields, leadPatchFields } from './schema.ts'
import * as store from './store.ts'

export {
  countByListing,
  countByWeek,
  countLeads,
  findLead,
  findLeadForDesk,
  findOwnLead,
  findVisitor,
  type LeadFilter,
  type LeadRow,
  listLeads,
  listNotes,
  searchLeads,
  updateNotified as markNotified,
} from './store.ts'

type Sent = Reading<Patch<typeof leadFields>>

/** An inquiry from the agent's own system: emailed to the agent, but not sent back to that system. */
export async function createLead(db: Sql, agentId: string, sent: Sent) {
  return atomically(db, async tx => {
    const lead = await insertLead(tx, agentId, sent, { source: sent.value.source ?? 'api' })
    await appendEvent(tx, {
      agentId,
      event: 'lead.created',
      data: { id: lead.id },
      createdAt: lead.created_at,
      channels: ['notice'],
    })
    await requestNotice(tx, { kind: 'lead', agentId, ids: [lead.id] })
    return lead
  })
}

export interface Origin {
  /** `site`, `widget:<id>`, `collection:<id>` or, by API, the caller's label. */
  source: string
  lang?: 'es' | 'en'
  /** Requests a showing: the agent's systems are notified once the buyer is identified, the agent by e-mail at once. */
  tour?: { at: Date | null }
  /** A public listing, of this or another agent, already looked up by the caller. */
  listingId?: string | null
  interest?: (typeof INTERESTS)[number] | null
  /** When the visitor accepted the privacy notice, and which edition. */
  consent?: { at: Date; notice: string }
}

/** An inquiry from our forms: notifies the agent by email and the agent's systems by webhook. */
export async function receiveLead(db: Sql, agentId: string, sent: Sent, origin: Origin) {
  return atomically(db, async tx => {
    const lead = await insertLead(tx, agentId, sent, origin)
    await announceLead(tx, lead, lead.created_at, origin.consent?.at)
    return lead
  })
}

/** Entered in the portal: the agent's systems are notified; the agent knows already. */
export async function enterLead(db: Sql, agentId: string, sent: Sent) {
  return atomically(db, async tx => {
    const lead = await insertLead(tx, agentId, sent, { source: 'portal' })
    await announceCreated(tx, lead, lead.created_at, ['webhook'])
    return lead
  })
}

/** Once the buyer is identified, a showing request becomes a regular lead. */
export async function markIdentified(db: Sql, leadId: string) {
  return atomically(db, async tx => {
    const isNew = await store.updateIdentified(tx, leadId)
    const lead = await store.findLead(tx, leadId)
    if (!lead) throw new Problem('not_found')
    if (isNew) await tellCreated(tx, lead, lead.updated_at)
    return lead
  })
}

/** Portal only; any stage can follow any other. */
export async function changeStage(
  db: Db,
  agentId: string,
  leadId: string,
  status: (typeof LEAD_STATUSES)[number],
) {
  return db.transaction().execute(async tx => {
    const isChanged = await store.updateStage(tx, agentId, leadId, status)
    const lead = await store.findLead(tx, leadId)
    if (lead?.agent_id !== agentId) throw new Problem('not_found')
    if (isChanged) {
      await appendEvent(tx, {
        agentId,
        event: 'lead.updated',
        data: { id: lead.id, status: lead.status },
        createdAt: lead.updated_at,
        channels: ['webhook'],
      })
    }
    return lead
  })
}

/** From the agent's own system, which knows already: no event. */
export async function changeLead(
  db: Db,
  agentId: string,
  leadId: string,
  { value, issues }: Reading<Patch<typeof leadPatchFields>>,
) {
  return db.transaction().execute(async tx => {
    const own = await store.findOwnLead(tx, agentId, leadId)
    if (!own) throw new Problem('not_found')
    refuseIfAny(issues)
    const lead = await store.lockLead(tx, own.id)
    const { status = lead.status, follow_up_at = lead.follow_up_at, note } = value
    const isChanged = status !== lead.status || follow_up_at?.getTime() !== lead.follow_up_at?.getTime()
    if (isChanged) await store.updateDetails(tx, lead.id, { status: status ?? lead.status, follow_up_at })
    if (note) await store.insertNote(tx, lead.id, note)
    return (await store.findLead(tx, lead.id)) as store.LeadRow
  })
}

/** Lead details other than the stage. No event: only stage changes emit one. */
export async function changeDetails(db: Sql, agentId: string, leadId: string, sent: Reading<LeadDetails>) {
  const { value, issues } = sent
  const { budget_min: min, budget_max: max } = value
  const isCrossed = min != null && max != null && min > max
  refuseIfAny(isCrossed ? [...issues, issue('budget_max', 'below_lowest_budget')] : issues)
  await onOwnLead(db, agentId, leadId, async (tx, { id }) => {
    const lead = await store.lockLead(tx, id)
    const { tour_status: status } = value
    const isShown = status === 'confirmed' || status === 'done'
    if (isShown && lead.awaiting_id) refuseIfAny([issue('tour_status', 'not_identified')])
    // A confirmed showing takes the requested time unless the agent sets another.
    const agreed = value.showing_at ?? value.tour_at ?? lead.tour_at
    await store.updateDetails(tx, lead.id, status === 'confirmed' ? { ...value, showing_at: agreed } : value)
    await tellAgreed(tx, lead)
  })
}

/** Emails the visitor when a showing is confirmed or rescheduled. `before` is the previous state of the lead. */
async function tellAgreed(tx: Tx, before: store.LeadRow): Promise<void> {
  const lead = (await store.findLead(tx, before.id)) as store.LeadRow
  const at = lead.showing_at?.getTime()
  if (!lead.consent_at || !lead.email || lead.tour_status !== 'confirmed' || at === undefined) return
  if (before.tour_status === 'confirmed' && before.showing_at?.getTime() === at) return
  await requestNotice(
    tx,
    { kind: 'showing-confirmed', agentId: before.agent_id, ids: [before.id] },
    { key: `showing ${before.id}`, notBefore: tellingTime(lead.told_at, new Date()) },
  )
}

const AFTER_A_CHANGE_MS = 2 * 60_000
const BETWEEN_MAILS_MS = 3_600_000

/** Repeated rescheduling sends only the final time, at most once an hour. */
const tellingTime = (toldAt: Date | null, now: Date): Date =>
  new Date(Math.max(now.getTime() + AFTER_A_CHANGE_MS, (toldAt?.getTime() ?? 0) + BETWEEN_MAILS_MS))

export async function addNote(db: Db, agentId: string, leadId: string, sent: Reading<NewNote>) {
  refuseIfAny(sent.issues)
  await onOwnLead(db, agentId, leadId, async (tx, lead) => {
    await requireUnerased(tx, lead.id)
    await store.insertNote(tx, lead.id, sent.value.note as string)
  })
}

/** Locks the lead, so that nothing is written about a person who is being erased. */
export async function requireUnerased(tx: Tx, leadId: string): Promise<void> {
  const { erased_at: erasedAt } = await store.lockLead(tx, leadId)
  if (erasedAt) throw new Problem('not_found')
}

export async function removeNote(db: Db, agentId: string, leadId: string, noteId: string) {
  await onOwnLead(db, agentId, leadId, (tx, lead) => store.deleteNote(tx, lead.id, noteId))
}

/** At the person's request: removes everything that identifies them. */
export async function erasePerson(db: Db, agentId: string, leadId: string, removeMails?: RemoveMails) {
  await onOwnLead(db, agentId, leadId, async (tx, lead) => {
    await store.erasePerson(tx, lead)
    await removeMails?.(contactsOf([lead]))
  })
}

function onOwnLead(
  db: Sql,
  agentId: string,
  id: string,
  work: (tx: Tx, lead: store.LeadRow) => Promise<unknown>,
) {
  return atomically(db, async tx => {
    const lead = await store.findOwnLead(tx, agentId, id)
    if (!lead) throw new Problem('not_found')
    await work(tx, lead)
  })
}

async function insertLead(tx: Tx, agentId: string, { value, issues }: Sent, origin: Origin) {
  refuseIfAny('name' in value ? issues : [...issues, issue('name', 'required')])
  const listing = value.property_id ? await findVisible(tx, value.property_id, agentId) : undefined
  const { id } = await store.insertLead(tx, {
    agent_id: agentId,
    // Unknown, malformed or another agent's: the same answer, so probing reveals nothing.
    listing_id: origin.listingId ?? (listing?.agent_id === agentId ? listing.id : null),
    name: value.name as string,
    email: value.email ?? null,
    phone: value.phone ?? null,
    phone_e164: value.phone ? (normalizePhone(value.phone) ?? null) : null,
    message: value.message ?? null,
    source: origin.source,
    lang: origin.lang ?? 'es',
    interest: origin.interest ?? null,
    consent_at: origin.consent?.at ?? null,
    consent_notice: origin.consent?.notice ?? null,
    ...(origin.tour
      ? {
          kind: 'tour',
          tour_at: origin.tour.at,
          tour_status: 'requested',
          id_status: 'pending',
          awaiting_id: true,
        }
      : {}),
  })
  return (await store.findLead(tx, id)) as store.LeadRow
}

/** To its agent, by mail; to the agent's systems too, unless the visitor has yet to be identified. */
export async function announceLead(tx: Tx, lead: store.LeadRow, at: Date, now = new Date()): Promise<void> {
  if (lead.awaiting_id) await mailAgent(tx, 'showing-requested', lead, now)
  else await tellCreated(tx, lead, at, now)
}

async function tellCreated(tx: Tx, lead: store.LeadRow, createdAt: Date, now = new Date()) {
  await announceCreated(tx, lead, createdAt, ['webhook', 'notice'])
  await mailAgent(tx, 'lead', lead, now)
}

function announceCreated(
  tx: Tx,
  lead: store.LeadRow,
  createdAt: Date,
  channels: Parameters<typeof appendEvent>[1]['channels'],
) {
  const { id, name, email, phone, message, kind, id_status, source } = lead
  const listing =
    lead.listing_id === null
      ? null
      : { id: lead.listing_id, slug: lead.listing_slug, title: lead.listing_title }
  return appendEvent(tx, {
    agentId: lead.agent_id,
    event: 'lead.created',
    data: { id, name, email, phone, message, kind, id_status, listing, source },
    createdAt,
    channels,
  })
}

function mailAgent(
  tx: Tx,
  kind: 'lead' | 'showing-requested',
  { agent_id: agentId, id }: store.LeadRow,
  now = new Date(),
) {
  return requestLetter(tx, { kind, agentId, ids: [id] }, { to: agentId, isProven: true, now })
}
