import { CURRENCIES, type Currency } from '../../lib/money.ts'
import { PART } from '../../lib/slices.ts'
import { type Operation, operations } from '../../lookups/catalog.ts'
import type { Bitmap } from './bitmap.ts'
import { CELL_ZOOM, columnOf, rowOf, sideAt } from './globe.ts'
import type { Index } from './parts.ts'

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
  let used = zoom ?? zoomFor(yield* boundsOf(index, hits))
  while (used > CELL_ZOOM && !(yield* fits(index, hits, used, most))) used--
  while (used > 0 && used <= CELL_ZOOM && !(yield* cellsFit(cells, used, most))) used--
  const squares = yield* gather(index, hits, used)
  const prices = yield* pricesIn(index, hits, squares)
  const clusters = squares.all.map((square, number) => clusterOf(index, square, number, prices))
  clusters.sort((a, b) => b.count - a.count || a.lat - b.lat || a.lng - b.lng)
  const [withoutPoint = 0] = counts
  return { zoom: used, clusters, total: hits.count() - withoutPoint, withoutPoint }
}

function clusterOf(index: Index, square: Square, number: number, prices: Prices[]): Cluster {
  return {
    lat: square.lat / square.count,
    lng: square.lng / square.count,
    count: square.count,
    bounds: square.bounds,
    prices: prices.flatMap(({ operation, currency, lowest, highest }) => {
      const [min, max] = [lowest[number] as number, highest[number] as number]
      return min <= max ? [{ operation, currency, min, max }] : []
    }),
    id: square.count === 1 ? index.ids.text(square.first) : undefined,
  }
}

export function zoomFor({ swLat, swLng, neLat, neLng }: Bounds): number {
  const wide = Math.max(neLat - swLat, neLng - swLng)
  const zoom = Math.floor(Math.log2((sideAt(0) * ACROSS) / wide))
  return wide > 0 ? Math.max(0, Math.min(MAX_ZOOM, zoom)) : MAX_ZOOM
}

const NOWHERE: Bounds = { swLat: Infinity, swLng: Infinity, neLat: -Infinity, neLng: -Infinity }

function* boundsOf({ columns: { lat, lng } }: Index, hits: Bitmap): Generator<void, Bounds> {
  const bounds = { ...NOWHERE }
  for (const part of hits.parts()) {
    yield
    // Without a point, not a number: widens nothing.
    for (const slot of part) widen(bounds, lat.get(slot), lng.get(slot))
  }
  return bounds
}

function widen(bounds: Bounds, y: number, x: number): void {
  if (y < bounds.swLat) bounds.swLat = y
  if (y > bounds.neLat) bounds.neLat = y
  if (x < bounds.swLng) bounds.swLng = x
  if (x > bounds.neLng) bounds.neLng = x
}

/** Zooms that are far too fine are given up after a few listings. */
function* fits(index: Index, hits: Bitmap, zoom: number, most: number): Generator<void, boolean> {
  const { labels } = index.facets.cell
  const squareOf = squaresAt(index, zoom)
  for (const part of hits.parts()) {
    yield
    for (const slot of part) if (labels[slot] !== 0 && squareOf(slot) >= most) return false
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

/** Numbers the squares from 0 in the order they are asked for. Up to the zoom of the cells, a listing's cell is known. */
function squaresAt({ columns, facets: { cell } }: Index, zoom: number): (slot: number) => number {
  const numbers = new Map<number, number>()
  const numberOf = (key: number) => {
    const known = numbers.get(key) ?? numbers.size
    if (known === numbers.size) numbers.set(key, known)
    return known
  }
  if (zoom > CELL_ZOOM) {
    const side = sideAt(zoom)
    return slot =>
      numberOf(squareKey(Math.floor(columns.lat.get(slot) / side), Math.floor(columns.lng.get(slot) / side)))
  }
  const { labels, values } = cell
  const byCell = new Int32Array(values.length).fill(-1)
  return slot => {
    const label = labels[slot] as number
    const known = byCell[label] as number
    if (known >= 0) return known
    byCell[label] = numberOf(squareOfCell(values[label] as number, zoom))
    return byCell[label] as number
  }
}

interface Square {
  /** Sums. */
  lat: number
  lng: number
  count: number
  bounds: Bounds
  first: number
}

interface Squares {
  all: Square[]
  of: (slot: number) => number
}

function* gather(index: Index, hits: Bitmap, zoom: number): Generator<void, Squares> {
  const lat = index.columns.lat.values
  const lng = index.columns.lng.values
  const { labels } = index.facets.cell
  const of = squaresAt(index, zoom)
  const all: Square[] = []
  for (const part of hits.parts()) {
    yield
    for (const slot of part) {
      if (labels[slot] === 0) continue
      const [y, x] = [lat[slot] as number, lng[slot] as number]
      const number = of(slot)
      let square = all[number]
      if (!square) {
        square = { lat: 0, lng: 0, count: 0, bounds: { ...NOWHERE }, first: slot }
        all[number] = square
      }
      square.lat += y
      square.lng += x
      square.count++
      widen(square.bounds, y, x)
    }
  }
  return { all, of }
}

/** Per square, if it has any. */
interface Prices {
  operation: Operation
  currency: Currency
  lowest: Float64Array
  highest: Float64Array
}

function* pricesIn({ facets, columns }: Index, hits: Bitmap, squares: Squares): Generator<void, Prices[]> {
  const all: Prices[] = []
  const { labels } = facets.cell
  for (const [operation, currency] of operations.flatMap(one => CURRENCIES.map(two => [one, two] as const))) {
    const priced = facets.price.sets.get(`${operation} ${currency}`)
    const { values } = operation === 'sale' ? columns.salePrice : columns.rentPrice
    const lowest = new Float64Array(squares.all.length).fill(Infinity)
    const highest = new Float64Array(squares.all.length).fill(-Infinity)
    for (const part of priced?.partsIn(hits) ?? []) {
      yield
      for (const slot of part) {
        if (labels[slot] === 0) continue
        const [price, square] = [values[slot] as number, squares.of(slot)]
        if (price < (lowest[square] as number)) lowest[square] = price
        if (price > (highest[square] as number)) highest[square] = price
      }
    }
    all.push({ operation, currency, lowest, highest })
  }
  return all
}
