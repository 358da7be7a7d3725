import { setImmediate as breathe } from 'node:timers/promises'
import { foldText } from '../../lib/text.ts'
import type { Engine } from '../engine/engine.ts'
import { WEIGHTS } from '../engine/postings.ts'
import { readPlace } from '../places/place.ts'
import { Gazetteer } from './gazetteer.ts'
import { knownPlaces } from './known-places.ts'
import type { Market } from './understand.ts'

/** New places of a large market are recognized after this delay. */
const GAZETTEER_MS = 30_000
/** Up to this many listings, reading them all takes a few milliseconds. */
const SMALL_MARKET = 5_000
/** Enough to locate a place. */
const MOST_POINTS = 2_000

interface Built {
  engine: Engine
  revision: number
  at: number
  gazetteer: Gazetteer
}

/** The gazetteer of the current index: current for a small market, rebuilt in the background for a large one. */
export class Gazetteers {
  #last: Built | undefined
  #building: Promise<Gazetteer> | undefined

  async of(engine: Engine, now: number): Promise<Gazetteer> {
    const last = this.#last?.engine === engine ? this.#last : undefined
    if (last?.revision === engine.revision) return last.gazetteer
    if (engine.shown.words.length * 32 <= SMALL_MARKET)
      return this.#keep(engine, engine.revision, now, finished(gazetteerOf(engine)))
    if (!last || now - last.at >= GAZETTEER_MS) {
      this.#building ??= this.#build(engine, now).finally(() => {
        this.#building = undefined
      })
    }
    return last?.gazetteer ?? (this.#building as Promise<Gazetteer>)
  }

  async #build(engine: Engine, now: number): Promise<Gazetteer> {
    const { revision } = engine
    const steps = gazetteerOf(engine)
    for (;;) {
      const step = steps.next()
      if (step.done) return this.#keep(engine, revision, now, step.value)
      await breathe()
    }
  }

  #keep(engine: Engine, revision: number, at: number, gazetteer: Gazetteer): Gazetteer {
    this.#last = { engine, revision, at, gazetteer }
    return gazetteer
  }
}

function* gazetteerOf(engine: Engine): Generator<void, Gazetteer> {
  return yield* Gazetteer.of(yield* knownPlaces(engine))
}

function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** `stems` has the lexemes of every typed word. */
export function marketOf(engine: Engine, gazetteer: Gazetteer, stems: ReadonlyMap<string, string[]>): Market {
  return {
    placeNamed: folded => gazetteer.placeNamed(folded),
    placeStarting: folded => gazetteer.placeStarting(folded),
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
function middleOf(engine: Engine, name: string): ReturnType<Market['middleOf']> {
  const place = readPlace(name)
  if (!place) return undefined
  const criteria = { place, sort: 'newest' as const, page: 1, limit: MOST_POINTS }
  const { slots } = engine.search(criteria, null, { groups: [] })
  const { lat, lng } = engine.columns
  const points = slots.filter(slot => !Number.isNaN(lat.get(slot)))
  if (points.length === 0) return undefined
  const mean = (of: (slot: number) => number) =>
    points.reduce((sum, slot) => sum + of(slot), 0) / points.length
  const isNeighborhood = !engine.facets.city.sets.has(foldText(name))
  return {
    lat: mean(slot => lat.get(slot)),
    lng: mean(slot => lng.get(slot)),
    radiusKm: isNeighborhood ? 3 : 15,
  }
}
