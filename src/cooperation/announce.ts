import type { Tx } from '../db/database.ts'
import type { ListingRow } from '../listings/service.ts'
import { appendEvent } from '../outbox/store.ts'
import { ROLES } from './rules.ts'
import type { CooperationRow } from './store.ts'

type About = Pick<CooperationRow, 'id' | 'state' | 'proposer_id' | 'owner_id'>

/**
 * To the systems of both agents. Neither the split nor the client: a commission is shown only in the portal. A listing that
 * is not for other agents' sites is named only to its own agent.
 */
export async function announce(
  tx: Tx,
  event: 'cooperation.created' | 'cooperation.updated',
  about: About,
  listing: ListingRow,
  createdAt: Date,
): Promise<void> {
  const { id, state, proposer_id, owner_id } = about
  for (const role of ROLES) {
    const isNamed = role === 'owner' || !listing.idx_opt_out
    await appendEvent(tx, {
      agentId: role === 'owner' ? owner_id : proposer_id,
      event,
      data: {
        id,
        state,
        role,
        listing: isNamed ? { id: listing.id, slug: listing.slug, title: listing.title } : null,
      },
      createdAt,
      channels: ['webhook'],
    })
  }
}
