import type {
  ApartmentLeaf,
  BreadcrumbList,
  GeoCircle,
  GeoCoordinates,
  HouseLeaf,
  Offer,
  OrganizationLeaf,
  PlaceLeaf,
  PostalAddress,
  QuantitativeValue,
  RealEstateAgentLeaf,
  RealEstateListing,
  ResidenceLeaf,
  SearchAction,
  SingleFamilyResidenceLeaf,
  WebSite,
  WithActionConstraints,
  WithContext,
} from 'schema-dts'
import type { Lang } from '../lib/i18n.ts'
import { localPath, type Visit } from './visit.ts'
import { amenityName, type Listing, type Operation, priceText, titleOf } from './words.ts'

/** schema.org data for search engines; properties are type-checked. */
export type LinkedData =
  | WithContext<RealEstateListing>
  | WithContext<BreadcrumbList>
  | WithContext<RealEstateAgentLeaf>
  | WithContext<WebSite>

/** Escapes `<`, so an agent's text cannot close the script element. */
export function JsonLd({ data }: { data: LinkedData }) {
  const json = JSON.stringify(data)
    .replace(/</g, '\\u003c')
    .replace(/\u2028|\u2029/g, ' ')
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
}

/** Homes; for other types schema.org has no rooms or floors. */
const HOMES = { house: 'SingleFamilyResidence', apartment: 'Apartment', ranch: 'House' } as const
type Home = SingleFamilyResidenceLeaf | ApartmentLeaf | HouseLeaf

const PERIOD_CODES = { monthly: 'MON', weekly: 'WEE', daily: 'DAY', yearly: 'ANN' } as const

/** Maximum distance between the true and the public point. */
export const APPROXIMATE_METERS = 470

/** Drops unknown values. */
const known = <T extends object>(fields: { [K in keyof T]: T[K] | null }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as T

const squareMeters = (value: number | null): QuantitativeValue | null =>
  value === null ? null : { '@type': 'QuantitativeValue', value, unitCode: 'MTK' }

export function listingData(listing: Listing, visit: Visit): LinkedData {
  const { lang, publicUrl } = visit
  const address = publicUrl + localPath(lang, `/propiedades/${listing.slug}`)
  return known<WithContext<RealEstateListing>>({
    '@context': 'https://schema.org',
    '@type': 'RealEstateListing',
    '@id': address,
    url: address,
    name: titleOf(listing, lang),
    description: (lang === 'en' ? listing.description_en : null) ?? listing.description,
    datePosted: listing.published_at,
    dateModified: listing.updated_at,
    image: listing.images.length > 0 ? listing.images.slice(0, 10).map(image => image.url) : null,
    offers: listing.operations.map(operation => offerData(operation, listing, visit)),
    mainEntity: placeData(listing, lang),
  })
}

function placeData(listing: Listing, lang: Lang): Home | ResidenceLeaf | PlaceLeaf {
  const { location, features, property_type: type } = listing
  const everywhere = known<Omit<PlaceLeaf, '@type'>>({
    name: titleOf(listing, lang),
    address: known<PostalAddress>({
      '@type': 'PostalAddress',
      streetAddress: location.address,
      addressLocality: location.city,
      addressRegion: location.state,
      postalCode: location.postal_code,
      addressCountry: 'MX',
    }),
    geo: geoData(location),
    amenityFeature:
      features.length > 0
        ? features.map(name => ({
            '@type': 'LocationFeatureSpecification',
            name: amenityName(name, lang),
            value: true,
          }))
        : null,
  })
  if (type in HOMES) {
    return known<Home>({
      '@type': HOMES[type as keyof typeof HOMES],
      ...everywhere,
      numberOfBedrooms: listing.bedrooms,
      numberOfBathroomsTotal: listing.bathrooms,
      floorSize: squareMeters(listing.construction_m2),
      yearBuilt: listing.year_built,
    })
  }
  return { '@type': type === 'building' ? 'Residence' : 'Place', ...everywhere }
}

function geoData({ lat, lng, exact }: Listing['location']): GeoCoordinates | GeoCircle | null {
  if (lat === null || lng === null) return null
  const point: GeoCoordinates = { '@type': 'GeoCoordinates', latitude: lat, longitude: lng }
  return exact ? point : { '@type': 'GeoCircle', geoMidpoint: point, geoRadius: String(APPROXIMATE_METERS) }
}

function offerData(operation: Operation, { agent, agency }: Listing, visit: Visit): Offer {
  const isSale = operation.type === 'sale'
  return {
    '@type': 'Offer',
    name: priceText(operation, visit.lang),
    price: operation.amount,
    priceCurrency: operation.currency,
    availability: 'https://schema.org/InStock',
    businessFunction: { '@id': `http://purl.org/goodrelations/v1#${isSale ? 'Sell' : 'LeaseOut'}` },
    ...(operation.period
      ? {
          priceSpecification: {
            '@type': 'UnitPriceSpecification',
            price: operation.amount,
            priceCurrency: operation.currency,
            unitCode: PERIOD_CODES[operation.period],
          },
        }
      : {}),
    offeredBy: agentData({ name: agent.name, slug: agent.slug, phone: agent.phone, agency }, visit),
  }
}

interface ShownAgent {
  name: string
  slug: string
  phone: string | null
  agency: Listing['agency']
}

export function agentData(
  { name, slug, phone, agency }: ShownAgent,
  { publicUrl, lang }: Visit,
): RealEstateAgentLeaf {
  const organization: OrganizationLeaf | null = agency && {
    '@type': 'Organization',
    name: agency.name,
    url: publicUrl + localPath(lang, `/inmobiliarias/${agency.slug}`),
  }
  return known<RealEstateAgentLeaf>({
    '@type': 'RealEstateAgent',
    name,
    url: publicUrl + localPath(lang, `/agentes/${slug}`),
    telephone: phone,
    parentOrganization: organization,
  })
}

export function siteData({ publicUrl, lang }: Visit): LinkedData {
  const search: WithActionConstraints<SearchAction> = {
    '@type': 'SearchAction',
    target: {
      '@type': 'EntryPoint',
      urlTemplate: `${publicUrl}${localPath(lang, '/propiedades')}?q={search_term_string}`,
    },
    'query-input': 'required name=search_term_string',
  }
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: 'Lonja',
    url: publicUrl + localPath(lang, '/'),
    inLanguage: lang,
    potentialAction: search,
  }
}

export function crumbData(
  steps: readonly { name: string; path?: string }[],
  { publicUrl, lang }: Visit,
): LinkedData {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, path }, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      ...(path ? { item: publicUrl + localPath(lang, path) } : {}),
    })),
  }
}
