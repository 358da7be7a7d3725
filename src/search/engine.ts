import type { Operation, Sort } from '../lookups/catalogue.ts'
import { Bitmap } from './bitmap.ts'
import { Column, growth } from './columns.ts'
import type { Criteria } from './criteria.ts'
import { Facet } from './facet.ts'
import { boxAround, cellOf, cellsOf, insideOf } from './globe.ts'
import { Ids } from './ids.ts'
import { Order } from './orders.ts'
import { pageOf } from './pages.ts'
import { Postings, WEIGHTS } from './postings.ts'
import { sortById } from './radix.ts'
import { agentKey, type Entry } from './rows.ts'
import { Scores } from './scores.ts'
import { Scratch } from './scratch.ts'
import type { SlotSet } from './slot-set.ts'
import { Texts } from './texts.ts'

export interface Hits {
  /** The page, in order. */
  slots: number[]
  total: number
}

/** The text asked for: groups of lexemes of which each must be there once, or else how the title must begin. */
export interface Wanted {
  groups: string[][]
  titleStart?: string | undefined
}

// "At least n" has a set of its own up to here; beyond, and for fractions, the column is read.
const MOST_COUNTED = 8
const COUNTED = ['bedrooms', 'bathrooms', 'parking'] as const
type Counted = (typeof COUNTED)[number]
const keysOf = (name: Counted) => Array.from({ length: MOST_COUNTED + 1 }, (_, n) => `${name} ${n}`)
const COUNT_KEYS: Record<Counted, string[]> = {
  bedrooms: keysOf('bedrooms'),
  bathrooms: keysOf('bathrooms'),
  parking: keysOf('parking'),
}
// No text that is asked for is longer; what somebody wrote into the table may be.
const MAX_TITLE = 1000
// A retired slot costs a little in every set until it is swept out.
const RETIRED_SHARE = 20

/** Where one way of doing things gives way to another. Tests set them low to walk every way. */
export interface Limits {
  /** Up to so many hits are sorted; of more, only the page is looked for. */
  few: number
  /** So many slots may be retired before a sweep is worth it. */
  retired: number
  /** So many entries are swept with each change: about a tenth of a millisecond. */
  slice: number
}
const LIMITS: Limits = { few: 1500, retired: 1000, slice: 50_000 }

const orLast = (rank: number) => (Number.isNaN(rank) ? Number.POSITIVE_INFINITY : rank)

/**
 * Everything search needs to know of every listing, in memory. Each version of a listing has a slot, a number
 * under which the columns, sets and orders know it. A slot never changes: a changed listing gets another one
 * and its old one is retired, that is, in no result any more; sweeping takes retired slots out of the sets in
 * slices and gives them to new listings.
 */
export class Engine {
  readonly ids = new Ids()
  readonly columns = {
    version: new Column(),
    salePrice: new Column(),
    rentPrice: new Column(),
    anyPrice: new Column(),
    bedrooms: new Column(),
    bathrooms: new Column(),
    parking: new Column(),
    construction: new Column(),
    lot: new Column(),
    lat: new Column(),
    lng: new Column(),
    updated: new Column(),
    newest: new Column(),
  }
  readonly titles = new Texts()
  readonly facets = {
    agent: new Facet(),
    type: new Facet(),
    state: new Facet(),
    city: new Facet(),
    neighborhood: new Facet(),
    amenity: new Facet(),
    /** `sale`, `rental`, and each with its currency. */
    price: new Facet(),
    /** `bedrooms 3`: at least three. */
    count: new Facet(),
    cell: new Facet(),
  }
  readonly postings = new Postings()
  readonly orders: Record<'newest' | 'updated' | `${'sale' | 'rent' | 'any'}${'Up' | 'Down'}`, Order>
  /** Slots that are the present state of a listing; those everybody may see; those featured. */
  readonly live = new Bitmap()
  readonly shown = new Bitmap()
  readonly featured = new Bitmap()

  /** Grows with every change. */
  revision = 0

  #slots = 0
  #free: number[] = []
  #retired = new Bitmap()
  #retiredCount = 0
  #sweeping: Generator<void> | undefined
  #isSettled = false
  readonly #scratch = new Scratch()
  readonly #limits: Limits

  constructor(limits = LIMITS) {
    this.#limits = limits
    const { newest, updated, salePrice, rentPrice, anyPrice } = this.columns
    const up = (column: Column) => new Order(this.ids, slot => orLast(column.get(slot)))
    const down = (column: Column) => new Order(this.ids, slot => orLast(-column.get(slot)))
    this.orders = {
      newest: down(newest),
      updated: down(updated),
      saleUp: up(salePrice),
      saleDown: down(salePrice),
      rentUp: up(rentPrice),
      rentDown: down(rentPrice),
      anyUp: up(anyPrice),
      anyDown: down(anyPrice),
    }
  }

