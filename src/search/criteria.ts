import { type Field, oneOf, type Reading, text } from '../lib/fields.ts'
import { CURRENCIES, type Currency } from '../lib/money.ts'
import {
  numberParameter,
  type Parameter,
  parseInstant,
  querySchema,
  readQuery,
  repeated,
} from '../lib/query.ts'
import { foldText } from '../lib/text.ts'
import { canonicalAmenity } from '../lookups/amenities.ts'
import {
  LIMITS,
  type Operation,
  operations,
  type PropertyType,
  propertyTypes,
  type Sort,
  sorts,
} from '../lookups/catalogue.ts'
import { canonicalState } from '../lookups/states.ts'

/** What is asked for. Every member that is there must hold; places are folded already. */
export interface Criteria {
  q?: string
  operation?: Operation
  types?: PropertyType[]
  state?: string
  city?: string
  neighborhood?: string
  minPrice?: number
  maxPrice?: number
  currency?: Currency
  minBedrooms?: number
  minBathrooms?: number
  minParking?: number
  minConstruction?: number
  minLot?: number
  features?: string[]
  rectangle?: { swLat: number; swLng: number; neLat: number; neLng: number }
  circle?: { lat: number; lng: number; radiusKm: number }
  updatedSince?: Date
  sort: Sort
  page: number
  limit: number
}

const described = <T>(parameter: Parameter<T>, description: string, example?: unknown): Parameter<T> => ({
  ...parameter,
  schema: { ...parameter.schema, description, ...(example === undefined ? {} : { example }) },
})

const state: Field<string> = {
  schema: { type: 'string' },
  read: (value, fail) =>
    canonicalState(String(value)) ?? void fail('must be the name of a Mexican state as listed by GET /meta'),
}

const amenity: Field<string> = {
  schema: { type: 'string' },
  read: (value, fail) =>
    canonicalAmenity(String(value)) ??
    void fail(`"${String(value).slice(0, 80)}" is not an amenity listed by GET /meta`),
}

const instant: Field<Date> = {
  schema: { type: 'string', format: 'date-time' },
  read: (value, fail) =>
    parseInstant(String(value)) ??
    void fail('must be an ISO 8601 time with a zone, such as 2026-01-31T18:00:00Z'),
}

const place = text({ max: 200 })
const price = () => numberParameter({ min: 0, max: 1e15 })
const minimum = () => numberParameter({ min: 0, max: 1e9 })
const latitude = () => numberParameter({ min: -90, max: 90 })
const longitude = () => numberParameter({ min: -180, max: 180 })

export const searchParameters = {
  q: described(
    text({ max: 200 }),
    'Free text, Spanish stemming, accents do not matter. All words must occur.',
    'casa con jardín',
  ),
  operation: described(oneOf(operations), 'sale: has a sale price; rental: has a rent price.'),
  type: described(repeated(oneOf(propertyTypes)), 'Property type; repeat for several.'),
  state: described(state, 'Name of a state; its usual abbreviations are understood.', 'Jalisco'),
  city: described(place, 'Part of the name; accents and case do not matter.', 'guadalajara'),
  neighborhood: described(place, 'Part of the name; accents and case do not matter.'),
  min_price: described(
    price(),
    'Compared with the sale price when operation=sale, the rent when operation=rental, otherwise either. No conversion between currencies.',
  ),
  max_price: price(),
  currency: described(oneOf(CURRENCIES), 'Only listings priced in that currency.'),
  min_bedrooms: minimum(),
  min_bathrooms: minimum(),
  min_parking: minimum(),
  min_construction: described(minimum(), 'Built area, square metres.'),
  min_lot: described(minimum(), 'Lot area, square metres.'),
  features: described(
    repeated(amenity),
    'Amenity label; repeat for several, all of which the listing must have.',
  ),
  sw_lat: described(latitude(), 'South-west corner of a map rectangle; all four belong together.'),
  sw_lng: longitude(),
  ne_lat: latitude(),
  ne_lng: longitude(),
  lat: described(latitude(), 'Centre of a circle; goes with lng and radius_km.'),
  lng: longitude(),
  radius_km: numberParameter({ min: 0, above: true, max: LIMITS.radius_km_max }),
  updated_since: described(
    instant,
    'Only listings changed at that time or later.',
    '2026-01-31T18:00:00.000Z',
  ),
  sort: described(
    oneOf(sorts),
    'newest when not given. Featured listings come first in every order; updated is newest change first.',
  ),
  page: described(numberParameter({ min: 1, max: Number.MAX_SAFE_INTEGER, decimals: 0 }), 'Starts at 1.'),
  limit: described(
    numberParameter({ min: 1, max: Number.MAX_SAFE_INTEGER, decimals: 0 }),
    'Default 24; more than 100 counts as 100.',
  ),
} satisfies Record<string, Parameter<unknown>>

