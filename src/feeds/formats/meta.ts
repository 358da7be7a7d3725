import { firstCharacters } from '../../lib/text.ts'
import { XML_START } from '../../lib/xml.ts'
import type { PropertyType } from '../../lookups/catalog.ts'
import { element, parent } from './elements.ts'
import type { Format, Listing } from './format.ts'
import { entryId, type Operation, placeOf, typeOf } from './words.ts'

/** What the catalog has no type for is `other`. */
const TYPES: Partial<Record<PropertyType, string>> = { house: 'house', apartment: 'apartment', land: 'land' }

const OFFERS = {
  sale: { availability: 'for_sale', listing_type: 'for_sale_by_agent' },
  rental: { availability: 'for_rent', listing_type: 'for_rent_by_agent' },
} as const

const addressOf = ({ location }: Listing) =>
  Object.entries({
    addr1: location.address,
    city: location.city,
    region: location.state,
    country: 'Mexico',
    postal_code: location.postal_code,
  })
    .map(([name, value]) => element('component', value, { name }))
    .join('')

const MAX_DESCRIPTION = 5_000
const MAX_IMAGES = 20

const descriptionOf = (listing: Listing) =>
  firstCharacters(listing.description ?? `${typeOf(listing)} en ${placeOf(listing)}`, MAX_DESCRIPTION)

function entry(listing: Listing, operation: Operation): string {
  const { location } = listing
  const { availability, listing_type } = OFFERS[operation.type]
  return parent(
    'listing',
    [
      element('home_listing_id', entryId(listing, operation)),
      element('name', listing.title),
      element('availability', availability),
      element('description', descriptionOf(listing)),
      parent('address', addressOf(listing), { format: 'simple' }),
      element('latitude', location.lat),
      element('longitude', location.lng),
      element('neighborhood', location.neighborhood ?? location.city),
      ...listing.images.slice(0, MAX_IMAGES).map(({ url }) => parent('image', element('url', url))),
      element('listing_type', listing_type),
      element('num_beds', listing.bedrooms),
      element('num_baths', listing.bathrooms),
      element('price', `${operation.amount.toFixed(2)} ${operation.currency}`),
      element('property_type', TYPES[listing.property_type] ?? 'other'),
      element('area_size', listing.construction_m2 ?? listing.lot_m2),
      element('area_unit', (listing.construction_m2 ?? listing.lot_m2) && 'sq_m'),
      element('year_built', listing.year_built),
      element('url', listing.url),
      element('agent_name', listing.agent.name),
      element('agent_phone', listing.agent.phone),
      element('agent_company', listing.agency?.name),
    ].join(''),
  )
}

/** Entries without a photo or a point are refused; a stay by the night is not a home listing. */
const isComplete = ({ images, location }: Listing) => images.length > 0 && location.lat !== null
const isHome = ({ period }: Operation) => period === undefined || period === 'monthly'

/** Meta's catalog of home listings: one entry for each operation. */
export const meta: Format = {
  type: 'application/xml; charset=utf-8',
  extension: 'xml',
  start: ({ name, agentUrl }) =>
    `${XML_START}<listings>${element('title', name)}${parent('link', '', { rel: 'self', href: agentUrl })}\n`,
  item: listing =>
    isComplete(listing)
      ? listing.operations
          .filter(isHome)
          .map(operation => entry(listing, operation))
          .join('\n')
      : '',
  separator: '\n',
  end: '\n</listings>\n',
}
