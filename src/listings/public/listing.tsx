import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Db } from '../../db/database.ts'
import { safeHref } from '../../http/html.tsx'
import { type Inquiry, InquirySection, inquiryLabel, newInquiry } from '../../leads/visitors/inquiry-form.tsx'
import type { Lang } from '../../lib/i18n.ts'
import { isSlug, kebab } from '../../lib/slug.ts'
import { foldText } from '../../lib/text.ts'
import { AgentCard, factsOf, ListingGrid } from '../../site/cards.tsx'
import { NoPage } from '../../site/errors.tsx'
import { Crumbs, Nothing, sendSitePage } from '../../site/layout.tsx'
import { crumbData, listingData } from '../../site/linked-data.tsx'
import { ListingMap } from '../../site/map/map-box.tsx'
import type { Market, SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, type Visit, visitOf } from '../../site/visit.ts'
import {
  amenityName,
  areaText,
  dateText,
  excerpt,
  type Listing,
  operationName,
  placeName,
  priceText,
  titleOf,
  typeName,
} from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'
import { findGone } from '../on-market.ts'
import { listingRecord } from '../record.ts'
import { findVisible, type ListingRow } from '../service.ts'
import { Gallery } from './gallery.tsx'

const SIMILAR = 4
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function registerListing(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  const { db, publicUrl } = deps
  app.get<{ Params: { slug: string } }>(localPath(lang, '/propiedades/:slug'), async (request, reply) => {
    const { slug } = request.params
    const visit = visitOf(deps, lang, `/propiedades/${encodeURIComponent(slug)}`)
    const row = await shownRow(db, slug)
    const listing = row && listingRecord(row, null, publicUrl)
    if (!listing) return sendGone(reply, db, market, visit, slug)
    const similar = await market.similarTo(
      {
        slug,
        property_type: listing.property_type,
        state: listing.location.state,
        city: foldText(listing.location.city),
        price: listing.operations[0],
      },
      SIMILAR,
    )
    const title = titleOf(listing, lang)
    const description = descriptionOf(listing, lang)
    const steps = crumbsOf(listing, visit.t)
    const inquiry = await newInquiry(deps, lang, visit.path, { showings: true })
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: excerpt(description?.text ?? `${title}. ${placeName(listing.location)}`, 160),
        kind: 'article',
        image: listing.images[0]?.url,
        imageAlt: title,
        data: [listingData(listing, visit), crumbData(steps, visit)],
        assets: ['leaflet.css', 'leaflet.js', 'map.js'],
      },
      <ListingPage listing={listing} similar={similar} steps={steps} inquiry={inquiry} />,
    )
  })
}

/** By slug alone: ids are for the API. */
export async function shownRow(db: Db, slug: string): Promise<ListingRow | undefined> {
  return isSlug(slug) && !UUID.test(slug) ? findVisible(db, slug, null) : undefined
}

/** What was public once and is not any more; anything else was never heard of. */
export async function sendGone(reply: FastifyReply, db: Db, market: Market, visit: Visit, slug: string) {
  const gone = isSlug(slug) ? await findGone(db, slug) : undefined
  if (!gone) throw new NoPage(visit.lang)
  const { property_type, state, city_fold: city } = gone
  const similar = await market.similarTo({ slug, property_type, state, city }, SIMILAR)
  const title = visit.t('Esta propiedad ya no está disponible', 'This property is no longer available')
  return sendSitePage(
    reply,
    visit,
    { title: `${title} | Lonja`, description: title, status: 410 },
    <GoneListing similar={similar} state={state} />,
  )
}

function crumbsOf({ location, property_type }: Listing, t: (es: string, en: string) => string) {
  const state = kebab(location.state, 'estado')
  return [
    { name: t('México', 'Mexico'), path: '/mx' },
    { name: location.state, path: `/mx/${state}` },
    { name: location.city, path: `/mx/${state}/${kebab(foldText(location.city), 'ciudad')}` },
    { name: t(typeName(property_type, 'es'), typeName(property_type, 'en')) },
  ]
}

function descriptionOf(
  { description, description_en }: Listing,
  lang: Lang,
): { text: string; lang: Lang } | undefined {
  const first = lang === 'en' ? description_en : description
  if (first) return { text: first, lang }
  const other = lang === 'en' ? description : description_en
  return other ? { text: other, lang: lang === 'en' ? 'es' : 'en' } : undefined
}

