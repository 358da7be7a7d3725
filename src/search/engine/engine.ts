import { foldText } from '../../lib/text.ts'
import type { Operation } from '../../lookups/catalog.ts'
import type { Criteria, Filters, Place, Reach } from '../criteria.ts'
import { Bitmap } from './bitmap.ts'
import { Census } from './census.ts'
import { growth } from './columns.ts'
import { Converted } from './converted.ts'
import { Digest, digestWord } from './digest.ts'
import { LabeledFacet } from './facet.ts'
import { cellOf } from './globe.ts'
import { Ids } from './ids.ts'
import { Narrowing } from './narrowing.ts'
import { Nearest } from './nearest.ts'
import { countThrough, pageOf, placeOf, type Ranking } from './pages.ts'
import { newColumns, newFacets, newOrders, newRanges, type Orders, orderOf, writeColumns } from './parts.ts'
import type { Piece, Pieces } from './pieces.ts'
import { Postings } from './postings.ts'
import { PriceSteps } from './price-steps.ts'
import { sortById } from './radix.ts'
import { Removals } from './removals.ts'
import { agentKey, type Entry, type Removal, type Word64 } from './rows.ts'
import { loadParts, saveParts } from './saving.ts'
import { scoresOf } from './scores.ts'
import { Scratch, type ScratchBitmap } from './scratch.ts'
import { Shares } from './shares.ts'
import type { SlotSet } from './slot-set.ts'
import { Slots } from './slots.ts'
import { Texts } from './texts.ts'
import type { Wanted } from './wanted.ts'
import { Words64, xor } from './words64.ts'

interface Hits {
  /** The page, in order. */
  slots: number[]
  total: number
  /** How many hits come before the page. */
  offset: number
  /** Where the page ends, if more hits follow. */
  last: Place | undefined
}

// No query text is longer, but stored titles may be.
const MAX_TITLE = 1000
const MAX_FOLDED = 10_000

/** Thresholds between algorithms. Tests lower them to cover every path. */
export interface Limits {
  /** Up to this many hits are sorted; with more, only the page is selected. */
  few: number
  /** Retired slots before a sweep is worthwhile. */
  retired: number
  /** Entries swept with each change: about a tenth of a millisecond. */
  slice: number
}
// A listing is in about a hundred sets: in slices of 5,000, a sweep ends before half of the next has been retired.
const LIMITS: Limits = { few: 300, retired: 1000, slice: 5_000 }

/**
 * The in-memory search index of all listings. Each version of a listing has a slot, the number that identifies it in
 * columns, sets and orders. Slots are immutable: a changed listing gets a new slot and its old one is retired, that is,
 * excluded from all results. Sweeping removes retired slots from the sets in small steps and frees them for reuse.
 */
export class Engine {
  readonly ids = new Ids()
  readonly columns = newColumns()
  readonly ranges = newRanges(this.columns)
  readonly priceSteps = { sale: new PriceSteps(), rental: new PriceSteps() }
  readonly titles = new Texts()
  readonly facets = newFacets()
  readonly postings = new Postings()
  readonly orders: Orders
  /** Per slot: the version its record shows, and its contribution to a digest. */
  readonly versions = new Words64()
  readonly hashes = new Words64()
  /** Over all public listings. */
  shownDigest = new Digest()
  /** Listings that are no longer public and, by agent, those the agent no longer owns. */
  readonly removals = new Removals()
  readonly losses = new Map<string, Map<string, Removal>>()
  /** Slots in use (the current state of a listing); public ones; those on the market; featured ones. */
  readonly live = new Bitmap()
  readonly shown = new Bitmap()
  readonly onMarket = new Bitmap()
  readonly featured = new Bitmap()

  /** Public listings by place. */
  readonly census = new Census()
  /** And by agent. */
  readonly shares = new Shares(this)

  /** Incremented with every change. */
  revision = 0
  /** Incremented when a sweep begins: until then, a slot that was found keeps its values and stays in its sets. */
  sweeps = 0

  readonly #slots: Slots
  #isSettled = false
  readonly #folded = new Map<string, string>()
  readonly #scratch = new Scratch()
  readonly #limits: Limits
  readonly #addressWord: Word64

