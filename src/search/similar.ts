import type { Currency } from '../lib/money.ts'
import type { PropertyType } from '../lookups/catalog.ts'
import type { Like } from './engine/similar.ts'

/** What a row or a withdrawn listing tells of itself. */
export interface Alike {
  id: string
  property_type: PropertyType
  state: string
  public_lat: number | null
  public_lng: number | null
  sale_price: number | null
  sale_currency: Currency | null
  rent_price: number | null
  rent_currency: Currency | null
  construction_m2: number | null
  lot_m2: number | null
}

const known = (value: number | null) => value ?? Number.NaN

export function likeOf(listing: Alike): Like {
  const { id, property_type: type, state, sale_price: sale, rent_price: rent } = listing
  const currency = sale === null ? listing.rent_currency : listing.sale_currency
  const operation = sale === null ? 'rental' : 'sale'
  const measure = listing.construction_m2 === null ? 'lot' : 'construction'
  return {
    id,
    type,
    state,
    offer: (sale ?? rent) !== null && currency ? { operation, currency } : undefined,
    lat: known(listing.public_lat),
    lng: known(listing.public_lng),
    price: known(sale ?? rent),
    size: known(measure === 'lot' ? listing.lot_m2 : listing.construction_m2),
    measure,
  }
}
