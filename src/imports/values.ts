import { type Currency, parsePrice } from '../lib/money.ts'
import { foldText } from '../lib/text.ts'
import type { BatchStatus } from '../listings/batch.ts'
import { type Operation, PROPERTY_TYPES, type PropertyType, type RentPeriod } from '../lookups/catalog.ts'
import { canonicalState } from '../lookups/states.ts'

// How people write values in a spreadsheet. Each table can be extended; what is in none of them is refused, not guessed.

const table = <T>(entries: [value: T, written: string][]): ReadonlyMap<string, T> =>
  new Map(
    entries.flatMap(([value, written]) => written.split(',').map(one => [foldText(one), value] as const)),
  )

const NOTHING = table([
  [
    true,
    'n/a, na, n.a., n.a, #n/a, no aplica, n/d, nd, n.d., s/d, s/n, sin dato, sin datos, sin informacion, -, --, ---, ., ?, null, none, ninguno, ninguna, no disponible',
  ],
])
/** Nothing is written there, whatever it says. */
export const isBlank = (text: string): boolean => {
  const folded = foldText(text)
  return folded === '' || NOTHING.has(folded)
}

const TYPES = table<PropertyType>([
  ...(Object.entries(PROPERTY_TYPES) as [PropertyType, { es: string; en: string }][]).flatMap(
    ([type, { es, en }]): [PropertyType, string][] => [[type, `${type}, ${es}, ${en}`]],
  ),
  [
    'house',
    'casas, casa sola, casa habitacion, casa en condominio, casa en fraccionamiento, casa en coto, casa uso de suelo, residencia, residencial, villa, townhouse, town house, duplex, chalet, quinta residencial',
  ],
  [
    'apartment',
    'departamentos, depto, depto., deptos, dpto, dpto., depa, apartamento, penthouse, pent house, ph, loft, estudio, suite, condominio, condo, flat, studio',
  ],
  [
    'land',
    'terrenos, lote, lotes, predio, solar, parcela, terreno habitacional, terreno comercial, terreno industrial, lot, plot',
  ],
  ['office', 'oficinas, despacho, consultorio, office space'],
  [
    'commercial',
    'local, locales, local en centro comercial, comercial, plaza comercial, tienda, shop, retail, store',
  ],
  ['warehouse', 'bodegas, bodega comercial, bodega industrial, nave, nave industrial, nave ind.'],
  ['ranch', 'ranchos, quinta, hacienda, finca, huerta, granja, villa campestre, farm'],
  ['building', 'edificios, hotel'],
  ['other', 'otros'],
])
export const readType = (text: string): PropertyType | undefined => TYPES.get(foldText(text))

const OPERATIONS = table<Operation | 'both'>([
  ['sale', 'venta, ventas, en venta, se vende, vendo, v, sale, for sale, sell, compra'],
  [
    'rental',
    'renta, rentas, en renta, se renta, rento, r, alquiler, arrendamiento, rent, rental, for rent, lease',
  ],
  [
    'both',
    'venta y renta, venta/renta, venta o renta, renta y venta, renta/venta, venta - renta, ambas, ambos, both, sale and rent',
  ],
])
export const readOperation = (text: string) => OPERATIONS.get(foldText(text))

const STATUSES = table<BatchStatus>([
  [
    'published',
    'publicada, publicado, published, activa, activo, active, disponible, available, vigente, en venta, en renta, promocion, en promocion, libre',
  ],
  ['draft', 'borrador, draft, pendiente, en captura, por publicar, sin publicar, not published'],
  [
    'withdrawn',
    'retirada, retirado, withdrawn, inactiva, inactivo, inactive, suspendida, suspendido, pausada, pausado, baja, cancelada, apartada, apartado, vendida, vendido, sold, rentada, rentado, rented, reservada, off market',
  ],
])
export const readStatus = (text: string) => STATUSES.get(foldText(text))

const ANSWERS = table([
  [true, 'si, s, x, yes, y, true, verdadero, 1, con, ok, ✓, ✔'],
  [false, 'no, n, false, falso, 0, sin, 0.0'],
])
export const readAnswer = (text: string) => ANSWERS.get(foldText(text))

