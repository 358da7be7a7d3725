import type { Filters } from '../criteria.ts'
import { circleArea, rectangleArea } from '../engine/globe.ts'
import { bareName } from '../places/place.ts'
import { type Candidate, matches, type StoredSearch } from './matches.ts'

const ANY = '*'
const keyOf = (place: string, operation: string, type: string) => `${place}|${operation}|${type}`

/** The price range is beside the search: most candidates fail there, and reading their filters costs more. */
interface Filed<Key> {
  key: Key
  search: StoredSearch
  low: number
  high: number
}

/**
 * Stored searches, turned around: which of them does a listing satisfy? Each is filed under its place, operation and type;
 * a listing is held only against those filed under what it has.
 */
export class StoredSearches<Key> {
  readonly #filed = new Map<Key, Filed<Key>[]>()
  readonly #files = new Map<string, Set<Filed<Key>>>()

  get size(): number {
    return this.#filed.size
  }

  /** Replaces what was stored under the key; a listing must satisfy one of the searches. */
  set(key: Key, searches: readonly StoredSearch[]): void {
    this.delete(key)
    const all = searches.map(search => {
      // Prices in one currency are compared after conversion, which only `matches` does.
      const { priceIn, minPrice, maxPrice } = search.filters
      const [low, high] = priceIn ? [] : [minPrice, maxPrice]
      return { key, search, low: low ?? Number.NEGATIVE_INFINITY, high: high ?? Number.POSITIVE_INFINITY }
    })
    this.#filed.set(key, all)
    for (const one of all) {
      for (const name of filedUnder(one.search.filters)) {
        const file = this.#files.get(name)
        if (file) file.add(one)
        else this.#files.set(name, new Set([one]))
      }
    }
  }

  delete(key: Key): void {
    for (const one of this.#filed.get(key) ?? []) {
      for (const name of filedUnder(one.search.filters)) {
        const file = this.#files.get(name)
        file?.delete(one)
        if (file?.size === 0) this.#files.delete(name)
      }
    }
    this.#filed.delete(key)
  }

  /** The keys of the searches that would find the listing. */
  matching(listing: Candidate): Set<Key> {
    const found = new Set<Key>()
    const prices = [listing.salePrice, listing.rentPrice].filter(price => price !== null)
    const [one = Number.NaN, other = one] = prices
    for (const name of lookedUp(listing)) {
      for (const { key, search, low, high } of this.#files.get(name) ?? []) {
        const isPriced = (one >= low && one <= high) || (other >= low && other <= high) || low === -high
        if (isPriced && !found.has(key) && matches(search, listing)) found.add(key)
      }
    }
    return found
  }
}

function filedUnder(filters: Filters): Set<string> {
  const { operation = ANY, types = [ANY] } = filters
  return new Set(placesOf(filters).flatMap(place => types.map(type => keyOf(place, operation, type))))
}

/** The first part of a typed place is the narrowest: "Roma Norte, CDMX". */
function placesOf({ place, state, circle, rectangle }: Filters): string[] {
  const [part] = place ?? []
  if (part) return [...new Set([...part.states, ...part.names.map(bareName)])]
  const area = circle ? circleArea(circle) : rectangle && rectangleArea(rectangle)
  return (area && squaresIn(area.box)) ?? [state ?? ANY]
}

/** Squares of half a degree; an area with more of them than this is filed by its state. */
const MAX_SQUARES = 30
const squareIndex = (degrees: number) => Math.floor(degrees * 2)
const squareName = (row: number, column: number) => `${row},${column}`

function squaresIn({ swLat, swLng, neLat, neLng }: NonNullable<Filters['rectangle']>): string[] | undefined {
  const [south, north, west, east] = [swLat, neLat, swLng, neLng].map(squareIndex) as [
    number,
    number,
    number,
    number,
  ]
  if ((north - south + 1) * (east - west + 1) > MAX_SQUARES) return undefined
  const names: string[] = []
  for (let row = south; row <= north; row++)
    for (let column = west; column <= east; column++) names.push(squareName(row, column))
  return names
}

function* lookedUp(listing: Candidate): Generator<string> {
  const { lat, lng, state, city, municipality, neighborhood, salePrice, rentPrice } = listing
  const operations = [ANY, ...(salePrice === null ? [] : ['sale']), ...(rentPrice === null ? [] : ['rental'])]
  const names = [city, municipality ?? '', neighborhood ?? ''].flatMap(beginnings)
  const square = lat === null || lng === null ? ANY : squareName(squareIndex(lat), squareIndex(lng))
  for (const place of new Set([ANY, state, square, ...names])) {
    for (const operation of operations) {
      yield keyOf(place, operation, ANY)
      yield keyOf(place, operation, listing.type)
    }
  }
}

/** All names that the place is called by (`isCalled`): its first words, with and without an article. */
function beginnings(folded: string): string[] {
  return [folded, bareName(folded)].flatMap(name =>
    [...name.matchAll(/ |$/g)].map(({ index }) => name.slice(0, index)).filter(Boolean),
  )
}
