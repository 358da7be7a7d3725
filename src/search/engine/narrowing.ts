import { CURRENCIES } from '../../lib/money.ts'
import type { Operation } from '../../lookups/catalog.ts'
import type { Filters, WordGroup } from '../criteria.ts'
import type { PlacePart } from '../places/place.ts'
import type { Bitmap } from './bitmap.ts'
import type { Column, SmallColumn } from './columns.ts'
import { rangeIn } from './converted.ts'
import type { Facet } from './facet.ts'
import { type Area, boundsOf, cellsIn, circleArea, rectangleArea } from './globe.ts'
import { uuidOf } from './ids.ts'
import type { Order } from './orders.ts'
import type { Index } from './parts.ts'
import { polygonArea } from './polygon.ts'
import { WEIGHTS } from './postings.ts'
import { agentKey } from './rows.ts'
import type { Places } from './scores.ts'
import type { Scratch } from './scratch.ts'

// "At least n" has a precomputed set up to here; beyond, and for fractions, the column is read.
export const MOST_COUNTED = 8
export const COUNTED = ['bedrooms', 'bathrooms', 'parking'] as const
export type Counted = (typeof COUNTED)[number]
const keysOf = (name: Counted) => Array.from({ length: MOST_COUNTED + 1 }, (_, n) => `${name} ${n}`)
export const COUNT_KEYS: Record<Counted, string[]> = {
  bedrooms: keysOf('bedrooms'),
  bathrooms: keysOf('bathrooms'),
  parking: keysOf('parking'),
}

/** Checking one hit costs about as much as this many steps along an order. */
const LOOK_COST = 4

/** One search, narrowed from everything the viewer may see to the matches. */
export class Narrowing {
  readonly #index: Index
  readonly #hits: Bitmap
  readonly #scratch: Scratch

  constructor(index: Index, hits: Bitmap, scratch: Scratch) {
    this.#index = index
    this.#hits = hits
    this.#scratch = scratch
  }

  /** All filters except the text. */
  by(c: Filters): void {
    const hits = this.#hits
    const { facets, columns, orders } = this.#index
    if (c.ids) this.#keepIds(hits, c.ids)
    if (c.types) this.#keepAny(hits, facets.type, c.types)
    if (c.state) this.#keep(hits, facets.state, c.state)
    for (const amenity of c.features ?? []) this.#keep(hits, facets.amenity, amenity)
    if (c.minBedrooms) this.#keepAtLeast(hits, 'bedrooms', c.minBedrooms)
    if (c.minBathrooms) this.#keepAtLeast(hits, 'bathrooms', c.minBathrooms)
    if (c.minParking) this.#keepAtLeast(hits, 'parking', c.minParking)
    if (c.city) this.#keepAny(hits, facets.city, facets.city.containing(c.city))
    if (c.neighborhood)
      this.#keepAny(hits, facets.neighborhood, facets.neighborhood.containing(c.neighborhood))
    for (const part of c.place ?? []) this.#keepPlace(hits, part)
    if (c.cities) this.#keepAny(hits, facets.city, c.cities)
    if (c.agents) this.#keepAny(hits, facets.agent, c.agents.map(agentKey))
    if (c.notAgents) this.#drop(hits, facets.agent, c.notAgents.map(agentKey))
    for (const mark of c.marks ?? []) this.#keep(hits, facets.mark, mark)
    if (c.fresh) this.#keepFresh(hits, c.fresh)
    this.#keepRange(hits, columns.commission, c.minCommission, undefined)
    this.#keepPriced(hits, c)
    const since = c.updatedSince?.getTime()
    if (since) this.#keepBetween(hits, orders.updated, columns.updated, since, Number.POSITIVE_INFINITY)
    if (c.rectangle) this.#keepIn(hits, rectangleArea(c.rectangle))
    if (c.circle) this.#keepIn(hits, circleArea(c.circle))
    if (c.polygons) this.#keepIn(hits, polygonArea(c.polygons))
    this.#keepRange(hits, columns.construction, c.minConstruction, c.maxConstruction)
    this.#keepRange(hits, columns.lot, c.minLot, c.maxLot)
    this.#keepRange(hits, columns.bedrooms, undefined, c.maxBedrooms)
    this.#keepRange(hits, columns.bathrooms, undefined, c.maxBathrooms)
    this.#keepRange(hits, columns.parking, undefined, c.maxParking)
    this.#keepSmall(hits, columns.halfBathrooms, c.minHalfBathrooms, c.maxHalfBathrooms)
    this.#keepSmall(hits, columns.yearBuilt, c.minYearBuilt, c.maxYearBuilt)
    this.#keepSmall(hits, columns.floors, c.minFloors, c.maxFloors)
  }

