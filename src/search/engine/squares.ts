import type { Column } from './columns.ts'

export interface Box {
  west: number
  south: number
  east: number
  north: number
}

interface Square {
  lat: number
  lng: number
  slots: number[]
}

/** The minimum size of a square: about 20 m. */
const LEAST_DEGREES = 0.0002

/**
 * Groups the slots that have a point into squares, `across` of them over the width of the view or, without a view, of
 * the results. Each square is placed at the mean of its points.
 */
export function gather(
  slots: Iterable<number>,
  columns: { lat: Column; lng: Column },
  view: Box | undefined,
  across: number,
): { squares: Square[]; bounds: Box | undefined } {
  const [lat, lng] = [columns.lat.values, columns.lng.values]
  const inside: number[] = []
  const bounds: Box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  for (const slot of slots) {
    const [y, x] = [lat[slot] as number, lng[slot] as number]
    if (Number.isNaN(y) || (view && (y < view.south || y > view.north || x < view.west || x > view.east)))
      continue
    inside.push(slot)
    if (x < bounds.west) bounds.west = x
    if (x > bounds.east) bounds.east = x
    if (y < bounds.south) bounds.south = y
    if (y > bounds.north) bounds.north = y
  }
  if (inside.length === 0) return { squares: [], bounds: undefined }
  const { west, east, south, north } = view ?? bounds
  const degrees = Math.max(LEAST_DEGREES, Math.max(east - west, north - south) / across)
  const squares = new Map<number, Square>()
  for (const slot of inside) {
    const [y, x] = [lat[slot] as number, lng[slot] as number]
    // Aligned to the equator and the meridian, not to the view, so that panning the map does not regroup.
    const key = Math.floor(y / degrees) * 1e7 + Math.floor(x / degrees)
    const square = squares.get(key)
    if (square) {
      square.lat += y
      square.lng += x
      square.slots.push(slot)
    } else squares.set(key, { lat: y, lng: x, slots: [slot] })
  }
  for (const square of squares.values()) {
    square.lat /= square.slots.length
    square.lng /= square.slots.length
  }
  return { squares: [...squares.values()], bounds }
}
