import type { Lang } from '../../lib/i18n.ts'
import { wordsIn } from '../../lib/i18n.ts'
import type { Issue, Wording } from '../../lib/issue.ts'
import { API_WORDS } from '../../lib/issue-words.ts'
import { CURRENCIES, type Currency, groupAmount } from '../../lib/money.ts'
import { pageWords } from '../../lib/page-words.ts'
import { MOST_VALUES } from '../../lib/query.ts'
import {
  OPERATIONS,
  type Operation,
  PROPERTY_TYPES,
  type PropertyType,
  RENT_PERIODS,
  type RentPeriod,
  type Sort,
} from '../../lookups/catalog.ts'
import type { Criteria } from '../../search/criteria.ts'
import { readCriteria, searchParameters } from '../../search/parameters.ts'
import { withPlainPrices } from '../../search/typed-prices.ts'
import { usualPlace } from '../../search/usual-place.ts'
import { amenityName } from '../../site/words.ts'

/** Fewer per page than the API returns: keeps pages below 100 KB. */
const SITE_PAGE_MAX = 48

/** `ask` is parsed into these; `asked` keeps the typed text to explain how it was understood. */
const NAMES = new Set([...Object.keys(searchParameters).filter(name => name !== 'ask'), 'asked', 'price_in'])

/** Of one parameter: each chip repeats all the others in its link. */
const MOST_CHIPS = 40

/** Known parameters in a fixed order: unknown and empty ones are dropped, prices are in digits. */
export function cleanQuery(query: URLSearchParams): URLSearchParams {
  const clean = new URLSearchParams()
  const sort = usualSort(query)
  const plain = withPlainPrices(query)
  for (const name of NAMES) {
    for (const text of [...new Set(plain.getAll(name).map(value => value.trim()))].slice(0, MOST_VALUES)) {
      const isUsual =
        (name === 'page' && text === '1') ||
        (name === 'rent_period' && plain.get('operation') === 'sale') ||
        (name === 'sort' && text === sort) ||
        (name === 'price_in' && (text === usualCurrency(plain) || !isCurrency(text)))
      if (text !== '' && !isUsual) clean.append(name, text)
    }
  }
  return clean
}

/** A text search sorts by relevance. */
export const usualSort = (query: URLSearchParams): Sort =>
  query.get('q')?.trim() || query.get('asked')?.trim() ? 'relevance' : 'newest'

const isCurrency = (text: string | null): text is Currency => CURRENCIES.some(one => one === text)
const usualCurrency = (query: URLSearchParams): Currency => {
  const only = query.get('currency')
  return isCurrency(only) ? only : 'MXN'
}

/** The currency in which prices are compared: as chosen, or the only one that is shown, or pesos. */
export const comparedIn = (query: URLSearchParams): Currency => {
  const chosen = query.get('price_in')
  return isCurrency(chosen) ? chosen : usualCurrency(query)
}

export const withParameters = (query: URLSearchParams, changes: Record<string, string | null>): string => {
  const next = new URLSearchParams(query)
  next.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    // Removing a filter makes it a different search than the one typed.
    if (value === null) for (const gone of [name, 'asked']) next.delete(gone)
    else next.set(name, value)
  }
  const text = cleanQuery(next).toString()
  return text ? `/propiedades?${text}` : '/propiedades'
}

/** From the first page; without a filter it is a different search than the one typed. */
export function withoutParameters(query: URLSearchParams, names: string[], value?: string): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const name of names) next.delete(name, value)
  next.delete('page')
  next.delete('asked')
  return next
}

interface Reading {
  criteria: Criteria
  issues: Issue[]
  /** The same in the visitor's language. */
  errors: { name: string; text: string }[]
}

export function readFilters(query: URLSearchParams, lang: Lang): Reading {
  const { value, issues } = readCriteria(query)
  return {
    criteria: {
      ...value,
      ...(query.has('sort') ? {} : { sort: usualSort(query) }),
      ...(query.has('asked') && value.minBedrooms ? { likedBedrooms: value.minBedrooms } : {}),
      limit: Math.min(value.limit, SITE_PAGE_MAX),
    },
    issues,
    errors: issues.map(issue => ({ name: issue.field, text: explain(issue, lang) })),
  }
}

