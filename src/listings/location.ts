import { createHmac } from 'node:crypto'
import { type Issue, issue } from '../lib/issue.ts'

export interface Point {
  lat: number
  lng: number
}

// In whole micro-degrees, so that no floating dust gathers: 0.003 degrees, about 330 m, is the square
// that a listing is known to be in.
export const CELL_MICRO = 3_000
const cellCorner = (degrees: number) => Math.floor(Math.round(degrees * 1e6) / CELL_MICRO) * CELL_MICRO

/**
 * Where the public sees a listing: its cell, and in the cell a place that depends on the listing alone.
 * The shift knows nothing of the true point, so that no number of listings of one building averages out to it.
 */
export function publicPoint(key: string, listingId: string, { lat, lng }: Point): Point {
  const hash = createHmac('sha256', key).update(listingId).digest()
  const inside = (offset: number) => Math.floor((hash.readUInt32BE(offset) / 2 ** 32) * CELL_MICRO)
  return { lat: (cellCorner(lat) + inside(0)) / 1e6, lng: (cellCorner(lng) + inside(4)) / 1e6 }
}

export const roundPoint = ({ lat, lng }: Point): Point => ({
  lat: Math.round(lat * 1e6) / 1e6,
  lng: Math.round(lng * 1e6) / 1e6,
})

const MEXICO = { south: 14, north: 33.5, west: -119, east: -86 }
// What geocoders answer when they know nothing but the country.
const COUNTRY_CENTROID = { lat: 23.634501, lng: -102.552788 }

/** Why a pair of coordinates cannot be where a Mexican property stands. */
export function pointIssues({ lat, lng }: Point): Issue[] {
  if (lat === 0 && lng === 0) return [issue('lat', 'not_a_place')]
  if (lat === COUNTRY_CENTROID.lat && lng === COUNTRY_CENTROID.lng) {
    return [issue('lat', 'country_center')]
  }
  const inside = lat >= MEXICO.south && lat <= MEXICO.north && lng >= MEXICO.west && lng <= MEXICO.east
  return inside ? [] : [issue('lat', 'outside_mexico')]
}
