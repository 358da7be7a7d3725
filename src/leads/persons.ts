import { sql } from 'kysely'
import { type Client, exportClient, mentions } from '../cooperation/thread/clients.ts'
import type { Sql, Tx } from '../db/database.ts'
import { mailboxOf } from '../lib/email.ts'
import { issue } from '../lib/issue.ts'
import { normalizePhone } from '../lib/phone.ts'
import { refuseIfAny } from '../lib/problem.ts'
import { listNaming } from '../needs/persons.ts'
import { erasePerson } from './store.ts'

/** A visitor, by email address or phone, wherever they wrote to: for their rights to access and erasure. */
function matching(contact: string) {
  const text = contact.trim()
  if (text.includes('@')) return sql`mailbox_of(d.email) = ${mailboxOf(text)}`
  const phone = normalizePhone(text)
  if (!phone) refuseIfAny([issue('EMAIL_OR_PHONE', 'email_or_phone')])
  return sql`d.phone_e164 = ${phone}`
}

export const isContact = (text: string): boolean => text.includes('@') || normalizePhone(text) !== undefined

export interface PersonLead {
  id: string
  name: string
  email: string | null
  phone: string | null
  agent: string
  created_at: Date
  notes: number
  /** Whether an identification is kept. */
  has_document: boolean
}

export async function findPerson(db: Sql, contact: string): Promise<PersonLead[]> {
  const { rows } = await sql<PersonLead>`
    select d.id, d.name, d.email, d.phone, a.email as agent, d.created_at,
      (select count(*)::int from lead_notes n where n.lead_id = d.id) as notes,
      exists (select from identifications i where i.lead_id = d.id and i.details is not null) as has_document
    from leads d join agents a on a.id = d.agent_id
    where d.erased_at is null and ${matching(contact)} order by d.created_at`.execute(db)
  return rows
}

/** All that is kept of the person, but for the sealed document, of which it says only whether it is there. */
export async function exportPerson(db: Sql, contact: string): Promise<unknown[]> {
  const { rows } = await sql<{ agent_id: string; data: Client }>`
    select d.agent_id, to_jsonb(d) - 'agent_id' || jsonb_build_object(
      'agent', a.name,
      'notes', (select coalesce(jsonb_agg(jsonb_build_object('at', n.at, 'text', n.text) order by n.at), '[]')
        from lead_notes n where n.lead_id = d.id),
      'tasks', (select coalesce(jsonb_agg(jsonb_build_object('due_at', t.due_at, 'done_at', t.done_at, 'text', t.text)
        order by t.due_at), '[]') from lead_tasks t where t.lead_id = d.id),
      'earlier_agents', (select coalesce(jsonb_agg(f.name order by h.at), '[]')
        from lead_handovers h join agents f on f.id = h.from_id where h.lead_id = d.id),
      'identification', (select jsonb_build_object('status', i.status, 'submitted_at', i.submitted_at,
        'kept', i.details is not null) from identifications i where i.lead_id = d.id)) as data
    from leads d join agents a on a.id = d.agent_id
    where d.erased_at is null and ${matching(contact)} order by d.created_at`.execute(db)
  const exported: unknown[] = []
  for (const { agent_id, data } of rows) {
    const needs = await listNaming(db, agent_id, text => mentions(text, data))
    exported.push({ ...data, cooperations: await exportClient(db, data), needs })
  }
  return exported
}

/** Removes the messages in the mail folder that name one of these; returns how many. */
export type RemoveMails = (contacts: readonly string[]) => Promise<number>

export const contactsOf = (leads: readonly Pick<PersonLead, 'email' | 'phone'>[]): string[] => [
  ...new Set(leads.flatMap(({ email, phone }) => [email, phone]).filter(one => one !== null)),
]

/**
 * Everything at once or nothing. The leads stay for the counts, without the person. Mails are removed before the
 * transaction ends: if that fails, the contacts are still there for another try.
 */
export async function erasePersons(tx: Tx, contact: string, removeMails: RemoveMails) {
  const leads = await findPerson(tx, contact)
  for (const lead of leads) await erasePerson(tx, lead)
  return { leads: leads.length, mails: await removeMails(contactsOf(leads)) }
}
