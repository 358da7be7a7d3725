import { type Reading, readBody } from '../lib/fields.ts'
import { type Flaw, type Issue, issue } from '../lib/issue.ts'
import type { Currency } from '../lib/money.ts'
import { cut } from '../lib/text.ts'
import type { BatchStatus } from '../listings/batch.ts'
import { externalIdField, type ListingPatch, writableFields } from '../listings/fields.ts'
import { canonicalAmenity } from '../lookups/amenities.ts'
import { PROPERTY_TYPES, type PropertyType } from '../lookups/catalog.ts'
import { canonicalState } from '../lookups/states.ts'
import type { Column, Target } from './columns.ts'
import type { Foreign } from './sources/adapter.ts'
import * as values from './values.ts'

/** A row of a spreadsheet or a record of a feed, as the listing it is about. */
export interface ReadRow {
  externalId: string | undefined
  sent: Reading<ListingPatch>
  status: BatchStatus | undefined
  /** For a new listing, if the row has none. */
  title: string | undefined
  /** What was left out: amenities that are not in the list. */
  notes: Issue[]
  /** The connection had it, and has it no more. */
  isMissing?: boolean
}

/** As it is kept until the run: cells of a spreadsheet, a record of another system, or the name of one that is missing. */
export type Staged = string[] | Foreign | { external_id: string; missing: true }

export function readStaged(staged: Staged, columns: readonly Column[]): ReadRow {
  if (Array.isArray(staged)) return readRow(staged, columns)
  if ('missing' in staged) {
    const sent = { value: {}, issues: [] }
    return {
      externalId: staged.external_id,
      sent,
      status: undefined,
      title: undefined,
      notes: [],
      isMissing: true,
    }
  }
  return readForeign(staged)
}

/** A record of another system, in the fields of the API. */
function readForeign({ external_id: name, set, status }: Foreign): ReadRow {
  const named = readBody({ external_id: externalIdField }, { external_id: name })
  const { value, issues } = readBody(writableFields, set)
  const isNote = ({ code }: Issue) => code === 'unknown_amenity'
  return {
    externalId: named.value.external_id ?? undefined,
    sent: { value, issues: [...named.issues, ...issues.filter(one => !isNote(one))] },
    status,
    title: titleOf(value),
    notes: issues.filter(isNote),
  }
}

/** Amounts below are not whole: thousands or millions were meant, and nobody said which. */
const LOWEST = { sale: 10_000, rent: 50 }

type Flawed = (field: Target, ...flaw: Flaw) => void

/** Empty cells and «N/A» leave the listing as it is. */
export function readRow(cells: readonly string[], columns: readonly Column[]): ReadRow {
  const issues: Issue[] = []
  const notes: Issue[] = []
  const set: Record<string, unknown> = {}
  const texts = new Map<Target, string>()
  const headers = new Map<Target, string>()
  const flawed: Flawed = (field, ...flaw) =>
    void issues.push({ ...issue(field, ...flaw), sent: texts.get(field) })
  columns.forEach(({ header, target }, i) => {
    // An apostrophe keeps a spreadsheet from taking a text for a formula.
    const text = (cells[i] ?? '').trim().replace(/^'(?=[=+\-@＝＋－＠])/, '')
    if (target === null || values.isBlank(text)) return
    headers.set(target, header)
    if (target === 'images') set.images = [...((set.images as string[]) ?? []), ...values.urlsOf(text)]
    else if (target === 'features') addAmenities(set, values.listOf(text), notes)
    else if (target === 'amenity') addAmenity(set, header, text, notes)
    else texts.set(target, target === 'address' && texts.has(target) ? `${texts.get(target)} ${text}` : text)
  })
  for (const [target, text] of texts) READERS[target]?.(text, set, flawed)
  readPlace(texts, set)
  readPrices(texts, headers, set, flawed)
  const { externalId, status } = readNames(texts, flawed)
  const { value, issues: found } = readBody(writableFields, set)
  // What could not be read counts as sent: nothing else may be concluded from its absence.
  const refused = Object.fromEntries(
    issues.map(({ field }) => [field === 'price' ? 'sale_price' : field, undefined]),
  )
  const sent = { value: { ...value, ...refused } as ListingPatch, issues: [...issues, ...found] }
  return { externalId, sent, status, title: titleOf(value), notes }
}

type Reader = (text: string, set: Record<string, unknown>, flawed: Flawed) => void

const asText =
  (name: Target): Reader =>
  (text, set) => {
    set[name] = text
  }

const asNumber =
  (name: Target, read: (text: string) => number | undefined, flaw: Flaw, zeroIsNone = false): Reader =>
  (text, set, flawed) => {
    const number = read(text)
    if (number === undefined) flawed(name, ...flaw)
    else if (number !== 0 || !zeroIsNone) set[name] = number
  }

const asAnswer =
  (name: Target): Reader =>
  (text, set, flawed) => {
    const answer = values.readAnswer(text)
    if (answer === undefined) flawed(name, 'not_yes_or_no')
    else set[name] = answer
  }

const count = (name: Target) => asNumber(name, values.readCount, ['not_a_number'])
const area = (name: Target) => asNumber(name, values.readArea, ['not_an_area'], true)
const degrees = (name: Target) =>
  asNumber(name, text => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined), ['not_a_number'])

