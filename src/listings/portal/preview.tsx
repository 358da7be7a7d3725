import type { FastifyInstance } from 'fastify'
import { numberText } from '../../lib/i18n.ts'
import { AMENITIES } from '../../lookups/amenities.ts'
import { PROPERTY_TYPES } from '../../lookups/catalog.ts'
import { useVisit } from '../../portal/context.ts'
import { LONG_FORM_BYTES } from '../../portal/guard.ts'
import { sendFragment } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import type { ListingFields } from '../fields.ts'
import { applyPatch } from '../rules.ts'
import { Cover } from './row.tsx'
import { type ById, ownListing } from './shared.tsx'
import { readListingForm } from './values.ts'
import { placeOf, priceLines } from './words.tsx'

const ENGLISH = new Map(AMENITIES.map(({ label, en }) => [label, en]))

/** Redrawn while typing; nothing is stored. */
export function registerPreview(app: FastifyInstance, { db }: PortalDeps): void {
  app.post<ById>('/listings/:id/preview', { bodyLimit: LONG_FORM_BYTES }, async (request, reply) => {
    const listing = request.params.id === 'new' ? undefined : await ownListing(db, request)
    const { fields } = applyPatch(listing, readListingForm(request.form).value, 'draft')
    return sendFragment(request, reply, <PreviewCard fields={fields} cover={listing?.images[0]?.thumb} />)
  })
}

/** A summary of the listing as others will see it. Address and point are left out, as they are private by default. */
export function PreviewCard({ fields, cover }: { fields: ListingFields; cover: string | null | undefined }) {
  const { t, lang } = useVisit()
  const facts = [
    [fields.bedrooms, t('rec.', 'bed')],
    [fields.bathrooms, t('baños', 'bath')],
    [fields.parking, t('autos', 'cars')],
    [fields.construction_m2, t('m² constr.', 'm² built')],
    [fields.lot_m2, t('m² terreno', 'm² lot')],
  ].filter(([value]) => value !== null)
  const prices = priceLines(fields, lang)
  const place = placeOf(fields)
  const title = (lang === 'en' && fields.title_en) || fields.title
  const description = (lang === 'en' && fields.description_en) || fields.description
  return (
    <article class="overflow-hidden rounded-box border border-base-300 bg-base-100">
      <Cover url={cover} class="aspect-[3/2] w-full" />
      <div class="flex min-w-0 flex-col gap-1.5 p-4">
        <p class="text-sm text-base-content/75">
          {PROPERTY_TYPES[fields.property_type][lang]}
          {place && ` · ${place}`}
        </p>
        <p class="font-semibold break-words">{title || t('Sin título todavía', 'No title yet')}</p>
        <p class="text-lg font-semibold tabular-nums">
          {prices.length > 0
            ? prices.map(line => (
                <span key={line} class="block">
                  {line}
                </span>
              ))
            : t('Sin precio todavía', 'No price yet')}
        </p>
        {facts.length > 0 && (
          <p class="flex flex-wrap gap-x-3 text-sm text-base-content/80">
            {facts.map(([value, unit]) => (
              <span key={unit}>
                <strong class="font-semibold">{numberText(Number(value), lang)}</strong> {unit}
              </span>
            ))}
          </p>
        )}
        {description && (
          <p class="line-clamp-4 text-sm break-words whitespace-pre-line text-base-content/75">
            {description}
          </p>
        )}
        {fields.features.length > 0 && (
          <p class="line-clamp-2 text-sm text-base-content/75">
            {fields.features
              .map(label => (lang === 'es' ? label : (ENGLISH.get(label) ?? label)))
              .join(' · ')}
          </p>
        )}
      </div>
    </article>
  )
}
