import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { CURRENCIES, type Currency } from '../../lib/money.ts'
import { type Operation, operations } from '../../lookups/catalog.ts'
import { ACROSS, type Cluster, type Clusters } from '../engine/clusters.ts'
import { CELL_SIDE, CELL_ZOOM, type Rectangle, sideAt } from '../engine/globe.ts'
import { type Box, isCoarse, rectangleOf, zoomFor, zoomOfMap } from '../engine/squares.ts'
import type { Condition } from './conditions.ts'

const OFFERS = operations.flatMap(operation => CURRENCIES.map(currency => ({ operation, currency })))

/** Of the listings in one square, or in several. */
interface Square {
  row: number
  column: number
  count: number
  /** Sums. */
  lat: number
  lng: number
  bounds: Rectangle
  /** Lowest and highest price of each of the offers, null where there is none. */
  prices: [number | null, number | null][]
  id: string
}

/** The hits that have a point, in squares; with more than `most` of them, the next smaller zoom is used. */
export async function clustersWhere(
  tx: Tx,
  where: Condition,
  zoom: number | undefined,
  most: number,
): Promise<Clusters> {
  const { total, withoutPoint, bounds } = await extentOf(tx, where)
  let used = zoom ?? zoomFor(bounds, ACROSS)
  let squares = await squaresAt(tx, where, Math.min(used, CELL_ZOOM))
  if (used > CELL_ZOOM) {
    // Only what is in few cells can be in few squares of a larger zoom.
    let finer: Square[] | undefined
    while (used > CELL_ZOOM && squares.length <= most && !finer) {
      const found = await squaresAt(tx, where, used, most + 1)
      if (found.length <= most) finer = found
      else used--
    }
    if (!finer) used = CELL_ZOOM
    squares = finer ?? squares
  }
  for (; used > 0 && squares.length > most; used--) squares = halved(squares)
  const clusters = squares.map(clusterOf)
  clusters.sort((a, b) => b.count - a.count || a.lat - b.lat || a.lng - b.lng)
  return { zoom: used, clusters, total, withoutPoint }
}

async function extentOf(tx: Tx, where: Condition) {
  const { rows } = await sql<{ count: number; total: number } & Rectangle>`
    select count(*) as count, count(l.public_lat) as total, min(l.public_lat) as "swLat", min(l.public_lng) as "swLng",
      max(l.public_lat) as "neLat", max(l.public_lng) as "neLng" from listings l where ${where}`.execute(tx)
  const { count, total, ...bounds } = rows[0] as (typeof rows)[number]
  return { total, withoutPoint: count - total, bounds }
}

async function squaresAt(tx: Tx, where: Condition, zoom: number, limit?: number): Promise<Square[]> {
  const side = sideAt(zoom)
  const prices = OFFERS.map(({ operation, currency }) => {
    const column = operation === 'sale' ? 'sale' : 'rent'
    const price = sql.ref(`l.${column}_price`)
    const isIn = sql`${sql.ref(`l.${column}_currency`)} = ${currency}`
    return sql`array[min(${price}) filter (where ${isIn}), max(${price}) filter (where ${isIn})]`
  })
  const { rows } = await sql<Omit<Square, 'bounds'> & { bounds: [number, number, number, number] }>`
    select floor(l.public_lat / ${side}::float8) as row, floor(l.public_lng / ${side}::float8) as column, count(*) as count,
      sum(l.public_lat) as lat, sum(l.public_lng) as lng,
      array[min(l.public_lat), min(l.public_lng), max(l.public_lat), max(l.public_lng)] as bounds,
      array[${sql.join(prices)}]::float8[] as prices, min(l.id::text) as id
    from listings l where ${where} and l.public_lat is not null
    group by 1, 2 limit ${limit ?? null}`.execute(tx)
  return rows.map(({ bounds: [swLat, swLng, neLat, neLng], ...square }) => ({
    ...square,
    bounds: { swLat, swLng, neLat, neLng },
  }))
}

