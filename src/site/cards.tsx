import type { ComponentChildren } from 'preact'
import { safeHref } from '../http/html.tsx'
import { dialed, phoneText, whatsAppHref } from '../lib/phone.ts'
import { photoSources } from '../lib/photo-sizes.ts'
import { photoPath } from '../ui/face.tsx'
import { Icon, type IconName } from '../ui/icons.tsx'
import { About, perSquareMeter } from './comparing.tsx'
import { useVisit } from './visit.ts'
import {
  areaText,
  type Listing,
  operationName,
  pictureSrc,
  placeName,
  priceText,
  titleOf,
  typeName,
} from './words.ts'

/** An image of ours in the sizes and formats we have, or one hosted elsewhere: lazy, and replaced by site.js if it fails to load. */
export function Picture(props: {
  url: string | undefined
  alt: string
  width: number
  height: number
  sizes?: string
  eager?: boolean
}) {
  const { publicUrl } = useVisit()
  const { url, alt, width, height, sizes, eager = false } = props
  if (url === undefined) {
    return <span class="picture-missing" {...(alt ? { role: 'img', 'aria-label': alt } : {})} />
  }
  const src = pictureSrc(url, publicUrl)
  const sources = photoSources(src)
  const image = (
    <img
      src={src}
      srcset={sources?.webp}
      alt={alt}
      width={width}
      height={height}
      sizes={sizes}
      loading={eager ? 'eager' : 'lazy'}
      fetchpriority={eager ? 'high' : undefined}
      decoding="async"
      referrerpolicy="no-referrer"
      data-picture
    />
  )
  if (!sources) return image
  return (
    <picture class="contents">
      <source type="image/avif" srcset={sources.avif} sizes={sizes} />
      {image}
    </picture>
  )
}

export function factsOf(listing: Listing, t: (es: string, en: string) => string, lang: 'es' | 'en') {
  const facts: { icon: IconName; text: string; label: string }[] = []
  const add = (icon: IconName, value: number | null, label: string, text = String(value)) => {
    if (value !== null && value > 0) facts.push({ icon, text, label })
  }
  add('bed', listing.bedrooms, listing.bedrooms === 1 ? t('recámara', 'bedroom') : t('recámaras', 'bedrooms'))
  add('bath', listing.bathrooms, listing.bathrooms === 1 ? t('baño', 'bathroom') : t('baños', 'bathrooms'))
  add(
    'car',
    listing.parking,
    listing.parking === 1 ? t('estacionamiento', 'parking space') : t('estacionamientos', 'parking spaces'),
  )
  add(
    'area',
    listing.construction_m2,
    t('construidos', 'built'),
    areaText(listing.construction_m2 ?? 0, lang),
  )
  add('lot', listing.lot_m2, t('de terreno', 'lot'), areaText(listing.lot_m2 ?? 0, lang))
  return facts
}

export function Marks({ listing: { marks = [] } }: { listing: Listing }) {
  const { t } = useVisit()
  return (
    <>
      {marks.includes('featured') && <span class="is-featured">{t('Destacada', 'Featured')}</span>}
      {marks.includes('lowered') && <span class="is-lowered">{t('Bajó de precio', 'Price drop')}</span>}
    </>
  )
}

/** For public/saved.js, which notices a lower price: amount, currency, operation. */
export const pricedAs = ({ operations: [first] }: Listing): string =>
  first ? `${first.amount} ${first.currency} ${first.type}` : ''

