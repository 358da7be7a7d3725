import { CURRENCIES } from '../lib/money.ts'
import { AMENITIES } from '../lookups/amenities.ts'
import { operations, propertyTypes, rentPeriods } from '../lookups/catalog.ts'
import { STATES } from '../lookups/states.ts'
import type { Filters, Reach } from './criteria.ts'
import type { Search } from './service.ts'

/** One filter of a form: its values, and what the search would be with each. */
export interface Offer {
  name: string
  rest: Filters
  values: string[]
  options: Filters[]
}

/** By filter and value, how many would be found with it. */
export type OfferCounts = Map<string, Map<string, number>>

/** How many a value would find is asked of the same filters, its own replaced. */
export function offer(
  filters: Filters,
  name: string,
  replaced: readonly (keyof Filters)[],
  values: readonly string[],
  optionOf: (value: string) => Filters,
): Offer {
  const rest = Object.fromEntries(
    Object.entries(filters).filter(([key]) => !replaced.includes(key as keyof Filters)),
  )
  return { name, rest, values: [...values], options: values.map(optionOf) }
}

const NUMBERS = ['1', '2', '3', '4', '5']
const NUMBERED = {
  min_bedrooms: 'minBedrooms',
  max_bedrooms: 'maxBedrooms',
  min_bathrooms: 'minBathrooms',
  max_bathrooms: 'maxBathrooms',
  min_half_bathrooms: 'minHalfBathrooms',
  max_half_bathrooms: 'maxHalfBathrooms',
  min_parking: 'minParking',
  max_parking: 'maxParking',
  min_floors: 'minFloors',
  max_floors: 'maxFloors',
} as const satisfies Record<string, keyof Filters>

const numberOffers = (filters: Filters, names: readonly (keyof typeof NUMBERED)[]): Offer[] =>
  names.map(name =>
    offer(filters, name, [NUMBERED[name]], NUMBERS, value => ({ [NUMBERED[name]]: Number(value) })),
  )

const PRICED = ['operation', 'currency', 'minPrice', 'maxPrice', 'priceIn'] as const

/** The filters that the site and the market of the portal both offer. */
export function commonOffers(filters: Filters): Offer[] {
  // A listing needs one price that is of the operation, in the currency and in the range.
  const priced = Object.fromEntries(
    PRICED.filter(key => filters[key] !== undefined).map(key => [key, filters[key]]),
  ) as Filters
  const states = STATES.map(({ name }) => name)
  const amenities = AMENITIES.map(({ label }) => label)
  return [
    offer(filters, 'operation', PRICED, operations, value => ({ ...priced, operation: value as 'sale' })),
    offer(filters, 'currency', PRICED, CURRENCIES, value => ({ ...priced, currency: value as 'MXN' })),
    offer(filters, 'rent_period', ['rentPeriod'], rentPeriods, value => ({ rentPeriod: value as 'monthly' })),
    offer(filters, 'type', ['types'], propertyTypes, value => ({ types: [value as 'house'] })),
    offer(filters, 'state', ['state'], states, state => ({ state })),
    ...numberOffers(filters, ['min_bedrooms', 'min_bathrooms', 'min_parking']),
    // Amenities add up: each is asked together with those already chosen.
    offer(filters, 'features', [], amenities, value => ({ features: [value] })),
  ]
}

export const siteOffers = (filters: Filters): Offer[] => [
  // The site compares a range in the currency that is chosen: with another one it would be another range.
  ...commonOffers(filters).filter(({ name }) => name !== 'currency' || !filters.priceIn),
  ...numberOffers(filters, [
    'min_half_bathrooms',
    'min_floors',
    'max_bedrooms',
    'max_bathrooms',
    'max_parking',
    'max_half_bathrooms',
    'max_floors',
  ]),
]

export async function countOffers(
  search: Search,
  q: string | undefined,
  offers: Offer[],
  viewer: string | null,
  reach: Reach,
): Promise<OfferCounts> {
  const counted = await search.countOptions(offers, q, viewer, reach)
  return new Map(
    offers.map(({ name, values }, n) => [
      name,
      new Map(values.map((value, i) => [value, counted[n]?.[i] ?? 0])),
    ]),
  )
}
