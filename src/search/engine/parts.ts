import type { Operation } from '../../lookups/catalog.ts'
import { type Criteria, MARKET_SORTS, type MarketSort } from '../criteria.ts'
import { Column, DictionaryColumn } from './columns.ts'
import { Facet, LabeledFacet } from './facet.ts'
import type { Ids } from './ids.ts'
import { Order } from './orders.ts'
import type { Postings } from './postings.ts'
import { Ranges } from './ranges.ts'
import type { Entry } from './rows.ts'
import type { Texts } from './texts.ts'

export const newColumns = () => ({
  /** The transaction of the last change. */
  xid: new Column(),
  salePrice: new Column(),
  rentPrice: new Column(),
  bedrooms: new DictionaryColumn(),
  bathrooms: new DictionaryColumn(),
  parking: new DictionaryColumn(),
  construction: new DictionaryColumn(),
  lot: new DictionaryColumn(),
  lat: new Column(),
  lng: new Column(),
  updated: new Column(),
  newest: new Column(),
  lowered: new DictionaryColumn(),
  commission: new DictionaryColumn(),
  halfBathrooms: new DictionaryColumn(),
  yearBuilt: new DictionaryColumn(),
  floors: new DictionaryColumn(),
})

export const newFacets = () => ({
  agent: new LabeledFacet(),
  type: new LabeledFacet(),
  state: new LabeledFacet(),
  city: new LabeledFacet(),
  municipality: new Facet(),
  neighborhood: new LabeledFacet(),
  amenity: new Facet(),
  /** `sale`, `rental`, and each with its currency. */
  price: new Facet(),
  /** See `Mark`, and the periods of rents. */
  mark: new Facet(),
  cell: new LabeledFacet<number>(),
})

export function writeColumns(columns: ReturnType<typeof newColumns>, slot: number, entry: Entry): void {
  columns.xid.set(slot, entry.xid)
  columns.salePrice.set(slot, entry.salePrice)
  columns.rentPrice.set(slot, entry.rentPrice)
  columns.bedrooms.set(slot, entry.bedrooms)
  columns.bathrooms.set(slot, entry.bathrooms)
  columns.parking.set(slot, entry.parking)
  columns.construction.set(slot, entry.construction)
  columns.lot.set(slot, entry.lot)
  columns.lat.set(slot, entry.lat)
  columns.lng.set(slot, entry.lng)
  columns.updated.set(slot, entry.updated)
  columns.newest.set(slot, entry.newest)
  columns.lowered.set(slot, entry.lowered)
  columns.commission.set(slot, entry.commission)
  columns.halfBathrooms.set(slot, entry.halfBathrooms)
  columns.yearBuilt.set(slot, entry.yearBuilt)
  columns.floors.set(slot, entry.floors)
}

export function newRanges(columns: ReturnType<typeof newColumns>) {
  const { salePrice, rentPrice, bedrooms, bathrooms, parking, construction, lot } = columns
  const { updated, newest, lowered, commission, halfBathrooms, yearBuilt, floors } = columns
  return {
    salePrice: new Ranges(salePrice),
    rentPrice: new Ranges(rentPrice),
    bedrooms: new Ranges(bedrooms),
    bathrooms: new Ranges(bathrooms),
    parking: new Ranges(parking),
    construction: new Ranges(construction),
    lot: new Ranges(lot),
    updated: new Ranges(updated),
    newest: new Ranges(newest),
    lowered: new Ranges(lowered),
    commission: new Ranges(commission),
    halfBathrooms: new Ranges(halfBathrooms),
    yearBuilt: new Ranges(yearBuilt),
    floors: new Ranges(floors),
  }
}

export type Orders = Record<
  'newest' | 'updated' | 'changed' | MarketSort | `${'sale' | 'rent' | 'any'}${'Up' | 'Down'}`,
  Order
>

const orLast = (rank: number) => (Number.isNaN(rank) ? Number.POSITIVE_INFINITY : rank)

export function newOrders(ids: Ids, columns: ReturnType<typeof newColumns>): Orders {
  const { xid, newest, updated, salePrice, rentPrice, commission, construction, lot } = columns
  const anyPrice = {
    get(slot: number) {
      const sale = salePrice.get(slot)
      return Number.isNaN(sale) ? rentPrice.get(slot) : sale
    },
  }
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
  ranges: ReturnType<typeof newRanges>
  facets: ReturnType<typeof newFacets>
  orders: Orders
  postings: Postings
  titles: Texts
}
