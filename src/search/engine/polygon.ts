import type { Point, Polygon, Ring } from '../criteria.ts'
import { type Area, CELL_SIDE, type Holds, type Part } from './globe.ts'

type Rectangle = Area['box']

/** Four numbers each: latitude and longitude of where an edge begins and of where it ends. */
type Edges = Float64Array

const edgesOf = (ring: Ring): Edges =>
  Float64Array.from(ring.flatMap((end, i) => [...(ring.at(i - 1) as Point), ...end]))

/**
 * Straight lines between degrees, as drawn on a flat map. A ray to the east crosses the ring an odd number of times from
 * inside; each edge includes its lower end only, so that a point on a border belongs to one of two neighbors.
 */
function isCrossed(edges: Edges, at: number, lat: number, lng: number): boolean {
  const aLat = edges[at] as number
  const bLat = edges[at + 2] as number
  if (aLat > lat === bLat > lat) return false
  const aLng = edges[at + 1] as number
  return lng < (((edges[at + 3] as number) - aLng) * (lat - aLat)) / (bLat - aLat) + aLng
}

function insideRing(edges: Edges, lat: number, lng: number): boolean {
  let isIn = false
  for (let at = 0; at < edges.length; at += 4) if (isCrossed(edges, at, lat, lng)) isIn = !isIn
  return isIn
}

/** In one of the polygons. Reads every edge: for a few points. */
export function insidePolygons(polygons: readonly Polygon[]): Holds {
  const prepared = polygons.map(polygon => polygon.map(edgesOf))
  return (lat, lng) =>
    prepared.some(
      ([outer, ...holes]) =>
        outer !== undefined && insideRing(outer, lat, lng) && !holes.some(hole => insideRing(hole, lat, lng)),
    )
}

export function polygonArea(polygons: readonly Polygon[]): Area {
  const rings = polygons.map(polygon => polygon.map(preparedRing))
  return {
    box: boxOf(polygons.flatMap(([outer]) => outer ?? [])),
    holds: insidePolygons(polygons),
    part: cell => anyOf(rings.map(([outer, ...holes]) => without(outer?.(cell) ?? false, holes, cell))),
  }
}

type PreparedRing = (cell: Rectangle) => Part

const without = (outer: Part, holes: readonly PreparedRing[], cell: Rectangle): Part => {
  if (outer === false || holes.length === 0) return outer
  const hole = anyOf(holes.map(one => one(cell)))
  if (typeof hole === 'boolean') return hole ? false : outer
  return (lat, lng) => (outer === true || outer(lat, lng)) && !hole(lat, lng)
}

function anyOf(parts: readonly Part[]): Part {
  if (parts.includes(true)) return true
  const tests = parts.filter(part => typeof part === 'function')
  if (tests.length < 2) return tests[0] ?? false
  return (lat, lng) => tests.some(test => test(lat, lng))
}

function boxOf(points: readonly Point[]): Rectangle {
  const lats = points.map(([lat]) => lat)
  const lngs = points.map(([, lng]) => lng)
  return {
    swLat: Math.min(...lats),
    swLng: Math.min(...lngs),
    neLat: Math.max(...lats),
    neLng: Math.max(...lngs),
  }
}

/** Squares are divided into as many in each direction; the largest hold 64 times 64 cells. */
const DIVISIONS = 8
const LARGEST = CELL_SIDE * DIVISIONS ** 2
/** A square with more edges is divided for its points, unless it is smaller than a house. */
const FEW_EDGES = 8
const SMALLEST = CELL_SIDE / DIVISIONS ** 3
/** More than any rounding error of a coordinate. */
const MARGIN = 1e-9

/** A square of the map, and what a point of it must be compared with. */
interface Square {
  edges: Edges
  swLat: number
  swLng: number
  side: number
  /** Whether a ray from here to the east crosses an odd number of the edges that all such rays cross. */
  isOdd: boolean
  /** Where to find the edges that come into the square or end to the east of it. */
  near: readonly number[]
  /** If no edge comes into it, all of it is on the same side. */
  isDivided: boolean
  /** Prepared when the first point or cell in them is asked for. */
  inner: (Square | undefined)[]
}