  // ---- following the database ------------------------------------------------------------------------------

  /** Before the first load of about so many. */
  prepare(listings: number): void {
    const slots = growth(listings)
    this.ids.reserve(slots)
    for (const column of Object.values(this.columns)) column.reserve(slots)
    this.postings.collect()
  }

  /** Brings in one listing as it is now. The same version twice changes nothing. */
  apply(entry: Entry): void {
    const old = this.ids.find(entry.id)
    if (old !== undefined && entry.agent !== null && this.columns.version.get(old) === entry.version) return
    this.revision++
    if (old !== undefined) this.#retire(old)
    if (entry.agent === null) this.ids.remove(entry.id)
    else this.#add(entry, entry.agent)
    if (this.#sweeping?.next().done) this.#sweeping = undefined
  }

  /** After the first load, in steps: sorts the orders, which from then on are kept. */
  *settle(): Generator<void> {
    this.postings.addCollected()
    this.postings.trim()
    for (const facet of Object.values(this.facets)) facet.trim()
    yield
    const slots = new Int32Array(this.#slots).map((_, slot) => slot)
    const byId = sortById(slots, this.ids.words)
    const ranks = new Float64Array(slots.length)
    for (const order of Object.values(this.orders)) {
      yield
      order.fill(byId, ranks, slots)
    }
    this.#isSettled = true
  }

  #add(entry: Entry, agent: string): void {
    const slot = this.#free.pop() ?? this.#slots++
    const { columns, facets } = this
    this.ids.set(slot, entry.id)
    columns.version.set(slot, entry.version)
    columns.salePrice.set(slot, entry.salePrice)
    columns.rentPrice.set(slot, entry.rentPrice)
    columns.anyPrice.set(slot, entry.salePrice ?? entry.rentPrice)
    columns.construction.set(slot, entry.construction)
    columns.lot.set(slot, entry.lot)
    columns.lat.set(slot, entry.lat)
    columns.lng.set(slot, entry.lng)
    columns.updated.set(slot, entry.updated)
    columns.newest.set(slot, entry.newest)
    this.titles.set(slot, entry.title.slice(0, MAX_TITLE))

    facets.agent.add(agent, slot)
    facets.type.add(entry.type, slot)
    facets.state.add(entry.state, slot)
    facets.city.add(entry.city, slot)
    if (entry.neighborhood !== null) facets.neighborhood.add(entry.neighborhood, slot)
    for (const amenity of entry.amenities) facets.amenity.add(amenity, slot)
    this.#addPrice('sale', entry.salePrice, entry.saleCurrency, slot)
    this.#addPrice('rental', entry.rentPrice, entry.rentCurrency, slot)
    for (const name of COUNTED) this.#addCount(name, entry[name], slot)
    if (entry.lat !== null && entry.lng !== null) facets.cell.add(cellOf(entry.lat, entry.lng), slot)
    this.postings.add(slot, entry.words)

    this.live.add(slot)
    this.#mark(this.shown, slot, entry.isPublic)
    this.#mark(this.featured, slot, entry.featured)
    if (this.#isSettled) for (const order of Object.values(this.orders)) order.add(slot)
  }

  #addPrice(operation: Operation, price: number | null, currency: string | null, slot: number): void {
    if (price === null) return
    this.facets.price.add(operation, slot)
    this.facets.price.add(`${operation} ${currency}`, slot)
  }

  #addCount(name: Counted, count: number | null, slot: number): void {
    this.columns[name].set(slot, count)
    const keys = COUNT_KEYS[name]
    for (let n = 1; n <= Math.min(count ?? 0, MOST_COUNTED); n++)
      this.facets.count.add(keys[n] as string, slot)
  }

