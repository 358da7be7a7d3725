import type { Bitmap } from './bitmap.ts'
import type { SlotLabels } from './columns.ts'
import { CELL_SIDE, CELL_ZOOM, columnOf, type Rectangle, rowOf, sideAt } from './globe.ts'
import type { Index } from './parts.ts'
import { countLabels, inParts, kernels } from './passes.ts'

export interface Box {
  west: number
  south: number
  east: number
  north: number
}

export const rectangleOf = ({ west, south, east, north }: Box): Rectangle => ({
  swLat: south,
  swLng: west,
  neLat: north,
  neLng: east,
})

const boxOf = ({ swLat, swLng, neLat, neLng }: Rectangle): Box => ({
  west: swLng,
  south: swLat,
  east: neLng,
  north: neLat,
})

/** What is in both; nothing is, if that leaves nothing. */
export const overlap = (a: Rectangle, b: Rectangle = a): Rectangle => ({
  swLat: Math.max(a.swLat, b.swLat),
  swLng: Math.max(a.swLng, b.swLng),
  neLat: Math.min(a.neLat, b.neLat),
  neLng: Math.min(a.neLng, b.neLng),
})

/** A square of the map with the hits in it. */
export interface Square {
  /** The mean of its points. */
  lat: number
  lng: number
  count: number
  /** If it has only one. */
  slot: number
  bounds: Rectangle
}

export const MAX_ZOOM = 22
/** Of the squares of a map that people look at: about 20 m. */
const FINEST = 19

/** The largest zoom with at most `across` squares over the longer side of a box. */
export function zoomFor({ swLat, swLng, neLat, neLng }: Rectangle, across: number): number {
  const wide = Math.max(neLat - swLat, neLng - swLng)
  const zoom = Math.floor(Math.log2((sideAt(0) * across) / wide))
  return wide > 0 ? Math.max(0, Math.min(MAX_ZOOM, zoom)) : MAX_ZOOM
}

/** For a map that people look at, of the view or, without one, of the results. */
export const zoomOfMap = (box: Rectangle, across: number): number => Math.min(FINEST, zoomFor(box, across))

/** A square on a map, placed at about the mean of its points. */
export type Mark = Pick<Square, 'lat' | 'lng' | 'count' | 'slot'>

/** The hits that have a point in squares, at most `across` of them over the width of the view or, without a view, of the results. */
export function* marksIn(
  index: Index,
  hits: Bitmap,
  view: Box | undefined,
  across: number,
): Generator<void, { marks: Mark[]; bounds: Box | undefined }> {
  const { cells } = yield* cellsOf(index, hits)
  if (cells.length === 0) return { marks: [], bounds: undefined }
  const bounds = yield* boundsOf(index, hits, cells)
  const zoom = zoomOfMap(view ? rectangleOf(view) : bounds, across)
  if (isCoarse(zoom)) return { marks: coarseMarks(index, hits, cells, zoom), bounds: boxOf(bounds) }
  const grid = yield* gridAt(index, hits, cells, zoom, Number.POSITIVE_INFINITY)
  const sums = noSums(grid?.keys.length ?? 0)
  if (grid) yield* addPoints(index, hits, grid, sums)
  return { marks: fromSouth(grid?.keys ?? [], squaresOf(sums)), bounds: boxOf(bounds) }
}

/** Row by row, and from west to east. */
const fromSouth = (keys: readonly number[], marks: readonly Mark[]): Mark[] =>
  keys
    .map((key, i) => ({ key, mark: marks[i] as Mark }))
    .sort((a, b) => a.key - b.key)
    .map(({ mark }) => mark)

/** Whether squares are at least eight cells wide: nobody sees then that a mark is half a cell away. */
export const isCoarse = (zoom: number): boolean => zoom <= CELL_ZOOM - 3

/**
 * As if points were in the centers of their cells: reading each takes three times as long at a million. Those that are alone are
 * where they are.
 */
