import type { Operation } from '../../lookups/catalog.ts'
import { type Criteria, MARKET_SORTS, type MarketSort } from '../criteria.ts'
import { Column, SmallColumn } from './columns.ts'
import { Facet } from './facet.ts'
import type { Ids } from './ids.ts'
import { Order } from './orders.ts'
import type { Postings } from './postings.ts'
import type { Texts } from './texts.ts'

export const newColumns = () => ({
  /** The transaction of the last change. */
  xid: new Column(),
  salePrice: new Column(),
  rentPrice: new Column(),
  bedrooms: new Column(),
  bathrooms: new Column(),
  parking: new Column(),
  construction: new Column(),
  lot: new Column(),
  lat: new Column(),
  lng: new Column(),
  updated: new Column(),
  newest: new Column(),
  lowered: new Column(),
  commission: new Column(),
  halfBathrooms: new SmallColumn(),
  yearBuilt: new SmallColumn(),
  floors: new SmallColumn(),
})

export const newFacets = () => ({
  agent: new Facet(),
  type: new Facet(),
  state: new Facet(),
  city: new Facet(),
  municipality: new Facet(),
  neighborhood: new Facet(),
  amenity: new Facet(),
  /** `sale`, `rental`, and each with its currency. */
  price: new Facet(),
  /** `bedrooms 3`: at least three. */
  count: new Facet(),
  /** See `Mark`; `monthly` is a rent by the month. */
  mark: new Facet(),
  cell: new Facet<number>(),
})

export type Orders = Record<
  'newest' | 'updated' | 'changed' | MarketSort | `${'sale' | 'rent' | 'any'}${'Up' | 'Down'}`,
  Order
>

const orElse = (value: number, other: () => number) => (Number.isNaN(value) ? other() : value)
const orLast = (rank: number) => orElse(rank, () => Number.POSITIVE_INFINITY)

export function newOrders(ids: Ids, columns: ReturnType<typeof newColumns>): Orders {
  const { xid, newest, updated, salePrice, rentPrice, commission, construction, lot } = columns
  const anyPrice = { get: (slot: number) => orElse(salePrice.get(slot), () => rentPrice.get(slot)) }
  const up = (column: Pick<Column, 'get'>) => new Order(ids, slot => orLast(column.get(slot)))
  const down = (column: Pick<Column, 'get'>) => new Order(ids, slot => orLast(-column.get(slot)))
  return {
    newest: down(newest),
    updated: down(updated),
    changed: down(xid),
    saleUp: up(salePrice),
    saleDown: down(salePrice),
    rentUp: up(rentPrice),
    rentDown: down(rentPrice),
    anyUp: up(anyPrice),
    anyDown: down(anyPrice),
    commission: down(commission),
    construction: down(construction),
    lot: down(lot),
  }
}

export function orderOf(sort: Criteria['sort'], operation: Operation | undefined): keyof Orders {
  const ofMarket = MARKET_SORTS.find(one => one === sort)
  if (ofMarket) return ofMarket
  if (sort === 'updated') return 'updated'
  if (sort !== 'price_asc' && sort !== 'price_desc') return 'newest'
  const price = operation === 'sale' ? 'sale' : operation === 'rental' ? 'rent' : 'any'
  return `${price}${sort === 'price_asc' ? 'Up' : 'Down'}`
}

/** The parts that narrow a search. */
export interface Index {
  ids: Ids
  columns: ReturnType<typeof newColumns>
  facets: ReturnType<typeof newFacets>
  orders: Orders
  postings: Postings
  titles: Texts
}
