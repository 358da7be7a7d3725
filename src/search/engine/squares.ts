import type { Bitmap } from './bitmap.ts'
import type { Column } from './columns.ts'
import type { Rectangle } from './globe.ts'

export interface Box {
  west: number
  south: number
  east: number
  north: number
}

interface Square {
  lat: number
  lng: number
  count: number
  /** One of its slots. */
  slot: number
}

/** The minimum size of a square: about 20 m. */
const LEAST_DEGREES = 0.0002

/**
 * Groups the hits that have a point into squares, `across` of them over the width of the view or, without a view, of
 * the results. Each square is placed at the mean of its points.
 */
export function* gather(
  hits: Bitmap,
  columns: Coordinates,
  view: Box | undefined,
  across: number,
): Generator<void, { squares: Square[]; bounds: Box | undefined }> {
  const points = pointsOf(columns)
  const box = view ?? (yield* boundsOf(hits, points))
  if (!(box.west <= box.east && box.south <= box.north)) return { squares: [], bounds: undefined }
  const table = tableOver(box, across)
  const extent = nowhere()
  for (const part of hits.parts()) {
    yield
    addPoints(table, extent, part, points, box)
  }
  const bounds = boxOf(extent)
  return { squares: squaresOf(table), bounds: bounds.west <= bounds.east ? bounds : undefined }
}

type Coordinates = Record<'lat' | 'lng', Column>
type Points = Record<'lat' | 'lng', Float64Array>

export const pointsOf = ({ lat, lng }: Coordinates): Points => ({ lat: lat.values, lng: lng.values })

/** West, south, east and north in an array: the loops below take twice as long with numbers of an object that change. */
type Extent = Float64Array

const nowhere = (): Extent => Float64Array.of(Infinity, Infinity, -Infinity, -Infinity)
const boxOf = ([west = 0, south = 0, east = 0, north = 0]: Extent): Box => ({ west, south, east, north })

/** Without any point, from Infinity to -Infinity. */
export function* boundsOf(hits: Bitmap, points: Points): Generator<void, Box> {
  const extent = nowhere()
  for (const part of hits.parts()) {
    yield
    widen(extent, part, points)
  }
  return boxOf(extent)
}

// Loops over all slots are functions of their own, and take nothing apart: in a generator, or with pairs of values made and
// taken apart for each slot, they take two to three times as long.

function widen(extent: Extent, slots: Int32Array, { lat, lng }: Points): void {
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number
    widenTo(extent, lat[slot] as number, lng[slot] as number)
  }
}

/** Without a point, not a number: widens nothing. */
function widenTo(extent: Extent, y: number, x: number): void {
  if (x < (extent[0] as number)) extent[0] = x
  if (y < (extent[1] as number)) extent[1] = y
  if (x > (extent[2] as number)) extent[2] = x
  if (y > (extent[3] as number)) extent[3] = y
}

export const rectangleOf = ({ west, south, east, north }: Box): Rectangle => ({
  swLat: south,
  swLng: west,
  neLat: north,
  neLng: east,
})

/** The side of a square, if there are `across` of them over a box. */
export const degreesOf = ({ west, south, east, north }: Box, across: number): number =>
  Math.max(LEAST_DEGREES, Math.max(east - west, north - south) / across)

/** Sums by square: there are at most `across` + 1 each way, so it is small however many the slots. */
interface Table {
  degrees: number
  firstRow: number
  firstColumn: number
  width: number
  counts: Int32Array
  lats: Float64Array
  lngs: Float64Array
  /** One slot of each. */
  last: Int32Array
}

/** Aligned to the equator and the meridian, not to the box, so that panning the map does not regroup. */
function tableOver(box: Box, across: number): Table {
  const degrees = degreesOf(box, across)
  const at = (coordinate: number) => Math.floor(coordinate / degrees)
  const [firstRow, firstColumn] = [at(box.south), at(box.west)]
  const width = at(box.east) - firstColumn + 1
  const cells = width * (at(box.north) - firstRow + 1)
  return {
    degrees,
    firstRow,
    firstColumn,
    width,
    counts: new Int32Array(cells),
    lats: new Float64Array(cells),
    lngs: new Float64Array(cells),
    last: new Int32Array(cells),
  }
}

/** Adds those in the box, and widens the extent to hold them. */
function addPoints(table: Table, extent: Extent, slots: Int32Array, { lat, lng }: Points, box: Box): void {
  const { degrees, firstRow, firstColumn, width, counts, lats, lngs, last } = table
  const { west, south, east, north } = box
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number
    const y = lat[slot] as number
    const x = lng[slot] as number
    // Without a point, not a number: false.
    if (!(y >= south && y <= north && x >= west && x <= east)) continue
    widenTo(extent, y, x)
    const cell = (Math.floor(y / degrees) - firstRow) * width + Math.floor(x / degrees) - firstColumn
    counts[cell] = (counts[cell] as number) + 1
    lats[cell] = (lats[cell] as number) + y
    lngs[cell] = (lngs[cell] as number) + x
    last[cell] = slot
  }
}

function squaresOf({ counts, lats, lngs, last }: Table): Square[] {
  const squares: Square[] = []
  for (const [cell, count] of counts.entries()) {
    if (count === 0) continue
    const [y, x] = [lats[cell] as number, lngs[cell] as number]
    squares.push({ lat: y / count, lng: x / count, count, slot: last[cell] as number })
  }
  return squares
}