/** Filter labels. */
export const LABELS: Record<string, { es: string; en: string }> = {
  q: { es: 'Palabras', en: 'Words' },
  operation: { es: 'Operación', en: 'Operation' },
  rent_period: { es: 'Periodo de la renta', en: 'Rent period' },
  type: { es: 'Tipo', en: 'Type' },
  state: { es: 'Estado', en: 'State' },
  city: { es: 'Ciudad', en: 'City' },
  neighborhood: { es: 'Colonia', en: 'Neighborhood' },
  place: { es: 'Lugar', en: 'Place' },
  min_price: { es: 'Precio desde', en: 'Price from' },
  max_price: { es: 'Precio hasta', en: 'Price up to' },
  currency: { es: 'Moneda', en: 'Currency' },
  min_bedrooms: { es: 'Recámaras', en: 'Bedrooms' },
  min_bathrooms: { es: 'Baños', en: 'Bathrooms' },
  min_parking: { es: 'Estacionamientos', en: 'Parking spaces' },
  min_construction: { es: 'Construcción (m²)', en: 'Built area (m²)' },
  min_lot: { es: 'Terreno (m²)', en: 'Lot (m²)' },
  max_bedrooms: { es: 'Recámaras, máximo', en: 'Bedrooms, at most' },
  max_bathrooms: { es: 'Baños, máximo', en: 'Bathrooms, at most' },
  max_parking: { es: 'Estacionamientos, máximo', en: 'Parking spaces, at most' },
  max_construction: { es: 'Construcción máxima (m²)', en: 'Built area, at most (m²)' },
  max_lot: { es: 'Terreno máximo (m²)', en: 'Lot, at most (m²)' },
  min_half_bathrooms: { es: 'Medios baños', en: 'Half bathrooms' },
  max_half_bathrooms: { es: 'Medios baños, máximo', en: 'Half bathrooms, at most' },
  min_year_built: { es: 'Construida desde', en: 'Built since' },
  max_year_built: { es: 'Construida hasta', en: 'Built until' },
  min_floors: { es: 'Niveles', en: 'Floors' },
  max_floors: { es: 'Niveles, máximo', en: 'Floors, at most' },
  features: { es: 'Amenidades', en: 'Amenities' },
  exclude_features: { es: 'Sin estas amenidades', en: 'Without these amenities' },
  sw_lat: { es: 'Zona del mapa', en: 'Map area' },
  sw_lng: { es: 'Zona del mapa', en: 'Map area' },
  ne_lat: { es: 'Zona del mapa', en: 'Map area' },
  ne_lng: { es: 'Zona del mapa', en: 'Map area' },
  bbox: { es: 'Zona del mapa', en: 'Map area' },
  lat: { es: 'Alrededor de un punto', en: 'Around a point' },
  lng: { es: 'Alrededor de un punto', en: 'Around a point' },
  radius_km: { es: 'Distancia (km)', en: 'Distance (km)' },
  polygon: { es: 'Área dibujada', en: 'Drawn area' },
  updated_since: { es: 'Actualizadas desde', en: 'Updated since' },
  sort: { es: 'Orden', en: 'Order' },
  page: { es: 'Página', en: 'Page' },
  limit: { es: 'Por página', en: 'Per page' },
}

/** Filters are selected rather than typed, so short messages are enough. */
const WORDING: Wording = {
  not_a_number: { es: 'escribe un número válido', en: 'enter a valid number' },
  not_an_integer: { es: 'escribe un número entero', en: 'enter a whole number' },
  // Some filters have no meaningful bound.
  out_of_range: {
    es: range => (range.max < 1e9 ? API_WORDS.out_of_range.es(range) : `debe ser ${range.min} o más`),
    en: range => (range.max < 1e9 ? API_WORDS.out_of_range.en(range) : `must be ${range.min} or more`),
  },
  not_a_time: { es: 'no entendimos ese valor', en: 'we did not understand that value' },
  unknown_value: { es: 'no entendimos ese valor', en: 'we did not understand that value' },
  unknown_state: { es: 'no conocemos ese estado', en: 'we do not know that state' },
  greater_than: { es: 'el valor menor debe ir primero', en: 'the lower value must come first' },
  required_with: { es: 'falta una parte', en: 'a value is missing' },
  repeated: { es: 'elige un solo valor', en: 'choose only one value' },
}

function explain(issue: Issue, lang: Lang): string {
  const label = LABELS[issue.field]?.[lang] ?? issue.field
  return `${label}: ${pageWords(issue, lang, WORDING)}.`
}

