import { lockAgent } from '../agents/service.ts'
import type { Db, Tx } from '../db/database.ts'
import { findOwnLead } from '../leads/service.ts'
import { type Patch, type Reading, readBody } from '../lib/fields.ts'
import { type Flaw, issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { findOnMarket, type ListingRow } from '../listings/service.ts'
import { findOnBoard, type OnBoard } from '../needs/service.ts'
import { announce, tell } from './announce.ts'
import { initialsOf, MAX_PROPOSED, NO_CLIENT, offerFields, otherRole, proposalFields } from './rules.ts'
import * as store from './store.ts'

const notFound = () => new Problem('not_found')
const conflict = (...flaw: Flaw) => new Problem('conflict', { issues: [issue('', ...flaw)] })

interface Proposing {
  id: string
  isTest: boolean
}

/** On another agent's listing, for an own client. Returns the id. */
export function propose(
  db: Db,
  agent: Proposing,
  listingKey: string,
  form: Record<string, string>,
): Promise<string> {
  return proposing(db, agent, async tx => {
    const listing = await findOnMarket(tx, listingKey, agent.id)
    if (listing?.status !== 'published') throw notFound()
    if (listing.agent_id === agent.id) throw conflict('own_listing')
    const { value, issues } = readBody(proposalFields, form)
    const lead = value.lead ? await findOwnLead(tx, agent.id, value.lead) : undefined
    if (value.lead && !lead) throw notFound()
    const client = value.client ?? (lead && initialsOf(lead.name))
    const split = splitOf(
      { value, issues: [...issues, ...(client ? [] : [issue('client', 'required')])] },
      listing,
    )
    const row = {
      listing_id: listing.id,
      buyer_agent_id: agent.id,
      owner_id: listing.agent_id,
      proposed_by: 'buyer' as const,
      need_id: null,
      client: client as string,
      lead_id: lead?.id ?? null,
      wish: value.wish ?? null,
      split,
    }
    if (await store.isProposed(tx, row)) throw conflict('already_proposed')
    return insert(tx, row, listing, value.message ?? null)
  })
}

/** An own listing to a need on the board; whose client it is stays with the need's agent. Returns the id. */
export function offer(
  db: Db,
  agent: Proposing,
  needId: string,
  { form, wishOf }: { form: Record<string, string>; wishOf(need: OnBoard): string },
): Promise<string> {
  return proposing(db, agent, async tx => {
    const need = await findOnBoard(tx, needId)
    if (!need) throw notFound()
    if (need.agent_id === agent.id) throw conflict('own_need')
    const { value, issues } = readBody(offerFields, { listing: '', ...form })
    // As the need's agent sees it: what is not on the market is not offered.
    const listing = value.listing ? await findOnMarket(tx, value.listing, need.agent_id) : undefined
    const isOwn = listing?.agent_id === agent.id && listing.status === 'published'
    if (!isOwn) refuseIfAny([issue('listing', 'required')])
    const row = {
      listing_id: (listing as ListingRow).id,
      buyer_agent_id: need.agent_id,
      owner_id: agent.id,
      proposed_by: 'owner' as const,
      need_id: need.id,
      client: NO_CLIENT,
      lead_id: null,
      wish: wishOf(need),
      split: splitOf({ value, issues }, listing as ListingRow),
    }
    if (await store.isOffered(tx, row)) throw conflict('already_offered')
    return insert(tx, row, listing as ListingRow, value.message ?? null)
  })
}

/** A test account must not write to people. One at a time per agent, so that the limits hold. */
function proposing(db: Db, agent: Proposing, work: (tx: Tx) => Promise<string>): Promise<string> {
  if (agent.isTest) throw new Problem('forbidden')
  return db.transaction().execute(async tx => {
    await lockAgent(tx, agent.id)
    if ((await store.countProposed(tx, agent.id)) >= MAX_PROPOSED)
      throw conflict('too_many_proposals', { max: MAX_PROPOSED })
    return work(tx)
  })
}

/** The one sent, or the one that the listing shares. */
function splitOf(
  { value, issues }: Reading<Patch<Pick<typeof proposalFields, 'split'>>>,
  listing: ListingRow,
): string {
  const split = value.split ?? listing.shared_commission
  refuseIfAny([...issues, ...(split ? [] : [issue('split', 'required')])])
  return split as string
}

type Row = Parameters<typeof store.insertCooperation>[1] & { proposed_by: 'buyer' | 'owner' }

async function insert(tx: Tx, row: Row, listing: ListingRow, text: string | null): Promise<string> {
  const { proposed_by, buyer_agent_id, owner_id, split } = row
  const [by, to] = proposed_by === 'buyer' ? [buyer_agent_id, owner_id] : [owner_id, buyer_agent_id]
  const awaited = otherRole(proposed_by)
  const { id, created_at: at } = await store.insertCooperation(tx, { ...row, awaited })
  const entry = { cooperation_id: id, agent_id: by, kind: 'propose' as const, text, split }
  const { id: entryId } = await store.insertEntry(tx, entry)
  await tell(tx, { id, to, entryId })
  await announce(tx, 'cooperation.created', { ...row, id, state: 'proposed' }, listing, at)
  return id
}
