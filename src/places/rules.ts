import { foldText } from '../lib/text.ts'
import { canonicalState } from '../lookups/states.ts'

/** A colonia with its postal code. Names are folded. */
export interface PostalPlace {
  postal_code: string
  state: string
  municipality_fold: string
  city_fold: string
  name_fold: string
  lat: number
  lng: number
}

/**
 * A line of the postal codes of GeoNames (MX.txt): country, code, colonia, state, its code, municipality, its code, city,
 * its code, latitude, longitude. Undefined if it is anything else.
 */
export function readPlace(line: string): PostalPlace | undefined {
  const [country, code = '', name = '', stateName = '', , municipality = '', , city = '', , lat, lng] =
    line.split('\t')
  const state = canonicalState(stateName)
  const point = { lat: Number(lat || Number.NaN), lng: Number(lng || Number.NaN) }
  const isPlace = country === 'MX' && /^\d{5}$/.test(code) && name !== '' && state !== undefined
  if (!isPlace || !Number.isFinite(point.lat) || !Number.isFinite(point.lng)) return undefined
  return {
    postal_code: code,
    state,
    municipality_fold: foldText(municipality),
    city_fold: foldText(city),
    name_fold: foldText(name),
    ...point,
  }
}

/** As typed into a form. */
export interface Address {
  state: string
  city: string
  municipality: string
  neighborhood: string
  postalCode: string
}

/** Approximate: a point to be moved to the property. */
export interface Located {
  lat: number
  lng: number
  by: 'neighborhood' | 'postal_code'
}
