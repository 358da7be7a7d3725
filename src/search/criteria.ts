import type { Currency } from '../lib/money.ts'
import type { Operation, PropertyType, RentPeriod, Sort } from '../lookups/catalog.ts'
import type { Uuid } from './engine/ids.ts'
import type { PlacePart } from './places/place.ts'

/** Where a page ended. The next one starts after it, even if listings appeared or vanished in between. */
export interface Place {
  /** Whether it is in the group that comes first in every order: featured listings, or preferred matches. */
  isAhead: boolean
  score: number
  /** Infinity becomes null in JSON. */
  rank: number
  id: Uuid
}

/** Everything the caller may see, or only the caller's own. */
export const SCOPES = ['all', 'own'] as const
export type Scope = (typeof SCOPES)[number]
/** `market` is for verified agents in the portal: also listings that are not for other agents' sites. */
export type Reach = Scope | 'market'

/** What a copy consists of: the listings that the viewer may see and that match. */
export interface Coverage {
  viewer: string
  scope: Scope
  filters: Filters
}

/** The orders that only the market has, highest first. */
export const MARKET_SORTS = ['commission', 'construction', 'lot'] as const
export type MarketSort = (typeof MARKET_SORTS)[number]
export const MARKS = ['exclusive', 'media'] as const
export type Mark = (typeof MARKS)[number]

export type Point = readonly [lat: number, lng: number]
/** A closed line; its last point is joined to the first. */
export type Ring = readonly Point[]
/** The outer ring, then holes. */
export type Polygon = readonly Ring[]

/** The filters of a search, all of which must match; places are already folded. */
export interface Filters {
  /** Lowercase. */
  ids?: string[]
  q?: string
  operation?: Operation
  /** Of its rent. */
  rentPeriod?: RentPeriod
  types?: PropertyType[]
  state?: string
  city?: string
  neighborhood?: string
  /** For pages of a city, by full name; the API has no parameter for it. */
  cities?: string[]
  /** By id. */
  agents?: string[]
  /** A place as typed: a listing must match one meaning of each part. */
  place?: PlacePart[]
  minPrice?: number
  maxPrice?: number
  currency?: Currency
  /** Compares prices of both currencies in this one, at that rate. */
  priceIn?: { currency: Currency; mxnPerUsd: number }
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
  minHalfBathrooms?: number
  maxHalfBathrooms?: number
  minYearBuilt?: number
  maxYearBuilt?: number
  minFloors?: number
  maxFloors?: number
  /** A preference, not a filter: listings with exactly this many bedrooms come first. */
  likedBedrooms?: number
  features?: string[]
  notFeatures?: string[]
  rectangle?: { swLat: number; swLng: number; neLat: number; neLng: number }
  circle?: { lat: number; lng: number; radiusKm: number }
  /** In one of these. */
  polygons?: Polygon[]
  updatedSince?: Date
  notAgents?: string[]
  /** Only the market has parameters for the following. Percent of the price. */
  minCommission?: number
  /** `media` is a video or a virtual tour. */
  marks?: Mark[]
  /** Published, or its price lowered, since then. */
  fresh?: { since: Date; isNew: boolean; isLowered: boolean }
}

/** One typed word: a listing has one of its lexemes, or is what the word means ("piscina": it has the amenity). */
export interface WordGroup {
  lexemes: string[]
  meaning?: Filters
}

export interface Criteria extends Filters {
  sort: Sort | MarketSort | 'distance'
  /** With `distance`: the point it is measured from. */
  near?: { lat: number; lng: number }
  page: number
  /** Returns the page after this place; `page` is then only the number where counting began. */
  after?: Place
  limit: number
  /** False: featured listings have no advantage. */
  featuredFirst?: boolean
}
