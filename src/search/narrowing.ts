import type { Operation } from '../lookups/catalogue.ts'
import type { Bitmap } from './bitmap.ts'
import type { Criteria } from './criteria.ts'
import type { Engine } from './engine.ts'
import type { Facet } from './facet.ts'
import { boxAround, cellsOf, insideOf } from './globe.ts'
import type { Order } from './orders.ts'
import { WEIGHTS } from './postings.ts'
import { agentKey } from './rows.ts'
import type { Scores } from './scores.ts'
import type { Scratch } from './scratch.ts'

// "At least n" has a set of its own up to here; beyond, and for fractions, the column is read.
export const MOST_COUNTED = 8
export const COUNTED = ['bedrooms', 'bathrooms', 'parking'] as const
export type Counted = (typeof COUNTED)[number]
const keysOf = (name: Counted) => Array.from({ length: MOST_COUNTED + 1 }, (_, n) => `${name} ${n}`)
export const COUNT_KEYS: Record<Counted, string[]> = {
  bedrooms: keysOf('bedrooms'),
  bathrooms: keysOf('bathrooms'),
  parking: keysOf('parking'),
}

type Index = Pick<Engine, 'columns' | 'facets' | 'orders' | 'postings' | 'titles'>

/** One search from all that its viewer may see down to what was asked for. */
export class Narrowing {
  readonly #index: Index
  readonly #hits: Bitmap
  readonly #scratch: Scratch

  constructor(index: Index, hits: Bitmap, scratch: Scratch) {
    this.#index = index
    this.#hits = hits
    this.#scratch = scratch
  }

  /** Everything that is asked for but the text. */
  by(c: Criteria): void {
    const hits = this.#hits
    const { facets, columns } = this.#index
    if (c.types) this.#keepAny(hits, facets.type, c.types)
    if (c.state) this.#keep(hits, facets.state, c.state)
    for (const amenity of c.features ?? []) this.#keep(hits, facets.amenity, amenity)
    if (c.minBedrooms) this.#keepAtLeast(hits, 'bedrooms', c.minBedrooms)
    if (c.minBathrooms) this.#keepAtLeast(hits, 'bathrooms', c.minBathrooms)
    if (c.minParking) this.#keepAtLeast(hits, 'parking', c.minParking)
    if (c.city) this.#keepAny(hits, facets.city, facets.city.containing(c.city))
    if (c.neighborhood)
      this.#keepAny(hits, facets.neighborhood, facets.neighborhood.containing(c.neighborhood))
    if (c.cities) this.#keepAny(hits, facets.city, c.cities)
    if (c.agents) this.#keepAny(hits, facets.agent, c.agents.map(agentKey))
    this.#keepPriced(hits, c)
    if (c.updatedSince) {
      this.#keepRanked(hits, this.#index.orders.updated, Number.NEGATIVE_INFINITY, -c.updatedSince.getTime())
    }
    if (c.rectangle) this.#keepInside(hits, c.rectangle)
    if (c.circle) this.#keepAround(hits, c.circle)
    const { minConstruction, minLot } = c
    if (minConstruction) hits.keepAtLeast(columns.construction.values, minConstruction)
    if (minLot) hits.keepAtLeast(columns.lot.values, minLot)
  }

  byTitle(begins: string): void {
    const start = Buffer.from(begins)
    const { titles } = this.#index
    this.#hits.keep(slot => titles.startsWith(slot, start))
  }

  #keep(hits: Bitmap, facet: Facet, value: string): void {
    const set = facet.sets.get(value)
    if (set) set.andInto(hits, this.#scratch)
    else hits.clear()
  }

  #keepAny(hits: Bitmap, facet: Facet, values: Iterable<string>): void {
    const union = this.#scratch.empty()
    facet.orInto(union, values)
    hits.and(union)
  }

  #keepAtLeast(hits: Bitmap, name: Counted, least: number): void {
    if (Number.isInteger(least) && least <= MOST_COUNTED) {
      this.#keep(hits, this.#index.facets.count, COUNT_KEYS[name][least] as string)
    } else hits.keepAtLeast(this.#index.columns[name].values, least)
  }

  /** One and the same operation has to be in the range and in the currency. */
  #keepPriced(hits: Bitmap, { operation, minPrice, maxPrice, currency }: Criteria): void {
    const isAsked = operation ?? minPrice ?? maxPrice ?? currency
    if (isAsked === undefined) return
    const keepOne = (among: Bitmap, one: Operation) => {
      this.#keep(among, this.#index.facets.price, currency ? `${one} ${currency}` : one)
      if (minPrice === undefined && maxPrice === undefined) return
      const order = one === 'sale' ? this.#index.orders.saleDown : this.#index.orders.rentDown
      this.#keepRanked(among, order, -(maxPrice ?? Number.POSITIVE_INFINITY), -(minPrice ?? 0))
    }
    if (operation) {
      keepOne(hits, operation)
      return
    }
    const rented = this.#scratch.copyOf(hits)
    keepOne(rented, 'rental')
    keepOne(hits, 'sale')
    hits.or(rented)
  }

  /** Three ways to the same set; each is the cheapest for some markets. */
  #keepRanked(hits: Bitmap, order: Order, low: number, high: number): void {
    const { from, to } = order.segment(low, high)
    const inside = to - from
    const outside = order.size - inside
    if (hits.count() < Math.min(inside, outside)) {
      hits.keep(slot => order.rank(slot) >= low && order.rank(slot) <= high)
    } else if (inside < outside) {
      const ranked = this.#scratch.empty()
      for (let i = from; i < to; i++) ranked.add(order.slots[i] as number)
      hits.and(ranked)
    } else {
      for (let i = 0; i < from; i++) hits.remove(order.slots[i] as number)
      for (let i = to; i < order.size; i++) hits.remove(order.slots[i] as number)
    }
  }

  #keepInside(hits: Bitmap, rectangle: NonNullable<Criteria['rectangle']>): void {
    this.#keepNear(hits, rectangle)
    const { swLat, swLng, neLat, neLng } = rectangle
    const lat = this.#index.columns.lat.values
    const lng = this.#index.columns.lng.values
    hits.keep(slot => {
      const [y, x] = [lat[slot] as number, lng[slot] as number]
      return y >= swLat && y <= neLat && x >= swLng && x <= neLng
    })
  }

  #keepAround(hits: Bitmap, circle: NonNullable<Criteria['circle']>): void {
    this.#keepNear(hits, boxAround(circle))
    const { lat, lng } = this.#index.columns
    const isAround = insideOf(circle)
    hits.keep(slot => isAround(lat.get(slot), lng.get(slot)))
  }

  #keepNear(hits: Bitmap, box: NonNullable<Criteria['rectangle']>): void {
    const { cell } = this.#index.facets
    const cells = cellsOf(box, cell.sets.size)
    if (cells) this.#keepAny(hits, cell, cells)
  }

  /** All groups must be there; each adds to the score what its best place is worth: 8, 4, 2 or 1. */
  byWords(groups: string[][], scores: Scores | undefined): void {
    const hits = this.#hits
    const places = Array.from({ length: groups.length > 0 ? WEIGHTS : 0 }, () => this.#scratch.empty())
    const anywhere = groups.length > 0 ? this.#scratch.empty() : hits
    for (const group of groups) {
      anywhere.clear()
      for (let weight = WEIGHTS - 1; weight >= 0; weight--) {
        const place = places[weight] as Bitmap
        place.clear()
        this.#index.postings.orInto(place, group, weight)
        if (scores) place.andNot(anywhere)
        anywhere.or(place)
      }
      hits.and(anywhere)
      scores?.add(places)
    }
  }
}
