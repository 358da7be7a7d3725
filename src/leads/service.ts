import type { Db } from '../db/database.ts'
import type { Patch, Reading } from '../lib/fields.ts'
import { normalisePhone } from '../lib/phone.ts'
import { refuseIfAny } from '../lib/problem.ts'
import { findVisible } from '../listings/service.ts'
import { appendEvent } from '../outbox/store.ts'
import type { leadFields } from './schema.ts'
import * as store from './store.ts'

export { listLeads } from './store.ts'

/** An inquiry the agent's own system took: kept and told to the agent by mail, but not sent back to that system. */
export async function createLead(db: Db, agentId: string, sent: Reading<Patch<typeof leadFields>>) {
  const { value, errors } = sent
  refuseIfAny('name' in value ? errors : [...errors, 'name is required'])
  const name = value.name as string
  return db.transaction().execute(async tx => {
    const listing = value.property_id ? await findVisible(tx, value.property_id, agentId) : undefined
    const { id } = await store.insertLead(tx, {
      agent_id: agentId,
      // Unknown, malformed or another's: the same answer, so that nothing can be learned by trying.
      listing_id: listing?.agent_id === agentId ? listing.id : null,
      name,
      email: value.email ?? null,
      phone: value.phone ?? null,
      phone_e164: value.phone ? (normalisePhone(value.phone) ?? null) : null,
      message: value.message ?? null,
      source: value.source ?? 'api',
      lang: 'es',
    })
    const lead = await store.findLead(tx, id)
    await appendEvent(tx, {
      agentId,
      event: 'lead.created',
      data: { id },
      createdAt: lead.created_at,
      channels: ['notice'],
    })
    return lead
  })
}
