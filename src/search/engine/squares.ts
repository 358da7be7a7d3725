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
  columns: { lat: Column; lng: Column },
  view: Box | undefined,
  across: number,
): Generator<void, { squares: Square[]; bounds: Box | undefined }> {
  const [lat, lng] = [columns.lat.values, columns.lng.values]
  const bounds = yield* boundsOf(hits, { lat, lng }, view ?? WORLD)
  if (!(bounds.west <= bounds.east)) return { squares: [], bounds: undefined }
  const squares = yield* squaresOf(hits, { lat, lng }, bounds, view ?? bounds, across)
  return { squares, bounds }
}

interface Points {
  lat: Float64Array
  lng: Float64Array
}

/** Of those in the box; without any, from Infinity to -Infinity. */
function* boundsOf(hits: Bitmap, { lat, lng }: Points, box: Box): Generator<void, Box> {
  const { west, south, east, north } = box
  const bounds: Box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  for (const part of hits.parts()) {
    yield
    for (const slot of part) {
      const [y, x] = [lat[slot] as number, lng[slot] as number]
      // Not a number: false.
      if (!(y >= south && y <= north && x >= west && x <= east)) continue
      if (x < bounds.west) bounds.west = x
      if (x > bounds.east) bounds.east = x
      if (y < bounds.south) bounds.south = y
      if (y > bounds.north) bounds.north = y
    }
  }
  return bounds
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

const WORLD: Box = { west: -180, south: -90, east: 180, north: 90 }

/** A table of sums: there are at most `across` + 1 squares each way, so it is small however many the slots. */
function* squaresOf(
  hits: Bitmap,
  { lat, lng }: Points,
  bounds: Box,
  box: Box,
  across: number,
): Generator<void, Square[]> {
  const degrees = degreesOf(box, across)
  // Aligned to the equator and the meridian, not to the view, so that panning the map does not regroup.
  const at = (coordinate: number) => Math.floor(coordinate / degrees)
  const [firstRow, firstColumn] = [at(bounds.south), at(bounds.west)]
  const width = at(bounds.east) - firstColumn + 1
  const cells = width * (at(bounds.north) - firstRow + 1)
  const [counts, lats, lngs] = [new Int32Array(cells), new Float64Array(cells), new Float64Array(cells)]
  const last = new Int32Array(cells)
  const { west, south, east, north } = bounds
  for (const part of hits.parts()) {
    yield
    for (const slot of part) {
      const [y, x] = [lat[slot] as number, lng[slot] as number]
      if (!(y >= south && y <= north && x >= west && x <= east)) continue
      const cell = (at(y) - firstRow) * width + at(x) - firstColumn
      counts[cell] = (counts[cell] as number) + 1
      lats[cell] = (lats[cell] as number) + y
      lngs[cell] = (lngs[cell] as number) + x
      last[cell] = slot
    }
  }
  const squares: Square[] = []
  for (const [cell, count] of counts.entries()) {
    if (count === 0) continue
    const [y, x] = [lats[cell] as number, lngs[cell] as number]
    squares.push({ lat: y / count, lng: x / count, count, slot: last[cell] as number })
  }
  return squares
}
