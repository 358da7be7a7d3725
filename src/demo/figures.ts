import { CALIBRATED, ESTIMATED, PESOS_PER_DOLLAR, PRICE_GROWTH, PRICE_LEVEL } from './calibration.ts'
import type { Subject } from './kinds.ts'
import type { Place } from './places.ts'
import { between, chance, clamp, int, quantile, type Random, weighted } from './random.ts'
import type { Currency, PropertyType } from './types.ts'

export type Sizes = {
  bedrooms: number | null
  bathrooms: number | null
  half_bathrooms: number | null
  parking: number | null
  construction_m2: number | null
  lot_m2: number | null
  floors: number | null
  year_built: number | null
}

/** A quantile that follows the wealth of the place. Stretched, because the mean of two draws avoids the extremes. */
const lean = (r: Random, wealth: number): number =>
  clamp(0.5 + 1.35 * (0.62 * wealth + 0.38 * r() - 0.5), 0.005, 0.985)

/** Small areas to the meter, larger ones rounded as people do. */
function roundArea(m2: number): number {
  const step = m2 < 250 ? 1 : m2 < 1000 ? 5 : m2 < 5000 ? 50 : m2 < 50_000 ? 500 : 5000
  return Math.max(1, Math.round(m2 / step) * step)
}

function drawYear(r: Random, thisYear: number, wealth: number): number | null {
  if (chance(r, 0.22)) return null
  const age = weighted(r, [
    [int(r, 0, 3), 3 + wealth],
    [int(r, 4, 15), 4],
    [int(r, 16, 35), 3],
    [int(r, 36, 65), 1.5 - wealth],
  ])
  return thisYear - age
}

/** Two and a half bathrooms are either 2.5 or 2 plus a half bathroom, never both in one listing. */
function bathroomsOf(r: Random, full: number, half: boolean): Pick<Sizes, 'bathrooms' | 'half_bathrooms'> {
  if (!half) return { bathrooms: full, half_bathrooms: chance(r, 0.5) ? 0 : null }
  return chance(r, 0.25)
    ? { bathrooms: full + 0.5, half_bathrooms: null }
    : { bathrooms: full, half_bathrooms: 1 }
}

function bedroomsOf(r: Random, subject: Subject, m2: number): number {
  if (subject === 'loft') return 1
  if (subject === 'casa') {
    if (m2 < 75) return 2
    if (m2 < 130) return int(r, 2, 3)
    if (m2 < 240) return weighted(r, [[3, 8], [4, 2]]) // biome-ignore format: a table
    if (m2 < 400) return int(r, 3, 4)
    return int(r, 4, m2 < 700 ? 5 : 7)
  }
  if (m2 < 52) return 1
  if (m2 < 75) return weighted(r, [[1, 2], [2, 8]]) // biome-ignore format: a table
  if (m2 < 120) return weighted(r, [[2, 6], [3, 4]]) // biome-ignore format: a table
  if (m2 < 200) return int(r, 2, 3)
  return int(r, 3, 4)
}

function homeSizes(r: Random, subject: Subject, place: Place, usd: boolean, thisYear: number): Sizes {
  const isHouse = subject === 'casa'
  const tables = CALIBRATED[isHouse ? 'house' : 'apartment'][usd ? 'USD' : 'MXN']
  // Dollar listings of that time were mostly large homes in the capital; today's are beach condominiums.
  // The largest apartments are in the expensive states.
  const cap = isHouse || (PRICE_LEVEL[place.city.state] ?? 0) >= 0.75 ? 1 : 0.92
  const u = Math.min(cap, lean(r, place.wealth)) * (usd ? 0.5 : 1)
  const construction =
    subject === 'loft'
      ? int(r, 34, 85)
      : roundArea(Math.max(quantile(tables.m2, u), subject === 'penthouse' ? 130 : 0))
  const bedrooms = bedroomsOf(r, subject, construction)
  const full = clamp(bedrooms - (chance(r, 0.55 - 0.4 * place.wealth) ? 1 : 0), 1, 6)
  const floors = isHouse
    ? construction < 95
      ? 1
      : construction > 260 && chance(r, 0.25)
        ? 3
        : int(r, 1, 2)
    : null
  const lotRatio = floors === 1 ? between(r, 1.1, 2.2) : between(r, 0.55, 1.2)
  return {
    bedrooms,
    ...bathroomsOf(r, full, construction > 70 && chance(r, isHouse ? 0.6 : 0.3)),
    parking: isHouse
      ? clamp(Math.round(construction / 110 + between(r, 0, 1)), 1, 6)
      : clamp(Math.round(construction / 95 + place.wealth - between(r, 0, 0.9)), 0, 4),
    construction_m2: construction,
    lot_m2: isHouse ? roundArea(construction * lotRatio) : null,
    floors,
    year_built: drawYear(r, thisYear, place.wealth),
  }
}

const NO_ROOMS = { bedrooms: null, bathrooms: null, half_bathrooms: null } as const

/** Built area of kinds without a table. */
const OTHER_M2 = {
  consultorio: [18, 90],
  hotel: [450, 2800],
  salón: [280, 1500],
  escuela: [500, 2600],
} as const