/** Each square of the next smaller zoom is made of four. */
function halved(squares: readonly Square[]): Square[] {
  const merged = new Map<string, Square>()
  for (const square of squares) {
    const [row, column] = [Math.floor(square.row / 2), Math.floor(square.column / 2)]
    const key = `${row} ${column}`
    const other = merged.get(key)
    merged.set(key, other ? joined(other, square) : { ...square, row, column })
  }
  return [...merged.values()]
}

const joined = (a: Square, b: Square): Square => ({
  ...a,
  count: a.count + b.count,
  lat: a.lat + b.lat,
  lng: a.lng + b.lng,
  bounds: {
    swLat: Math.min(a.bounds.swLat, b.bounds.swLat),
    swLng: Math.min(a.bounds.swLng, b.bounds.swLng),
    neLat: Math.max(a.bounds.neLat, b.bounds.neLat),
    neLng: Math.max(a.bounds.neLng, b.bounds.neLng),
  },
  prices: a.prices.map(([low, high], i) => {
    const [otherLow = null, otherHigh = null] = b.prices[i] ?? []
    return [either(Math.min, low, otherLow), either(Math.max, high, otherHigh)]
  }),
})

const either = (choose: typeof Math.min, a: number | null, b: number | null) =>
  a === null ? b : b === null ? a : choose(a, b)

const clusterOf = ({ count, lat, lng, bounds, prices, id }: Square): Cluster => ({
  lat: lat / count,
  lng: lng / count,
  count,
  bounds,
  prices: OFFERS.flatMap((offer: { operation: Operation; currency: Currency }, i) => {
    const [min = null, max = null] = prices[i] ?? []
    return min === null || max === null ? [] : [{ ...offer, min, max }]
  }),
  id: count === 1 ? id : undefined,
})

interface MapSquare {
  lat: number
  lng: number
  count: number
  /** Of a single listing. */
  id: string
}

/** The hits in the view, in squares of which at most `across` are over its width, from south to north. */
export async function mapWhere(
  tx: Tx,
  where: Condition,
  view: Box | undefined,
  across: number,
): Promise<{ squares: MapSquare[]; bounds: Box | undefined }> {
  const inView = view
    ? sql`${where} and l.public_lat between ${view.south}::float8 and ${view.north}::float8
        and l.public_lng between ${view.west}::float8 and ${view.east}::float8`
    : sql`${where} and l.public_lat is not null`
  const { total, bounds } = await extentOf(tx, inView)
  if (total === 0) return { squares: [], bounds: undefined }
  const box = { west: bounds.swLng, south: bounds.swLat, east: bounds.neLng, north: bounds.neLat }
  const zoom = zoomOfMap(view ? rectangleOf(view) : bounds, across)
  const degrees = sideAt(zoom)
  const { rows } = await sql<MapSquare>`
    select floor(l.public_lat / ${degrees}::float8), floor(l.public_lng / ${degrees}::float8),
      ${meanOf('public_lat', zoom)} as lat, ${meanOf('public_lng', zoom)} as lng, count(*) as count, min(l.id::text) as id
    from listings l where ${inView} group by 1, 2 order by 1, 2`.execute(tx)
  return { squares: rows.map(({ lat, lng, count, id }) => ({ lat, lng, count, id })), bounds: box }
}

/** Of coarse squares, that of the centers of the cells; see `marksIn`. */
const meanOf = (coordinate: string, zoom: number) => {
  const mean = sql`avg(${sql.ref(`l.${coordinate}`)})`
  const ofCells = sql`avg((floor(${sql.ref(`l.${coordinate}`)} / ${CELL_SIDE}::float8) + 0.5) * ${CELL_SIDE}::float8)`
  return isCoarse(zoom) ? sql`case when count(*) = 1 then ${mean} else ${ofCells} end` : mean
}
