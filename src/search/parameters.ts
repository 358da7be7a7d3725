import { describe, oneOf, type Reading, refined, text } from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { CURRENCIES } from '../lib/money.ts'
import { instant, numberParameter, type Parameter, readQuery, repeated } from '../lib/query.ts'
import type { Selection } from '../lib/selection.ts'
import { foldText } from '../lib/text.ts'
import { isUuid } from '../lib/uuid.ts'
import { listingFieldsParameter } from '../listings/schema.ts'
import { apiSorts, LIMITS, operations, propertyTypes, rentPeriods } from '../lookups/catalog.ts'
import { amenityField, stateField } from '../lookups/fields.ts'
import type { Criteria, Filters } from './criteria.ts'
import { readCursor } from './cursor.ts'
import { readPlace } from './places/place.ts'
import { boxParameter, polygonParameter } from './polygons.ts'

const place = refined(text({ max: 200 }), name => foldText(name) !== '', ['no_letters'])
const price = () => numberParameter({ min: 0, max: 1e15 })
const minimum = () => numberParameter({ min: 0, max: 1e9 })
const latitude = () => numberParameter({ min: -90, max: 90 })
const longitude = () => numberParameter({ min: -180, max: 180 })

const ids: Parameter<string[]> = {
  schema: { type: 'string' },
  read(value, fail) {
    const named = String(value).split(',')
    if (named.length > LIMITS.page_size_max)
      return void fail('too_many_items', { max: LIMITS.page_size_max, sent: named.length })
    if (!named.every(isUuid)) return void fail('not_ids')
    return named.map(id => id.toLowerCase())
  },
}

/** The filters, also used to follow changes. */
export const filterParameters = {
  ids: describe(
    ids,
    'Only these listings: up to 100 UUIDs, separated by commas. Listings that do not exist or that you cannot see are omitted.',
    '5f0c8a52-6f0e-4c1e-9d0a-3b1f6c2d7e11',
  ),
  q: describe(
    text({ max: 200 }),
    'Free text with Spanish stemming; accents are ignored. All words must match.',
    'casa con jardín',
  ),
  operation: describe(oneOf(operations), 'sale: has a sale price; rental: has a rent price.', 'sale'),
  rent_period: describe(oneOf(rentPeriods), 'Only listings for rent by this period.', 'monthly'),
  type: describe(repeated(oneOf(propertyTypes)), 'Property type; repeat for several.', ['house']),
  state: describe(stateField, 'Name of a state; common abbreviations are accepted.', 'Jalisco'),
  city: describe(place, 'Part of the name; accents and case do not matter.', 'guadalajara'),
  neighborhood: describe(place, 'Part of the name; accents and case do not matter.', 'providencia'),
  place: describe(
    refined(text({ max: 200 }), place => readPlace(place) !== undefined, ['no_letters']),
    'A place as people write it: a neighborhood, city, municipality or state, including common short names. Parts after a comma narrow it; "o" or "or" between names means either.',
    'Roma Norte, CDMX',
  ),
  min_price: describe(
    price(),
    'Compared with the sale price when operation=sale, the rent when operation=rental, otherwise either. No conversion between currencies.',
    1_000_000,
  ),
  max_price: describe(price(), 'See min_price.', 5_000_000),
  currency: describe(oneOf(CURRENCIES), 'Only listings priced in this currency.', 'MXN'),
  min_bedrooms: describe(minimum(), 'Minimum number of bedrooms; 0 means no minimum.', 2),
  min_bathrooms: describe(
    minimum(),
    'Minimum of `bathrooms` as it is written, which may be 2.5; `half_bathrooms` is not added.',
    1,
  ),
  min_parking: describe(minimum(), 'Minimum number of parking spaces.', 1),
  min_construction: describe(minimum(), 'Minimum built area in square meters.', 80),
  min_lot: describe(minimum(), 'Minimum lot area in square meters.', 120),
  max_bedrooms: describe(minimum(), 'Maximum number of bedrooms.', 4),
  max_bathrooms: describe(
    minimum(),
    'Maximum of `bathrooms` as it is written; `half_bathrooms` is not added.',
    3,
  ),
  max_parking: describe(minimum(), 'Maximum number of parking spaces.', 3),
  max_construction: describe(minimum(), 'Maximum built area in square meters.', 400),
  max_lot: describe(minimum(), 'Maximum lot area in square meters.', 1_000),
  min_half_bathrooms: describe(minimum(), 'Minimum number of half bathrooms.', 1),
  max_half_bathrooms: describe(minimum(), 'Maximum number of half bathrooms.', 2),
  min_year_built: describe(minimum(), 'Built in this year or later.', 2000),
  max_year_built: describe(minimum(), 'Built in this year or earlier.', 2020),
  min_floors: describe(minimum(), 'Minimum number of floors.', 1),
  max_floors: describe(minimum(), 'Maximum number of floors.', 3),
  features: describe(
    repeated(amenityField),
    'Amenity label; repeat for several. A listing must have them all.',
    ['Jardín'],
  ),
  exclude_features: describe(
    repeated(amenityField),
    'Amenity label; repeat for several. A listing must have none of them.',
    ['Alberca'],
  ),
  sw_lat: describe(
    latitude(),
    'Southwest corner of a map rectangle; all four values are required together.',
    20.6,
  ),
  sw_lng: describe(longitude(), 'With sw_lat.', -103.5),
  ne_lat: describe(latitude(), 'Northeast corner of the rectangle.', 20.8),
  ne_lng: describe(longitude(), 'With ne_lat.', -103.2),
  bbox: describe(
    boxParameter,
    'The same rectangle in one parameter: west,south,east,north.',
    '-103.5,20.6,-103.2,20.8',
  ),
  lat: describe(latitude(), 'Center of a circle; requires lng, and radius_km unless sort=distance.', 20.6911),
  lng: describe(longitude(), 'With lat.', -103.3782),
  radius_km: describe(
    numberParameter({ min: 0, above: true, max: LIMITS.radius_km_max }),
    'Kilometers around lat, lng, measured to the displayed coordinates.',
    5,
  ),
  polygon: describe(
    polygonParameter,
    'Only listings whose displayed point is inside: a GeoJSON Polygon or MultiPolygon, holes included, or `lat,lng;lat,lng;…`. Repeat for several areas; up to 500 points in all.',
    ['20.66,-103.40;20.70,-103.40;20.70,-103.36;20.66,-103.36'],
  ),
} satisfies Record<string, Parameter<unknown>>

