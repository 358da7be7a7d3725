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

const MAX_CUTS = 128
/** More edges than this in a band are worth cutting it. */
const FEW_EDGES = 8
/** Parts of edges in all bands together. */
const MAX_PARTS = 65_536
/** More than any rounding error of a coordinate. */
const MARGIN = 1e-9

/** The edges that cross a band of latitudes, by where they begin in the west. */
interface Band {
  edges: Edge[]
  west: Float64Array
  /** The easternmost end of this edge and all before it. */
  reach: Float64Array
}

/**
 * Cuts the ring into bands between the latitudes of its points, and crowded ones into equal parts: inside a band few
 * edges overlap in longitude, even of a drawing that crosses itself, so a point is compared with a few of 500 edges.
 * A band is prepared when the first point falls into it.
 */
function prepareRing(ring: Ring): Holds {
  const levels = Float64Array.from(new Set(ring.map(([lat]) => lat))).sort()
  const edges = edgesOf(ring)
  const strips: (Band[] | undefined)[] = Array.from({ length: levels.length })
  const highest = levels[levels.length - 1] as number
  const cutsOf = (count: number) =>
    count <= FEW_EDGES ? 1 : Math.max(1, Math.min(MAX_CUTS, Math.floor(MAX_PARTS / (count * levels.length))))
  const crossing = (low: number, high: number) =>
    edges.filter(edge => Math.min(edge[0][0], edge[1][0]) <= low && Math.max(edge[0][0], edge[1][0]) >= high)
  const prepare = (low: number, high: number): Band[] => {
    const inside = crossing(low, high)
    const cuts = cutsOf(inside.length)
    const at = (step: number) => (step === cuts ? high : low + ((high - low) * step) / cuts)
    return Array.from({ length: cuts }, (_, i) => bandOf(inside, at(i), at(i + 1)))
  }
  return (lat, lng) => {
    if (!(lat >= (levels[0] as number) && lat < highest)) return false
    const strip = countUpTo(levels, lat) - 1
    const [low, high] = [levels[strip] as number, levels[strip + 1] as number]
    strips[strip] ??= prepare(low, high)
    const bands = strips[strip]
    // Rounding may put a point one band beside its own: the margin of a band covers that.
    const part = Math.min(bands.length - 1, Math.floor(((lat - low) / (high - low)) * bands.length))
    return crossings(bands[part] as Band, lat, lng) % 2 === 1
  }
}

function bandOf(edges: Edge[], low: number, high: number): Band {
  const placed = edges.map(edge => {
    const one = longitudeAt(edge, low)
    const other = longitudeAt(edge, high)
    return { edge, west: Math.min(one, other) - MARGIN, east: Math.max(one, other) + MARGIN }
  })
  placed.sort((a, b) => a.west - b.west)
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

const longitudeAt = (edge: Edge, lat: number) =>
  edge[0][1] + ((edge[1][1] - edge[0][1]) * (lat - edge[0][0])) / (edge[1][0] - edge[0][0])

/** Edges that begin east of the point are crossed; of the others, those that reach it are computed. */
function crossings({ edges, west, reach }: Band, lat: number, lng: number): number {
  const start = countUpTo(west, lng)
  let count = edges.length - start
  for (let i = start - 1; i >= 0 && (reach[i] as number) >= lng; i--) {
    const edge = edges[i] as Edge
    if (isCrossed(edge[0], edge[1], lat, lng)) count++
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
