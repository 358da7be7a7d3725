import { localPath, type Visit } from './visit.ts'
import { amenityName, type Listing, type Operation, priceText, titleOf } from './words.ts'

/** schema.org, as search engines read it. */
export type LinkedData = { '@context': 'https://schema.org'; '@type': string } & Record<string, unknown>

/** `<` is written otherwise, so that no text of an agent can end the script element. */
export function JsonLd({ data }: { data: LinkedData }) {
  const json = JSON.stringify(data)
    .replace(/</g, '\\u003c')
    .replace(/\u2028|\u2029/g, ' ')
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
}

const HOMES = {
  house: 'SingleFamilyResidence',
  apartment: 'Apartment',
  ranch: 'House',
  building: 'Residence',
} as const
const PERIOD_CODES = { monthly: 'MON', weekly: 'WEE', daily: 'DAY', yearly: 'ANN' } as const

/** How far the true place can be from the point that is shown. */
export const APPROXIMATE_METRES = 470

const isPlain = (value: unknown) => value !== null && value !== undefined
const known = <T extends Record<string, unknown>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isPlain(value)))

const squareMetres = (value: number | null) =>
  value === null ? null : { '@type': 'QuantitativeValue', value, unitCode: 'MTK' }

export function listingData(listing: Listing, visit: Visit): LinkedData {
  const { lang, publicUrl } = visit
  const { location } = listing
  const address = publicUrl + localPath(lang, `/propiedades/${listing.slug}`)
  const description = (lang === 'en' ? listing.description_en : null) ?? listing.description
  return {
    '@context': 'https://schema.org',
    '@type': 'RealEstateListing',
    ...known({
      '@id': address,
      url: address,
      name: titleOf(listing, lang),
      description,
      datePosted: listing.published_at,
      dateModified: listing.updated_at,
      image: listing.images.length > 0 ? listing.images.slice(0, 10).map(image => image.url) : null,
      offers: listing.operations.map(operation => offerData(operation, listing, visit)),
      mainEntity: known({
        '@type': HOMES[listing.property_type as keyof typeof HOMES] ?? 'Place',
        name: titleOf(listing, lang),
        address: known({
          '@type': 'PostalAddress',
          streetAddress: location.address,
          addressLocality: location.city,
          addressRegion: location.state,
          postalCode: location.postal_code,
          addressCountry: 'MX',
        }),
        ...(listing.property_type in HOMES
          ? known({
              numberOfBedrooms: listing.bedrooms,
              numberOfBathroomsTotal: listing.bathrooms,
              floorSize: squareMetres(listing.construction_m2),
              yearBuilt: listing.year_built,
            })
          : {}),
        amenityFeature:
          listing.features.length > 0
            ? listing.features.map(name => ({
                '@type': 'LocationFeatureSpecification',
                name: amenityName(name, lang),
                value: true,
              }))
            : null,
        geo: geoData(location),
      }),
    }),
  }
}

function geoData({ lat, lng, exact }: Listing['location']) {
  if (lat === null || lng === null) return null
  const point = { '@type': 'GeoCoordinates', latitude: lat, longitude: lng }
  return exact ? point : { '@type': 'GeoCircle', geoMidpoint: point, geoRadius: String(APPROXIMATE_METRES) }
}

function offerData(operation: Operation, { agent, agency }: Listing, visit: Visit) {
  const isSale = operation.type === 'sale'
  return {
    '@type': 'Offer',
    name: priceText(operation, visit.lang),
    price: operation.amount,
    priceCurrency: operation.currency,
    availability: 'https://schema.org/InStock',
    businessFunction: `http://purl.org/goodrelations/v1#${isSale ? 'Sell' : 'LeaseOut'}`,
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

export function agentData({ name, slug, phone, agency }: ShownAgent, { publicUrl, lang }: Visit) {
  return known({
    '@type': 'RealEstateAgent',
    name,
    url: publicUrl + localPath(lang, `/agentes/${slug}`),
    telephone: phone,
    parentOrganization: agency
      ? known({
          '@type': 'Organization',
          name: agency.name,
          url: publicUrl + localPath(lang, `/inmobiliarias/${agency.slug}`),
        })
      : null,
  })
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