/** What narrows a search. */
export const criteriaParameters = {
  ...filterParameters,
  updated_since: describe(
    instant,
    'Only listings changed at or after this time.',
    '2026-01-31T18:00:00.000Z',
  ),
} satisfies Record<string, Parameter<unknown>>

export const searchParameters = {
  ask: describe(
    text({ max: 300 }),
    'What a person would type, in Spanish or English. It is turned into filters, listed under `understood`; filters sent explicitly take precedence.',
    'depa 2 recámaras en renta roma norte menos de 25 mil',
  ),
  ...criteriaParameters,
  sort: describe(
    oneOf(apiSorts),
    'Default: newest. Featured listings come first in every order; updated means latest change first; distance is from lat, lng, which then do not need a radius_km.',
    'updated',
  ),
  page: describe(numberParameter({ min: 1, max: Number.MAX_SAFE_INTEGER, decimals: 0 }), 'Starts at 1.', 1),
  cursor: describe(
    text({ max: 400 }),
    'Instead of page: continues where another page ended, even if listings were added or removed since. Do not build one yourself: follow the `Link` header, and keep the other parameters.',
    'WzE3NzAxMTAwNDI3NzEsIjVmMGM4YTUyIl0',
  ),
  limit: describe(
    numberParameter({ min: 1, max: Number.MAX_SAFE_INTEGER, decimals: 0 }),
    'Default 24, or 100 with ids; values over 100 count as 100.',
    24,
  ),
  fields: listingFieldsParameter,
} satisfies Record<string, Parameter<unknown>>

/** Parses a query string into search criteria, or reports every problem. */
export const readCriteria = (query: URLSearchParams): Reading<Criteria> => readSearch(query)

/** The criteria, and the fields of each listing to answer, if not all. */
export function readSearch(
  query: URLSearchParams,
  extras: Partial<Filters> = {},
): Reading<Criteria> & { fields: Selection | undefined } {
  const { value, issues } = readQuery(searchParameters, query)
  const filters = {
    ...filtersOf(value, query, issues),
    ...optional('updatedSince', value.updated_since),
    ...extras,
  }
  // All requested ids fit on one page.
  const defaultLimit = filters.ids ? LIMITS.page_size_max : LIMITS.page_size_default
  const criteria: Criteria = {
    sort: value.sort ?? 'newest',
    page: value.page ?? 1,
    limit: Math.min(value.limit ?? defaultLimit, LIMITS.page_size_max),
    ...filters,
  }
  if (criteria.sort === 'distance') {
    const { lat, lng } = value
    if (lat !== undefined && lng !== undefined) criteria.near = { lat, lng }
    else if (!query.get('lat') && !query.get('lng'))
      for (const name of ['lat', 'lng']) issues.push(issue(name, 'required_by', { other: 'sort=distance' }))
  }
  if (value.cursor && issues.length === 0) {
    const next = readCursor(criteria, value.cursor)
    if (next) return { value: next, issues: withoutPage(value.page), fields: value.fields }
    issues.push(issue('cursor', 'foreign_cursor'))
  }
  if (value.cursor) issues.push(...withoutPage(value.page))
  return { value: criteria, issues, fields: value.fields }
}

