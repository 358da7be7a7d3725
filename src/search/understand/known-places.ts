import { foldText } from '../../lib/text.ts'
import type { Engine } from '../engine/engine.ts'
import type { Facet } from '../engine/facet.ts'

type PlaceKind = 'state' | 'city' | 'municipality' | 'neighborhood'

/** A place of public listings. The same name in two cities is two places. */
export interface KnownPlace {
  /** As people write it. */
  name: string
  folded: string
  kind: PlaceKind
  /** The state of a city or municipality, the city of a neighborhood. */
  within: string | null
  /** Public listings. */
  count: number
}

/** Listings read without a pause: about a millisecond. */
const SLICE = 20_000
/** Agents write neighborhoods as they like; those with the fewest listings are left out. */
export const MOST_PLACES = 50_000

/** Larger kinds first. Yields between slices; a listing that changes meanwhile may be counted as it was. */
export function* knownPlaces(engine: Engine): Generator<void, KnownPlace[]> {
  const { state, city, municipality, neighborhood } = engine.facets
  const slots = engine.shown.words.length * 32
  const inState = new Int32Array(slots)
  const inCity = new Int32Array(slots)
  const states = yield* placesOf(engine, state, 'state', { names: [] }, inState)
  const ofStates = { names: states.map(({ name }) => name), of: inState }
  const cities = yield* placesOf(engine, city, 'city', ofStates, inCity)
  const ofCities = { names: cities.map(({ name }) => name), of: inCity }
  const municipalities = yield* placesOf(engine, municipality, 'municipality', ofStates)
  const neighborhoods = yield* placesOf(engine, neighborhood, 'neighborhood', ofCities)
  return placesInOrder({ states, cities, municipalities, neighborhoods })
}

type Kinds = Record<'states' | 'cities' | 'municipalities' | 'neighborhoods', KnownPlace[]>

/** The most listings first; the order of the others must not depend on how they were read. */
const byCount = (a: KnownPlace, b: KnownPlace): number =>
  b.count - a.count || compare(a.folded, b.folded) || compare(a.within ?? '', b.within ?? '')

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export function placesInOrder({ states, cities, municipalities, neighborhoods }: Kinds): KnownPlace[] {
  const isCity = new Set(cities.map(({ folded, within }) => `${folded}, ${within}`))
  return [
    ...states.sort(byCount),
    ...cities.sort(byCount),
    // Most are named after their main city, which then stands for both.
    ...municipalities.filter(({ folded, within }) => !isCity.has(`${folded}, ${within}`)).sort(byCount),
    ...neighborhoods.sort(byCount).slice(0, MOST_PLACES),
  ]
}

/** The larger places, by number from 1, and which of them each slot is in. */
interface Larger {
  names: string[]
  of?: Int32Array
}

/** `numbers` receives, for each slot, the number of its place in the result, from 1. */
function* placesOf(
  engine: Engine,
  facet: Facet,
  kind: PlaceKind,
  larger: Larger,
  numbers?: Int32Array,
): Generator<void, KnownPlace[]> {
  const places: KnownPlace[] = []
  let read = 0
  for (const [value, set] of facet.sets) {
    const numberIn = new Map<number, number>()
    // All at once: during a pause, the slot of a draft may be used again for a public listing elsewhere.
    for (const slot of set.slotsIn(engine.shown)) {
      if (++read % SLICE === 0) yield
      const where = larger.of?.[slot] ?? 0
      let number = numberIn.get(where)
      if (number === undefined) {
        const name = facet.names.get(value) ?? value
        const within = larger.names[where - 1] ?? null
        number = places.push({ name, folded: foldText(value), kind, within, count: 0 })
        numberIn.set(where, number)
      }
      ;(places[number - 1] as KnownPlace).count++
      if (numbers) numbers[slot] = number
    }
  }
  return places
}
