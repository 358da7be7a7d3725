import { CURRENCIES, type Currency } from '../../lib/money.ts'
import { PART } from '../../lib/slices.ts'
import { type Operation, operations } from '../../lookups/catalog.ts'
import type { Bitmap } from './bitmap.ts'
import { CELL_ZOOM, columnOf, rowOf, sideAt } from './globe.ts'
import type { Index } from './parts.ts'
import { boundsOf, pointsOf, rectangleOf } from './squares.ts'

export interface Bounds {
  swLat: number
  swLng: number
  neLat: number
  neLng: number
}

export interface PriceRange {
  operation: Operation
  currency: Currency
  min: number
  max: number
}

export interface Cluster {
  /** The mean of its points. */
  lat: number
  lng: number
  count: number
  bounds: Bounds
  prices: PriceRange[]
  /** Of a single listing. */
  id: string | undefined
}

export interface Clusters {
  zoom: number
  clusters: Cluster[]
  /** Hits with a point, and the others. */
  total: number
  withoutPoint: number
}

export const MAX_ZOOM = 22
/** Squares across the hits, if no zoom is given. */
const ACROSS = 16

/**
 * The hits that have a point, gathered in squares aligned to the equator and the prime meridian, so that moving the map
 * regroups nothing. With more than `most` squares, the next smaller zoom is used.
 */
export function* clustersIn(
  index: Index,
  hits: Bitmap,
  zoom: number | undefined,
  most: number,
): Generator<void, Clusters> {
  const { labels, values } = index.facets.cell
  const counts = yield* hits.countLabels(labels, values.length)
  const cells: number[] = []
  for (let label = 1; label < counts.length; label++) if (counts[label]) cells.push(values[label] as number)
  let used = zoom ?? zoomFor(rectangleOf(yield* boundsOf(hits, pointsOf(index.columns))))
  while (used > CELL_ZOOM && !(yield* fits(index, hits, used, most))) used--
  while (used > 0 && used <= CELL_ZOOM && !(yield* cellsFit(cells, used, most))) used--
  const grid = used > CELL_ZOOM ? fineGrid(index, used) : gridOfCells(index, cells, used)
  const sums = yield* gather(index, hits, grid)
  const prices = yield* pricesIn(index, hits, grid)
  const clusters: Cluster[] = []
  for (let square = 0; square < grid.size; square++) clusters.push(clusterOf(index, sums, square, prices))
  clusters.sort((a, b) => b.count - a.count || a.lat - b.lat || a.lng - b.lng)
  const [withoutPoint = 0] = counts
  return { zoom: used, clusters, total: hits.count() - withoutPoint, withoutPoint }
}

function clusterOf(index: Index, sums: Float64Array, square: number, prices: Prices[]): Cluster {
  const [lat = 0, lng = 0, count = 0, swLat = 0, swLng = 0, neLat = 0, neLng = 0, first = 0] = sums.subarray(
    square * SUMS,
    square * SUMS + SUMS,
  )
  return {
    lat: lat / count,
    lng: lng / count,
    count,
    bounds: { swLat, swLng, neLat, neLng },
    prices: prices.flatMap(({ operation, currency, lowest, highest }) => {
      const [min, max] = [lowest[square] as number, highest[square] as number]
      return min <= max ? [{ operation, currency, min, max }] : []
    }),
    id: count === 1 ? index.ids.text(first) : undefined,
  }
}

export function zoomFor({ swLat, swLng, neLat, neLng }: Bounds): number {
  const wide = Math.max(neLat - swLat, neLng - swLng)
  const zoom = Math.floor(Math.log2((sideAt(0) * ACROSS) / wide))
  return wide > 0 ? Math.max(0, Math.min(MAX_ZOOM, zoom)) : MAX_ZOOM
}

/** Zooms that are far too fine are given up after a few listings. */
function* fits(index: Index, hits: Bitmap, zoom: number, most: number): Generator<void, boolean> {
  const grid = fineGrid(index, zoom)
  for (const part of hits.parts()) {
    yield
    grid.squaresOf(part)
    if (grid.size > most) return false
  }
  return true
}

const squareKey = (row: number, column: number) => row * 2 ** 26 + column
const squareOfCell = (cell: number, zoom: number) =>
  squareKey(rowOf(cell) >> (CELL_ZOOM - zoom), columnOf(cell) >> (CELL_ZOOM - zoom))

/** Zooms that are far too fine are given up after a few cells. */
function* cellsFit(cells: readonly number[], zoom: number, most: number): Generator<void, boolean> {
  const squares = new Set<number>()
  for (const [i, cell] of cells.entries()) {
    if (i % PART === 0) yield
    squares.add(squareOfCell(cell, zoom))
    if (squares.size > most) return false
  }
  return true
}

/** Squares, numbered from 0 as they are met. */
interface Grid {
  /** How many so far. */
  readonly size: number
  /** Of each slot, its square; -1 for those without a point. Overwritten by the next. */
  squaresOf(slots: Int32Array): Int32Array
}

const NO_SQUARE = -1