  /** Unknown values are NaN and match no range. */
  #keepRange(hits: Bitmap, { values }: Column, low: number | undefined, high: number | undefined): void {
    if (low !== undefined || high !== undefined) hits.keepBetween(values, low ?? 0, high)
  }

  #keepSmall(hits: Bitmap, column: SmallColumn, low = 0, high = Number.POSITIVE_INFINITY): void {
    if (low > 0 || high < Number.POSITIVE_INFINITY)
      hits.keep(slot => column.get(slot) >= low && column.get(slot) <= high)
  }

  #keepPlace(hits: Bitmap, { states, names, isNeighborhood }: PlacePart): void {
    const { state, city, municipality, neighborhood } = this.#index.facets
    const union = this.#scratch.empty()
    state.orInto(union, states)
    for (const facet of isNeighborhood ? [neighborhood] : [city, municipality, neighborhood]) {
      facet.orInto(union, facet.called(names))
    }
    hits.and(union)
  }

  /** The hits with exactly this many bedrooms. */
  liked(bedrooms: number | undefined): Bitmap[] {
    if (bedrooms === undefined) return []
    const liked = this.#scratch.copyOf(this.#hits)
    liked.keepBetween(this.#index.columns.bedrooms.values, bedrooms, bedrooms)
    return [liked]
  }

  byTitle(begins: string): void {
    const start = Buffer.from(begins)
    const { titles } = this.#index
    this.#hits.keep(slot => titles.startsWith(slot, start))
  }

  #keepIds(hits: Bitmap, ids: string[]): void {
    const named = this.#scratch.empty()
    for (const id of ids) {
      const slot = this.#index.ids.find(uuidOf(id))
      if (slot !== undefined) named.add(slot)
    }
    hits.and(named)
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

  #drop(hits: Bitmap, facet: Facet, values: Iterable<string>): void {
    const union = this.#scratch.empty()
    facet.orInto(union, values)
    hits.andNot(union)
  }

  #keepFresh(hits: Bitmap, { since, isNew, isLowered }: NonNullable<Filters['fresh']>): void {
    const { newest, lowered } = this.#index.columns
    const union = this.#scratch.empty()
    for (const column of [...(isNew ? [newest] : []), ...(isLowered ? [lowered] : [])]) {
      const fresh = this.#scratch.copyOf(hits)
      fresh.keepBetween(column.values, since.getTime())
      union.or(fresh)
    }
    hits.and(union)
  }

  #keepAtLeast(hits: Bitmap, name: Counted, least: number): void {
    if (Number.isInteger(least) && least <= MOST_COUNTED) {
      this.#keep(hits, this.#index.facets.count, COUNT_KEYS[name][least] as string)
    } else hits.keepBetween(this.#index.columns[name].values, least)
  }

  /** The same operation must match both the price range and the currency. */
  #keepPriced(hits: Bitmap, { operation, minPrice, maxPrice, currency, priceIn }: Filters): void {
    const isAsked = operation ?? minPrice ?? maxPrice ?? currency
    if (isAsked === undefined) return
    const keepOne = (among: Bitmap, one: Operation) => {
      this.#keep(among, this.#index.facets.price, currency ? `${one} ${currency}` : one)
      if (minPrice === undefined && maxPrice === undefined) return
      const { orders, columns } = this.#index
      const [order, column] =
        one === 'sale' ? [orders.saleDown, columns.salePrice] : [orders.rentDown, columns.rentPrice]
      const [low, high] = [minPrice ?? 0, maxPrice ?? Number.POSITIVE_INFINITY]
      if (!priceIn) return this.#keepBetween(among, order, column, low, high)
      const inEither = this.#scratch.empty()
      for (const other of CURRENCIES) {
        const priced = this.#scratch.copyOf(among)
        this.#keep(priced, this.#index.facets.price, `${one} ${other}`)
        this.#keepBetween(priced, order, column, ...rangeIn(other, priceIn, low, high))
        inEither.or(priced)
      }
      among.and(inEither)
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

  /** Three ways to compute the same set, each the cheapest for some markets. The order is descending. */
  #keepBetween(hits: Bitmap, order: Order, column: Column, low: number, high: number): void {
    const { slots, size } = order
    const { from, to } = order.segment(-high, -low)
    const inside = to - from
    if (hits.count() * LOOK_COST < Math.min(inside, size - inside)) {
      const { values } = column
      hits.keep(slot => (values[slot] as number) >= low && (values[slot] as number) <= high)
    } else if (inside < size - inside) {
      const { words } = this.#scratch.empty()
      for (let i = from; i < to; i++) {
        const slot = slots[i] as number
        words[slot >>> 5] = (words[slot >>> 5] as number) | (1 << slot)
      }
      hits.and({ words })
    } else {
      const { words } = hits
      const clear = (start: number, end: number) => {
        for (let i = start; i < end; i++) {
          const slot = slots[i] as number
          words[slot >>> 5] = (words[slot >>> 5] as number) & ~(1 << slot)
        }
      }
      clear(0, from)
      clear(to, size)
    }
  }

  /** Cells fully inside the area are taken whole; points are checked only at its edge. */
  #keepIn(hits: Bitmap, { box, holds, holdsAll }: Area): void {
    const { cell } = this.#index.facets
    const whole = this.#scratch.empty()
    const edge = this.#scratch.empty()
    for (const number of cellsIn(box, cell.sets)) {
      cell.sets.get(number)?.orInto(holdsAll(boundsOf(number)) ? whole : edge)
    }
    edge.and(hits)
    const lat = this.#index.columns.lat.values
    const lng = this.#index.columns.lng.values
    edge.keep(slot => holds(lat[slot] as number, lng[slot] as number))
    whole.or(edge)
    hits.and(whole)
  }

  /** All groups must match. */
  byWords(groups: readonly WordGroup[]): void {
    const anywhere = this.#scratch.empty()
    for (const { lexemes, meaning } of groups) {
      anywhere.clear()
      for (let weight = 0; weight < WEIGHTS; weight++) {
        for (const set of this.#index.postings.at(lexemes, weight)) set.orInto(anywhere)
      }
      if (meaning) anywhere.or(this.#meant(meaning))
      this.#hits.and(anywhere)
    }
  }

  /** Like `byWords`, and also returns where each group matched: by weight, and last by what it means. */
  byPlaces(groups: readonly WordGroup[]): Places[] {
    const anywhere = this.#scratch.empty()
    return groups.map(({ lexemes, meaning }) => {
      anywhere.clear()
      const places = Array.from({ length: WEIGHTS }, (_, weight) => this.#placeOf(lexemes, weight))
      if (meaning) places.push(this.#meant(meaning))
      for (const place of places) if (place) anywhere.or(place)
      this.#hits.and(anywhere)
      return places
    })
  }

  #meant(meaning: Filters): Bitmap {
    const meant = this.#scratch.copyOf(this.#hits)
    new Narrowing(this.#index, meant, this.#scratch).by(meaning)
    return meant
  }

  /** For a single set, its own bitmap: copying it would take longer than reading it. */
  #placeOf(lexemes: string[], weight: number): Bitmap | undefined {
    const sets = [...this.#index.postings.at(lexemes, weight)]
    const [first] = sets
    if (sets.length < 2 && (!first || first.bitmap)) return first?.bitmap
    const place = this.#scratch.empty()
    for (const set of sets) set.orInto(place)
    return place
  }
}
