import type { Fail } from '../lib/issue.ts'
import type { Parameter } from '../lib/query.ts'
import type { Filters, Point, Polygon, Ring } from './criteria.ts'

/** Of all polygons together. */
export const MAX_POINTS = 500

/** GeoJSON, or points with semicolons between them; several by repeating the parameter or in a MultiPolygon. */
export const polygonParameter: Parameter<Polygon[]> = {
  repeatable: true,
  schema: { type: 'array', items: { type: 'string' } },
  read(values, fail) {
    const polygons = (values as string[]).flatMap(text => {
      const read = text.trimStart().startsWith('{') ? readGeoJson(text) : readPoints(text)
      if (!read) fail.about(text)('not_a_polygon')
      return read ?? []
    })
    return withinLimit(polygons, fail)
  },
}

function withinLimit(polygons: Polygon[], fail: Fail): Polygon[] | undefined {
  const sent = polygons.flat().reduce((sum, ring) => sum + ring.length, 0)
  return sent <= MAX_POINTS ? polygons : void fail('too_many_points', { max: MAX_POINTS, sent })
}

const NUMBER = '(-?\\d{1,3}(?:\\.\\d{1,20})?)'
const POINT = new RegExp(`^\\s*${NUMBER}\\s*,\\s*${NUMBER}\\s*$`)

const BOX = new RegExp(`^${[NUMBER, NUMBER, NUMBER, NUMBER].join(',')}$`)

/** A rectangle in the order of GeoJSON. */
export const boxParameter: Parameter<NonNullable<Filters['rectangle']>> = {
  schema: { type: 'string' },
  read(value, fail) {
    const [swLng, swLat, neLng, neLat] = (BOX.exec(String(value)) ?? []).slice(1).map(Number)
    const isBox =
      swLng !== undefined &&
      swLat !== undefined &&
      neLng !== undefined &&
      neLat !== undefined &&
      isOnMap([swLat, swLng]) &&
      isOnMap([neLat, neLng]) &&
      swLat <= neLat &&
      swLng <= neLng
    return isBox ? { swLat, swLng, neLat, neLng } : void fail('not_a_box')
  },
}

function readPoints(text: string): Polygon[] | undefined {
  const points = text.replace(/;\s*$/, '').split(';')
  const ring = points.map(one => {
    const [, lat, lng] = POINT.exec(one) ?? []
    return [Number(lat), Number(lng)] as const
  })
  return isRing(ring) ? [[closed(ring)]] : undefined
}

function readGeoJson(text: string): Polygon[] | undefined {
  const { type, coordinates } = parsed(text)
  const sent = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : undefined
  if (!Array.isArray(sent) || sent.length === 0) return undefined
  const polygons = sent.map(readRings)
  return polygons.every(polygon => polygon !== undefined) ? polygons : undefined
}

function parsed(text: string): { type?: unknown; coordinates?: unknown } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function readRings(sent: unknown): Polygon | undefined {
  if (!Array.isArray(sent) || sent.length === 0) return undefined
  const rings = sent.map(ring => (Array.isArray(ring) ? ring.map(pointOf) : []))
  return rings.every(isRing) ? rings.map(closed) : undefined
}

/** GeoJSON puts the longitude first and may add a height. */
const pointOf = (sent: unknown): Point =>
  Array.isArray(sent) && typeof sent[0] === 'number' && typeof sent[1] === 'number' && sent.length <= 3
    ? [sent[1], sent[0]]
    : [Number.NaN, Number.NaN]

const isRing = (ring: Ring): boolean => closed(ring).length >= 3 && ring.every(isOnMap)

const isOnMap = ([lat, lng]: Point) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180

/** Without the repeated first point at the end. */
function closed(ring: Ring): Ring {
  const [first, last] = [ring[0], ring.at(-1)]
  return ring.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1] ? ring.slice(0, -1) : ring
}