/** Prices, places and names are read together, below. */
const READERS: Partial<Record<Target, Reader>> = {
  title: asText('title'),
  description: asText('description'),
  title_en: asText('title_en'),
  description_en: asText('description_en'),
  property_type(text, set, flawed) {
    const type = values.readType(text)
    if (type === undefined) flawed('property_type', 'unknown_type', { value: cut(text) })
    else set.property_type = type
  },
  bedrooms: count('bedrooms'),
  bathrooms: count('bathrooms'),
  half_bathrooms: count('half_bathrooms'),
  parking: count('parking'),
  floors: count('floors'),
  construction_m2: area('construction_m2'),
  lot_m2: area('lot_m2'),
  year_built: asNumber('year_built', values.readCount, ['not_a_number'], true),
  address: asText('address'),
  neighborhood: asText('neighborhood'),
  municipality: asText('municipality'),
  postal_code: (text, set) => {
    set.postal_code = values.readPostalCode(text)
  },
  lat: degrees('lat'),
  lng: degrees('lng'),
  coordinates(text, set, flawed) {
    const point = values.readPoint(text)
    if (point) Object.assign(set, point)
    else flawed('coordinates', 'not_a_number')
  },
  show_exact_address: asAnswer('show_exact_address'),
  idx_opt_out: asAnswer('idx_opt_out'),
  exclusive: asAnswer('exclusive'),
  video_url: asText('video_url'),
  virtual_tour_url: asText('virtual_tour_url'),
  shared_commission: asText('shared_commission'),
  internal_id: asText('internal_id'),
}

function addAmenities(set: Record<string, unknown>, names: readonly string[], notes: Issue[]): void {
  const known = names.flatMap(name => {
    const label = canonicalAmenity(name)
    if (!label) notes.push(issue('features', 'unknown_amenity', { value: cut(name) }))
    return label ?? []
  })
  set.features = [...new Set([...((set.features as string[]) ?? []), ...known])]
}

/** A column for one amenity, with a yes or a no; a number of them is a yes. */
function addAmenity(set: Record<string, unknown>, header: string, text: string, notes: Issue[]): void {
  const answer = values.readAnswer(text) ?? (Number(text) > 0 ? true : undefined)
  if (answer === undefined) notes.push({ ...issue('features', 'not_yes_or_no'), sent: text })
  addAmenities(set, answer ? [header] : [], notes)
}

/** State and city may be in one cell, and many call the city a municipality. */
function readPlace(texts: ReadonlyMap<Target, string>, set: Record<string, unknown>): void {
  const state = texts.get('state')
  const city = texts.get('city')
  const both = city === undefined ? undefined : values.readCityAndState(city)
  if (both && (state === undefined || canonicalState(state) === both.state)) Object.assign(set, both)
  else if (city !== undefined) set.city = city
  else if (texts.has('municipality')) set.city = texts.get('municipality')
  if (state === undefined) return
  const merged = values.readCityAndState(state)
  set.state = merged?.state ?? state
  if (merged && set.city === undefined) set.city = merged.city
}

