import { useVisit } from '../../portal/context.ts'
import { areaText, pictureSrc, placeName, priceText, titleOf, typeName } from '../../site/words.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'
import type { MarketListing } from '../record.ts'
import { Commission, daysText, HOME, Marks, PriceChanges, pathOf, Ways } from './words.tsx'

export const COMPARE_FORM = 'compare'

export function CompareBox({ listing }: { listing: MarketListing }) {
  const { t } = useVisit()
  return (
    <label class="flex items-center gap-2 text-sm">
      <input
        class="checkbox checkbox-sm"
        type="checkbox"
        name="id"
        value={listing.record.id}
        form={COMPARE_FORM}
      />
      {t('Comparar', 'Compare')}
      <span class="sr-only"> {listing.record.title}</span>
    </label>
  )
}

/** The boxes of the results belong to this form wherever they are on the page. */
export function CompareBar() {
  const { t } = useVisit()
  return (
    <form id={COMPARE_FORM} method="get" action={`${HOME}/compare`} class="flex items-center gap-2 text-sm">
      <button type="submit" class="btn btn-sm">
        <Icon name="layers" class="size-4" />
        {t('Comparar las marcadas (hasta 4)', 'Compare selected (up to 4)')}
      </button>
    </form>
  )
}

export function Picture({ listing, class: more = '' }: { listing: MarketListing; class?: string }) {
  const { record } = listing
  const picture = record.images[0]?.thumb
  const box = `shrink-0 rounded-field bg-base-200 ${more}`
  if (!picture) {
    return (
      <span class={`grid place-items-center text-base-content/60 ${box}`}>
        <Icon name="photo" />
      </span>
    )
  }
  return (
    <img
      src={pictureSrc(picture, new URL(record.url).origin)}
      alt=""
      loading="lazy"
      referrerpolicy="no-referrer"
      class={`object-cover ${box}`}
    />
  )
}

/** The figures people compare by; unknown ones are left out. */
export function figuresOf({ record }: MarketListing, lang: 'es' | 'en'): [IconName, string][] {
  const figures: [IconName, string | number | null][] = [
    ['bed', record.bedrooms],
    ['bath', record.bathrooms],
    ['car', record.parking],
    ['area', record.construction_m2 && areaText(record.construction_m2, lang)],
    ['lot', record.lot_m2 && areaText(record.lot_m2, lang)],
  ]
  return figures.flatMap(([icon, value]) =>
    value === null ? [] : [[icon, String(value)] as [IconName, string]],
  )
}

export function Cards({ listings }: { listings: MarketListing[] }) {
  return (
    <ul class="flex min-w-0 flex-col gap-4">
      {listings.map(listing => (
        <li key={listing.record.id} class="min-w-0 rounded-box border border-base-300 bg-base-100 p-4">
          <Card listing={listing} />
        </li>
      ))}
    </ul>
  )
}

function Card({ listing }: { listing: MarketListing }) {
  const { t, lang } = useVisit()
  const { record, contact, days } = listing
  return (
    <div class="flex min-w-0 flex-col gap-4 sm:flex-row">
      <Picture listing={listing} class="h-44 w-full sm:h-36 sm:w-48" />
      <div class="flex min-w-0 flex-1 flex-col gap-2">
        <div class="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
          <h2 class="min-w-0 font-semibold break-words">
            <a class="link link-hover" href={pathOf(listing)}>
              {titleOf(record, lang)}
            </a>
          </h2>
          <p class="font-semibold tabular-nums">
            {record.operations.map(one => priceText(one, lang)).join(' · ')}
          </p>
        </div>
        <p class="text-sm break-words text-base-content/75">
          {typeName(record.property_type, lang)} · {placeName(record.location)}
        </p>
        <Marks listing={listing} />
        <ul class="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {figuresOf(listing, lang).map(([icon, text]) => (
            <li key={icon} class="flex items-center gap-1">
              <Icon name={icon} class="size-4" /> {text}
            </li>
          ))}
        </ul>
        <dl class="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
          <dt class="text-base-content/75">{t('Comisión compartida', 'Shared commission')}</dt>
          <dd>
            <Commission listing={listing} />
          </dd>
          {days !== null && (
            <>
              <dt class="text-base-content/75">{t('En el mercado', 'On the market')}</dt>
              <dd>{daysText(days, t)}</dd>
            </>
          )}
          {listing.priceChanges.length > 0 && (
            <>
              <dt class="text-base-content/75">{t('Cambios de precio', 'Price changes')}</dt>
              <dd>
                <PriceChanges listing={listing} most={2} />
              </dd>
            </>
          )}
          <dt class="text-base-content/75">{t('Agente', 'Agent')}</dt>
          <dd class="break-words">{[contact.name, record.agency?.name].filter(Boolean).join(', ')}</dd>
        </dl>
        <div class="flex flex-wrap items-center gap-x-3 gap-y-2">
          <CompareBox listing={listing} />
          <Steps listing={listing} />
          {!listing.isOwn && <Ways listing={listing} />}
        </div>
      </div>
    </div>
  )
}

/** From a result to what one does with it. */
export function Steps({ listing }: { listing: MarketListing }) {
  const { t } = useVisit()
  const path = pathOf(listing)
  const proposal = listing.isPublished && !listing.isOwn && (
    <a class="btn btn-primary btn-sm" href={`${path}/propose`}>
      <Icon name="handshake" class="size-4" /> {t('Proponer cooperación', 'Propose a cooperation')}
    </a>
  )
  if (listing.isOptedOut || !listing.isPublished) return proposal || null
  return (
    <>
      {proposal}
      <a class="btn btn-sm" href={`${path}#collect`}>
        <Icon name="share" class="size-4" /> {t('Agregar a una colección', 'Add to a collection')}
      </a>
      <a class="btn btn-sm" href={`${path}/sheet`}>
        <Icon name="document" class="size-4" /> {t('Ficha', 'Sheet')}
      </a>
    </>
  )
}
