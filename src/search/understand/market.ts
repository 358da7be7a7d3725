import { groupBy } from '../../lib/groups.ts'
import type { Engine } from '../engine/engine.ts'
import { WEIGHTS } from '../engine/postings.ts'
import { type PlacePart, readPlace } from '../places/place.ts'
import { Gazetteer } from './gazetteer.ts'
import { knownPlaces } from './known-places.ts'
import type { Market } from './reading.ts'

/** Up to this many listings, reading them all takes a few milliseconds. */
export const SMALL_MARKET = 5_000
/** Enough to locate a place. */
export const MOST_POINTS = 2_000

/** What a gazetteer is built from. */
interface Source {
  /** Another one starts anew. */
  of: object
  revision: number
  isSmall: boolean
  build(): Promise<Gazetteer>
}

/** The gazetteer of the listings: current for a small market, rebuilt in the background for a large one. */
export class Gazetteers {
  readonly #everyMs: number
  #last: { of: object; revision: number; at: number; gazetteer: Gazetteer } | undefined
  #building: Promise<Gazetteer> | undefined

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  async of(source: Source, now: number): Promise<Gazetteer> {
    const last = this.#last?.of === source.of ? this.#last : undefined
    if (last?.revision === source.revision) return last.gazetteer
    if (source.isSmall) return this.#build(source, now)
    if (!last || now - last.at >= this.#everyMs) {
      this.#building ??= this.#build(source, now).finally(() => {
        this.#building = undefined
      })
      // The last one serves meanwhile, and the next question tries again.
      this.#building.catch(() => {})
    }
    return last?.gazetteer ?? (this.#building as Promise<Gazetteer>)
  }

  async #build({ of, revision, build }: Source, at: number): Promise<Gazetteer> {
    const gazetteer = await build()
    this.#last = { of, revision, at, gazetteer }
    return gazetteer
  }
}

export const isSmall = (engine: Engine): boolean => engine.shown.words.length * 32 <= SMALL_MARKET

export function* gazetteerOf(engine: Engine): Generator<void, Gazetteer> {
  return yield* Gazetteer.of(yield* knownPlaces(engine))
}

/** `stems` has the lexemes of every typed word. */
export function marketOf(engine: Engine, gazetteer: Gazetteer, stems: ReadonlyMap<string, string[]>): Market {
  return {
    placeNamed: folded => gazetteer.placeNamed(folded),
    sizeOf: place => gazetteer.sizeOf(place),
    placeStarting: folded => gazetteer.placeStarting(folded),
    isWithin: (inner, outer) => gazetteer.isWithin(inner, outer),
    correct: (folded, atLeast) => gazetteer.correct(folded, atLeast),
    middleOf: place => middleOf(engine, place),
    timesSaid: (folded, most) => timesSaid(engine, stems.get(folded) ?? [], most),
  }
}

/** How many public listings contain one of the lexemes; counts no further than `most`. */
function timesSaid(engine: Engine, lexemes: string[], most: number): number {
  const said = new Set<number>()
  for (let weight = 0; weight < WEIGHTS; weight++) {
    for (const set of engine.postings.at(lexemes, weight)) {
      for (const slot of set.slots()) {
        if (engine.shown.has(slot)) said.add(slot)
        if (said.size === most) return most
      }
    }
  }
  return said.size
}

/** "Near" a neighborhood is a smaller radius than near a city. */
export const radiusAround = (isCity: boolean): number => (isCity ? 15 : 3)

/** The place, unless it is a state, which is no spot on the map. */
export function readSpot(name: string): PlacePart[] | undefined {
  const place = readPlace(name)
  return place?.[0]?.states.length ? undefined : place
}

const isCity = ({ facets, shown }: Engine, names: readonly string[]) =>
  names.some(name => (facets.city.sets.get(name)?.countIn(shown) ?? 0) > 0)

function middleOf(engine: Engine, name: string): ReturnType<Market['middleOf']> {
  const place = readSpot(name)
  if (!place) return undefined
  const criteria = { place, sort: 'newest' as const, page: 1, limit: MOST_POINTS }
  const { slots } = engine.search(criteria, null, { groups: [] })
  const { lat, lng } = engine.columns
  const { labels, values } = engine.facets.city
  const located = slots.filter(slot => !Number.isNaN(lat.get(slot)))
  const byCity = [...groupBy(located, slot => values[labels[slot] as number] as string)]
  // Of cities with a place of that name, the one that has the most listings there: the mean of all is nowhere.
  const [largest] = byCity.sort(([a, inA], [b, inB]) => inB.length - inA.length || (a < b ? -1 : 1))
  if (!largest) return undefined
  const [, points] = largest
  const mean = (of: (slot: number) => number) =>
    points.reduce((sum, slot) => sum + of(slot), 0) / points.length
  return {
    lat: mean(slot => lat.get(slot)),
    lng: mean(slot => lng.get(slot)),
    radiusKm: radiusAround(isCity(engine, place[0]?.names ?? [])),
  }
}
