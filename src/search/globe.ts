import type { Criteria } from './criteria.ts'

type Rectangle = NonNullable<Criteria['rectangle']>
type Circle = NonNullable<Criteria['circle']>

// A tenth of a degree, some eleven kilometres: a city has a handful, the country a few thousand.
const CELLS_PER_DEGREE = 10
const cellIndex = (degrees: number) => Math.floor(degrees * CELLS_PER_DEGREE)

export const cellOf = (lat: number, lng: number): string => `${cellIndex(lat)} ${cellIndex(lng)}`

/** The cells that a rectangle touches; undefined if these are more than `most`. */
export function cellsOf({ swLat, swLng, neLat, neLng }: Rectangle, most: number): string[] | undefined {
  const [south, north] = [cellIndex(swLat), cellIndex(neLat)]
  const [west, east] = [cellIndex(swLng), cellIndex(neLng)]
  if ((north - south + 1) * (east - west + 1) > most) return undefined
  const cells: string[] = []
  for (let row = south; row <= north; row++) {
    for (let column = west; column <= east; column++) cells.push(`${row} ${column}`)
  }
  return cells
}

const EARTH_RADIUS_KM = 6371.0088
const RADIANS = Math.PI / 180
const KM_PER_DEGREE = EARTH_RADIUS_KM * RADIANS

/** A rectangle with the circle inside, and some more: it only saves work. */
export function boxAround({ lat, lng, radiusKm }: Circle): Rectangle {
  const reach = (radiusKm / KM_PER_DEGREE) * 1.01
  const highest = Math.abs(lat) + reach
  // Degrees of longitude are shortest towards the poles; near them, or across the date line, take all.
  const across = highest < 89 ? reach / Math.cos(highest * RADIANS) : 360
  const east = Math.abs(lng) + across > 180 ? 360 : across
  return { swLat: lat - reach, neLat: lat + reach, swLng: lng - east, neLng: lng + east }
}

/**
 * Whether a point is in the circle. On a plane first, which for at most some hundred kilometres is off by less
 * than one in a thousand and costs a tenth; only near the edge is the sphere asked.
 */
export function insideOf({ lat, lng, radiusKm }: Circle): (pointLat: number, pointLng: number) => boolean {
  const cosine = Math.cos(lat * RADIANS)
  const slope = (Math.sin(lat * RADIANS) * RADIANS) / 2
  const surely = ((radiusKm * 0.98) / KM_PER_DEGREE) ** 2
  const hardly = ((radiusKm * 1.02) / KM_PER_DEGREE) ** 2
  const isPlane = radiusKm <= 300 && Math.abs(lat) < 60
  return (pointLat, pointLng) => {
    const north = pointLat - lat
    const east = pointLng - lng
    if (isPlane && Math.abs(north) < 5 && Math.abs(east) < 20) {
      const square = north ** 2 + (east * (cosine - slope * north)) ** 2
      if (square < surely) return true
      if (square > hardly) return false
    }
    return kilometres(lat, lng, pointLat, pointLng) <= radiusKm
  }
}

/** Great-circle distance on the mean sphere. */
export function kilometres(latA: number, lngA: number, latB: number, lngB: number): number {
  const north = Math.sin(((latB - latA) * RADIANS) / 2)
  const east = Math.sin(((lngB - lngA) * RADIANS) / 2)
  const chord = north ** 2 + Math.cos(latA * RADIANS) * Math.cos(latB * RADIANS) * east ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}
