import { Column } from './columns.ts'
import { Facet } from './facet.ts'
import type { Ids } from './ids.ts'
import type { Order } from './orders.ts'
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
  cell: new Facet<number>(),
})

export type Orders = Record<
  'newest' | 'updated' | 'changed' | `${'sale' | 'rent' | 'any'}${'Up' | 'Down'}`,
  Order
>

/** The parts that narrow a search. */
export interface Index {
  ids: Ids
  columns: ReturnType<typeof newColumns>
  facets: ReturnType<typeof newFacets>
  orders: Orders
  postings: Postings
  titles: Texts
}
