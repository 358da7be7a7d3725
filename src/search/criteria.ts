import type { Currency } from '../lib/money.ts'
import type { Operation, PropertyType, Sort } from '../lookups/catalogue.ts'
import type { Uuid } from './engine/ids.ts'
import type { PlacePart } from './places/place.ts'

/** Where a page ended. The next one comes after it, whatever has appeared or vanished in between. */
export interface Place {
  /** Whether it is among those that come first in every order: featured ones, or those liked best. */
  isAhead: boolean
  score: number
  /** Infinity, which JSON has not, is null there. */
  rank: number
  id: Uuid
}

/** Everything the caller may see, or only the caller's own. */
export const SCOPES = ['all', 'own'] as const
export type Scope = (typeof SCOPES)[number]

/** What is asked for. Every member that is there must hold; places are folded already. */
export interface Filters {
  /** In lower case. */
  ids?: string[]
  q?: string
  operation?: Operation
  types?: PropertyType[]
  state?: string
  city?: string
  neighborhood?: string
  /** For pages of one city, by its whole names, or of certain agents, by id; the API has no parameters for these. */
  cities?: string[]
  agents?: string[]
  /** A place as people write it: a listing must be in one meaning of each part. */
  place?: PlacePart[]
  minPrice?: number
  maxPrice?: number
  currency?: Currency
  minBedrooms?: number
  minBathrooms?: number
  minParking?: number
  minConstruction?: number
  minLot?: number
  maxBedrooms?: number
  maxBathrooms?: number
  maxParking?: number
  maxConstruction?: number
  maxLot?: number
  /** Not a condition: of all hits, those with exactly so many bedrooms come first. */
  likedBedrooms?: number
  features?: string[]
  rectangle?: { swLat: number; swLng: number; neLat: number; neLng: number }
  circle?: { lat: number; lng: number; radiusKm: number }
  updatedSince?: Date
}

export interface Criteria extends Filters {
  sort: Sort
  page: number
  /** The page that comes after this place; `page` is then only where one began to count. */
  after?: Place
  limit: number
}