  #mark(bitmap: Bitmap, slot: number, isSet: boolean): void {
    if (isSet) bitmap.add(slot)
    else bitmap.remove(slot)
  }

  #retire(slot: number): void {
    this.live.remove(slot)
    this.shown.remove(slot)
    this.#retired.add(slot)
    this.#retiredCount++
    const isWorthIt = this.#retiredCount > Math.max(this.#limits.retired, this.#slots / RETIRED_SHARE)
    if (isWorthIt && !this.#sweeping) this.#sweeping = this.#sweep()
  }

  *#sweep(): Generator<void> {
    const gone = this.#retired
    this.#retired = new Bitmap()
    this.#retiredCount = 0
    let spent = 0
    for (const part of [...Object.values(this.facets), this.postings, ...Object.values(this.orders)]) {
      for (const cost of part.without(gone)) {
        spent += cost
        if (spent < this.#limits.slice) continue
        spent = 0
        yield
      }
    }
    for (const slot of gone.slots()) this.#free.push(slot)
  }

  // ---- answering -------------------------------------------------------------------------------------------

  /** `viewer` null is the public. */
  search(criteria: Criteria, viewer: string | null, wanted: Wanted): Hits {
    this.#scratch.begin(this.#slots)
    const hits = this.#visible(viewer)
    this.#filter(hits, criteria)
    if (wanted.titleStart !== undefined) {
      const start = Buffer.from(wanted.titleStart)
      hits.keep(slot => this.titles.startsWith(slot, start))
    }
    const scores = criteria.sort === 'relevance' ? new Scores(this.#scratch) : undefined
    this.#findWords(hits, wanted.groups, scores)

    const total = hits.count()
    const { page, limit } = criteria
    const planes = [this.featured, ...(scores?.planes.reverse() ?? [])]
    const order = this.orders[orderOf(criteria.sort, criteria.operation)]
    const cut = { offset: (page - 1) * limit, limit, few: this.#limits.few }
    return { slots: pageOf(hits, total, planes, order, cut, this.#scratch), total }
  }

  /** All of an agent's, retired ones included. */
  slotsOf(agent: string): SlotSet | undefined {
    return this.facets.agent.sets.get(agentKey(agent))
  }

  #visible(viewer: string | null): Bitmap {
    const hits = this.#scratch.copyOf(this.shown)
    const own = viewer === null ? undefined : this.slotsOf(viewer)
    for (const slot of own?.slots() ?? []) if (this.live.has(slot)) hits.add(slot)
    return hits
  }

  #filter(hits: Bitmap, c: Criteria): void {
    const { facets, columns } = this
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
      this.#keepRanked(hits, this.orders.updated, Number.NEGATIVE_INFINITY, -c.updatedSince.getTime())
    }
    if (c.rectangle) this.#keepInside(hits, c.rectangle)
    if (c.circle) this.#keepAround(hits, c.circle)
    const { minConstruction, minLot } = c
    if (minConstruction) hits.keepAtLeast(columns.construction.values, minConstruction)
    if (minLot) hits.keepAtLeast(columns.lot.values, minLot)
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
      this.#keep(hits, this.facets.count, COUNT_KEYS[name][least] as string)
    } else hits.keepAtLeast(this.columns[name].values, least)
  }

  /** One and the same operation has to be in the range and in the currency. */
  #keepPriced(hits: Bitmap, { operation, minPrice, maxPrice, currency }: Criteria): void {
    const isAsked = operation ?? minPrice ?? maxPrice ?? currency
    if (isAsked === undefined) return
    const keepOne = (among: Bitmap, one: Operation) => {
      this.#keep(among, this.facets.price, currency ? `${one} ${currency}` : one)
      if (minPrice === undefined && maxPrice === undefined) return
      const order = one === 'sale' ? this.orders.saleDown : this.orders.rentDown
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
    const lat = this.columns.lat.values
    const lng = this.columns.lng.values
    hits.keep(slot => {
      const [y, x] = [lat[slot] as number, lng[slot] as number]
      return y >= swLat && y <= neLat && x >= swLng && x <= neLng
    })
  }

  #keepAround(hits: Bitmap, circle: NonNullable<Criteria['circle']>): void {
    this.#keepNear(hits, boxAround(circle))
    const { lat, lng } = this.columns
    const isAround = insideOf(circle)
    hits.keep(slot => isAround(lat.get(slot), lng.get(slot)))
  }

  #keepNear(hits: Bitmap, box: NonNullable<Criteria['rectangle']>): void {
    const { cell } = this.facets
    const cells = cellsOf(box, cell.sets.size)
    if (cells) this.#keepAny(hits, cell, cells)
  }

  /** All groups must be there; each adds to the score what its best place is worth: 8, 4, 2 or 1. */
  #findWords(hits: Bitmap, groups: string[][], scores: Scores | undefined): void {
    const places = Array.from({ length: groups.length > 0 ? WEIGHTS : 0 }, () => this.#scratch.empty())
    const anywhere = groups.length > 0 ? this.#scratch.empty() : hits
    for (const group of groups) {
      anywhere.clear()
      for (let weight = WEIGHTS - 1; weight >= 0; weight--) {
        const place = places[weight] as Bitmap
        place.clear()
        this.postings.orInto(place, group, weight)
        if (scores) place.andNot(anywhere)
        anywhere.or(place)
      }
      hits.and(anywhere)
      scores?.add(places)
    }
  }
}

function orderOf(sort: Sort, operation: Operation | undefined): keyof Engine['orders'] {
  if (sort === 'updated') return 'updated'
  if (sort !== 'price_asc' && sort !== 'price_desc') return 'newest'
  const price = operation === 'sale' ? 'sale' : operation === 'rental' ? 'rent' : 'any'
  return `${price}${sort === 'price_asc' ? 'Up' : 'Down'}`
}
