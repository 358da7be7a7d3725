import { nested, type Tx, violates } from '../db/database.ts'
import type { ListingStatus } from '../lookups/catalog.ts'
import { LISTING_FIELDS, type ListingFields, type ListingPatch } from './fields.ts'
import { recordChange } from './history.ts'
import { type Image, listImages } from './images.ts'
import { changeImages, changeStatus, editLocked, notify } from './service.ts'
import { deleteListing, type ListingRow, lockListing, updateStatus } from './store.ts'

/** What an agent can set of a listing, to bring it back later. */
export interface Kept {
  fields: ListingFields
  status: ListingStatus
  images: Image[]
}

export async function keep(tx: Tx, row: ListingRow): Promise<Kept> {
  const fields = Object.fromEntries(LISTING_FIELDS.map(name => [name, row[name]])) as ListingFields
  return { fields, status: row.status, images: await listImages(tx, row.id) }
}

/**
 * Brings a listing back to how it was before the change of that time; without a state before, it is removed. False if
 * the listing was changed since: that change stays.
 */
export async function restoreListing(
  tx: Tx,
  id: string,
  before: Kept | null,
  changedAt: Date,
): Promise<boolean> {
  const listing = await lockListing(tx, id)
  if (!listing || listing.updated_at.getTime() !== changedAt.getTime()) return false
  if (before === null) await removeListing(tx, listing)
  else await bringBack(tx, listing, before)
  return true
}

const STEPS = {
  draft: 'unpublish',
  published: 'publish',
  withdrawn: 'withdraw',
  sold: 'sell',
  rented: 'rent',
} as const

async function bringBack(tx: Tx, listing: ListingRow, { fields, status, images }: Kept): Promise<void> {
  const { agent_id: agentId, id } = listing
  const via = 'portal' as const
  if (status !== 'published') await returnTo(tx, listing, status)
  const edited = await editLocked(tx, listing, { sent: { value: patchOf(fields), issues: [] }, via })
  await changeImages(tx, edited, { existing: await listImages(tx, id), wanted: images, via })
  if (status === 'published' && listing.status !== 'published')
    await changeStatus(tx, agentId, id, 'publish', { via })
}

async function returnTo(
  tx: Tx,
  { id, agent_id: agentId, status: from }: ListingRow,
  to: ListingStatus,
): Promise<void> {
  if (from === to) return
  if (to in STEPS) {
    await changeStatus(tx, agentId, id, STEPS[to as keyof typeof STEPS], { via: 'portal' })
    return
  }
  // Only time and the operator bring a listing there, so there is no step to it.
  const changed = await updateStatus(tx, id, to)
  await recordChange(tx, id, { via: 'portal', agentId }, 'expire')
  if (from === 'published') await notify(tx, 'listing.unpublished', changed)
}

const patchOf = ({ sale_price, rent_price, ...fields }: ListingFields): ListingPatch => ({
  ...fields,
  sale_price: sale_price === null ? null : { amount: sale_price },
  rent_price: rent_price === null ? null : { amount: rent_price },
})

/** What a lead or a cooperation is about stays, withdrawn. */
async function removeListing(tx: Tx, { id, agent_id: agentId, status }: ListingRow): Promise<void> {
  if (status !== 'withdrawn') await changeStatus(tx, agentId, id, 'withdraw', { via: 'portal' })
  try {
    await nested(tx, inner => deleteListing(inner, id))
  } catch (error) {
    if (!REFERENCES.some(name => violates(error, name))) throw error
  }
}

const REFERENCES = ['leads_listing_id_fkey', 'cooperations_listing_id_fkey']
