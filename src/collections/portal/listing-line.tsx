import type { ComponentChildren } from 'preact'
import { useVisit } from '../../portal/context.ts'
import { type Listing, pictureSrc, placeName, priceText } from '../../site/words.ts'
import { Badge } from '../../ui/badges.tsx'
import { Icon } from '../../ui/icons.tsx'

export function ListingLine({
  listing,
  children,
}: {
  listing: Listing | undefined
  children: ComponentChildren
}) {
  const { t, lang } = useVisit()
  if (!listing) {
    return (
      <div class="flex min-w-0 flex-wrap items-center justify-between gap-3">
        <p class="min-w-0 text-base-content/75">
          <Badge tone="warning">{t('Ya no disponible', 'No longer available')}</Badge>{' '}
          {t('No se muestra a tu cliente.', 'Your client does not see it.')}
        </p>
        {children}
      </div>
    )
  }
  return (
    <div class="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
      <Thumb listing={listing} />
      <div class="min-w-40 flex-1">
        <a class="link link-hover font-medium break-words" href={`/propiedades/${listing.slug}`}>
          {listing.title}
        </a>
        <p class="text-sm font-medium">{listing.operations.map(one => priceText(one, lang)).join(' · ')}</p>
        <p class="text-sm break-words text-base-content/75">
          {placeName(listing.location)} · {listing.agent.name}
        </p>
      </div>
      <div class="ml-auto">{children}</div>
    </div>
  )
}

function Thumb({ listing }: { listing: Listing }) {
  const picture = listing.images[0]?.thumb
  if (!picture) {
    return (
      <span class="grid h-14 w-20 shrink-0 place-items-center rounded-field bg-base-200 text-base-content/60">
        <Icon name="photo" />
      </span>
    )
  }
  return (
    <img
      // Relative, as the server may be reached under another host name.
      src={pictureSrc(picture, originOf(listing.url))}
      alt=""
      width="80"
      height="56"
      loading="lazy"
      referrerpolicy="no-referrer"
      class="h-14 w-20 shrink-0 rounded-field bg-base-200 object-cover"
    />
  )
}

const originOf = (url: string): string => new URL(url).origin
