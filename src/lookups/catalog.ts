import { BODY_LIMIT } from '../http/body.ts'

/** The API's enumerations with their labels. The API uses the values, pages the labels. */
interface Label {
  es: string
  en: string
}

export const PROPERTY_TYPES = {
  house: { es: 'Casa', en: 'House' },
  apartment: { es: 'Departamento', en: 'Apartment' },
  land: { es: 'Terreno', en: 'Land' },
  office: { es: 'Oficina', en: 'Office' },
  commercial: { es: 'Local comercial', en: 'Commercial space' },
  warehouse: { es: 'Bodega', en: 'Warehouse' },
  ranch: { es: 'Rancho', en: 'Ranch' },
  building: { es: 'Edificio', en: 'Building' },
  other: { es: 'Otro', en: 'Other' },
} as const satisfies Record<string, Label>
export type PropertyType = keyof typeof PROPERTY_TYPES

/** `set_by`: whether API keys can set the status, or only the portal or the system. */
export const STATUSES = {
  draft: { es: 'Borrador', en: 'Draft', set_by: 'api' },
  published: { es: 'Publicada', en: 'Published', set_by: 'api' },
  withdrawn: { es: 'Retirada', en: 'Withdrawn', set_by: 'api' },
  sold: { es: 'Vendida', en: 'Sold', set_by: 'portal' },
  rented: { es: 'Rentada', en: 'Rented', set_by: 'portal' },
  expired: { es: 'Sin reconfirmar', en: 'Not reconfirmed', set_by: 'system' },
  suspended: { es: 'Suspendida', en: 'Suspended', set_by: 'system' },
} as const satisfies Record<string, Label & { set_by: string }>
export type ListingStatus = keyof typeof STATUSES

export const OPERATIONS = {
  sale: { es: 'Venta', en: 'Sale' },
  rental: { es: 'Renta', en: 'Rental' },
} as const satisfies Record<string, Label>
export type Operation = keyof typeof OPERATIONS

export const RENT_PERIODS = {
  monthly: { es: 'al mes', en: 'per month' },
  weekly: { es: 'a la semana', en: 'per week' },
  daily: { es: 'al día', en: 'per day' },
  yearly: { es: 'al año', en: 'per year' },
} as const satisfies Record<string, Label>
export type RentPeriod = keyof typeof RENT_PERIODS

/** «$28,000 MXN al mes»; a sale has no period. */
export const priceWith = (amount: string, period: RentPeriod | undefined, lang: keyof Label): string =>
  period ? `${amount} ${RENT_PERIODS[period][lang]}` : amount

export const SORTS = {
  newest: { es: 'Más recientes', en: 'Newest' },
  price_asc: { es: 'Precio, de menor a mayor', en: 'Price, low to high' },
  price_desc: { es: 'Precio, de mayor a menor', en: 'Price, high to low' },
  updated: { es: 'Última actualización', en: 'Last updated' },
  relevance: { es: 'Relevancia', en: 'Relevance' },
} as const satisfies Record<string, Label>
export type Sort = keyof typeof SORTS

/** Those of the API: forms have no point to measure from. */
export const API_SORTS = {
  ...SORTS,
  distance: { es: 'Más cercanas', en: 'Nearest' },
} as const satisfies Record<string, Label>

export const LIMITS = {
  page_size_default: 24,
  page_size_max: 100,
  images_per_call: 60,
  batch_items: 100,
  images_per_listing: 200,
  features_per_listing: 100,
  my_properties: 500,
  leads: 500,
  agents: 1000,
  agencies: 1000,
  locations: 200,
  body_bytes: BODY_LIMIT,
  title_min: 5,
  title_max: 200,
  description_max: 20_000,
  radius_km_max: 200,
  cache_hours: 12,
} as const

const keysOf = <T extends object>(record: T) => Object.keys(record) as (keyof T)[]
export const propertyTypes = keysOf(PROPERTY_TYPES)
export const listingStatuses = keysOf(STATUSES)
export const operations = keysOf(OPERATIONS)
export const rentPeriods = keysOf(RENT_PERIODS)
export const sorts = keysOf(SORTS)
export const apiSorts = keysOf(API_SORTS)
