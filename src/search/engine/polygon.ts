import type { Point, Polygon, Ring } from '../criteria.ts'
import type { Area } from './globe.ts'

type Edge = readonly [Point, Point]
type Holds = (lat: number, lng: number) => boolean

/**
 * Straight lines between degrees, as drawn on a flat map. A ray to the east crosses the ring an odd number of times from
 * inside; each edge includes its lower end only, so that a point on a border belongs to one of two neighbors.
 */
const insideRing = (ring: Ring, lat: number, lng: number): boolean =>
  edgesOf(ring).filter(([from, to]) => isCrossed(from, to, lat, lng)).length % 2 === 1

const isCrossed = ([latA, lngA]: Point, [latB, lngB]: Point, lat: number, lng: number): boolean =>
  latA > lat !== latB > lat && lng < ((lngB - lngA) * (lat - latA)) / (latB - latA) + lngA

/** In one of the polygons. Reads every edge: for a few points. */
export const insidePolygons =
  (polygons: readonly Polygon[]): Holds =>
  (lat, lng) =>
    polygons.some(
      ([outer, ...holes]) =>
        outer !== undefined && insideRing(outer, lat, lng) && !holes.some(hole => insideRing(hole, lat, lng)),
    )

/** The same for many points. */
export function polygonArea(polygons: readonly Polygon[]): Area {
  const insides = polygons.map(rings => rings.map(prepareRing))
  const holds: Holds = (lat, lng) =>
    insides.some(([inside, ...holes]) => inside?.(lat, lng) && !holes.some(hole => hole(lat, lng)))
  const boxes = polygons.flat().flatMap(ring => edgesOf(ring).map(boxOf))
  return {
    box: boxOf(polygons.flatMap(([outer]) => outer ?? [])),
    holds,
    // If no edge comes near the cell, all of it is on the same side.
    holdsAll: cell =>
      !boxes.some(
        box =>
          box.neLat >= cell.swLat &&
          box.swLat <= cell.neLat &&
          box.neLng >= cell.swLng &&
          box.swLng <= cell.neLng,
      ) && holds(cell.swLat, cell.swLng),
  }
}

const edgesOf = (ring: Ring): Edge[] => ring.map((end, i) => [ring.at(i - 1) as Point, end])

function boxOf(points: readonly Point[]): Area['box'] {
  const lats = points.map(([lat]) => lat)
  const lngs = points.map(([, lng]) => lng)
  return {
    swLat: Math.min(...lats),
    swLng: Math.min(...lngs),
    neLat: Math.max(...lats),
    neLng: Math.max(...lngs),
  }
}

/** Parts of edges in all bands together: bounds the time to prepare a ring, a few milliseconds. */
const MAX_PARTS = 65_536
const MAX_CUTS = 128
/** More than any rounding error of a coordinate. */
const MARGIN = 1e-9

/** The edges that cross a band of latitudes, by where they begin in the west. */
interface Band {
  edges: readonly Edge[]
  west: Float64Array
  /** The easternmost end of this edge and all before it. */
  reach: Float64Array
}

/**
 * Cuts the ring into bands between the latitudes of its points, and those into equal parts: inside a band few edges
 * overlap in longitude, even of a drawing that crosses itself, so a point is compared with a few of 500 edges.
 */
function prepareRing(ring: Ring): Holds {
  const levels = [...new Set(ring.map(([lat]) => lat))].sort((a, b) => a - b)
  const edges = edgesOf(ring)
  const crossing = (low: number, high: number) =>
    edges.filter(([[a], [b]]) => Math.min(a, b) <= low && Math.max(a, b) >= high)
  const strips = levels.slice(1).map((high, i) => {
    const low = levels[i] as number
    return { low, high, edges: crossing(low, high) }
  })
  const parts = strips.reduce((sum, strip) => sum + strip.edges.length, 0)
  const cuts = Math.max(1, Math.min(MAX_CUTS, Math.floor(MAX_PARTS / Math.max(1, parts))))
  const bands = strips.flatMap(({ low, high, edges }) =>
    Array.from({ length: cuts }, (_, i) => {
      const at = (step: number) => (step === cuts ? high : low + ((high - low) * step) / cuts)
      return { low: at(i), band: bandOf(edges, at(i), at(i + 1)) }
    }),
  )
  const lows = Float64Array.from(bands, ({ low }) => low)
  const highest = levels.at(-1) as number
  return (lat, lng) => {
    if (!(lat >= (lows[0] ?? highest) && lat < highest)) return false
    return crossings(bands[countUpTo(lows, lat) - 1]?.band as Band, lat, lng) % 2 === 1
  }
}

function bandOf(edges: Band['edges'], low: number, high: number): Band {
  const placed = edges
    .map(edge => {
      const [[latA, lngA], [latB, lngB]] = edge
      const at = (lat: number) => lngA + ((lngB - lngA) * (lat - latA)) / (latB - latA)
      const [one, other] = [at(low), at(high)]
      return { edge, west: Math.min(one, other) - MARGIN, east: Math.max(one, other) + MARGIN }
    })
    .sort((a, b) => a.west - b.west)
  let reach = Number.NEGATIVE_INFINITY
  return {
    edges: placed.map(({ edge }) => edge),
    west: Float64Array.from(placed, ({ west }) => west),
    reach: Float64Array.from(placed, ({ east }) => {
      reach = Math.max(reach, east)
      return reach
    }),
  }
}

/** Edges that begin east of the point are crossed; of the others, those that reach it are computed. */
function crossings({ edges, west, reach }: Band, lat: number, lng: number): number {
  const start = countUpTo(west, lng)
  let count = edges.length - start
  for (let i = start - 1; i >= 0 && (reach[i] as number) >= lng; i--) {
    const [from, to] = edges[i] as Edge
    if (isCrossed(from, to, lat, lng)) count++
  }
  return count
}

/** How many of the ascending values are at most that. */
function countUpTo(values: Float64Array, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}
