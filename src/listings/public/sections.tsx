import type { ComponentChildren } from 'preact'
import { safeHref } from '../../http/html.tsx'
import type { Lang } from '../../lib/i18n.ts'
import { factsOf, Marks } from '../../site/cards.tsx'
import { About, perSquareMeter, RateNote } from '../../site/comparing.tsx'
import { ListingMap } from '../../site/map/map-box.tsx'
import { useVisit } from '../../site/visit.ts'
import {
  amenityName,
  areaText,
  dateText,
  type Listing,
  type Operation,
  operationName,
  placeName,
  priceText,
  titleOf,
  typeName,
} from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'

// Sections of the listing page, top to bottom.

interface Props {
  listing: Listing
}

/** All of them; `children` come before the map. */
export function Sections({ listing, children }: Props & { children?: ComponentChildren }) {
  const { t } = useVisit()
  return (
    <>
      <Head listing={listing} />
      <Facts listing={listing} />
      <Description listing={listing} />
      <Details listing={listing} />
      <Amenities listing={listing} />
      <Media listing={listing} />
      {children}
      {listing.location.lat !== null && (
        <section class="listing-section">
          <h2>{t('Ubicación', 'Location')}</h2>
          <ListingMap location={listing.location} />
        </section>
      )}
    </>
  )
}

function Head({ listing }: Props) {
  const { lang, t } = useVisit()
  return (
    <>
      <p class="listing-tags is-plain">
        <span>{typeName(listing.property_type, lang)}</span>
        {listing.operations.map(({ type }) => (
          <span class={`is-${type}`}>{operationName(type, lang)}</span>
        ))}
        {listing.exclusive && <span>{t('Exclusiva', 'Exclusive')}</span>}
        <Marks listing={listing} />
      </p>
      <h1 class="listing-title" lang={lang === 'en' && !listing.title_en ? 'es' : undefined}>
        {titleOf(listing, lang)}
      </h1>
      <p class="listing-where">
        <Icon name="pin" />{' '}
        {[listing.location.address, placeName(listing.location)].filter(Boolean).join(', ')}
      </p>
      <dl class="prices">
        {listing.operations.map(operation => (
          <div>
            <dt>{operationName(operation.type, lang)}</dt>
            <dd>
              {priceText(operation, lang)} <About operation={operation} />
              <PerMeter listing={listing} operation={operation} />
            </dd>
          </div>
        ))}
      </dl>
      <RateNote />
    </>
  )
}

function PerMeter({ listing, operation }: Props & { operation: Operation }) {
  const { t } = useVisit()
  const price = perSquareMeter(listing, operation)
  if (!price) return null
  const area = listing.property_type === 'land' ? t('de terreno', 'of land') : t('construido', 'built')
  return (
    <span class="price-about">
      {price} {area}
    </span>
  )
}

function Facts({ listing }: Props) {
  const { lang, t } = useVisit()
  return (
    <ul class="big-facts">
      {factsOf(listing, t, lang).map(({ icon, text, label }) => (
        <li>
          <Icon name={icon} size={26} />
          <strong>{text}</strong> <span>{label}</span>
        </li>
      ))}
    </ul>
  )
}

/** In the page's language if available, otherwise in the other. */
export function descriptionOf(
  { description, description_en }: Listing,
  lang: Lang,
): { text: string; lang: Lang } | undefined {
  const first = lang === 'en' ? description_en : description
  if (first) return { text: first, lang }
  const other = lang === 'en' ? description : description_en
  return other ? { text: other, lang: lang === 'en' ? 'es' : 'en' } : undefined
}

function Description({ listing }: Props) {
  const { lang, t } = useVisit()
  const description = descriptionOf(listing, lang)
  if (!description) return null
  return (
    <section class="listing-section">
      <h2>{t('Descripción', 'Description')}</h2>
      {description.lang !== lang && (
        <p class="mb-2 text-sm opacity-80">
          {t('El agente la escribió en inglés.', 'Written by the agent in Spanish.')}
        </p>
      )}
      <div class="description" lang={description.lang}>
        {description.text
          .split(/\n{2,}/)
          .filter(paragraph => paragraph.trim() !== '')
          .map(paragraph => (
            <p>{paragraph.trim()}</p>
          ))}
      </div>
    </section>
  )
}

function Details({ listing }: Props) {
  const { lang, t } = useVisit()
  const rows = [
    [t('Tipo', 'Type'), typeName(listing.property_type, lang)],
    [t('Recámaras', 'Bedrooms'), listing.bedrooms],
    [t('Baños', 'Bathrooms'), listing.bathrooms],
    [t('Medios baños', 'Half bathrooms'), listing.half_bathrooms],
    [t('Estacionamientos', 'Parking'), listing.parking],
    [t('Construcción', 'Built area'), listing.construction_m2 && areaText(listing.construction_m2, lang)],
    [t('Terreno', 'Lot'), listing.lot_m2 && areaText(listing.lot_m2, lang)],
    [t('Niveles', 'Floors'), listing.floors],
    [t('Año', 'Year built'), listing.year_built],
    [t('Colonia', 'Neighborhood'), listing.location.neighborhood],
    [t('Ciudad', 'City'), listing.location.city],
    [t('Municipio', 'Municipality'), listing.location.municipality],
    [t('Estado', 'State'), listing.location.state],
    [t('Código postal', 'Postal code'), listing.location.postal_code],
    [t('Publicada', 'Published'), listing.published_at && dateText(listing.published_at, lang)],
    [t('Actualizada', 'Updated'), dateText(listing.updated_at, lang)],
  ].filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <section class="listing-section">
      <h2>{t('Detalles', 'Details')}</h2>
      <dl class="details">
        {rows.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Media({ listing }: Props) {
  const { t } = useVisit()
  const { video_url: video, virtual_tour_url: tour } = listing
  if (!video && !tour) return null
  return (
    <section class="listing-section">
      <h2>{t('Recorridos', 'Tours')}</h2>
      <div class="flex flex-wrap gap-2">
        {video && (
          <a class="btn btn-outline" href={safeHref(video)} rel="noopener nofollow ugc">
            <Icon name="play" /> {t('Ver video', 'Watch video')}
          </a>
        )}
        {tour && (
          <a class="btn btn-outline" href={safeHref(tour)} rel="noopener nofollow ugc">
            <Icon name="layers" /> {t('Recorrido virtual', 'Virtual tour')}
          </a>
        )}
      </div>
    </section>
  )
}

function Amenities({ listing }: Props) {
  const { lang, t } = useVisit()
  if (listing.features.length === 0) return null
  return (
    <section class="listing-section">
      <h2>{t('Amenidades', 'Amenities')}</h2>
      <ul class="features">
        {listing.features.map(label => (
          <li>
            <Icon name="check" size={18} /> {amenityName(label, lang)}
          </li>
        ))}
      </ul>
    </section>
  )
}
