import { CURRENCIES } from '../lib/money.ts'
import { AMENITIES } from '../lookups/amenities.ts'
import { operations, propertyTypes } from '../lookups/catalog.ts'
import { STATES } from '../lookups/states.ts'
import { type Filters, MARKS } from '../search/criteria.ts'
import { type Asker, freshOf, leftOut } from './parameters.ts'

export const COMMISSIONS = ['1', '2', '2.5', '3', '4', '5']
export const FRESH = ['new-7', 'new-30', 'lowered-7', 'lowered-30', 'either-7', 'either-30']
const AT_LEAST = ['1', '2', '3', '4', '5']
const PRICED = ['operation', 'currency', 'minPrice', 'maxPrice'] as const

/** One filter of the form: its values, and what the search would be with each. */
interface Offer {
  name: string
  rest: Filters
  values: string[]
  options: Filters[]
}

/** How many a value would find is asked of the same filters, its own replaced. */
export function offersOf(filters: Filters, asker: Asker): Offer[] {
  const offer = (
    name: string,
    replaced: readonly (keyof Filters)[],
    values: readonly string[],
    optionOf: (value: string) => Filters,
  ): Offer => {
    const rest = Object.fromEntries(
      Object.entries(filters).filter(([key]) => !replaced.includes(key as keyof Filters)),
    )
    return { name, rest, values: [...values], options: values.map(optionOf) }
  }
  // A listing needs one price that is of the operation, in the currency and in the range.
  const priced = Object.fromEntries(
    PRICED.filter(key => filters[key] !== undefined).map(key => [key, filters[key]]),
  ) as Filters
  const otherMarks = (mark: string) => (filters.marks ?? []).filter(one => one !== mark)
  return [
    offer('operation', PRICED, operations, value => ({ ...priced, operation: value as 'sale' })),
    offer('currency', PRICED, CURRENCIES, value => ({ ...priced, currency: value as 'MXN' })),
    offer('type', ['types'], propertyTypes, value => ({ types: [value as 'house'] })),
    offer(
      'state',
      ['state'],
      STATES.map(({ name }) => name),
      state => ({ state }),
    ),
    offer('min_bedrooms', ['minBedrooms'], AT_LEAST, value => ({ minBedrooms: Number(value) })),
    offer('min_bathrooms', ['minBathrooms'], AT_LEAST, value => ({ minBathrooms: Number(value) })),
    offer('min_parking', ['minParking'], AT_LEAST, value => ({ minParking: Number(value) })),
    offer('min_commission', ['minCommission'], COMMISSIONS, value => ({ minCommission: Number(value) })),
    offer('fresh', ['fresh'], FRESH, value => ({
      fresh: freshOf(value, asker.now) as NonNullable<Filters['fresh']>,
    })),
    offer('not', ['notAgents'], ['mine', 'agency'], value => ({ notAgents: leftOut(value, asker) })),
    ...MARKS.map(mark => offer(mark, ['marks'], ['1'], () => ({ marks: [...otherMarks(mark), mark] }))),
    offer(
      'features',
      [],
      AMENITIES.map(({ label }) => label),
      value => ({ features: [value] }),
    ),
  ]
}
