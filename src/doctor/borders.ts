import { readFileSync } from 'node:fs'
import { kilometers, type ToState } from './rules.ts'

type Point = { lat: number; lng: number }

/** The map of the site; its rings are integer steps from point to point. */
const { scale, states } = JSON.parse(
  readFileSync(new URL('../../public/mexico.json', import.meta.url), 'utf8'),
) as { scale: number; states: { name: string; rings: number[][] }[] }

const BORDERS = new Map(states.map(({ name, rings }) => [name, rings.map(unpack)]))

function unpack(steps: number[]): Point[] {
  let [lng, lat] = [0, 0]
  return Array.from({ length: steps.length / 2 }, (_, i) => {
    lng += (steps[2 * i] as number) / scale
    lat += (steps[2 * i + 1] as number) / scale
    return { lat, lng }
  })
}

export const toState: ToState = (state, lat, lng) => {
  const rings = BORDERS.get(state)
  if (!rings) return undefined
  const point = { lat, lng }
  if (rings.some(ring => isInside(ring, point))) return 0
  return Math.min(...rings.map(ring => distanceTo(ring, point)))
}

/** A ray to the east crosses the ring an odd number of times. */
function isInside(ring: Point[], { lat, lng }: Point): boolean {
  let inside = false
  for (const [one, other] of edges(ring)) {
    const crosses = one.lat > lat !== other.lat > lat
    if (crosses && lng < ((other.lng - one.lng) * (lat - one.lat)) / (other.lat - one.lat) + one.lng)
      inside = !inside
  }
  return inside
}

function distanceTo(ring: Point[], point: Point): number {
  let least = Number.POSITIVE_INFINITY
  for (const [one, other] of edges(ring)) {
    const [dx, dy] = [other.lng - one.lng, other.lat - one.lat]
    const along = ((point.lng - one.lng) * dx + (point.lat - one.lat) * dy) / (dx * dx + dy * dy || 1)
    const part = Math.min(1, Math.max(0, along))
    least = Math.min(least, kilometers(point, { lng: one.lng + part * dx, lat: one.lat + part * dy }))
  }
  return least
}

function* edges(ring: Point[]): Generator<[Point, Point]> {
  for (const [i, point] of ring.entries()) yield [ring.at(i - 1) as Point, point]
}
