import { sql } from 'kysely'
import type { Sql, Tx } from '../../db/database.ts'
import { foldText } from '../../lib/text.ts'
import { entryDigest } from './hash.ts'

/** The client of a cooperation: a lead of the buyer's agent. */
export interface Client {
  id: string
  name: string
  email: string | null
  phone: string | null
}

const PHONE_DIGITS = 10
const digitsOf = (text: string) => text.replace(/\D/g, '')
const wordsOf = (text: string) => foldText(text).split(/[^\p{L}\p{N}]+/u)

/**
 * Whether a text names the person: any name of three letters or more, the address or the phone. A color that is also a
 * name is taken for the name: what stays must not name anybody.
 */
export function mentions(text: string, { name, email, phone }: Omit<Client, 'id'>): boolean {
  const names = new Set(wordsOf(name).filter(word => word.length >= 3))
  if (wordsOf(text).some(word => names.has(word))) return true
  if (email && text.toLowerCase().includes(email.toLowerCase())) return true
  const digits = digitsOf(phone ?? '').slice(-PHONE_DIGITS)
  return digits.length === PHONE_DIGITS && digitsOf(text).includes(digits)
}

interface StoredEntry {
  id: number
  at: Date
  agent_id: string | null
  kind: string
  text: string | null
  split: string | null
  showing_at: Date | null
  file: string | null
  cooperation_id: string
  is_buyers: boolean
}

/** With a transaction, no step is taken meanwhile. */
async function listOpenEntries(db: Sql, leadId: string, isLocked: boolean): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select e.id, e.at, e.agent_id, e.kind, e.text, e.split, e.showing_at, e.file, e.cooperation_id,
      (e.agent_id = c.buyer_agent_id) is true as is_buyers
    from cooperations c join cooperation_entries e on e.cooperation_id = c.id
    where c.lead_id = ${leadId} and e.removed_at is null order by e.id ${isLocked ? sql`for update of c` : sql``}`.execute(
    db,
  )
  return rows
}

/**
 * Before the lead itself is erased. The thread stays: who did what and when, states, splits and showings. Removed are the
 * initials, the wish, every text that names the person, and the files that their agent added, which nobody can search.
 */
export async function eraseClient(tx: Tx, client: Client): Promise<void> {
  for (const entry of await listOpenEntries(tx, client.id, true)) {
    const isNaming = entry.text !== null && mentions(entry.text, client)
    if (!isNaming && !(entry.file !== null && entry.is_buyers)) continue
    await sql`
      update cooperation_entries set text = null, file = null, removed_at = now_ms(), digest = ${entryDigest(entry)}
      where id = ${entry.id}`.execute(tx)
  }
  await sql`update cooperations set client = '—', wish = null where lead_id = ${client.id}`.execute(tx)
}

/** Whether it is the client of a cooperation that is not over. */
export async function isInOpenCooperation(db: Sql, leadId: string): Promise<boolean> {
  const { rows } = await sql`
    select from cooperations where lead_id = ${leadId} and state in ('proposed', 'accepted', 'showing', 'offer') limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** What is kept of the person in cooperations, for their right of access. */
export async function exportClient(db: Sql, client: Client): Promise<unknown[]> {
  const { rows } = await sql<Record<string, unknown> & { id: string }>`
    select c.id, l.title as listing, o.name as listing_agent, c.state, c.client, c.wish,
      c.client_shared_at as shared_at, c.showing_at, c.created_at
    from cooperations c join listings l on l.id = c.listing_id join agents o on o.id = c.owner_id
    where c.lead_id = ${client.id} order by c.created_at`.execute(db)
  const entries = await listOpenEntries(db, client.id, false)
  const naming = entries.filter(({ text }) => text !== null && mentions(text, client))
  return rows.map(row => ({
    ...row,
    texts: naming.filter(one => one.cooperation_id === row.id).map(({ at, text }) => ({ at, text })),
  }))
}
