import { CITY_ROWS, type Compass } from './cities.ts'
import { BEACH_COLONIAS, COLONIAS, INDUSTRIAL_PLACES, RURAL_PLACES, SHARED_COLONIAS } from './colonias.ts'
import { chance, clamp, int, normal, pick, type Random, weighted } from './random.ts'
import type { PropertyType } from './types.ts'

export type City = {
  state: string
  name: string
  municipality: string
  lat: number
  lng: number
  population: number
  /** First two digits of its postal codes. */
  postal: string
  sea: Compass | null
  /** Share of its listings priced in dollars. */
  usd: number
  draw: number
}

/** A listing's location. `wealth` (0 to 1) correlates sizes, prices and amenities. */
export type Place = { city: City; neighborhood: string; wealth: number }

export const CITIES: readonly City[] = Object.entries(CITY_ROWS).flatMap(([state, rows]) =>
  rows.map(
    ([name, municipality, lat, lng, thousands, postal, traits]): City => ({
      state,
      name,
      municipality,
      lat,
      lng,
      population: thousands * 1000,
      postal,
      sea: traits?.sea ?? null,
      usd: traits?.usd ?? 0.01,
      draw: traits?.draw ?? 1,
    }),
  ),
)

// The square root keeps a metropolis from taking nearly all listings of its state.
const CITY_WEIGHTS = new Map(
  Object.keys(CITY_ROWS).map((state): [string, [City, number][]] => [
    state,
    CITIES.filter(c => c.state === state).map(c => [c, Math.sqrt(c.population) * c.draw]),
  ]),
)

export function drawCity(r: Random, state: string): City {
  const cities = CITY_WEIGHTS.get(state)
  if (!cities) throw new Error(`no cities in ${state}`)
  return weighted(r, cities)
}

export function drawPlace(r: Random, city: City, type: PropertyType): Place {
  if (type === 'ranch') return { city, neighborhood: pick(r, RURAL_PLACES), wealth: r() }
  if (type === 'warehouse' && chance(r, 0.8))
    return { city, neighborhood: pick(r, INDUSTRIAL_PLACES), wealth: r() }
  const own = COLONIAS[`${city.state}/${city.name}`]
  const colonias = own ?? SHARED_COLONIAS
  const expensive = chance(r, own ? 0.45 : 0.25)
  const wealth = expensive ? 0.42 + 0.58 * r() : 0.03 + 0.75 * r()
  return { city, neighborhood: pick(r, expensive ? colonias.alta : colonias.media), wealth }
}

const KM_PER_DEGREE = 111.32

/** A point within some kilometers of the center, mirrored inland on the coast, so that no house is in the sea. */
export function scatter(r: Random, city: City, type: PropertyType): { lat: number; lng: number } {
  const spread = type === 'ranch' ? 7 : clamp(Math.sqrt(city.population) / 400, 0.6, 3)
  let north = normal(r, 0, spread)
  let east = normal(r, 0, spread)
  if (city.sea === 'N') north = -Math.abs(north)
  if (city.sea === 'S') north = Math.abs(north)
  if (city.sea === 'E') east = -Math.abs(east)
  if (city.sea === 'W') east = Math.abs(east)
  const lat = city.lat + north / KM_PER_DEGREE
  const lng = city.lng + east / (KM_PER_DEGREE * Math.cos((city.lat * Math.PI) / 180))
  return { lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) }
}

export const drawPostalCode = (r: Random, city: City): string =>
  `${city.postal}${String(int(r, 0, 99) * 10).padStart(3, '0')}`

const STREETS = [
  'Av. Juárez',
  'Av. Hidalgo',
  'Calle Morelos',
  'Calle Allende',
  'Calle Aldama',
  'Calle Independencia',
  'Av. Universidad',
  'Blvd. Adolfo López Mateos',
  'Av. Revolución',
  'Calle 5 de Mayo',
  'Calle Vicente Guerrero',
  'Av. de las Torres',
  'Calle Pino Suárez',
  'Av. Insurgentes',
  'Calle Zaragoza',
  'Privada del Bosque',
  'Calle Jacarandas',
  'Paseo de los Cedros',
  'Calle Niños Héroes',
  'Av. Constitución',
]

export function drawAddress(r: Random, { city, neighborhood }: Place, type: PropertyType): string {
  if (type === 'ranch') return `Carretera a ${neighborhood} km ${int(r, 2, 38)}`
  if (city.name === 'Mérida') {
    const street = int(r, 5, 70)
    const cross = int(r, 4, 68)
    // Mérida numbers its streets; the cross streets identify the block.
    return `Calle ${street} No. ${int(r, 90, 590)} x ${cross} y ${cross + 2}`
  }
  if (type === 'land') return `${pick(r, STREETS)}, Mza. ${int(r, 1, 40)}, Lote ${int(r, 1, 60)}`
  const house = `${pick(r, STREETS)} ${int(r, 12, 2400)}`
  if (type === 'apartment') return `${house}, Depto. ${int(r, 1, 14)}0${int(r, 1, 6)}`
  if (type === 'office') return `${house}, Int. ${int(r, 1, 12)}0${int(r, 1, 8)}`
  if (type === 'commercial') return `${house}, Local ${int(r, 1, 24)}`
  return house
}

const WARM = new Set([
  'Baja California',
  'Baja California Sur',
  'Campeche',
  'Chiapas',
  'Coahuila',
  'Colima',
  'Guerrero',
  'Nayarit',
  'Nuevo León',
  'Quintana Roo',
  'Sinaloa',
  'Sonora',
  'Tabasco',
  'Tamaulipas',
  'Veracruz',
  'Yucatán',
])

/** Cities where a house without air conditioning is hard to rent out. */
export const isWarm = (city: City): boolean => WARM.has(city.state) || city.sea !== null

/** In a small beach town everything is near the beach; in a large one only certain neighborhoods are. */
export const isByTheBeach = ({ city, neighborhood }: Place): boolean =>
  city.sea !== null &&
  (COLONIAS[`${city.state}/${city.name}`] ? BEACH_COLONIAS.has(neighborhood) : city.usd >= 0.1)
