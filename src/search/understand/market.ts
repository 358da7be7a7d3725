import { foldText } from '../../lib/text.ts'
import type { Engine } from '../engine/engine.ts'
import { WEIGHTS } from '../engine/postings.ts'
import { readPlace } from '../places/place.ts'
import { Gazetteer } from './gazetteer.ts'
import type { Market } from './understand.ts'

/** New places are recognized after this delay. */
const GAZETTEER_MS = 30_000
/** Enough to locate a place. */
const MOST_POINTS = 2_000

/** The gazetteer of the current index, rebuilt when it is old and the market has changed. */
export class Gazetteers {
  #last: { engine: Engine; revision: number; at: number; gazetteer: Gazetteer } | undefined

  of(engine: Engine, now: number): Gazetteer {
    const last = this.#last
    const isGood =
      last?.engine === engine && (last.revision === engine.revision || now - last.at < GAZETTEER_MS)
    if (last && isGood) return last.gazetteer
    const gazetteer = new Gazetteer(engine)
    this.#last = { engine, revision: engine.revision, at: now, gazetteer }
    return gazetteer
  }
}

/** `stems` has the lexemes of every typed word. */
export function marketOf(engine: Engine, gazetteer: Gazetteer, stems: ReadonlyMap<string, string[]>): Market {
  return {
    placeNamed: folded => gazetteer.placeNamed(folded),
    placeStarting: folded => gazetteer.placeStarting(folded),
    correct: folded => gazetteer.correct(folded),
    middleOf: place => middleOf(engine, place),
    isWord: folded => isSaid(engine, stems.get(folded) ?? []),
  }
}

/** Whether a public listing contains one of the lexemes. */
function isSaid(engine: Engine, lexemes: string[]): boolean {
  for (let weight = 0; weight < WEIGHTS; weight++) {
    for (const set of engine.postings.at(lexemes, weight)) {
      for (const slot of set.slots()) if (engine.shown.has(slot)) return true
    }
  }
  return false
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
