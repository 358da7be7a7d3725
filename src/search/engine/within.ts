import type { Polygon } from '../criteria.ts'
import { Bitmap } from './bitmap.ts'
import { type Area, boundsOf, cellsIn, type Holds } from './globe.ts'
import type { Index } from './parts.ts'
import { polygonArea } from './polygon.ts'
import type { Scratch, ScratchBitmap } from './scratch.ts'

/** Cells to look at, and words whose points are tested, between two pauses: about a millisecond of a complicated area. */
const [CELLS, WORDS] = [64, 256]

/** What says whether a slot that was found is still the same listing; see `Engine`. */
interface Engine extends Index {
  sweeps: number
}

type Polygons = readonly Polygon[]

/** Which slots are in polygons, found while the index goes on: those that were not tested are when they are asked for. */
export class Within {
  readonly #engine: Engine
  readonly #sweeps: number
  readonly #polygons: Polygons
  readonly #holds: Holds
  readonly #tested: Bitmap
  readonly #inside: Bitmap

  private constructor(engine: Engine, polygons: Polygons, holds: Holds, tested: Bitmap) {
    this.#engine = engine
    this.#sweeps = engine.sweeps
    this.#polygons = polygons
    this.#holds = holds
    this.#tested = tested
    this.#inside = new Bitmap(tested.words.length * 32)
  }

  /** Of slots that are in use now. In steps. */
  static *of(engine: Engine, polygons: Polygons, slots: Bitmap): Generator<void, Within> {
    const area = polygonArea(polygons)
    const within = new Within(engine, polygons, area.holds, slots)
    const edge = new Bitmap(slots.words.length * 32)
    yield* findInside(engine, area, slots, within.#inside, edge)
    return within
  }

  /** Of these very polygons, and of no sweep that began since: slots may then be of other listings. */
  isOf(engine: Engine, polygons: Polygons): boolean {
    return engine === this.#engine && engine.sweeps === this.#sweeps && polygons === this.#polygons
  }

  keep(hits: ScratchBitmap, scratch: Scratch): void {
    const { lat, lng } = this.#engine.columns
    const others = scratch.copyOf(hits)
    others.andNot(this.#tested)
    others.keep(slot => this.#holds(lat.get(slot), lng.get(slot)))
    hits.and(this.#inside)
    hits.or(others)
  }
}

/**
 * Adds to `inside` those of the slots that are in the area: cells fully inside are taken whole, and points are tested only
 * at its edge. In steps, between which the given slots must keep their values. Both last bitmaps begin empty.
 */
export function* findInside(
  index: Index,
  { box, part }: Area,
  slots: Bitmap,
  inside: Bitmap,
  edge: Bitmap,
): Generator<void> {
  const { cell } = index.facets
  const tests = new Map<number, Holds>()
  let cells = 0
  for (const number of cellsIn(box, cell.sets)) {
    if (++cells % CELLS === 0) yield
    const set = cell.sets.get(number)
    const found = set !== undefined && part(boundsOf(number))
    if (found === false) continue
    set?.orInto(found === true ? inside : edge)
    if (found !== true) tests.set(cell.labelOf(number), found)
  }
  edge.and(slots)
  yield* keepPoints(index, edge, tests)
  inside.or(edge)
  inside.and(slots)
}

/** By the test of each point's cell. By slot and not cell by cell: points are then read in the order of memory. */
function* keepPoints(
  { facets, columns }: Index,
  edge: Bitmap,
  tests: ReadonlyMap<number, Holds>,
): Generator<void> {
  const { labels, values } = facets.cell
  const [lat, lng] = [columns.lat.values, columns.lng.values]
  // The cells of a rectangle or a circle share one test.
  const [same, ...others] = new Set(tests.values())
  const byLabel = others.length > 0 ? Array.from({ length: values.length }, (_, n) => tests.get(n)) : []
  const test =
    same && others.length === 0
      ? (slot: number) => same(lat[slot] as number, lng[slot] as number)
      : (slot: number) => byLabel[labels[slot] as number]?.(lat[slot] as number, lng[slot] as number) === true
  for (let at = 0; at < edge.words.length; at += WORDS) {
    edge.keep(test, at, at + WORDS)
    yield
  }
}