/** A price of its own for sale and for rent, or one price and what it is for. */
function readPrices(
  texts: ReadonlyMap<Target, string>,
  headers: ReadonlyMap<Target, string>,
  set: Record<string, unknown>,
  flawed: Flawed,
): void {
  const written = texts.get('operation')
  const operation = written === undefined ? undefined : values.readOperation(written)
  if (written !== undefined && !operation) flawed('operation', 'unknown_operation', { value: cut(written) })
  const readOne = (target: 'sale_price' | 'rent_price' | 'price', kind: 'sale' | 'rent') => {
    const text = texts.get(target)
    if (text === undefined) return
    const ofColumn = values.headerOfPrice(headers.get(target) ?? '')
    const price = values.readPrice(text, ofColumn.unit)
    if (!price) return flawed(target, 'not_a_price')
    if (price.amount < LOWEST[kind]) return flawed(target, 'price_too_low')
    set[`${kind}_price`] = price.amount
    const currency = currencyOf(texts, kind, price.currency ?? ofColumn.currency, flawed)
    if (currency) set[`${kind}_currency`] = currency
    const period =
      price.period ?? (texts.has('rent_period') && values.readPeriod(texts.get('rent_period') as string))
    if (kind === 'rent' && period) set.rent_period = period
  }
  readOne('sale_price', 'sale')
  readOne('rent_price', 'rent')
  if (!texts.has('price')) return
  if (operation === 'sale' || operation === 'rental') readOne('price', operation === 'sale' ? 'sale' : 'rent')
  else if (!texts.has('sale_price') && !texts.has('rent_price')) flawed('price', 'price_of_what')
}

/** In the cell, in a column of its own, or in one for both prices. They must not contradict each other. */
function currencyOf(
  texts: ReadonlyMap<Target, string>,
  kind: 'sale' | 'rent',
  inPrice: Currency | undefined,
  flawed: Flawed,
): Currency | undefined {
  const target = texts.has(`${kind}_currency`) ? (`${kind}_currency` as const) : 'currency'
  const text = texts.get(target)
  const chosen = text === undefined ? undefined : values.readCurrency(text)
  if (text !== undefined && !chosen) flawed(target, 'unknown_value', { allowed: ['MXN', 'USD'] })
  if (inPrice && chosen && inPrice !== chosen) {
    flawed(`${kind}_price`, 'currency_mismatch', { written: inPrice, other: target, chosen })
  }
  return inPrice ?? chosen
}

function readNames(texts: ReadonlyMap<Target, string>, flawed: Flawed) {
  const { value, issues } = readBody(
    { external_id: externalIdField },
    { external_id: texts.get('external_id') ?? '' },
  )
  for (const { code, params } of issues)
    flawed('external_id', ...([code === 'empty' ? 'required' : code, params] as Flaw))
  const written = texts.get('status')
  const status = written === undefined ? undefined : values.readStatus(written)
  if (written !== undefined && !status) flawed('status', 'unknown_status', { value: cut(written) })
  return { externalId: value.external_id ?? undefined, status }
}

/** «Casa en venta en Providencia, Guadalajara», if there is enough to say. */
function titleOf(value: ListingPatch): string | undefined {
  const { property_type: type, city, neighborhood } = value
  if (value.title !== undefined || !city) return undefined
  const name = type && type !== 'other' ? PROPERTY_TYPES[type as PropertyType].es : 'Propiedad'
  const purposes = [value.sale_price ? 'en venta' : '', value.rent_price ? 'en renta' : ''].filter(Boolean)
  const place = [neighborhood, city].filter(Boolean).join(', ')
  return `${name} ${purposes.join(' y ')} en ${place}`.replace(/\s+/g, ' ').slice(0, 200)
}
