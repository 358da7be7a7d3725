import { groupBy } from '../../lib/groups.ts'
import type { Bitmap } from './bitmap.ts'
import { growth } from './columns.ts'
import { jsonPiece, nextJson, type Piece, type Pieces } from './pieces.ts'

interface Place {
  number: number
  state: string
  /** Folded, and as these listings write it. */
  city: string
  name: string
  count: number
}

export interface CityCount {
  state: string
  city: string
  /** The most common spelling. */
  name: string
  count: number
}

/** Public listings by place, counted with every change. */
export class Census {
  readonly #places: (Place | undefined)[] = []
  readonly #free: number[] = []
  readonly #byKey = new Map<string, Place>()
  #ofSlot = new Int32Array()

  reserve(slots: number): void {
    if (slots <= this.#ofSlot.length) return
    const ofSlot = new Int32Array(slots)
    ofSlot.set(this.#ofSlot)
    this.#ofSlot = ofSlot
  }

  add(slot: number, state: string, city: string, name: string): void {
    if (slot >= this.#ofSlot.length) this.reserve(growth(slot))
    const key = keyOf(state, city, name)
    let place = this.#byKey.get(key)
    if (!place) {
      place = { number: this.#free.pop() ?? this.#places.length, state, city, name, count: 0 }
      this.#places[place.number] = place
      this.#byKey.set(key, place)
    }
    place.count++
    this.#ofSlot[slot] = place.number
  }

  /** A place that loses its last listing is forgotten: agents choose the names. */
  remove(slot: number): void {
    const place = this.#places[this.#ofSlot[slot] as number] as Place
    if (--place.count > 0) return
    this.#places[place.number] = undefined
    this.#free.push(place.number)
    this.#byKey.delete(keyOf(place.state, place.city, place.name))
  }

  /** To be taken together with the bitmap of public slots: the number of a place that is forgotten is used again. */
  savedPlaces(): Piece {
    return jsonPiece(this.#places.map(place => place && [place.state, place.city, place.name]))
  }

  saved(slots: number): Int32Array {
    return this.#ofSlot.subarray(0, slots)
  }

  load(from: Pieces, spare: number, shown: Bitmap): void {
    const places = nextJson<([string, string, string] | null)[]>(from)
    for (const [number, found] of places.entries()) {
      if (found === null) {
        this.#free.push(number)
        this.#places.push(undefined)
        continue
      }
      const [state, city, name] = found
      const place = { number, state, city, name, count: 0 }
      this.#places.push(place)
      this.#byKey.set(keyOf(...found), place)
    }
    this.#ofSlot = from.next(Int32Array, spare)
    for (const slot of shown.slots()) (this.#places[this.#ofSlot[slot] as number] as Place).count++
  }

  /** Of one state or all, most listings first. Spellings that differ in case or accents are one city. */
  cities(state?: string): CityCount[] {
    const places = [...this.#byKey.values()].filter(place => state === undefined || place.state === state)
    const spellings = groupBy(places, cityKey)
    return [...spellings.values()].map(cityOf).sort(byCount)
  }

  /** When a listing of each city last changed, by `cityKey`. In steps: `shown` must stay as it is. */
  *latest(shown: Bitmap, updated: Float64Array): Generator<void, Map<string, number>> {
    // In a pause, another place may get the number of one that is gone.
    const places = [...this.#byKey.values()]
    const byPlace = new Float64Array(this.#places.length)
    for (const part of shown.parts()) {
      yield
      for (const slot of part) {
        const number = this.#ofSlot[slot] as number
        byPlace[number] = Math.max(byPlace[number] as number, updated[slot] as number)
      }
    }
    const byCity = new Map<string, number>()
    for (const { number, state, city } of places) {
      const key = cityKey({ state, city })
      byCity.set(key, Math.max(byCity.get(key) ?? 0, byPlace[number] as number))
    }
    return byCity
  }
}

export const cityKey = ({ state, city }: { state: string; city: string }): string => keyOf(state, city)

const keyOf = (...parts: string[]): string => parts.join('\n')

function cityOf(spellings: Place[]): CityCount {
  const [{ state, city, name }] = spellings.sort((a, b) => b.count - a.count || compare(a.name, b.name)) as [
    Place,
  ]
  return { state, city, name, count: spellings.reduce((sum, { count }) => sum + count, 0) }
}

export const byCount = (a: CityCount, b: CityCount): number =>
  b.count - a.count || compare(a.state, b.state) || compare(a.city, b.city)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
