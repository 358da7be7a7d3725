import type { Static } from 'typebox'
import { type Lang, numberText } from '../lib/i18n.ts'
import { timeText } from '../lib/time.ts'
import type { ListingRecord } from '../listings/schema.ts'
import { AMENITIES } from '../lookups/amenities.ts'
import { OPERATIONS, PROPERTY_TYPES, type PropertyType, priceWith } from '../lookups/catalog.ts'

/** `lowered`: its price is lower than it was on the market within the last month. */
export type Mark = 'featured' | 'lowered'
/** A record, and what only pages say about it. */
export type Listing = Static<typeof ListingRecord> & { marks?: Mark[] }
export type Operation = Listing['operations'][number]

export const titleOf = (listing: Listing, lang: Lang): string =>
  (lang === 'en' ? listing.title_en : null) ?? listing.title

export const typeName = (type: PropertyType, lang: Lang): string => PROPERTY_TYPES[type][lang]

const PLURALS: Record<PropertyType, Record<Lang, string>> = {
  house: { es: 'Casas', en: 'Houses' },
  apartment: { es: 'Departamentos', en: 'Apartments' },
  land: { es: 'Terrenos', en: 'Land' },
  office: { es: 'Oficinas', en: 'Offices' },
  commercial: { es: 'Locales', en: 'Commercial spaces' },
  warehouse: { es: 'Bodegas', en: 'Warehouses' },
  ranch: { es: 'Ranchos', en: 'Ranches' },
  building: { es: 'Edificios', en: 'Buildings' },
  other: { es: 'Otros', en: 'Others' },
}
export const typesName = (type: PropertyType, lang: Lang): string => PLURALS[type][lang]

export const operationName = (type: Operation['type'], lang: Lang): string => OPERATIONS[type][lang]

export const priceText = (operation: Operation, lang: Lang): string =>
  priceWith(operation.formatted_amount, operation.period, lang)

const english = new Map(AMENITIES.map(({ label, en }) => [label, en]))
export const amenityName = (label: string, lang: Lang): string =>
  (lang === 'en' ? english.get(label) : undefined) ?? label

export const placeName = ({ neighborhood, city, state }: Listing['location']): string =>
  [neighborhood, city, state].filter((part, i, all) => part && part !== all[i - 1]).join(', ')

export const count = (value: number, lang: Lang): string => numberText(value, lang)

/** Square meters, or hectares from one hectare up. */
export const areaText = (m2: number, lang: Lang): string =>
  m2 >= 20_000 ? `${numberText(m2 / 10_000, lang, 1)} ha` : `${numberText(m2, lang, 0)} m²`

export const dateText = (iso: string, lang: Lang): string => timeText(new Date(iso), 'longDay', lang)

/** Truncates a text at a word boundary. */
export function excerpt(text: string, length: number): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= length) return plain
  return `${plain.slice(0, length - 1).replace(/\s+\S*$/, '')}…`
}

/** Relative paths for our own images: they load under any host name. */
export const pictureSrc = (url: string, publicUrl: string): string =>
  url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url

/** For previews in other apps, which do not read WebP or SVG: our own images are also served as JPEG. */
export const shareImage = (url: string | undefined, publicUrl: string): string | undefined =>
  url?.startsWith(`${publicUrl}/`) ? url.replace(/\.(webp|svg)$/, '.jpg') : url
