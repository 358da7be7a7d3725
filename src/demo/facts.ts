import type { Sizes } from './figures.ts'
import type { Operation, Subject } from './kinds.ts'
import type { Place } from './places.ts'
import type { Prices } from './prices.ts'
import type { PropertyType } from './types.ts'

/** All texts of a listing derive from these, so that no sentence contradicts the record. */
export type Facts = {
  type: PropertyType
  subject: Subject
  operation: Operation
  place: Place
  sizes: Sizes
  prices: Prices
  features: readonly string[]
  exclusive: boolean
  thisYear: number
}

export const hasFeature = (f: Facts, label: string): boolean => f.features.includes(label)

/** 1,250. Not Intl: the text must not depend on the runtime's locale data. */
export const grouped = (n: number): string => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',')

/** Rented by the night or week. */
export const isHoliday = (f: Facts): boolean =>
  f.prices.rent_period === 'daily' || f.prices.rent_period === 'weekly'

/** Built this year or in the last two. */
export const isNew = (f: Facts): boolean =>
  f.sizes.year_built !== null && f.sizes.year_built >= f.thisYear - 2
