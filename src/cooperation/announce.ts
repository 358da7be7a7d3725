import type { Tx } from '../db/database.ts'
import type { ListingRow } from '../listings/service.ts'
import { appendEvent, requestNotice } from '../outbox/store.ts'
import { ROLES } from './rules.ts'
import type { CooperationRow } from './store.ts'

type About = Pick<CooperationRow, 'id' | 'state' | 'buyer_agent_id' | 'owner_id' | 'proposed_by'>

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
  const { id, state, buyer_agent_id, owner_id, proposed_by } = about
  for (const role of ROLES) {
    const isNamed = role === 'owner' || !listing.idx_opt_out
    await appendEvent(tx, {
      agentId: role === 'owner' ? owner_id : buyer_agent_id,
      event,
      data: {
        id,
        state,
        // The name that was published before listings could be offered.
        role: role === 'owner' ? 'owner' : 'proposer',
        is_offer: proposed_by === 'owner',
        listing: isNamed ? { id: listing.id, slug: listing.slug, title: listing.title } : null,
      },
      createdAt,
      channels: ['webhook'],
    })
  }
}

const MESSAGE_DELAY_MS = 2 * 60_000

/** Several messages in a row are one mail. */
export function tell(
  tx: Tx,
  { id, to, entryId, isSlow }: { id: string; to: string; entryId: number; isSlow?: boolean },
) {
  const notice = { kind: 'cooperation', agentId: to, ids: [id, String(entryId)] } as const
  if (!isSlow) return requestNotice(tx, notice)
  const notBefore = new Date(Date.now() + MESSAGE_DELAY_MS)
  return requestNotice(tx, notice, { key: `cooperation ${id} ${to}`, notBefore })
}