const CURRENCIES = table<Currency>([
  ['MXN', 'mxn, mxp, mx, mn, m.n., m.n, peso, pesos, pesos mexicanos, mex$, mx$, $'],
  ['USD', 'usd, us, us$, u.s.d., dolar, dolares, dlls, dlls., dls, dls., dll, american dollars, dollars'],
])
export const readCurrency = (text: string) => CURRENCIES.get(foldText(text))

const PERIODS = table<RentPeriod>([
  [
    'monthly',
    'mensual, mensuales, al mes, por mes, x mes, /mes, / mes, mes, monthly, per month, a month, /month',
  ],
  ['weekly', 'semanal, semanales, a la semana, por semana, /semana, semana, weekly, per week'],
  [
    'daily',
    'diario, diaria, diarios, al dia, por dia, /dia, dia, por noche, /noche, noche, daily, per night, per day',
  ],
  ['yearly', 'anual, anuales, al ano, por ano, /ano, ano, yearly, per year'],
])
export const readPeriod = (text: string) => PERIODS.get(foldText(text))

/** What follows an amount and does not change it: what is paid besides it. */
const BESIDES =
  /\s*(?:(?:\+|más|mas|y)\s*(?:cuota de\s*)?(?:mant(?:enimiento|to)?\.?|mtto\.?|iva|i\.v\.a\.|servicios|gastos)|(?:mant(?:enimiento)?\.?|mtto\.?)\s*(?:incluido|inc\.?|aparte)|netos?|negociables?|a negociar|de contado)$/iu
const PERIOD_AFTER =
  /\s*((?:al|por|x|a la)\s+\p{L}+|\/\s*\p{L}+|mensual(?:es)?|semanal(?:es)?|anual(?:es)?|diari[oa]s?)\.?$/iu
/** «1.8 MDP», «2 millones de pesos», «850 mil». A bare «M» could be either, so it is neither. */
const ROUND =
  /^(?:(MXN|USD)\s*)?\$?\s*(\d{1,6}(?:\.\d{1,4})?)\s*(mdp|mdd|mill(?:ones|ón|on)|mil)\.?(?:\s*(?:de\s+)?(pesos|d[oó]lares|dlls?\.?|usd|mxn|m\.?n\.?))?$/iu
const UNITS: Record<string, number> = { mil: 1_000 }
const MILLION = 1_000_000

export interface WrittenPrice {
  amount: number
  currency?: Currency
  period?: RentPeriod
}

/** Undefined unless it can only mean one amount. `unit` is that of the whole column, for amounts that name none. */
export function readPrice(written: string, unit = 1): WrittenPrice | undefined {
  let text = written.trim().replace(/\s+/g, ' ')
  let period: RentPeriod | undefined
  for (let rest = text; ; text = rest) {
    rest = text.replace(BESIDES, '')
    const after = PERIOD_AFTER.exec(rest)
    const found = after && readPeriod((after[1] as string).replace(/\/\s+/, '/'))
    if (found) {
      if (period && period !== found) return undefined
      period = found
      rest = rest.slice(0, after.index)
    }
    if (rest === text) break
  }
  const price = roundPrice(text) ?? plainPrice(text, unit)
  return price && { ...price, ...(period ? { period } : {}) }
}

function roundPrice(text: string): WrittenPrice | undefined {
  const [, before, digits, word = '', after] = ROUND.exec(text) ?? []
  if (digits === undefined) return undefined
  const named = [before, after, { mdp: 'pesos', mdd: 'dolares' }[word.toLowerCase()]]
  const currencies = new Set(named.flatMap(name => (name ? (readCurrency(name) ?? []) : [])))
  if (currencies.size > 1) return undefined
  const [currency] = currencies
  const amount = cents(Number(digits) * (UNITS[word.toLowerCase()] ?? MILLION))
  return { amount, ...(currency ? { currency } : {}) }
}

function plainPrice(text: string, unit: number): WrittenPrice | undefined {
  const price = parsePrice(text)
  return price && { ...price, amount: cents(price.amount * unit) }
}

const cents = (amount: number) => Math.round(amount * 100) / 100