function ListingPage(props: {
  listing: Listing
  similar: Listing[]
  steps: ReturnType<typeof crumbsOf>
  inquiry: Inquiry
}) {
  const { lang, t, to, publicUrl, path } = useVisit()
  const { listing, similar, steps } = props
  const title = titleOf(listing, lang)
  const description = descriptionOf(listing, lang)
  const message = t(
    `Hola, me interesa «${title}»: ${publicUrl}${path}`,
    `Hello, I am interested in “${title}”: ${publicUrl}/en${path}`,
  )
  return (
    <div class="wrap pb-16">
      <div class="listing-top">
        <a
          class="btn btn-ghost btn-sm"
          data-back
          href={to(`/propiedades?state=${encodeURIComponent(listing.location.state)}`)}
        >
          ← {t('Resultados', 'Results')}
        </a>
        <Crumbs steps={steps} />
      </div>
      <Gallery listing={listing} title={title} />
      <div class="listing-columns">
        <div class="min-w-0">
          <p class="listing-tags is-plain">
            <span>{typeName(listing.property_type, lang)}</span>
            {listing.operations.map(({ type }) => (
              <span class={`is-${type}`}>{operationName(type, lang)}</span>
            ))}
            {listing.exclusive && <span>{t('Exclusiva', 'Exclusive')}</span>}
          </p>
          <h1 class="listing-title" lang={lang === 'en' && !listing.title_en ? 'es' : undefined}>
            {title}
          </h1>
          <p class="listing-where">
            <Icon name="pin" />{' '}
            {[listing.location.address, placeName(listing.location)].filter(Boolean).join(', ')}
          </p>
          <dl class="prices">
            {listing.operations.map(operation => (
              <div>
                <dt>{operationName(operation.type, lang)}</dt>
                <dd>{priceText(operation, lang)}</dd>
              </div>
            ))}
          </dl>
          <a class="btn btn-primary mt-4 lg:hidden" href="#contacto">
            <Icon name="mail" /> {inquiryLabel(props.inquiry, t)}
          </a>
          <ul class="big-facts">
            {factsOf(listing, t, lang).map(({ icon, text, label }) => (
              <li>
                <Icon name={icon} size={26} />
                <strong>{text}</strong> <span>{label}</span>
              </li>
            ))}
          </ul>
          {description && (
            <section class="listing-section">
              <h2>{t('Descripción', 'Description')}</h2>
              {description.lang !== lang && (
                <p class="mb-2 text-sm opacity-80">
                  {t('El agente la escribió en inglés.', 'The agent wrote it in Spanish.')}
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
          )}
          <Details listing={listing} />
          {listing.features.length > 0 && (
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
          )}
          <Media listing={listing} />
          {listing.location.lat !== null && (
            <section class="listing-section">
              <h2>{t('Ubicación', 'Location')}</h2>
              <ListingMap location={listing.location} />
            </section>
          )}
          <InquirySection inquiry={props.inquiry} agentName={listing.agent.name} />
        </div>
        <aside class="min-w-0" aria-label={t('Contacto', 'Contact')}>
          <AgentCard agent={listing.agent} agency={listing.agency} about={message}>
            <a class="btn btn-outline justify-self-start" href="#contacto">
              <Icon name="mail" /> {inquiryLabel(props.inquiry, t)}
            </a>
            <p class="text-xs opacity-75">
              {t(
                'Nunca pagues un anticipo sin visitar la propiedad.',
                'Never pay a deposit before visiting the property.',
              )}
            </p>
          </AgentCard>
        </aside>
      </div>
      <Similar listings={similar} />
    </div>
  )
}

function Details({ listing }: { listing: Listing }) {
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

function Media({ listing }: { listing: Listing }) {
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

function GoneListing({ similar, state }: { similar: Listing[]; state: string }) {
  const { t, to } = useVisit()
  return (
    <div class="wrap py-12">
      <Nothing
        level={1}
        icon="home"
        title={t('Esta propiedad ya no está disponible', 'This property is no longer available')}
      >
        <p>
          {t(
            'Se vendió, se rentó o el agente la retiró. Estas se le parecen.',
            'It was sold, rented or withdrawn by its agent. These are similar.',
          )}
        </p>
        <a class="btn btn-primary" href={to(`/propiedades?state=${encodeURIComponent(state)}`)}>
          {t(`Ver propiedades en ${state}`, `See properties in ${state}`)}
        </a>
      </Nothing>
      <Similar listings={similar} />
    </div>
  )
}

function Similar({ listings }: { listings: Listing[] }) {
  const { t } = useVisit()
  if (listings.length === 0) return null
  return (
    <section class="listing-section">
      <h2>{t('Propiedades parecidas', 'Similar properties')}</h2>
      <ListingGrid listings={listings} />
    </section>
  )
}