const withoutPage = (page: number | undefined): Issue[] =>
  page === undefined ? [] : [issue('page', 'not_with', { other: 'cursor' })]

/** Everything but the order and the page. */
export function readNarrowing(query: URLSearchParams, extras: Partial<Filters>): Reading<Filters> {
  const { value, issues } = readQuery(criteriaParameters, query)
  const filters = filtersOf(value, query, issues)
  return { value: { ...filters, ...optional('updatedSince', value.updated_since), ...extras }, issues }
}

/** Parses the filters only. */
export function readFilters(query: URLSearchParams): Reading<Filters> {
  const { value, issues } = readQuery(filterParameters, query)
  return { value: filtersOf(value, query, issues), issues }
}

type FilterValues = ReturnType<typeof readQuery<typeof filterParameters>>['value']

function filtersOf(value: FilterValues, query: URLSearchParams, issues: Issue[]): Filters {
  const filters: Filters = {
    ...optional('ids', value.ids),
    ...optional('q', value.q),
    ...optional('operation', value.operation),
    ...optional('rentPeriod', value.rent_period),
    ...optional('types', value.type),
    ...optional('state', value.state),
    ...optional('city', value.city ? foldText(value.city) : undefined),
    ...optional('neighborhood', value.neighborhood ? foldText(value.neighborhood) : undefined),
    // A minimum of 0 is no filter: it also includes unknown values.
    ...optional('minPrice', value.min_price || undefined),
    ...optional('maxPrice', value.max_price),
    ...optional('currency', value.currency),
    ...optional('minBedrooms', value.min_bedrooms || undefined),
    ...optional('minBathrooms', value.min_bathrooms || undefined),
    ...optional('minParking', value.min_parking || undefined),
    ...optional('minConstruction', value.min_construction || undefined),
    ...optional('minLot', value.min_lot || undefined),
    ...optional('maxBedrooms', value.max_bedrooms),
    ...optional('maxBathrooms', value.max_bathrooms),
    ...optional('maxParking', value.max_parking),
    ...optional('maxConstruction', value.max_construction),
    ...optional('maxLot', value.max_lot),
    ...optional('minHalfBathrooms', value.min_half_bathrooms || undefined),
    ...optional('maxHalfBathrooms', value.max_half_bathrooms),
    ...optional('minYearBuilt', value.min_year_built || undefined),
    ...optional('maxYearBuilt', value.max_year_built),
    ...optional('minFloors', value.min_floors || undefined),
    ...optional('maxFloors', value.max_floors),
    ...optional('place', value.place ? readPlace(value.place) : undefined),
    ...optional('features', value.features),
    ...optional('notFeatures', value.exclude_features),
    ...optional('polygons', value.polygon),
  }
  if (
    filters.minPrice !== undefined &&
    filters.maxPrice !== undefined &&
    filters.minPrice > filters.maxPrice
  ) {
    issues.push(issue('min_price', 'greater_than', { other: 'max_price' }))
  }
  if (isWhole(query, ['sw_lat', 'sw_lng', 'ne_lat', 'ne_lng'], issues)) {
    const { sw_lat: swLat, sw_lng: swLng, ne_lat: neLat, ne_lng: neLng } = value
    if (swLat !== undefined && swLng !== undefined && neLat !== undefined && neLng !== undefined) {
      filters.rectangle = { swLat, swLng, neLat, neLng }
      if (swLat > neLat) issues.push(issue('sw_lat', 'greater_than', { other: 'ne_lat' }))
      if (swLng > neLng) issues.push(issue('sw_lng', 'greater_than', { other: 'ne_lng' }))
    }
  }
  if (value.bbox) {
    if (filters.rectangle) issues.push(issue('bbox', 'not_with', { other: 'sw_lat' }))
    filters.rectangle = value.bbox
  }
  const isSorted = query.get('sort') === 'distance' && !query.get('radius_km')
  if (isWhole(query, ['lat', 'lng', ...(isSorted ? [] : ['radius_km'])], issues)) {
    const { lat, lng, radius_km: radiusKm } = value
    if (lat !== undefined && lng !== undefined && radiusKm !== undefined)
      filters.circle = { lat, lng, radiusKm }
  }
  return filters
}

const optional = <K extends keyof Criteria>(name: K, value: Criteria[K] | null | undefined) =>
  value === undefined || value === null ? {} : { [name]: value }

/** Parameters that require each other: all or none; missing ones are reported. */
function isWhole(query: URLSearchParams, names: string[], issues: Issue[]): boolean {
  const isGiven = (name: string) => query.getAll(name).some(text => text !== '')
  const missing = names.filter(name => !isGiven(name))
  if (missing.length === names.length) return false
  const given = names.filter(isGiven)
  issues.push(...missing.map(name => issue(name, 'required_with', { given })))
  return missing.length === 0
}
