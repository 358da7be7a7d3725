import type { FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Db } from '../../db/database.ts'
import { Problem } from '../../lib/problem.ts'
import { signedIn } from '../../portal/layout.tsx'
import { findOwn, type OwnListing } from './inventory.ts'
import { type ListingTab, ListingTabs } from './overview.tsx'
import { placeOf, StatusBadge } from './words.tsx'

export interface ById {
  Params: { id: string }
}

/** The listing of the address, if it is of whoever asks. Another's does not exist. */
export async function ownListing(db: Db, request: FastifyRequest<ById>): Promise<OwnListing> {
  const listing = await findOwn(db, signedIn(request).id, request.params.id)
  if (!listing) throw new Problem('not_found')
  return listing
}

/** What all screens of one listing have in common. */
export const screenOf = (listing: OwnListing) => ({
  title: listing.title,
  section: 'listings' as const,
  subtitle: (
    <span class="flex flex-wrap items-center gap-2">
      <StatusBadge status={listing.status} />
      <span>{placeOf(listing)}</span>
    </span>
  ),
})

export const withTabs = (listing: OwnListing, here: ListingTab, content: ComponentChildren) => (
  <>
    <ListingTabs id={listing.id} here={here} />
    {content}
  </>
)