const OPEN_ENDED: Record<string, [string, string]> = {
  min_bedrooms: ['recámaras o más', 'or more bedrooms'],
  min_bathrooms: ['baños o más', 'or more bathrooms'],
  min_parking: ['autos o más', 'or more parking spaces'],
  min_construction: ['m² construidos o más', 'm² built or more'],
  min_lot: ['m² de terreno o más', 'm² lot or more'],
  max_bedrooms: ['recámaras o menos', 'bedrooms or fewer'],
  max_bathrooms: ['baños o menos', 'bathrooms or fewer'],
  max_parking: ['autos o menos', 'parking spaces or fewer'],
  max_construction: ['m² construidos o menos', 'm² built or less'],
  max_lot: ['m² de terreno o menos', 'm² lot or less'],
  min_half_bathrooms: ['medios baños o más', 'or more half bathrooms'],
  max_half_bathrooms: ['medios baños o menos', 'half bathrooms or fewer'],
  min_year_built: ['o más reciente', 'or newer'],
  max_year_built: ['o más antigua', 'or older'],
  min_floors: ['niveles o más', 'or more floors'],
  max_floors: ['niveles o menos', 'floors or fewer'],
}

/** An active filter and the URL of the search without it. */
export interface Chip {
  text: string
  without: string
}

/** `addressOf` is the URL of a search, on the site unless given; `near` what a circle is around, if known. */
export function chipsOf(
  query: URLSearchParams,
  lang: Lang,
  addressOf = (next: URLSearchParams) => withParameters(next, {}),
  near?: string,
): Chip[] {
  const t = wordsIn(lang)
  const chips: Chip[] = []
  const add = (text: string, ...names: string[]) =>
    chips.push({ text, without: addressOf(withoutParameters(query, names)) })
  const one = (name: string) => query.get(name)
  const amount = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? `$${groupAmount(Number(text))}` : text)
  const addEach = (name: string, wordsOf: (value: string) => string) => {
    for (const value of query.getAll(name).slice(0, MOST_CHIPS))
      chips.push({ text: wordsOf(value), without: addressOf(withoutParameters(query, [name], value)) })
  }
  if (one('ids')) add(one('asked') ?? t('Propiedades elegidas', 'Chosen properties'), 'ids')
  if (one('q')) add(`“${one('q')}”`, 'q')
  const operation = one('operation')
  if (operation) add(OPERATIONS[operation as Operation]?.[lang] ?? operation, 'operation')
  const period = one('rent_period')
  if (period) add(RENT_PERIODS[period as RentPeriod]?.[lang] ?? period, 'rent_period')
  addEach('type', type => PROPERTY_TYPES[type as PropertyType]?.[lang] ?? type)
  const place = one('place')
  if (place) add(usualPlace(place), 'place')
  for (const name of ['state', 'city', 'neighborhood']) if (one(name)) add(one(name) as string, name)
  const [low, high] = [one('min_price'), one('max_price')]
  if (low || high) {
    const currency = one('price_in') ? ` ${one('price_in')}` : ''
    const range =
      low && high
        ? `${amount(low)} – ${amount(high)}`
        : low
          ? `${t('desde', 'from')} ${amount(low)}`
          : `${t('hasta', 'up to')} ${amount(high as string)}`
    add(range + currency, 'min_price', 'max_price')
  }
  if (one('currency')) add(one('currency') as string, 'currency')
  const [least, most] = [one('min_floors'), one('max_floors')]
  const isExact = least !== null && least === most
  if (isExact)
    add(
      least === '1' ? t('1 nivel', '1 floor') : t(`${least} niveles`, `${least} floors`),
      'min_floors',
      'max_floors',
    )
  if (one('max_parking') === '0') add(t('Sin estacionamiento', 'No parking'), 'max_parking')
  for (const [name, [es, en]] of Object.entries(OPEN_ENDED)) {
    const isSaid = (isExact && name.endsWith('_floors')) || (name === 'max_parking' && one(name) === '0')
    if (one(name) && !isSaid) add(`${one(name)} ${t(es, en)}`, name)
  }
  addEach('features', feature => amenityName(feature, lang))
  addEach('exclude_features', feature => `${t('sin', 'without')} ${amenityName(feature, lang).toLowerCase()}`)
  const corners = ['sw_lat', 'sw_lng', 'ne_lat', 'ne_lng', 'bbox']
  if (corners.some(one)) {
    add(t('Zona del mapa', 'Map area'), ...corners)
  }
  if (one('lat') || one('lng') || one('radius_km')) {
    const [far, of] = [one('radius_km') ?? '?', near ?? t('un punto', 'a point')]
    add(t(`A ${far} km de ${of}`, `Within ${far} km of ${of}`), 'lat', 'lng', 'radius_km')
  }
  if (one('polygon')) add(t('Área dibujada', 'Drawn area'), 'polygon')
  if (one('updated_since'))
    add(
      `${t('Actualizadas desde', 'Updated since')} ${(one('updated_since') as string).slice(0, 10)}`,
      'updated_since',
    )
  return chips
}