function coarseMarks(index: Index, hits: Bitmap, cells: readonly Cell[], zoom: number): Mark[] {
  const coarser = CELL_ZOOM - zoom
  const sums = new Map<number, Cell>()
  for (const { label, row, column, count } of cells) {
    const key = squareKey(row >> coarser, column >> coarser)
    const sum = sums.get(key) ?? { label, row: 0, column: 0, count: 0 }
    if (sum.count === 0) sums.set(key, sum)
    sum.row += (row + 0.5) * count
    sum.column += (column + 0.5) * count
    sum.count += count
  }
  const marks = Array.from(sums.values(), sum => markOf(index, hits, sum))
  return fromSouth([...sums.keys()], marks)
}

function markOf({ facets, columns }: Index, hits: Bitmap, { label, row, column, count }: Cell): Mark {
  const [slot = 0] = count === 1 ? (facets.cell.setOf(label)?.slotsIn(hits) ?? []) : []
  if (count === 1) return { lat: columns.lat.get(slot), lng: columns.lng.get(slot), count, slot }
  return { lat: (row / count) * CELL_SIDE, lng: (column / count) * CELL_SIDE, count, slot }
}

/** A cell that has hits, by the number that its slots have as a label. */
export interface Cell {
  label: number
  row: number
  column: number
  count: number
}

/** The cells that have hits, and how many hits are in none. */
export function* cellsOf(
  { facets: { cell } }: Index,
  hits: Bitmap,
): Generator<void, { cells: Cell[]; withoutPoint: number }> {
  const counts = yield* countLabels(cell.labels, cell.values.length, hits)
  const cells: Cell[] = []
  for (let label = 1; label < counts.length; label++) {
    const count = counts[label] as number
    if (count === 0) continue
    const number = cell.values[label] as number
    cells.push({ label, row: rowOf(number), column: columnOf(number), count })
  }
  return { cells, withoutPoint: counts[0] ?? 0 }
}

/** Only the points of the outermost cells are read. In steps. */
export function* boundsOf(index: Index, hits: Bitmap, cells: readonly Cell[]): Generator<void, Rectangle> {
  const bounds = { swLat: Infinity, swLng: Infinity, neLat: -Infinity, neLng: -Infinity }
  for (const { label } of outermost(cells)) {
    for (const part of index.facets.cell.setOf(label)?.partsIn(hits) ?? []) {
      yield
      widen(bounds, part, index.columns)
    }
  }
  return bounds
}

function outermost(cells: readonly Cell[]): Cell[] {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { row, column } of cells) {
    if (row < south) south = row
    if (column < west) west = column
    if (row > north) north = row
    if (column > east) east = column
  }
  return cells.filter(
    ({ row, column }) => row === south || row === north || column === west || column === east,
  )
}

function widen(bounds: Rectangle, slots: Int32Array, { lat, lng }: Index['columns']): void {
  for (const slot of slots) {
    bounds.swLat = Math.min(bounds.swLat, lat.get(slot))
    bounds.swLng = Math.min(bounds.swLng, lng.get(slot))
    bounds.neLat = Math.max(bounds.neLat, lat.get(slot))
    bounds.neLng = Math.max(bounds.neLng, lng.get(slot))
  }
}

/**
 * Squares that have hits, numbered from 0. They are aligned to the equator and the prime meridian, so that moving the map regroups
 * nothing.
 */
export interface Grid {
  /** By number. The greater is farther north or, in the same row, farther east. */
  keys: number[]
  /** Per slot, its square or, if there are squares of labels, its label; only those of hits matter. */
  labels: SlotLabels
  squares?: Int32Array
}

const NO_SQUARE = -1
const squareKey = (row: number, column: number) => row * 2 ** 26 + column

/** Undefined if there are more than `most`. */
export function* gridAt(
  index: Index,
  hits: Bitmap,
  cells: readonly Cell[],
  zoom: number,
  most: number,
): Generator<void, Grid | undefined> {
  return zoom > CELL_ZOOM ? yield* fineGrid(index, hits, zoom, most) : gridOfCells(index, cells, zoom, most)
}

