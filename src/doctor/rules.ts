import type { PropertyType } from '../lookups/catalog.ts'
import { hasContact, isShouted } from './texts.ts'

export const KINDS = [
  'price_per_m2',
  'outside_state',
  'outside_city',
  'same_photos',
  'same_house',
  'sale_like_rent',
  'capitals',
  'contact',
] as const
export type Kind = (typeof KINDS)[number]
export const DUPLICATES: readonly Kind[] = ['same_photos', 'same_house']
/** What one click corrects without losing anything. */
export const FIXABLE: readonly Kind[] = ['capitals', 'contact']

export type TextField = 'title' | 'description' | 'title_en' | 'description_en'
export const TEXT_FIELDS: readonly TextField[] = ['title', 'description', 'title_en', 'description_en']

export interface Offer {
  operation: 'sale' | 'rental'
  amount: number
  currency: string
  /** The median price of a square meter of its kind, in its neighborhood or city; null if too few are known. */
  level: number | null
}

interface Home {
  id: string
  property_type: PropertyType
  bedrooms: number | null
  construction_m2: number | null
  lot_m2: number | null
  lat: number | null
  lng: number | null
  address: string | null
  sale_price: number | null
  rent_price: number | null
}

/** Another published listing close by, or with photos in common. */
export interface Other extends Home {
  common_photos: number
  photos: number
}

export interface Facts extends Home, Record<TextField, string | null> {
  state: string
  photos: number
  offers: readonly Offer[]
  /** The middle of the city's listings; null if too few are known. */
  center: { lat: number; lng: number } | null
  others: readonly Other[]
}

export interface Finding {
  listing_id: string
  kind: Kind
  other_id: string | null
  detail: Record<string, string | number>
}

type Found = Omit<Finding, 'listing_id'>

/** Kilometers from the point to the state, 0 inside it; undefined for a state without borders. */
export type ToState = (state: string, lat: number, lng: number) => number | undefined

/** A typing error is a factor of ten; within a neighborhood, honest prices differ by less than this. */
const FAR = 5
/** The borders are simplified, and cities lie on them. */
const BORDER_KM = 15
const CITY_KM = 60
/** Nothing with a roof is sold for less; rents are rarely higher. */
const LEAST_SALE: Record<string, number> = { MXN: 120_000, USD: 7_000 }
const SAME_PLACE_KM = 0.15

/** Everything that looks wrong about one listing. */
export function examine(facts: Facts, toState: ToState): Finding[] {
  const found: Found[] = [
    ...pricesOf(facts),
    ...placesOf(facts, toState),
    ...facts.others.flatMap(other => duplicatesOf(facts, other)),
    ...textsOf(facts),
  ]
  return found.map(finding => ({ listing_id: facts.id, ...finding }))
}

const alone = (kind: Kind, detail: Finding['detail'] = {}): Found => ({ kind, other_id: null, detail })

const hasRoof = ({ property_type }: Home) => property_type !== 'land' && property_type !== 'ranch'
/** The area a price is compared by. */
export const areaOf = (home: Home): number | null => (hasRoof(home) ? home.construction_m2 : home.lot_m2)

function pricesOf(facts: Facts): Found[] {
  const area = areaOf(facts)
  return facts.offers.flatMap(({ operation, amount, currency, level }) => {
    if (operation === 'sale' && hasRoof(facts) && amount < (LEAST_SALE[currency] ?? 0))
      return [alone('sale_like_rent', { amount, currency })]
    if (area === null || level === null) return []
    const price = amount / area
    const isFar = price > level * FAR || price < level / FAR
    return isFar
      ? [alone('price_per_m2', { operation, currency, price: Math.round(price), level: Math.round(level) })]
      : []
  })
}

function placesOf({ state, lat, lng, center }: Facts, toState: ToState) {
  if (lat === null || lng === null) return []
  const beyond = toState(state, lat, lng) ?? 0
  if (beyond > BORDER_KM) return [alone('outside_state', { km: Math.round(beyond) })]
  const km = center ? kilometers({ lat, lng }, center) : 0
  return km > CITY_KM ? [alone('outside_city', { km: Math.round(km) })] : []
}

function duplicatesOf(facts: Facts, other: Other): Found[] {
  const half = Math.min(facts.photos, other.photos) / 2
  if (other.common_photos >= 2 && other.common_photos >= half)
    return [{ kind: 'same_photos', other_id: other.id, detail: { photos: other.common_photos } }]
  return isSameHouse(facts, other) ? [{ kind: 'same_house', other_id: other.id, detail: {} }] : []
}

/** Flats of one building are alike: only the same address, with its number, makes them one. */
function isSameHouse(one: Home, other: Other): boolean {
  const areas = [one.construction_m2, other.construction_m2, one.lot_m2, other.lot_m2]
  if (one.property_type !== other.property_type || one.bedrooms !== other.bedrooms) return false
  if (areas.every(area => area === null)) return false
  if (!isNear(one.construction_m2, other.construction_m2, 0.02) || !isNear(one.lot_m2, other.lot_m2, 0.02))
    return false
  if (!isNear(one.sale_price, other.sale_price, 0.1) || !isNear(one.rent_price, other.rent_price, 0.1))
    return false
  if (one.lat === null || one.lng === null || other.lat === null || other.lng === null) return false
  const isClose =
    kilometers({ lat: one.lat, lng: one.lng }, { lat: other.lat, lng: other.lng }) <= SAME_PLACE_KM
  const isFlat = one.property_type === 'apartment' || one.property_type === 'office'
  const hasSameDoor = one.address !== null && /\d/.test(one.address) && isSameText(one.address, other.address)
  return isClose && (!isFlat || hasSameDoor)
}

const isSameText = (one: string, other: string | null) =>
  one.toLowerCase().replace(/[\s.,#]+/g, ' ') === other?.toLowerCase().replace(/[\s.,#]+/g, ' ')

const isNear = (one: number | null, other: number | null, share: number) =>
  one === null || other === null ? one === other : Math.abs(one - other) <= share * Math.max(one, other)

function textsOf(facts: Facts) {
  const shouted = TEXT_FIELDS.filter(name => isShouted(facts[name] ?? ''))
  const withContact = TEXT_FIELDS.filter(name => hasContact(facts[name] ?? ''))
  return [
    ...(shouted.length > 0 ? [alone('capitals', { fields: shouted.join(',') })] : []),
    ...(withContact.length > 0 ? [alone('contact', { fields: withContact.join(',') })] : []),
  ]
}

export function kilometers(one: { lat: number; lng: number }, other: { lat: number; lng: number }): number {
  const middle = ((one.lat + other.lat) / 2) * (Math.PI / 180)
  return 111.2 * Math.hypot(one.lat - other.lat, (one.lng - other.lng) * Math.cos(middle))
}