  constructor(limits = LIMITS, addressWord: Word64 = [0, 0]) {
    this.#limits = limits
    this.#addressWord = addressWord
    this.orders = newOrders(this.ids, this.columns)
    this.#slots = new Slots(limits, () => {
      this.sweeps++
      return [...Object.values(this.facets), this.postings, ...Object.values(this.orders)]
    })
  }

  // ---- following the database ------------------------------------------------------------------------------

  /** Before the first load, which applies each listing once; the engine is used only after `settle`. */
  prepare(listings: number): void {
    const slots = growth(listings)
    this.ids.reserve(slots)
    const { columns, priceSteps, versions, hashes, census } = this
    const labeled = this.#labeledFacets()
    const parts = [
      ...Object.values(columns),
      ...Object.values(priceSteps),
      ...labeled,
      versions,
      hashes,
      census,
    ]
    for (const part of parts) part.reserve(slots)
    for (const part of [this.postings, ...labeled]) part.collect()
  }

  #labeledFacets() {
    return Object.values(this.facets).filter(facet => facet instanceof LabeledFacet)
  }

  /** Applies the current state of one listing. Idempotent. */
  apply(entry: Entry): void {
    const old = this.ids.find(entry.id)
    if (old !== undefined && entry.agent !== null && this.columns.xid.get(old) === entry.xid) return
    this.revision++
    if (old !== undefined) this.#retire(old)
    if (entry.agent === null) this.ids.remove(entry.id)
    else this.#add(entry, entry.agent)
    this.#slots.sweep()
  }

  /** Records who can no longer see a listing, and drops one that is erased. */
  remove(removal: Removal): void {
    this.revision++
    const { id, viewer, isErased } = removal
    if (viewer === null) this.removals.add(removal)
    else this.losses.set(viewer, (this.losses.get(viewer) ?? new Map()).set(id.join(), removal))
    const slot = isErased ? this.ids.find(id) : undefined
    if (slot === undefined) return
    this.#retire(slot)
    this.ids.remove(id)
  }

  /** After the first load, in steps: builds sets, ranges and orders, which are maintained from then on. */
  *settle(): Generator<void> {
    yield* this.postings.addCollected()
    for (const facet of this.#labeledFacets()) {
      yield
      yield* facet.addCollected()
    }
    for (const facet of Object.values(this.facets)) facet.trim()
    for (const ranges of Object.values(this.ranges)) {
      yield
      ranges.build(this.#slots.size)
    }
    yield
    const slots = new Int32Array(this.#slots.size).map((_, slot) => slot)
    const byId = sortById(slots, this.ids)
    const ranks = new Float64Array(slots.length)
    for (const order of Object.values(this.orders)) {
      yield
      order.fill(byId, ranks, slots)
    }
    this.#isSettled = true
  }

  /**
   * Everything but the removals, as it is when the first piece is taken. From then to the end, changed listings get slots
   * beyond those that are saved, and nothing is swept. No piece changes after it was taken.
   */
  save(): Generator<Piece> {
    return saveParts(this, this.#slots)
  }

  /** Instead of a first load, in steps; an engine whose load failed must not be used. */
  *load(from: Pieces): Generator<void> {
    yield* loadParts(this, this.#slots, from)
    this.#isSettled = true
  }

  #add(entry: Entry, agent: string): void {
    const slot = this.#slots.take()
    const { columns, facets } = this
    this.ids.set(slot, entry.id)
    writeColumns(columns, slot, entry)
    const version = xor(entry.version, this.#addressWord)
    this.versions.set(slot, version)
    this.hashes.set(slot, digestWord(entry.id, version))
    this.titles.set(slot, entry.title.slice(0, MAX_TITLE))

    facets.agent.set(slot, agent)
    this.shares.forget(agent)
    facets.type.set(slot, entry.type)
    facets.state.set(slot, entry.state)
    const named = (name: string) => ({ name, isShown: entry.isPublic })
    const { neighborhoodName } = entry
    facets.city.set(slot, entry.city, named(entry.cityName))
    facets.neighborhood.set(
      slot,
      entry.neighborhood,
      neighborhoodName === null ? undefined : named(neighborhoodName),
    )
    const { lat, lng } = entry
    facets.cell.set(slot, lat === null || lng === null ? null : cellOf(lat, lng))
    if (entry.municipality !== null)
      facets.municipality.add(this.#fold(entry.municipality), slot, named(entry.municipality))
    if (entry.isExclusive) facets.mark.add('exclusive', slot)
    if (entry.hasMedia) facets.mark.add('media', slot)
    if (entry.rentPeriod !== null) facets.mark.add(entry.rentPeriod, slot)
    for (const amenity of entry.amenities) facets.amenity.add(amenity, slot)
    this.#addPrice('sale', entry.salePrice, entry.saleCurrency, slot)
    this.#addPrice('rental', entry.rentPrice, entry.rentCurrency, slot)
    this.postings.add(slot, entry.words)

    this.live.add(slot)
    this.shown.set(slot, entry.isPublic)
    this.onMarket.set(slot, entry.isOnMarket)
    this.featured.set(slot, entry.featured)
    if (entry.isPublic) {
      this.shownDigest.add(this.ids.prefix(slot), this.hashes.get(slot))
      this.census.add(slot, entry.state, entry.city, entry.cityName)
    }
    if (!this.#isSettled) return
    for (const range of Object.values(this.ranges)) range.add(slot)
    for (const order of Object.values(this.orders)) order.add(slot)
  }

  /** Cached: there are few municipalities with many listings each. */
  #fold(name: string): string {
    const known = this.#folded.get(name) ?? foldText(name)
    if (this.#folded.size < MAX_FOLDED) this.#folded.set(name, known)
    return known
  }

  #addPrice(operation: Operation, price: number | null, currency: string | null, slot: number): void {
    this.priceSteps[operation].set(slot, price)
    if (price === null) return
    this.facets.price.add(operation, slot)
    this.facets.price.add(`${operation} ${currency}`, slot)
  }

  #retire(slot: number): void {
    const { labels, values } = this.facets.agent
    this.shares.forget(values[labels[slot] as number] as string)
    this.live.remove(slot)
    if (this.shown.has(slot)) {
      this.shownDigest.remove(this.ids.prefix(slot), this.hashes.get(slot))
      this.census.remove(slot)
    }
    this.shown.remove(slot)
    this.onMarket.remove(slot)
    this.#slots.retire(slot)
  }

  // ---- answering -------------------------------------------------------------------------------------------

  /** `viewer` null is the public. On the market, and where criteria say so, featured listings do not come first. */
  search(criteria: Criteria, viewer: string | null, wanted: Wanted, reach: Reach = 'all'): Hits {
    const scratch = this.#scratch
    scratch.begin(this.#slots.size)
    const hits = this.#visible(viewer, reach)
    const narrowed = this.#narrow(hits, criteria, wanted)
    const isRanked = criteria.sort === 'relevance' && wanted.groups.length > 0
    const places = isRanked ? narrowed.byPlaces(wanted.groups) : []
    if (!isRanked) narrowed.byWords(wanted.groups)

    const { page, limit, after } = criteria
    const sorting = {
      order: this.#rankingOf(criteria),
      planes: [
        ...(criteria.sort === 'relevance' ? narrowed.liked(criteria.likedBedrooms) : []),
        ...(reach === 'market' || criteria.featuredFirst === false ? [] : [this.featured]),
        ...scoresOf(hits, places, scratch).reverse(),
      ],
    }
    const total = hits.count()
    const offset = after ? countThrough(hits, sorting, after, scratch) : (page - 1) * limit
    const slots = pageOf(hits, total, sorting, { offset, limit, few: this.#limits.few }, scratch)
    const end = offset + slots.length < total ? slots.at(-1) : undefined
    return { slots, total, offset, last: end === undefined ? undefined : placeOf(end, sorting, this.ids) }
  }

  #rankingOf(criteria: Criteria): Ranking {
    const { sort, near, priceIn, operation } = criteria
    if (sort === 'distance' && near) return new Nearest(this, near)
    if (priceIn && (sort === 'price_asc' || sort === 'price_desc'))
      return new Converted(this, priceIn, criteria)
    return this.orders[orderOf(sort, operation)]
  }

  /** All matches, unordered: valid until the next search. */
  select(filters: Filters, viewer: string | null, scope: Reach, wanted: Wanted): Bitmap {
    this.#scratch.begin(this.#slots.size)
    const hits = this.#visible(viewer, scope)
    this.#narrow(hits, filters, wanted).byWords(wanted.groups)
    return hits
  }

  /** The same of those slots instead of all that the viewer may see. */
  selectAmong(slots: Bitmap, filters: Filters, wanted: Wanted): Bitmap {
    this.#scratch.begin(this.#slots.size)
    const hits = this.#scratch.copyOf(slots)
    this.#narrow(hits, filters, wanted).byWords(wanted.groups)
    return hits
  }

  /** By all filters but the words. */
  #narrow(hits: ScratchBitmap, filters: Filters, { titleStart, within }: Wanted): Narrowing {
    const narrowed = new Narrowing(this, hits, this.#scratch)
    narrowed.by(filters, within)
    if (titleStart !== undefined) narrowed.byTitle(titleStart, within)
    return narrowed
  }

  /** All slots of an agent, including retired ones. */
  slotsOf(agent: string): SlotSet | undefined {
    return this.facets.agent.sets.get(agentKey(agent))
  }

  #visible(viewer: string | null, scope: Reach): ScratchBitmap {
    const others = { all: this.shown, market: this.onMarket, own: undefined }[scope]
    const hits = others ? this.#scratch.copyOf(others) : this.#scratch.empty()
    const own = viewer === null ? undefined : this.slotsOf(viewer)
    for (const slot of own?.slots() ?? []) if (this.live.has(slot)) hits.add(slot)
    return hits
  }
}
