import { PROPERTY_TYPES, priceWith } from '../../lookups/catalog.ts'
import type { Listing } from './format.ts'

export type Operation = Listing['operations'][number]

export const placeOf = ({ location: { neighborhood, city, state } }: Listing): string =>
  [neighborhood, city, state].filter(part => part).join(', ')

export const pricesOf = ({ operations }: Listing): string =>
  operations.map(({ formatted_amount, period }) => priceWith(formatted_amount, period, 'es')).join(' · ')

export const typeOf = ({ property_type }: Listing): string => PROPERTY_TYPES[property_type].es

/** Formats with one price per entry have one entry per operation. The sale keeps the id: it stays when a rent is added. */
export const entryId = ({ id }: Listing, { type }: Operation): string =>
  type === 'sale' ? id : `${id}-${type}`
