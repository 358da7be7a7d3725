import { CURRENCIES } from '../../lib/money.ts'
import { finish } from '../../lib/slices.ts'
import type { Operation } from '../../lookups/catalog.ts'
import type { Filters, WordGroup } from '../criteria.ts'
import type { PlacePart } from '../places/place.ts'
import type { Bitmap } from './bitmap.ts'
import { rangeIn } from './converted.ts'
import type { Facet } from './facet.ts'
import type { Area } from './globe.ts'
import { uuidOf } from './ids.ts'
import type { Index } from './parts.ts'
import { WEIGHTS } from './postings.ts'
import type { Ranges } from './ranges.ts'
import { agentKey } from './rows.ts'
import type { Places } from './scores.ts'
import type { Scratch, ScratchBitmap } from './scratch.ts'
import { areasOf, findInside, titleTest, type Within } from './within.ts'

/** One search, narrowed from everything the viewer may see to the matches. */
export class Narrowing {
  readonly #index: Index
  readonly #hits: ScratchBitmap
  readonly #scratch: Scratch

  constructor(index: Index, hits: ScratchBitmap, scratch: Scratch) {
    this.#index = index
    this.#hits = hits
    this.#scratch = scratch
  }

  /** All filters except the text; with what was found in areas beforehand, while that is true of the index. */
  by(c: Filters, found: readonly Within[] = []): void {
    const hits = this.#hits
    const { facets, ranges } = this.#index
    if (c.ids) this.#keepIds(hits, c.ids)
    if (c.types) this.#keepAny(hits, facets.type, c.types)
    if (c.state) this.#keep(hits, facets.state, c.state)
    for (const amenity of c.features ?? []) this.#keep(hits, facets.amenity, amenity)
    if (c.notFeatures) this.#drop(hits, facets.amenity, c.notFeatures)
    if (c.city) this.#keepAny(hits, facets.city, facets.city.containing(c.city))
    if (c.neighborhood)
      this.#keepAny(hits, facets.neighborhood, facets.neighborhood.containing(c.neighborhood))
    for (const part of c.place ?? []) this.#keepPlace(hits, part)
    if (c.cities) this.#keepAny(hits, facets.city, c.cities)
    if (c.agents) this.#keepAny(hits, facets.agent, c.agents.map(agentKey))
    if (c.notAgents) this.#drop(hits, facets.agent, c.notAgents.map(agentKey))
    for (const mark of c.marks ?? []) this.#keep(hits, facets.mark, mark)
    if (c.rentPeriod) this.#keep(hits, facets.mark, c.rentPeriod)
    if (c.fresh) this.#keepFresh(hits, c.fresh)
    this.#keepRange(hits, ranges.commission, c.minCommission)
    this.#keepPriced(hits, c)
    this.#keepRange(hits, ranges.updated, c.updatedSince?.getTime())
    this.#keepRange(hits, ranges.construction, c.minConstruction, c.maxConstruction)
    this.#keepRange(hits, ranges.lot, c.minLot, c.maxLot)
    this.#keepRange(hits, ranges.bedrooms, c.minBedrooms || undefined, c.maxBedrooms)
    this.#keepRange(hits, ranges.bathrooms, c.minBathrooms || undefined, c.maxBathrooms)
    this.#keepRange(hits, ranges.parking, c.minParking || undefined, c.maxParking)
    this.#keepRange(hits, ranges.halfBathrooms, c.minHalfBathrooms || undefined, c.maxHalfBathrooms)
    this.#keepRange(hits, ranges.yearBuilt, c.minYearBuilt || undefined, c.maxYearBuilt)
    this.#keepRange(hits, ranges.floors, c.minFloors || undefined, c.maxFloors)
    for (const { shape, area } of areasOf(c)) {
      const known = found.find(one => one.isOf(this.#index, shape))
      if (known) known.keep(hits, this.#scratch)
      else this.#keepIn(hits, area())
    }
  }

  /** An unknown value matches no range. */
  #keepRange(hits: ScratchBitmap, ranges: Ranges, low: number | undefined, high?: number | undefined): void {
    if (low !== undefined || high !== undefined)
      ranges.keep(hits, low ?? 0, high ?? Number.POSITIVE_INFINITY, this.#scratch)
  }

  #keepPlace(hits: ScratchBitmap, { states, names, isNeighborhood }: PlacePart): void {
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
    this.#index.ranges.bedrooms.keep(liked, bedrooms, bedrooms, this.#scratch)
    return [liked]
  }

  byTitle(begins: string, found: readonly Within[] = []): void {
    const known = found.find(one => one.isOf(this.#index, begins))
    if (known) known.keep(this.#hits, this.#scratch)
    else this.#hits.keep(titleTest(this.#index, begins))
  }

  #keepIds(hits: ScratchBitmap, ids: string[]): void {
    const named = this.#scratch.empty()
    for (const id of ids) {
      const slot = this.#index.ids.find(uuidOf(id))
      if (slot !== undefined) named.add(slot)
    }
    hits.and(named)
  }

  #keep(hits: ScratchBitmap, facet: Facet, value: string): void {
    const set = facet.sets.get(value)
    if (set) set.andInto(hits, this.#scratch)
    else hits.clear()
  }

  #keepAny(hits: ScratchBitmap, facet: Facet, values: Iterable<string>): void {
    const union = this.#scratch.empty()
    facet.orInto(union, values)
    hits.and(union)
  }

  #drop(hits: ScratchBitmap, facet: Facet, values: Iterable<string>): void {
    const union = this.#scratch.empty()
    facet.orInto(union, values)
    hits.andNot(union)
  }

  #keepFresh(hits: ScratchBitmap, { since, isNew, isLowered }: NonNullable<Filters['fresh']>): void {
    const { newest, lowered } = this.#index.ranges
    const union = this.#scratch.empty()
    for (const ranges of [...(isNew ? [newest] : []), ...(isLowered ? [lowered] : [])]) {
      const fresh = this.#scratch.copyOf(hits)
      ranges.keep(fresh, since.getTime(), Number.POSITIVE_INFINITY, this.#scratch)
      union.or(fresh)
    }
    hits.and(union)
  }

  /** The same operation must match both the price range and the currency. */
  #keepPriced(hits: ScratchBitmap, { operation, minPrice, maxPrice, currency, priceIn }: Filters): void {
    const isAsked = operation ?? minPrice ?? maxPrice ?? currency
    if (isAsked === undefined) return
    const keepOne = (among: ScratchBitmap, one: Operation) => {
      this.#keep(among, this.#index.facets.price, currency ? `${one} ${currency}` : one)
      if (minPrice === undefined && maxPrice === undefined) return
      const { salePrice, rentPrice } = this.#index.ranges
      const prices = one === 'sale' ? salePrice : rentPrice
      const [low, high] = [minPrice ?? 0, maxPrice ?? Number.POSITIVE_INFINITY]
      if (!priceIn) return prices.keep(among, low, high, this.#scratch)
      const inEither = this.#scratch.empty()
      for (const other of CURRENCIES) {
        const priced = this.#scratch.copyOf(among)
        this.#keep(priced, this.#index.facets.price, `${one} ${other}`)
        prices.keep(priced, ...rangeIn(other, priceIn, low, high), this.#scratch)
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

  #keepIn(hits: ScratchBitmap, area: Area): void {
    const inside = this.#scratch.empty()
    finish(findInside(this.#index, area, hits, inside, this.#scratch.empty()))
    hits.and(inside)
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
