import { toLocal } from '../../lib/time.ts'
import { XML_START } from '../../lib/xml.ts'
import type { PropertyType } from '../../lookups/catalog.ts'
import { element, parent } from './elements.ts'
import type { Format, Listing } from './format.ts'
import { entryId, type Operation, placeOf, typeOf } from './words.ts'

/** Homes have a type per operation and name the kind of home besides; everything else has types of its own. */
const HOME = { sale: 'For Sale', rental: 'For Rent' }
const TYPES: Record<PropertyType, Record<Operation['type'], string>> = {
  house: HOME,
  apartment: HOME,
  ranch: HOME,
  building: HOME,
  other: HOME,
  land: { sale: 'Land For Sale', rental: 'For Rent' },
  office: { sale: 'Office For Sale', rental: 'Office For Rent' },
  commercial: { sale: 'For Sale Local', rental: 'For Rent Local' },
  warehouse: { sale: 'Warehouse For Sale', rental: 'Warehouse For Rent' },
}

/** The layout knows these two; a price for another period would be read as one of a month, so it is left out. */
const hasKnownPeriod = ({ period }: Operation) =>
  period === undefined || period === 'monthly' || period === 'weekly'

const SHORTEST_CONTENT = 30

/** A text that is too short is refused with the whole ad. */
function contentOf(listing: Listing): string {
  const { title, description } = listing
  if (description && description.length >= SHORTEST_CONTENT) return description
  return [title, description, `${typeOf(listing)} en ${placeOf(listing)}, México`].filter(Boolean).join('. ')
}

/** Areas are whole square meters. */
const area = (name: string, m2: number | null) =>
  m2 !== null && m2 >= 1 ? element(name, Math.round(m2), { unit: 'meters' }) : ''

function ad(listing: Listing, operation: Operation): string {
  const { location, images } = listing
  const [day = '', time] = toLocal(new Date(listing.published_at ?? listing.created_at)).split('T')
  return parent(
    'ad',
    [
      element('id', entryId(listing, operation)),
      element('url', listing.url),
      element('title', listing.title),
      element('type', TYPES[listing.property_type][operation.type]),
      element('content', contentOf(listing)),
      hasKnownPeriod(operation) &&
        element('price', operation.amount, { currency: operation.currency, period: operation.period }),
      element('property_type', typeOf(listing)),
      element('address', location.address),
      element('city_area', location.neighborhood),
      element('city', location.city),
      element('region', location.state),
      element('postcode', location.postal_code),
      element('latitude', location.lat),
      element('longitude', location.lng),
      element('agency', listing.agency?.name ?? listing.agent.name),
      area('floor_area', listing.construction_m2),
      area('plot_area', listing.lot_m2),
      element('rooms', listing.bedrooms),
      element('bathrooms', listing.bathrooms),
      element('parking', listing.parking),
      element('year', listing.year_built),
      element('virtual_tour', listing.virtual_tour_url),
      element('date', day.split('-').reverse().join('/')),
      element('time', time),
      images.length > 0 &&
        parent('pictures', images.map(({ url }) => parent('picture', element('picture_url', url))).join('')),
    ]
      .filter(Boolean)
      .join(''),
  )
}

/** The layout of Trovit, Mitula and the portals that read theirs: one ad for each operation. */
export const trovit: Format = {
  type: 'application/xml; charset=utf-8',
  extension: 'xml',
  start: () => `${XML_START}<trovit>\n`,
  item: listing => listing.operations.map(operation => ad(listing, operation)).join('\n'),
  separator: '\n',
  end: '\n</trovit>\n',
}
