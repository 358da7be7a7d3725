/** A point as people copy it from a map service, read without opening anything. */
interface Point {
  lat: number
  lng: number
}

const PAIR = String.raw`(-?\d{1,3}\.\d+)\s*(?:,|%2C|\s)\s*\+?(-?\d{1,3}\.\d+)`
const DEGREE = String.raw`(\d{1,3}\.\d+)\s*°?\s*`
const DEGREES = String.raw`(\d{1,3})°\s*(\d{1,2})['′’]\s*(\d{1,2}(?:\.\d+)?)["″”]?`

/** In this order: of a link that names a place and the map's center, the place. */
const FORMS = [
  // «20.6911, -103.3782», «(20.6911 -103.3782)», geo:20.6911,-103.3782
  new RegExp(`^(?:geo:)?\\(?${PAIR}\\)?(?:[;?].*)?$`, 'i'),
  // Google Maps: the place, then the query, then the center
  /!3d(-?\d{1,3}\.\d+)!4d(-?\d{1,3}\.\d+)/,
  // Google Maps, Apple Maps, Waze
  new RegExp(`[?&](?:q|query|ll|coordinate|center|daddr|destination|sll)=(?:loc:)?${PAIR}`, 'i'),
  // Waze, when it is asked for the way
  new RegExp(`[?&](?:to|from)=ll\\.${PAIR}`, 'i'),
  new RegExp(`[?&](?:latlng|pin)=${PAIR}`, 'i'),
  /[?&]mlat=(-?\d{1,3}\.\d+)&mlon=(-?\d{1,3}\.\d+)/,
  // OpenStreetMap
  /#map=\d{1,2}(?:\.\d+)?\/(-?\d{1,3}\.\d+)\/(-?\d{1,3}\.\d+)/,
  new RegExp(`/(?:@|search/|place/|dir/[^@]*/)${PAIR}`),
]
/** «20.6911° N, 103.3782° W» */
const HEMISPHERES = new RegExp(`^${DEGREE}([NS])[,\\s]*${DEGREE}([EWO])$`, 'i')
const SEXAGESIMAL = new RegExp(`^${DEGREES}\\s*([NS])[,\\s]*${DEGREES}\\s*([EWO])$`, 'i')
/** No link is longer; and none of the patterns sees more. */
const MAX_LINK = 2_000

export function pointIn(text: string): Point | undefined {
  const typed = text.trim()
  if (typed.length > MAX_LINK) return undefined
  for (const form of FORMS) {
    const [, lat, lng] = form.exec(typed) ?? []
    if (lat && lng) return { lat: Number(lat), lng: Number(lng) }
  }
  const [, north = '', half = '', west = '', side = ''] = HEMISPHERES.exec(typed) ?? []
  if (half && side) {
    return {
      lat: decimal(north, '0', '0', half.toUpperCase() === 'S'),
      lng: decimal(west, '0', '0', side.toUpperCase() !== 'E'),
    }
  }
  const [, d1, m1, s1, ns, d2, m2, s2, ew] = SEXAGESIMAL.exec(typed) ?? []
  if (!ns || !ew) return undefined
  return {
    lat: decimal(d1, m1, s1, ns.toUpperCase() === 'S'),
    lng: decimal(d2, m2, s2, ew.toUpperCase() !== 'E'),
  }
}

/** Six decimals are ten centimeters. */
function decimal(degrees?: string, minutes?: string, seconds?: string, isNegative = false): number {
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600
  return Number((isNegative ? -value : value).toFixed(6))
}
