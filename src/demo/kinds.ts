import type { City } from './places.ts'
import { chance, pick, type Random, weighted } from './random.ts'
import type { ListingStatus, PropertyType } from './types.ts'

export type Operation = 'sale' | 'rental' | 'both'

/** More specific than the property type; decides sizes and wording. */
export type Subject =
  | 'casa'
  | 'departamento'
  | 'loft'
  | 'penthouse'
  | 'terreno'
  | 'oficina'
  | 'local'
  | 'bodega'
  | 'nave'
  | 'rancho'
  | 'quinta'
  | 'edificio'
  | 'consultorio'
  | 'hotel'
  | 'salón'
  | 'escuela'

type TypeWeights = readonly (readonly [PropertyType, number])[]

const TYPES_CAPITAL: TypeWeights = [
  ['apartment', 52],
  ['house', 25],
  ['office', 7],
  ['commercial', 6],
  ['land', 4],
  ['building', 3],
  ['warehouse', 2],
  ['other', 1],
]
const TYPES_BEACH: TypeWeights = [
  ['apartment', 44],
  ['house', 29],
  ['land', 17],
  ['commercial', 4],
  ['office', 2],
  ['building', 1.5],
  ['other', 1.5],
  ['ranch', 1],
]
const TYPES_ELSEWHERE: TypeWeights = [
  ['house', 48],
  ['apartment', 20],
  ['land', 14],
  ['commercial', 5],
  ['office', 4],
  ['warehouse', 3.5],
  ['ranch', 2.5],
  ['building', 1.5],
  ['other', 1.5],
]

export const drawType = (r: Random, city: City): PropertyType =>
  weighted(
    r,
    city.state === 'Ciudad de México' ? TYPES_CAPITAL : city.usd >= 0.3 ? TYPES_BEACH : TYPES_ELSEWHERE,
  )

/** Weights of sale, rental and both. */
const OPERATIONS: Readonly<Record<PropertyType, readonly [number, number, number]>> = {
  house: [75, 18, 7],
  apartment: [55, 38, 7],
  land: [95, 4, 1],
  office: [21, 65, 14],
  commercial: [27, 60, 13],
  warehouse: [23, 63, 14],
  ranch: [93, 4, 3],
  building: [79, 9, 12],
  other: [55, 37, 8],
}

/** A listing only for rent is never sold, and one only for sale never rented. */
export function drawOperation(r: Random, type: PropertyType, status: ListingStatus): Operation {
  const [sale, rental, both] = OPERATIONS[type]
  return weighted(r, [
    ['sale', status === 'rented' ? 0 : sale],
    ['rental', status === 'sold' ? 0 : rental],
    ['both', both],
  ])
}

export function drawSubject(r: Random, type: PropertyType, wealth: number): Subject {
  switch (type) {
    case 'house':
      return 'casa'
    case 'apartment':
      if (wealth > 0.75 && chance(r, 0.14)) return 'penthouse'
      return chance(r, 0.06) ? 'loft' : 'departamento'
    case 'land':
      return 'terreno'
    case 'office':
      return 'oficina'
    case 'commercial':
      return 'local'
    case 'warehouse':
      return wealth > 0.5 && chance(r, 0.6) ? 'nave' : 'bodega'
    case 'ranch':
      return wealth > 0.4 && chance(r, 0.45) ? 'quinta' : 'rancho'
    case 'building':
      return 'edificio'
    case 'other':
      return pick(r, ['consultorio', 'hotel', 'salón', 'escuela'])
  }
}
