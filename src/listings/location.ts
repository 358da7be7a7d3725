import { createHmac } from 'node:crypto'
import { type Issue, issue } from '../lib/issue.ts'

export interface Point {
  lat: number
  lng: number
}

// In whole micro-degrees, to avoid floating-point error: the public cell of a listing is 0.003 degrees, about 330 m.
export const CELL_MICRO = 3_000
const cellCorner = (degrees: number) => Math.floor(Math.round(degrees * 1e6) / CELL_MICRO) * CELL_MICRO

/**
 * The public point of a listing: its cell, and a position within it that depends only on the listing.
 * The offset is independent of the true point, so averaging many listings of one building does not reveal it.
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
// Returned by geocoders that could only resolve the country.
const COUNTRY_CENTROID = { lat: 23.634501, lng: -102.552788 }

/** Why coordinates cannot be those of a property in Mexico. */
export function pointIssues({ lat, lng }: Point): Issue[] {
  if (lat === 0 && lng === 0) return [issue('lat', 'not_a_place')]
  if (lat === COUNTRY_CENTROID.lat && lng === COUNTRY_CENTROID.lng) {
    return [issue('lat', 'country_center')]
  }
  const inside = lat >= MEXICO.south && lat <= MEXICO.north && lng >= MEXICO.west && lng <= MEXICO.east
  return inside ? [] : [issue('lat', 'outside_mexico')]
}
