import { readFileSync } from 'node:fs'
import { kebab } from '../../lib/slug.ts'

type Ring = [number, number][]
export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

interface Packed {
  scale: number
  states: { name: string; rings: number[][] }[]
  neighbors: number[][]
}

const packed = JSON.parse(
  readFileSync(new URL('../../../public/mexico.json', import.meta.url), 'utf8'),
) as Packed

/** Rings are stored as integer deltas from the previous point. */
function unpack(steps: number[]): Ring {
  const ring: Ring = []
  let [x, y] = [0, 0]
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i] as number
    y += steps[i + 1] as number
    ring.push([x / packed.scale, y / packed.scale])
  }
  return ring
}

/** The 32 states; docs/map.md says where they come from. */
const STATES = packed.states.map(({ name, rings }) => ({
  name,
  slug: kebab(name, 'estado'),
  rings: rings.map(unpack),
}))
const NEIGHBORS = packed.neighbors.map(unpack)

export const MEXICO: Bounds = { west: -118.5, south: 14.4, east: -86.6, north: 32.8 }

// Web Mercator, as in Leaflet, so both maps align.
const mercator = (lat: number) => Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * (180 / Math.PI)

function projection({ west, south, east, north }: Bounds, width: number) {
  const scale = width / (east - west)
  const top = mercator(north)
  const height = Math.round((top - mercator(south)) * scale)
  return {
    height,
    x: (lng: number) => (lng - west) * scale,
    y: (lat: number) => (top - mercator(lat)) * scale,
  }
}

type Projected = ReturnType<typeof projection>

/** Integer pixel deltas: shared borders stay shared, and sub-pixel detail disappears. */
function pathOf(rings: Ring[], { x, y }: Projected): string {
  return rings
    .map(ring => stepsOf(ring.map(([lng, lat]) => [Math.round(x(lng)), Math.round(y(lat))])))
    .join('')
}

function stepsOf(points: [number, number][]): string {
  const kept: [number, number][] = []
  for (const point of points) {
    const [last, before] = [kept.at(-1), kept.at(-2)]
    if (last && last[0] === point[0] && last[1] === point[1]) continue
    // Drop collinear points.
    if (last && before && turn(before, last, point) === 0) kept.pop()
    kept.push(point)
  }
  if (kept.length < 4) return ''
  const [first, ...others] = kept as [[number, number], ...[number, number][]]
  const steps = others.map(([px, py], i) => {
    const [ox, oy] = kept[i] as [number, number]
    return `${px - ox} ${py - oy}`
  })
  return `M${first.join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`
}

const turn = (a: [number, number], b: [number, number], c: [number, number]) =>
  (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])

interface StateShape {
  name: string
  slug: string
  path: string
}

/** A small country map for pages: a few kilobytes. */
export const SMALL_MAP = (() => {
  const width = 320
  const projected = projection(MEXICO, width)
  const states = STATES.map(
    ({ name, slug, rings }): StateShape => ({ name, slug, path: pathOf(rings, projected) }),
  )
  return { width, height: projected.height, states }
})()

interface Mark {
  lat: number
  lng: number
  count: number
}

/** A static picture of part of the map, shown without JavaScript. */
export function drawMap(
  bounds: Bounds,
  marks: Mark[],
  circle?: { lat: number; lng: number; meters: number },
): string {
  const width = 900
  const projected = projection(bounds, width)
  const { x, y, height } = projected
  const states = STATES.map(({ rings }) => pathOf(rings, projected)).join('')
  const neighbors = pathOf(NEIGHBORS, projected)
  const dots = marks.map(({ lat, lng, count }) => {
    const r = count === 1 ? 7 : Math.min(30, 9 + Math.sqrt(count) * 2)
    const label =
      count > 1 ? `<text x="${x(lng).toFixed(0)}" y="${(y(lat) + 5).toFixed(0)}">${count}</text>` : ''
    return `<circle cx="${x(lng).toFixed(0)}" cy="${y(lat).toFixed(0)}" r="${r.toFixed(0)}"/>${label}`
  })
  const around = circle
    ? `<circle class="a" cx="${x(circle.lng).toFixed(0)}" cy="${y(circle.lat).toFixed(0)}" r="${Math.max(6, (circle.meters / 111_320 / Math.cos((circle.lat * Math.PI) / 180)) * (width / (bounds.east - bounds.west))).toFixed(0)}"/>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><style>rect{fill:#d5e7ea}.n{fill:#e9e6de}.s{fill:#fbf9f3;stroke:#c3b9a5}circle{fill:#0d6b70;stroke:#fff;stroke-width:2}.a{fill:#0d6b7055;stroke:#0d6b70}text{fill:#fff;font:600 14px sans-serif;text-anchor:middle}</style><rect width="100%" height="100%"/><path class="n" d="${neighbors}"/><path class="s" d="${states}"/>${around}${dots.join('')}</svg>`
}

/** With a margin, and never smaller than a city. */
export function widened({ west, south, east, north }: Bounds): Bounds {
  const [dx, dy] = [Math.max(0.08, (east - west) * 0.1), Math.max(0.08, (north - south) * 0.1)]
  return { west: west - dx, south: south - dy, east: east + dx, north: north + dy }
}
