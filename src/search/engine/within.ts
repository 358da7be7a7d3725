import type { Filters } from '../criteria.ts'
import { Bitmap } from './bitmap.ts'
import type { LabeledFacet } from './facet.ts'
import { type Area, boundsOf, cellsIn, circleArea, type Holds, rectangleArea } from './globe.ts'
import type { Index } from './parts.ts'
import { addLabeled } from './passes.ts'
import { polygonArea } from './polygon.ts'
import type { Scratch, ScratchBitmap } from './scratch.ts'

/** Cells to look at, and words whose points or titles are tested, between two pauses: about a millisecond of a complicated area. */
const [CELLS, WORDS] = [64, 256]

/** What says whether a slot that was found is still the same listing; see `Engine`. */
interface Engine extends Index {
  sweeps: number
}

/** An area as filters name it. */
interface NamedArea {
  name: 'rectangle' | 'circle' | 'polygons'
  shape: object
  area: () => Area
}

/** Every one of them must hold. */
export function areasOf({ rectangle, circle, polygons }: Filters): NamedArea[] {
  const areas: NamedArea[] = []
  if (rectangle) areas.push({ name: 'rectangle', shape: rectangle, area: () => rectangleArea(rectangle) })
  if (circle) areas.push({ name: 'circle', shape: circle, area: () => circleArea(circle) })
  if (polygons) areas.push({ name: 'polygons', shape: polygons, area: () => polygonArea(polygons) })
  return areas
}

type Test = (slot: number) => boolean

/**
 * Which slots are in an area, or have titles that begin in a way, found while the index goes on: those that were not tested are when
 * they are asked for.
 */
export class Within {
  readonly #engine: Engine
  readonly #sweeps: number
  readonly #shape: object | string
  readonly #test: Test
  readonly #tested: Bitmap
  readonly #inside: Bitmap

  private constructor(engine: Engine, sweeps: number, shape: object | string, test: Test, tested: Bitmap) {
    this.#engine = engine
    this.#sweeps = sweeps
    this.#shape = shape
    this.#test = test
    this.#tested = tested
    this.#inside = new Bitmap(tested.words.length * 32)
  }

  /** Of slots that are in use now: those in each of the areas, and those with such a title. In steps. */
  static *of(
    engine: Engine,
    { areas, titleStart }: { areas: readonly NamedArea[]; titleStart?: string | undefined },
    slots: Bitmap,
  ): Generator<void, Within[]> {
    // Now, and not when the next has its turn: slots may then be of other listings.
    const { sweeps } = engine
    const { lat, lng } = engine.columns
    const found: Within[] = []
    for (const { shape, area: areaOf } of areas) {
      const area = areaOf()
      const test = (slot: number) => area.holds(lat.get(slot), lng.get(slot))
      const within = new Within(engine, sweeps, shape, test, slots)
      yield* findInside(engine, area, slots, within.#inside, new Bitmap(slots.words.length * 32))
      found.push(within)
    }
    if (titleStart === undefined) return found
    const within = new Within(engine, sweeps, titleStart, titleTest(engine, titleStart), slots)
    within.#inside.or(slots)
    yield* keepTested(within.#inside, within.#test)
    return [...found, within]
  }

  /** Of this very shape, and no sweep has begun since: slots may then be of other listings. */
  isOf(engine: Index, shape: object | string): boolean {
    return engine === this.#engine && this.#engine.sweeps === this.#sweeps && shape === this.#shape
  }

  keep(hits: ScratchBitmap, scratch: Scratch): void {
    const others = scratch.copyOf(hits)
    others.andNot(this.#tested)
    others.keep(this.#test)
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
  const whole: number[] = []
  let cells = 0
  for (const label of cellsIn(box, cell)) {
    if (++cells % CELLS === 0) yield
    // The label may be of no cell since the last pause.
    const number = cell.values[label]
    const found = number !== undefined && part(boundsOf(number))
    if (found === true) whole.push(label)
    else if (found !== false) {
      cell.setOf(label)?.orInto(edge)
      tests.set(label, found)
    }
  }
  yield* addCells(cell, whole, inside)
  edge.and(slots)
  yield* keepPoints(index, edge, tests)
  inside.or(edge)
  inside.and(slots)
}

/** By their sets or, if there are many, by the labels of all slots: a set takes as long as some 300 labels. */
function* addCells(cell: LabeledFacet<number>, cells: readonly number[], target: Bitmap): Generator<void> {
  if (cells.length * 300 > cell.labels.length) {
    const table = new Int32Array(cell.values.length)
    for (const label of cells) table[label] = 1
    yield* addLabeled(target, cell.labels, table)
    return
  }
  for (const [i, label] of cells.entries()) {
    if (i % CELLS === 0) yield
    cell.setOf(label)?.orInto(target)
  }
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
  yield* keepTested(edge, test)
}

function* keepTested(slots: Bitmap, test: Test): Generator<void> {
  for (let at = 0; at < slots.words.length; at += WORDS) {
    slots.keep(test, at, at + WORDS)
    yield
  }
}

export function titleTest({ titles }: Index, begins: string): Test {
  const start = Buffer.from(begins)
  return slot => titles.startsWith(slot, start)
}