/** What the header of a price says about all of its amounts. */
export function headerOfPrice(header: string): { unit: number; currency?: Currency } {
  const words = foldText(header).split(/[^a-z$.]+/)
  const has = (...some: string[]) => some.some(word => words.includes(word))
  const unit = has('mdp', 'mdd', 'millones') ? MILLION : has('miles') ? 1_000 : 1
  const isDollars = has('usd', 'dolares', 'dlls', 'dlls.', 'dls', 'mdd', 'us$')
  const isPesos = has('mxn', 'pesos', 'mdp', 'm.n.', 'mn')
  return { unit, ...(isDollars === isPesos ? {} : { currency: isDollars ? 'USD' : 'MXN' }) }
}

const DIGITS = /^(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(.*)$/u
const COUNTED = table([
  [
    true,
    `rec, rec., recs, recs., recamara, recamaras, habitacion, habitaciones, cuartos, dormitorios, bano, banos, banos completos, medio bano, medios banos,
    auto, autos, coche, coches, cajon, cajones, lugar, lugares, estacionamiento, estacionamientos, nivel, niveles, piso, pisos, planta, plantas, bedrooms, baths, cars`,
  ],
])
const WORDS = table([
  [1, 'un, una, uno, one'],
  [2, 'dos, two'],
  [3, 'tres, three'],
  [4, 'cuatro, four'],
  [5, 'cinco, five'],
  [6, 'seis, six'],
  [7, 'siete, seven'],
  [8, 'ocho, eight'],
  [9, 'nueve, nine'],
  [10, 'diez, ten'],
])

/** «3», «3 recámaras», «2.5 baños», «dos». */
export function readCount(text: string): number | undefined {
  const folded = foldText(text)
  const [first = '', ...others] = folded.split(' ')
  const rest = others.join(' ')
  const word = WORDS.get(first)
  if (word !== undefined && (rest === '' || COUNTED.has(rest))) return word
  const [, digits, unit = ''] = DIGITS.exec(folded) ?? []
  if (digits === undefined || (unit !== '' && !COUNTED.has(unit))) return undefined
  return Number(digits.replaceAll(',', ''))
}

const SQUARE_METERS = table([
  [
    1,
    'm2, m², m, mt2, mts2, mts, mts., mts², mt, mt², m 2, metros, metros cuadrados, metros2, sqm, m2., mts 2',
  ],
  [10_000, 'ha, ha., has, has., hectarea, hectareas'],
])

/** In square meters; zero means that there is none. */
export function readArea(text: string): number | undefined {
  const [, digits, unit = ''] = DIGITS.exec(foldText(text)) ?? []
  const factor = unit === '' ? 1 : SQUARE_METERS.get(unit)
  return digits === undefined || factor === undefined
    ? undefined
    : cents(Number(digits.replaceAll(',', '')) * factor)
}

/** «20.6911, -103.3782», as maps copy it. */
export function readPoint(text: string): { lat: number; lng: number } | undefined {
  const [, lat, lng] = /^\(?\s*(-?\d{1,2}\.\d+)\s*[,; ]\s*(-?\d{1,3}\.\d+)\s*\)?$/.exec(text.trim()) ?? []
  return lat === undefined ? undefined : { lat: Number(lat), lng: Number(lng) }
}

/** «Guadalajara, Jal.»: undefined unless what follows the last comma is a state. */
export function readCityAndState(text: string): { city: string; state: string } | undefined {
  const comma = Math.max(text.lastIndexOf(','), text.lastIndexOf('/'))
  const state = comma > 0 ? canonicalState(text.slice(comma + 1).trim()) : undefined
  return state === undefined ? undefined : { city: text.slice(0, comma).trim(), state }
}

/** A spreadsheet makes a number of a code, and so loses its first zero. */
export const readPostalCode = (text: string) =>
  /^\d{4}$/.test(text.trim()) ? `0${text.trim()}` : text.trim()

export const listOf = (text: string): string[] =>
  text
    .split(/[,;|•\n\r]+|\s\/\s/)
    .map(item => item.trim())
    .filter(item => !isBlank(item))

/** Addresses of pictures: a comma may be part of one, unless another follows. */
export const urlsOf = (text: string): string[] =>
  text
    .split(/[\s|;]+|,(?=\s*https?:)/)
    .map(item => item.replace(/,$/, '').trim())
    .filter(item => item !== '')