export const searchQuerySchema = querySchema(searchParameters)

/** From a query string to what search understands, or every reason why not. */
export function readCriteria(query: URLSearchParams): Reading<Criteria> {
  const { value, errors } = readQuery(searchParameters, query)
  const criteria: Criteria = {
    sort: value.sort ?? 'newest',
    page: value.page ?? 1,
    limit: Math.min(value.limit ?? LIMITS.page_size_default, LIMITS.page_size_max),
    ...optional('q', value.q),
    ...optional('operation', value.operation),
    ...optional('types', value.type),
    ...optional('state', value.state),
    ...optional('city', value.city ? foldText(value.city) : undefined),
    ...optional('neighborhood', value.neighborhood ? foldText(value.neighborhood) : undefined),
    // A minimum of 0 asks for nothing, not even that the number be known.
    ...optional('minPrice', value.min_price || undefined),
    ...optional('maxPrice', value.max_price),
    ...optional('currency', value.currency),
    ...optional('minBedrooms', value.min_bedrooms || undefined),
    ...optional('minBathrooms', value.min_bathrooms || undefined),
    ...optional('minParking', value.min_parking || undefined),
    ...optional('minConstruction', value.min_construction || undefined),
    ...optional('minLot', value.min_lot || undefined),
    ...optional('features', value.features),
    ...optional('updatedSince', value.updated_since),
  }
  if (
    criteria.minPrice !== undefined &&
    criteria.maxPrice !== undefined &&
    criteria.minPrice > criteria.maxPrice
  ) {
    errors.push('min_price must not be greater than max_price')
  }
  if (isWhole(query, ['sw_lat', 'sw_lng', 'ne_lat', 'ne_lng'], errors)) {
    const { sw_lat: swLat, sw_lng: swLng, ne_lat: neLat, ne_lng: neLng } = value
    if (swLat !== undefined && swLng !== undefined && neLat !== undefined && neLng !== undefined) {
      criteria.rectangle = { swLat, swLng, neLat, neLng }
      if (swLat > neLat) errors.push('sw_lat must not be greater than ne_lat')
      if (swLng > neLng) errors.push('sw_lng must not be greater than ne_lng')
    }
  }
  if (isWhole(query, ['lat', 'lng', 'radius_km'], errors)) {
    const { lat, lng, radius_km: radiusKm } = value
    if (lat !== undefined && lng !== undefined && radiusKm !== undefined)
      criteria.circle = { lat, lng, radiusKm }
  }
  return { value: criteria, errors }
}

const optional = <K extends keyof Criteria>(name: K, value: Criteria[K] | null | undefined) =>
  value === undefined || value === null ? {} : { [name]: value }

/** Parameters that only mean something together: all, or the missing ones are named. */
function isWhole(query: URLSearchParams, names: string[], errors: string[]): boolean {
  const missing = names.filter(name => !query.get(name))
  if (missing.length === names.length) return false
  const given = names.filter(name => query.get(name)).join(', ')
  errors.push(...missing.map(name => `${name} is required with ${given}`))
  return missing.length === 0
}
