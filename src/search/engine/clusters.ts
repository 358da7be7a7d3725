import { CURRENCIES, type Currency } from '../../lib/money.ts'
import { type Operation, operations } from '../../lookups/catalog.ts'
import type { Bitmap } from './bitmap.ts'
import type { Rectangle } from './globe.ts'
import type { Index } from './parts.ts'
import {
  addPoints,
  boundsOf,
  type Cell,
  cellsOf,
  type Grid,
  gridAt,
  noRanges,
  noSums,
  type Prices,
  type Square,
  squaresOf,
  zoomFor,
} from './squares.ts'

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
  bounds: Rectangle
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

/** Squares across the hits, if no zoom is given. */
export const ACROSS = 16

/** The hits that have a point, in squares of the map. With more than `most` squares, the next smaller zoom is used. */
export function* clustersIn(
  index: Index,
  hits: Bitmap,
  zoom: number | undefined,
  most: number,
): Generator<void, Clusters> {
  const { cells, withoutPoint } = yield* cellsOf(index, hits)
  const asked = zoom ?? zoomFor(yield* boundsOf(index, hits, cells), ACROSS)
  const { grid, zoom: used } = yield* finestGrid(index, hits, cells, asked, most)
  const sums = noSums(grid.keys.length)
  const offers = offersOf(index, grid.keys.length)
  yield* addPoints(index, hits, grid, sums, offers)
  const clusters = squaresOf(sums).map((square, n) => clusterOf(index, square, n, offers))
  clusters.sort((a, b) => b.count - a.count || a.lat - b.lat || a.lng - b.lng)
  return { zoom: used, clusters, total: hits.count() - withoutPoint, withoutPoint }
}

/** Zooms that are far too fine are given up after a few listings or cells. */
function* finestGrid(
  index: Index,
  hits: Bitmap,
  cells: readonly Cell[],
  zoom: number,
  most: number,
): Generator<void, { grid: Grid; zoom: number }> {
  for (let tried = zoom; ; tried--) {
    // However many: at zoom 0 there are no fewer.
    const grid = yield* gridAt(index, hits, cells, tried, tried > 0 ? most : Number.POSITIVE_INFINITY)
    if (grid) return { grid, zoom: tried }
  }
}

type Offers = Prices & Pick<PriceRange, 'operation' | 'currency'>

const offersOf = ({ facets, columns }: Index, squares: number): Offers[] =>
  operations.flatMap(operation =>
    CURRENCIES.flatMap(currency => {
      const set = facets.price.sets.get(`${operation} ${currency}`)
      const { values } = operation === 'sale' ? columns.salePrice : columns.rentPrice
      return set ? [{ operation, currency, priced: set.toBitmap(), values, ranges: noRanges(squares) }] : []
    }),
  )

const clusterOf = (index: Index, square: Square, n: number, offers: readonly Offers[]): Cluster => {
  const { lat, lng, count, bounds, slot } = square
  const prices = offers.flatMap(({ operation, currency, ranges }) => {
    const [min, max] = [ranges[n * 2] as number, ranges[n * 2 + 1] as number]
    return min <= max ? [{ operation, currency, min, max }] : []
  })
  return { lat, lng, count, bounds, prices, id: count === 1 ? index.ids.text(slot) : undefined }
}