/** Up to the zoom of the cells, a listing's cell leads to its square. */
function gridOfCells(
  { facets: { cell } }: Index,
  cells: readonly Cell[],
  zoom: number,
  most: number,
): Grid | undefined {
  const numbers = new Map<number, number>()
  const squares = new Int32Array(cell.values.length).fill(NO_SQUARE)
  const coarser = CELL_ZOOM - zoom
  for (const { label, row, column } of cells) {
    squares[label] = numberOf(numbers, squareKey(row >> coarser, column >> coarser))
    if (numbers.size > most) return undefined
  }
  return { keys: [...numbers.keys()], labels: cell.labels, squares }
}

function* fineGrid(
  { columns, facets }: Index,
  hits: Bitmap,
  zoom: number,
  most: number,
): Generator<void, Grid | undefined> {
  const [lats, lngs] = [columns.lat.values, columns.lng.values]
  const numbers = new Map<number, number>()
  const labels = new Int32Array(hits.words.length * 32)
  const side = sideAt(zoom)
  for (const part of hits.parts()) {
    yield
    for (const slot of part) {
      const key = squareKey(
        Math.floor((lats[slot] as number) / side),
        Math.floor((lngs[slot] as number) / side),
      )
      labels[slot] = facets.cell.labels[slot] === 0 ? NO_SQUARE : numberOf(numbers, key)
    }
    if (numbers.size > most) return undefined
  }
  return { keys: [...numbers.keys()], labels }
}

function numberOf(numbers: Map<number, number>, key: number): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size)
  return numbers.size - 1
}

/** Per square: the sums of lat and lng, the count, a slot, and the bounds. */
const SUMS = 8
const NO_SUMS = [0, 0, 0, 0, Infinity, Infinity, -Infinity, -Infinity]

export const noSums = (squares: number): Float64Array => repeated(NO_SUMS, squares)

/** The lowest and the highest price of each square. */
export const noRanges = (squares: number): Float64Array => repeated([Infinity, -Infinity], squares)

function repeated(numbers: readonly number[], times: number): Float64Array {
  const all = new Float64Array(times * numbers.length)
  for (let at = 0; at < all.length; at += numbers.length) all.set(numbers, at)
  return all
}

export const squaresOf = (sums: Float64Array): Square[] =>
  Array.from({ length: sums.length / SUMS }, (_, n) => squareOf(sums.subarray(n * SUMS, n * SUMS + SUMS)))

function squareOf([
  lat = 0,
  lng = 0,
  count = 0,
  slot = 0,
  swLat = 0,
  swLng = 0,
  neLat = 0,
  neLng = 0,
]: Float64Array): Square {
  return { lat: lat / count, lng: lng / count, count, slot, bounds: { swLat, swLng, neLat, neLng } }
}

/** Prices that some of the hits have. */
export interface Prices {
  priced: Bitmap
  values: Float64Array
  ranges: Float64Array
}

/** Adds the hits to the sums and to the ranges of the squares they are in. In steps. */
export function* addPoints(
  { columns: { lat, lng } }: Index,
  hits: Bitmap,
  { keys, labels, squares }: Grid,
  sums: Float64Array,
  prices: readonly Prices[] = [],
): Generator<void> {
  const arrays = { given: squares ? [squares] : [], found: [sums, ...prices.map(({ ranges }) => ranges)] }
  const [lats, lngs, size] = [lat.values, lng.values, keys.length]
  yield* inParts(hits.words.length, arrays, (part, { given: [table], found: [sumsAt = 0, ...rangesAt] }) => {
    const bits = part.putBits(hits)
    const at = part.putLabels(labels)
    if (squares && table !== undefined) kernels.replaceLabels(at, part.bytes * 32, table, squares.length)
    kernels.addPoints(bits, bits, part.bytes, at, part.put(lats), part.put(lngs), part.first, sumsAt, size)
    const places = new Map(
      [...new Set(prices.map(({ values }) => values))].map(values => [values, part.put(values)]),
    )
    for (const [i, { priced, values }] of prices.entries()) {
      const place = places.get(values) as number
      kernels.widenRanges(bits, part.putBits(priced), part.bytes, at, place, rangesAt[i] as number, size)
    }
  })
}