function preparedRing(ring: Ring): PreparedRing {
  const edges = edgesOf(ring)
  const all = { edges, isOdd: false, near: ring.map((_, i) => i * 4) }
  const largest = new Map<number, Square>()
  const largestAt = (lat: number, lng: number) => {
    const [y, x] = [Math.floor(lat / LARGEST), Math.floor(lng / LARGEST)]
    const key = y * 1000 + x
    const square = largest.get(key) ?? squareOf(all, y * LARGEST, x * LARGEST, LARGEST)
    largest.set(key, square)
    return square
  }
  return cell => {
    const [lat, lng] = [(cell.swLat + cell.neLat) / 2, (cell.swLng + cell.neLng) / 2]
    let square = largestAt(lat, lng)
    while (square.isDivided && square.side > CELL_SIDE) square = innerOf(square, lat, lng)
    return square.isDivided ? testOf(square) : isInside(square, lat, lng)
  }
}

function isInside({ edges, near, isOdd }: Square, lat: number, lng: number): boolean {
  let isIn = isOdd
  for (let i = 0; i < near.length; i++) if (isCrossed(edges, near[i] as number, lat, lng)) isIn = !isIn
  return isIn
}

const testOf =
  (square: Square): Holds =>
  (lat, lng) => {
    let part = square
    while (part.near.length > FEW_EDGES && part.isDivided && part.side > SMALLEST)
      part = innerOf(part, lat, lng)
    return isInside(part, lat, lng)
  }

function innerOf(square: Square, lat: number, lng: number): Square {
  const side = square.side / DIVISIONS
  const y = stepOf((lat - square.swLat) / side)
  const x = stepOf((lng - square.swLng) / side)
  const at = y * DIVISIONS + x
  square.inner[at] ??= squareOf(square, square.swLat + y * side, square.swLng + x * side, side)
  return square.inner[at]
}

const stepOf = (distance: number) => Math.max(0, Math.min(DIVISIONS - 1, Math.floor(distance)))

/** Of the edges near a larger square, those that are near this one. */
function squareOf(
  { edges, near: candidates, isOdd: isOddThere }: Pick<Square, 'edges' | 'near' | 'isOdd'>,
  swLat: number,
  swLng: number,
  side: number,
): Square {
  const [low, high] = [swLat - MARGIN, swLat + side + MARGIN]
  const [west, east] = [swLng - MARGIN, swLng + side + MARGIN]
  const near: number[] = []
  let [isOdd, isDivided] = [isOddThere, false]
  for (let i = 0; i < candidates.length; i++) {
    const at = candidates[i] as number
    const aLat = edges[at] as number
    const bLat = edges[at + 2] as number
    const south = aLat < bLat ? aLat : bLat
    const north = aLat < bLat ? bLat : aLat
    if (south > high || north < low) continue
    const isLevel = south === north
    const one = isLevel ? (edges[at + 1] as number) : longitudeAt(edges, at, Math.max(low, south))
    const other = isLevel ? (edges[at + 3] as number) : longitudeAt(edges, at, Math.min(high, north))
    if (one < west && other < west) continue
    const isEast = one > east && other > east
    if (isEast && south <= low && north > high) isOdd = !isOdd
    else near.push(at)
    isDivided ||= !isEast
  }
  return { edges, swLat, swLng, side, isOdd, near, isDivided, inner: [] }
}

function longitudeAt(edges: Edges, at: number, lat: number): number {
  const [aLat, aLng] = [edges[at] as number, edges[at + 1] as number]
  return aLng + (((edges[at + 3] as number) - aLng) * (lat - aLat)) / ((edges[at + 2] as number) - aLat)
}
