import type { Criteria } from '../criteria.ts'

export type Rectangle = NonNullable<Criteria['rectangle']>
type Circle = NonNullable<Criteria['circle']>

export type Holds = (lat: number, lng: number) => boolean

/** Of a cell: all of it is inside, none of it is, or its points have to be tested. */
export type Part = boolean | Holds

/** An area of the map. */
export interface Area {
  /** A bounding box, possibly too large: it only saves work. */
  box: Rectangle
  /** For a few points. */
  holds: Holds
  /** For the points of one cell. */
  part(cell: Rectangle): Part
}

/** Cells are the squares that the map shows at this zoom: under three kilometers. Larger squares are made of whole cells. */
export const CELL_ZOOM = 12
/** Of a square, in degrees: a quarter of a tile of a web map. Exact, and so are its quotients by powers of two. */
export const sideAt = (zoom: number): number => 90 / 2 ** zoom

export const CELL_SIDE = sideAt(CELL_ZOOM)
const CELLS_AROUND = 360 / CELL_SIDE
const cellIndex = (degrees: number) => Math.floor(degrees / CELL_SIDE)
const cellAt = (row: number, column: number) => row * CELLS_AROUND + column
export const rowOf = (cell: number): number => Math.floor(cell / CELLS_AROUND + 0.5)
export const columnOf = (cell: number): number => cell - rowOf(cell) * CELLS_AROUND

export const cellOf = (lat: number, lng: number): number => cellAt(cellIndex(lat), cellIndex(lng))

/** How many cells intersect the box. */
export const cellsOver = ({ swLat, swLng, neLat, neLng }: Rectangle): number =>
  (cellIndex(neLat) - cellIndex(swLat) + 1) * (cellIndex(neLng) - cellIndex(swLng) + 1)

/** Cells and the labels that slots in them have, from 1 on. */
interface KnownCells {
  values: readonly (number | undefined)[]
  /** 0 for a cell that is not known. */
  labelOf(cell: number): number
}

/** The labels of the known cells that intersect the box. */
export function* cellsIn(box: Rectangle, known: KnownCells): Generator<number> {
  const [south, north] = [cellIndex(box.swLat), cellIndex(box.neLat)]
  const [west, east] = [cellIndex(box.swLng), cellIndex(box.neLng)]
  if (cellsOver(box) < known.values.length) {
    for (let row = south; row <= north; row++) {
      for (let column = west; column <= east; column++) {
        const label = known.labelOf(cellAt(row, column))
        if (label > 0) yield label
      }
    }
    return
  }
  for (let label = 1; label < known.values.length; label++) {
    const cell = known.values[label]
    if (cell === undefined) continue
    const [row, column] = [rowOf(cell), columnOf(cell)]
    if (row >= south && row <= north && column >= west && column <= east) yield label
  }
}

/** Slightly larger than the cell, because rounding may put a point beyond its edge. */
export function boundsOf(cell: number): Rectangle {
  const [south, west] = [rowOf(cell) * CELL_SIDE - 1e-9, columnOf(cell) * CELL_SIDE - 1e-9]
  const side = CELL_SIDE + 2e-9
  return { swLat: south, swLng: west, neLat: south + side, neLng: west + side }
}

export function centerOf(cell: number): { lat: number; lng: number } {
  const { swLat, swLng, neLat, neLng } = boundsOf(cell)
  return { lat: (swLat + neLat) / 2, lng: (swLng + neLng) / 2 }
}

export function rectangleArea(box: Rectangle): Area {
  const holds: Holds = (lat, lng) =>
    lat >= box.swLat && lat <= box.neLat && lng >= box.swLng && lng <= box.neLng
  return {
    box,
    holds,
    part: ({ swLat, swLng, neLat, neLng }) => (holds(swLat, swLng) && holds(neLat, neLng)) || holds,
  }
}

export function circleArea(circle: Circle): Area {
  const { lat, lng, radiusKm } = circle
  const holds = insideOf(circle)
  // The sides of a cell bulge on the sphere by centimeters: a circle a few meters smaller allows for that.
  const holdsCorner = insideOf({ ...circle, radiusKm: radiusKm - 0.01 })
  return {
    box: boxAround(circle),
    holds,
    part: ({ swLat, swLng, neLat, neLng }) => {
      const km = kilometers(lat, lng, (swLat + neLat) / 2, (swLng + neLng) / 2)
      if (km > radiusKm + CELL_RADIUS_KM) return false
      if (km < radiusKm - CELL_RADIUS_KM) return true
      const isInside =
        holdsCorner(swLat, swLng) &&
        holdsCorner(swLat, neLng) &&
        holdsCorner(neLat, swLng) &&
        holdsCorner(neLat, neLng)
      return isInside || holds
    },
  }
}

const EARTH_RADIUS_KM = 6371.0088
const RADIANS = Math.PI / 180
const KM_PER_DEGREE = EARTH_RADIUS_KM * RADIANS
/** No point of a cell is farther from its center; cells are widest at the equator. */
export const CELL_RADIUS_KM = KM_PER_DEGREE * CELL_SIDE * Math.SQRT1_2 + 0.01

/** A bounding box of the circle, with a margin. */
export function boxAround({ lat, lng, radiusKm }: Circle): Rectangle {
  const reach = (radiusKm / KM_PER_DEGREE) * 1.01
  const highest = Math.abs(lat) + reach
  // Degrees of longitude are shortest toward the poles; near them, or across the date line, take all.
  const across = highest < 89 ? reach / Math.cos(highest * RADIANS) : 360
  const east = Math.abs(lng) + across > 180 ? 360 : across
  return { swLat: lat - reach, neLat: lat + reach, swLng: lng - east, neLng: lng + east }
}

/**
 * Whether a point is in the circle. Uses a plane first, which is off by less than 0.1% within a few hundred kilometers
 * and costs a tenth; the sphere is computed only near the edge.
 */
function insideOf({ lat, lng, radiusKm }: Circle): (pointLat: number, pointLng: number) => boolean {
  const cosine = Math.cos(lat * RADIANS)
  const slope = (Math.sin(lat * RADIANS) * RADIANS) / 2
  const surely = ((radiusKm * 0.98) / KM_PER_DEGREE) ** 2
  const hardly = ((radiusKm * 1.02) / KM_PER_DEGREE) ** 2
  const isPlane = radiusKm <= 300 && Math.abs(lat) < 60
  return (pointLat, pointLng) => {
    const north = pointLat - lat
    const east = pointLng - lng
    if (isPlane && Math.abs(north) < 5 && Math.abs(east) < 20) {
      const square = north ** 2 + (east * (cosine - slope * north)) ** 2
      if (square < surely) return true
      if (square > hardly) return false
    }
    return kilometers(lat, lng, pointLat, pointLng) <= radiusKm
  }
}

/** Great-circle distance on the mean sphere. */
export function kilometers(latA: number, lngA: number, latB: number, lngB: number): number {
  const north = Math.sin(((latB - latA) * RADIANS) / 2)
  const east = Math.sin(((lngB - lngA) * RADIANS) / 2)
  const chord = north ** 2 + Math.cos(latA * RADIANS) * Math.cos(latB * RADIANS) * east ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}
