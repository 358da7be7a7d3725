import type { FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Db } from '../../db/database.ts'
import { Problem } from '../../lib/problem.ts'
import { useVisit } from '../../portal/context.ts'
import { signedIn } from '../../portal/layout.tsx'
import { TabLinks } from '../../ui/tabs.tsx'
import { findOwn, type OwnListing } from './inventory.ts'
import { ListingBadge, placeOf } from './words.tsx'

type ListingTab = 'overview' | 'edit' | 'photos' | 'history'

function ListingTabs({ id, here }: { id: string; here: ListingTab }) {
  const { t } = useVisit()
  const base = `/portal/listings/${id}`
  const tabs = [
    { tab: 'overview', href: base, label: t('Resumen', 'Overview') },
    { tab: 'edit', href: `${base}/edit`, label: t('Editar', 'Edit') },
    { tab: 'photos', href: `${base}/photos`, label: t('Fotos', 'Photos') },
    { tab: 'history', href: `${base}/history`, label: t('Historial', 'History') },
  ]
  return (
    <TabLinks
      label={t('Esta propiedad', 'This listing')}
      tabs={tabs.map(({ tab, href, label }) => ({ href, label, here: tab === here }))}
    />
  )
}

export interface ById {
  Params: { id: string }
}

/** The listing in the URL; not_found if it is another agent's. */
export async function ownListing(db: Db, request: FastifyRequest<ById>): Promise<OwnListing> {
  const listing = await findOwn(db, signedIn(request).id, request.params.id)
  if (!listing) throw new Problem('not_found')
  return listing
}

/** Shared by all screens of a listing. */
export const screenOf = (listing: OwnListing) => ({
  title: listing.title,
  section: 'listings' as const,
  subtitle: (
    <span class="flex flex-wrap items-center gap-2">
      <ListingBadge status={listing.status} />
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