class Numbers {
  readonly #known = new Map<number, number>()

  get size(): number {
    return this.#known.size
  }

  of(key: number): number {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.size)
    return this.size - 1
  }
}

function fineGrid({ columns, facets: { cell } }: Index, zoom: number): Grid {
  const { lat, lng } = pointsOf(columns)
  const { labels } = cell
  const numbers = new Numbers()
  const side = sideAt(zoom)
  const squares = new Int32Array(PART)
  const squareAt = (lat: number, lng: number) =>
    numbers.of(squareKey(Math.floor(lat / side), Math.floor(lng / side)))
  return {
    get size() {
      return numbers.size
    },
    squaresOf(slots) {
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i] as number
        squares[i] = labels[slot] === 0 ? NO_SQUARE : squareAt(lat[slot] as number, lng[slot] as number)
      }
      return squares.subarray(0, slots.length)
    },
  }
}

/** Up to the zoom of the cells, a listing's cell leads to its square. */
function gridOfCells({ facets: { cell } }: Index, cells: readonly number[], zoom: number): Grid {
  const { labels, values } = cell
  const numbers = new Numbers()
  const byLabel = new Int32Array(values.length).fill(NO_SQUARE)
  for (const one of cells) byLabel[cell.labelOf(one)] = numbers.of(squareOfCell(one, zoom))
  const squares = new Int32Array(PART)
  return {
    size: numbers.size,
    squaresOf(slots) {
      for (let i = 0; i < slots.length; i++)
        squares[i] = byLabel[labels[slots[i] as number] as number] as number
      return squares.subarray(0, slots.length)
    },
  }
}

/** Per square: the sums of lat and lng, the count, the bounds, and its first slot. */
const SUMS = 8
const NO_SUMS = [0, 0, 0, Infinity, Infinity, -Infinity, -Infinity, -1]

function* gather(index: Index, hits: Bitmap, grid: Grid): Generator<void, Float64Array> {
  const { lat, lng } = pointsOf(index.columns)
  let sums: Float64Array = new Float64Array()
  for (const part of hits.parts()) {
    yield
    const squares = grid.squaresOf(part)
    if (grid.size * SUMS > sums.length) sums = longer(sums, grid.size * 2)
    addPoints(sums, squares, part, lat, lng)
  }
  return sums
}

function longer(sums: Float64Array, squares: number): Float64Array {
  const all = new Float64Array(squares * SUMS)
  for (let at = 0; at < all.length; at += SUMS) all.set(NO_SUMS, at)
  all.set(sums)
  return all
}

// Loops over all slots are functions of their own, and take nothing apart: in a generator, or with pairs of values made and
// taken apart for each slot, they take two to three times as long.

function addPoints(
  sums: Float64Array,
  squares: Int32Array,
  slots: Int32Array,
  lat: Float64Array,
  lng: Float64Array,
): void {
  for (let i = 0; i < slots.length; i++) {
    const square = squares[i] as number
    if (square < 0) continue
    const slot = slots[i] as number
    const at = square * SUMS
    const y = lat[slot] as number
    const x = lng[slot] as number
    if (sums[at + 2] === 0) sums[at + 7] = slot
    sums[at] = (sums[at] as number) + y
    sums[at + 1] = (sums[at + 1] as number) + x
    sums[at + 2] = (sums[at + 2] as number) + 1
    if (y < (sums[at + 3] as number)) sums[at + 3] = y
    if (x < (sums[at + 4] as number)) sums[at + 4] = x
    if (y > (sums[at + 5] as number)) sums[at + 5] = y
    if (x > (sums[at + 6] as number)) sums[at + 6] = x
  }
}

/** Per square, if it has any. */
interface Prices {
  operation: Operation
  currency: Currency
  lowest: Float64Array
  highest: Float64Array
}

function* pricesIn({ facets, columns }: Index, hits: Bitmap, grid: Grid): Generator<void, Prices[]> {
  const all: Prices[] = []
  for (const [operation, currency] of operations.flatMap(one => CURRENCIES.map(two => [one, two] as const))) {
    const priced = facets.price.sets.get(`${operation} ${currency}`)
    const { values } = operation === 'sale' ? columns.salePrice : columns.rentPrice
    const lowest = new Float64Array(grid.size).fill(Infinity)
    const highest = new Float64Array(grid.size).fill(-Infinity)
    for (const part of priced?.partsIn(hits) ?? []) {
      yield
      addPrices(lowest, highest, grid.squaresOf(part), part, values)
    }
    all.push({ operation, currency, lowest, highest })
  }
  return all
}

function addPrices(
  lowest: Float64Array,
  highest: Float64Array,
  squares: Int32Array,
  slots: Int32Array,
  prices: Float64Array,
): void {
  for (let i = 0; i < slots.length; i++) {
    const square = squares[i] as number
    if (square < 0) continue
    const price = prices[slots[i] as number] as number
    if (price < (lowest[square] as number)) lowest[square] = price
    if (price > (highest[square] as number)) highest[square] = price
  }
}
