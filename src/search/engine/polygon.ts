import type { Point, Polygon, Ring } from '../criteria.ts'
import type { Area, Holds, Part } from './globe.ts'

type Rectangle = Area['box']
type Edge = readonly [Point, Point]

/**
 * Straight lines between degrees, as drawn on a flat map. A ray to the east crosses the ring an odd number of times from
 * inside; each edge includes its lower end only, so that a point on a border belongs to one of two neighbors.
 */
const insideRing = (ring: Ring, lat: number, lng: number): boolean =>
  crossings(edgesOf(ring), lat, lng) % 2 === 1

const crossings = (edges: readonly Edge[], lat: number, lng: number): number => {
  let count = 0
  for (const [a, b] of edges) if (isCrossed(a, b, lat, lng)) count++
  return count
}

const isCrossed = (a: Point, b: Point, lat: number, lng: number): boolean =>
  a[0] > lat !== b[0] > lat && lng < ((b[1] - a[1]) * (lat - a[0])) / (b[0] - a[0]) + a[1]

/** In one of the polygons. Reads every edge: for a few points. */
export const insidePolygons =
  (polygons: readonly Polygon[]): Holds =>
  (lat, lng) =>
    polygons.some(
      ([outer, ...holes]) =>
        outer !== undefined && insideRing(outer, lat, lng) && !holes.some(hole => insideRing(hole, lat, lng)),
    )

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

const edgesOf = (ring: Ring): Edge[] => ring.map((end, i) => [ring.at(i - 1) as Point, end])

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

/** Cells ask row by row, so the edges of a row are found once. */
function preparedRing(ring: Ring): PreparedRing {
  const edges = edgesOf(ring)
  const rows = new Map<number, Row>()
  return cell => {
    let row = rows.get(cell.swLat)
    if (!row) {
      row = rowOf(edges, cell.swLat, cell.neLat)
      rows.set(cell.swLat, row)
    }
    return partOf(row, cell)
  }
}

/** The edges that come into a band of latitudes, each with the longitudes it takes up there. */
interface Row {
  edges: Edge[]
  west: Float64Array
  east: Float64Array
  /** 1 if every ray in the band that begins west of the edge crosses it. */
  spans: Uint8Array
}

/** More than any rounding error of a coordinate. */
const MARGIN = 1e-9

function rowOf(all: readonly Edge[], low: number, high: number): Row {
  const edges = all.filter(([[a], [b]]) => (a < b ? a <= high && b >= low : b <= high && a >= low))
  const [west, east] = [new Float64Array(edges.length), new Float64Array(edges.length)]
  const spans = new Uint8Array(edges.length)
  for (const [i, edge] of edges.entries()) {
    const [south, north] = [Math.min(edge[0][0], edge[1][0]), Math.max(edge[0][0], edge[1][0])]
    const isFlat = south === north
    const one = isFlat ? edge[0][1] : longitudeAt(edge, Math.max(low, south))
    const other = isFlat ? edge[1][1] : longitudeAt(edge, Math.min(high, north))
    west[i] = Math.min(one, other) - MARGIN
    east[i] = Math.max(one, other) + MARGIN
    spans[i] = south <= low && north > high ? 1 : 0
  }
  return { edges, west, east, spans }
}

const longitudeAt = ([a, b]: Edge, lat: number) => a[1] + ((b[1] - a[1]) * (lat - a[0])) / (b[0] - a[0])

/** More edges than this in a rectangle are worth dividing it, this many times in each direction. */
const FEW_EDGES = 8
const DIVISIONS = 8
const MAX_DEPTH = 3

/**
 * A rectangle of the row: edges that pass east of it are crossed by all its points, so a point is compared only with
 * those that come into the rectangle or end beside it. `passed` were found by a larger rectangle.
 */
function partOf(row: Row, cell: Rectangle, passed = 0, depth = 0): Part {
  const { west, east, spans } = row
  const near: Edge[] = []
  let [count, isDivided] = [passed, false]
  for (let i = 0; i < west.length; i++) {
    if ((east[i] as number) < cell.swLng) continue
    const isEast = (west[i] as number) > cell.neLng
    if (isEast && spans[i]) count++
    else near.push(row.edges[i] as Edge)
    isDivided ||= !isEast
  }
  // No edge comes into it, so all of it is on the same side.
  if (!isDivided) return (count + crossings(near, cell.swLat, cell.swLng)) % 2 === 1
  if (near.length <= FEW_EDGES || depth === MAX_DEPTH)
    return (lat, lng) => (count + crossings(near, lat, lng)) % 2 === 1
  return divided(near, cell, count, depth + 1)
}

/** Parts of a crowded rectangle, prepared when the first point falls into them. */
function divided(edges: readonly Edge[], cell: Rectangle, passed: number, depth: number): Holds {
  const height = (cell.neLat - cell.swLat) / DIVISIONS
  const width = (cell.neLng - cell.swLng) / DIVISIONS
  const rows: (Row | undefined)[] = []
  const parts: (Part | undefined)[] = []
  const step = (distance: number) => Math.max(0, Math.min(DIVISIONS - 1, Math.floor(distance)))
  const prepare = (y: number, x: number): Part => {
    // Rounding may put a point beside its part: the margin covers that.
    const swLat = cell.swLat + y * height - MARGIN
    const swLng = cell.swLng + x * width - MARGIN
    const part = { swLat, swLng, neLat: swLat + height + 2 * MARGIN, neLng: swLng + width + 2 * MARGIN }
    rows[y] ??= rowOf(edges, part.swLat, part.neLat)
    return partOf(rows[y], part, passed, depth)
  }
  return (lat, lng) => {
    const [y, x] = [step((lat - cell.swLat) / height), step((lng - cell.swLng) / width)]
    parts[y * DIVISIONS + x] ??= prepare(y, x)
    const part = parts[y * DIVISIONS + x] as Part
    return typeof part === 'boolean' ? part : part(lat, lng)
  }
}