function workSizes(r: Random, subject: Subject, wealth: number, thisYear: number): Sizes {
  const year_built = drawYear(r, thisYear, wealth)
  const u = lean(r, wealth)
  switch (subject) {
    case 'oficina':
    case 'local': {
      const m2 = roundArea(
        quantile(subject === 'oficina' ? ESTIMATED.office.m2 : CALIBRATED.commercial.MXN.m2, u),
      )
      return {
        ...NO_ROOMS,
        bathrooms: clamp(Math.round(m2 / 120), 1, 8),
        parking: chance(r, 0.3) ? 0 : clamp(Math.round(m2 / 45), 1, 40),
        construction_m2: m2,
        lot_m2: null,
        floors: null,
        year_built,
      }
    }
    case 'bodega':
    case 'nave': {
      const m2 = roundArea(quantile(ESTIMATED.warehouse.m2, subject === 'nave' ? 0.4 + 0.6 * u : u))
      return {
        ...NO_ROOMS,
        bathrooms: clamp(Math.round(m2 / 600), 1, 10),
        parking: clamp(Math.round(m2 / 150), 1, 80),
        construction_m2: m2,
        lot_m2: roundArea(m2 * between(r, 1.15, 2.1)),
        floors: 1,
        year_built,
      }
    }
    case 'edificio': {
      const m2 = roundArea(quantile(ESTIMATED.building.m2, u))
      const floors = clamp(Math.round(m2 / int(r, 180, 420)), 2, 14)
      return {
        ...NO_ROOMS,
        bathrooms: clamp(floors * int(r, 1, 2), 2, 40),
        parking: clamp(Math.round(m2 / 120), 2, 80),
        construction_m2: m2,
        lot_m2: roundArea((m2 / floors) * between(r, 1.1, 1.6)),
        floors,
        year_built,
      }
    }
    default: {
      const [low, high] = OTHER_M2[subject as keyof typeof OTHER_M2]
      const m2 = roundArea(low + (high - low) * u * u)
      return {
        ...NO_ROOMS,
        bedrooms: subject === 'hotel' ? clamp(Math.round(m2 / 45), 8, 60) : null,
        bathrooms:
          subject === 'hotel' ? clamp(Math.round(m2 / 45), 8, 60) : clamp(Math.round(m2 / 150), 1, 16),
        parking: subject === 'consultorio' ? int(r, 0, 2) : clamp(Math.round(m2 / 60), 3, 60),
        construction_m2: m2,
        lot_m2: subject === 'consultorio' ? null : roundArea(m2 * between(r, 0.6, 1.8)),
        floors: subject === 'consultorio' ? null : int(r, 1, 3),
        year_built,
      }
    }
  }
}

const LAND_ONLY: Sizes = {
  ...NO_ROOMS,
  parking: null,
  construction_m2: null,
  lot_m2: null,
  floors: null,
  year_built: null,
}

function ranchSizes(r: Random, subject: Subject, wealth: number, thisYear: number): Sizes {
  const lot = quantile(ESTIMATED.ranch.m2, subject === 'quinta' ? 0.3 * r() : lean(r, r()))
  const home = subject === 'quinta' || chance(r, 0.65)
  if (!home) return { ...LAND_ONLY, lot_m2: roundArea(lot) }
  const construction = roundArea(between(r, 90, 260 + 340 * wealth))
  const bedrooms = clamp(Math.round(construction / 70), 1, 8)
  return {
    bedrooms,
    bathrooms: clamp(bedrooms - int(r, 0, 1), 1, 6),
    half_bathrooms: null,
    parking: int(r, 2, 10),
    construction_m2: construction,
    lot_m2: roundArea(Math.max(lot, construction * 5)),
    floors: chance(r, 0.75) ? 1 : 2,
    year_built: drawYear(r, thisYear, 0.3),
  }
}

export function drawSizes(r: Random, subject: Subject, place: Place, usd: boolean, thisYear: number): Sizes {
  switch (subject) {
    case 'casa':
    case 'departamento':
    case 'loft':
    case 'penthouse':
      return homeSizes(r, subject, place, usd, thisYear)
    case 'terreno':
      return { ...LAND_ONLY, lot_m2: roundArea(quantile(ESTIMATED.land.m2, r())) }
    case 'rancho':
    case 'quinta':
      return ranchSizes(r, subject, place.wealth, thisYear)
    default:
      return workSizes(r, subject, place.wealth, thisYear)
  }
}

/** Market value in `currency`, not rounded. */
export function marketValue(
  r: Random,
  type: PropertyType,
  sizes: Sizes,
  place: Place,
  currency: Currency,
): number {
  const level = PRICE_LEVEL[place.city.state] ?? 0.6
  // The lowest prices in the tables come from cheap states, where `level` already lowers the price.
  const least = type === 'commercial' || currency === 'USD' ? 0.4 : level < 0.7 ? 0.2 : 0.08
  const u = Math.max(least, lean(r, place.wealth))
  const built = sizes.construction_m2 ?? 0
  const lot = sizes.lot_m2 ?? 0
  if ((type === 'house' || type === 'apartment') && currency === 'USD')
    return built * quantile(CALIBRATED[type].USD.price_per_m2, u) * PRICE_GROWTH.USD
  const pesos = ((): number => {
    switch (type) {
      case 'house':
      case 'apartment':
      case 'commercial':
        return built * quantile(CALIBRATED[type].MXN.price_per_m2, u) * PRICE_GROWTH.MXN
      case 'land':
        // A large lot costs less per meter.
        return lot * quantile(ESTIMATED.land.price_per_m2, u) * Math.min(1, (300 / lot) ** 0.3)
      case 'ranch':
        return lot * quantile(ESTIMATED.ranch.price_per_m2, u) * (12_000 / lot) ** 0.45 + built * 14_000
      case 'warehouse':
        return built * quantile(ESTIMATED.warehouse.price_per_m2, u)
      case 'office':
      case 'other':
        return built * quantile(ESTIMATED.office.price_per_m2, type === 'other' ? u * 0.7 : u)
      case 'building':
        return built * quantile(ESTIMATED.building.price_per_m2, u)
    }
  })()
  return (pesos * level) / (currency === 'USD' ? PESOS_PER_DOLLAR : 1)
}