/** `at`: where its page is, if not among all properties. */
export function ListingCard(props: { listing: Listing; eager?: boolean; level?: 2 | 3; at?: string }) {
  const { lang, t, to } = useVisit()
  const { listing, eager = false, level = 3, at = '/propiedades' } = props
  const title = titleOf(listing, lang)
  const Heading = level === 2 ? 'h2' : 'h3'
  const [first] = listing.operations
  const perMeter = first && perSquareMeter(listing, first)
  return (
    <article class="listing-card" data-listing={listing.slug} data-price={pricedAs(listing)}>
      <div class="listing-picture">
        <Picture url={listing.images[0]?.thumb} alt="" width={600} height={400} eager={eager} />
        <p class="listing-tags">
          <span>{typeName(listing.property_type, lang)}</span>
          {listing.operations.map(({ type }) => (
            <span class={`is-${type}`}>{operationName(type, lang)}</span>
          ))}
          <Marks listing={listing} />
        </p>
        {listing.images.length > 1 && (
          <span class="listing-count">
            {t(`${listing.images.length} fotos`, `${listing.images.length} photos`)}
          </span>
        )}
      </div>
      <div class="listing-body">
        <p class="listing-price">
          {listing.operations.map(operation => (
            <span>
              {priceText(operation, lang)} <About operation={operation} />
            </span>
          ))}
          {perMeter && <span class="price-about">{perMeter}</span>}
        </p>
        <Heading>
          <a href={to(`${at}/${listing.slug}`)}>{title}</a>
        </Heading>
        <p class="listing-place">{placeName(listing.location)}</p>
        <ul class="listing-facts">
          {factsOf(listing, t, lang)
            .slice(0, 4)
            .map(({ icon, text, label }) => (
              <li>
                <Icon name={icon} size={17} />
                {text}
                <span class="sr-only"> {label}</span>
              </li>
            ))}
        </ul>
        <p class="listing-agent">
          {listing.agent.name}
          {listing.agency && ` · ${listing.agency.name}`}
        </p>
      </div>
    </article>
  )
}

export function ListingGrid(props: { listings: Listing[]; eager?: number; level?: 2 | 3; at?: string }) {
  const { eager = 0, level = 3, at } = props
  return (
    <div class="listing-grid">
      {props.listings.map((listing, i) => (
        <ListingCard listing={listing} eager={i < eager} level={level} {...(at && { at })} />
      ))}
    </div>
  )
}

export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => [...word][0]?.toUpperCase())
    .join('')

export function Avatar(props: { name: string; photo?: string | null; large?: boolean }) {
  const { name, photo, large = false } = props
  const look = `avatar-initials ${large ? 'is-large' : ''}`
  if (photo) return <img class={look} src={photoPath(photo)} alt="" width="96" height="96" loading="lazy" />
  return (
    <span class={look} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

/** `about`: prefilled message; the visitor can edit it before sending. */
export function ContactLinks(props: {
  phone: string | null
  about?: string
  /** For framed pages: WhatsApp cannot open in a frame. */
  newTab?: boolean
}) {
  const { phone, about, newTab = false } = props
  const { t } = useVisit()
  if (!phone) return <p class="text-sm opacity-80">{t('Sin teléfono publicado.', 'No phone published.')}</p>
  return (
    <div class="flex flex-wrap gap-2">
      <a
        class="btn btn-primary"
        href={whatsAppHref(phone, about)}
        target={newTab ? '_blank' : undefined}
        rel="noopener nofollow"
      >
        <Icon name="chat" /> WhatsApp
      </a>
      <a class="btn btn-outline whitespace-nowrap" href={`tel:${dialed(phone)}`}>
        <Icon name="phone" /> {phoneText(phone)}
      </a>
    </div>
  )
}

export function AgencyLine({ agency }: { agency: NonNullable<Listing['agency']> }) {
  const { to, publicUrl } = useVisit()
  return (
    <a class="agency-line" href={to(`/inmobiliarias/${agency.slug}`)}>
      {agency.logo_url && (
        <img
          src={pictureSrc(
            agency.logo_url.startsWith('/') ? agency.logo_url : safeHref(agency.logo_url),
            publicUrl,
          )}
          alt=""
          width="36"
          height="24"
          loading="lazy"
          referrerpolicy="no-referrer"
          data-picture
        />
      )}
      <span>{agency.name}</span>
    </a>
  )
}

/** The agent to contact, with further actions below. */
export function AgentCard(props: {
  agent: { name: string; slug: string; phone: string | null }
  agency: Listing['agency']
  /** Prefilled message. */
  about: string
  children?: ComponentChildren
}) {
  const { t, to } = useVisit()
  const { agent, agency, about, children } = props
  return (
    <div class="agent-card">
      <div class="flex items-center gap-4">
        <Avatar name={agent.name} />
        <div class="min-w-0">
          <p class="text-lg font-semibold">
            <a class="link-hover link" href={to(`/agentes/${agent.slug}`)}>
              {agent.name}
            </a>
          </p>
          <p class="verified">
            <Icon name="check" size={16} /> {t('Agente verificado', 'Verified agent')}
          </p>
        </div>
      </div>
      {agency && <AgencyLine agency={agency} />}
      <ContactLinks phone={agent.phone} about={about} />
      {children}
    </div>
  )
}
