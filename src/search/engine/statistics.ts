import { CURRENCIES, type Currency, convert } from '../../lib/money.ts'
import { PART } from '../../lib/slices.ts'
import { DAY_MS } from '../../lib/time.ts'
import { type Operation, operations, type PropertyType } from '../../lookups/catalog.ts'
import type { Filters } from '../criteria.ts'
import { Bitmap } from './bitmap.ts'
import type { SlotLabels } from './columns.ts'
import type { Index } from './parts.ts'
import type { SlotSet } from './slot-set.ts'

export const GROUPINGS = ['state', 'city', 'neighborhood', 'type', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface Quartiles {
  p25: number
  median: number
  p75: number
}

export interface MarketGroup {
  operation: Operation
  currency: Currency
  state?: string
  city?: string
  neighborhood?: string
  type?: PropertyType
  /** Of publication, in UTC: 2026-01. */
  month?: string
  count: number
  price: Quartiles
  /** Null if no listing of the group has an area. */
  price_m2: (Quartiles & { count: number }) | null
}

/** A place is grouped with the places it is in: there is a Centro in every city. */
const WITHIN: Record<Grouping, Grouping[]> = {
  state: ['state'],
  city: ['state', 'city'],
  neighborhood: ['state', 'city', 'neighborhood'],
  type: ['type'],
  month: ['month'],
}

export const groupingsOf = (by: readonly Grouping[]): Grouping[] =>
  GROUPINGS.filter(one => by.some(name => WITHIN[name].includes(one)))

export interface Statistics {
  groups: MarketGroup[]
  /** How many more there are. */
  others: number
}

/** Prices of the hits by operation, currency and the groupings: the `most` largest groups, the largest first. */
export function* statisticsOf(
  index: Index,
  hits: Bitmap,
  by: readonly Grouping[],
  { operation: only, priceIn }: Filters,
  most: number,
): Generator<void, Statistics> {
  const groupings = groupingsOf(by)
  const labels = groupings.map(name => labelsOf(index, name))
  const divided: Divided[] = []
  for (const operation of operations) {
    if (only !== undefined && operation !== only) continue
    for (const offers of yield* offersOf(index, hits, operation, priceIn))
      divided.push({ ...offers, ...(yield* numbered(offers.slots, labels)) })
  }
  const largest = yield* largestOf(divided, labels, most)
  for (const offers of divided)
    yield* addPrices(
      index,
      offers,
      largest.filter(group => group.offers === offers),
    )
  const groups: MarketGroup[] = []
  for (const group of largest) {
    groups.push(answerOf(group, groupings))
    yield
  }
  return { groups, others: divided.reduce((sum, { firsts }) => sum + firsts.length, 0) - groups.length }
}

/** Only groups that may be among them are named and sorted: there can be a hundred thousand. */
function* largestOf(
  divided: readonly Divided[],
  labels: readonly Labels[],
  most: number,
): Generator<void, Group[]> {
  const sizes = new Int32Array(divided.reduce((sum, { firsts }) => sum + firsts.length, 0))
  let end = 0
  for (const offers of divided) {
    sizes.set(offers.sizes, end)
    end += offers.sizes.length
  }
  sizes.sort()
  const least = sizes[Math.max(0, sizes.length - most)] ?? 0
  const groups: Group[] = []
  for (const offers of divided) {
    for (const [number, slot] of offers.firsts.entries()) {
      if (number % GROUPS_AT_ONCE === 0) yield
      const size = offers.sizes[number] as number
      if (size < least) continue
      const names = labels.map(one => nameAt(one, slot))
      const text = [offers.operation, offers.currency, ...names].join('\n')
      groups.push({ offers, number, names, text, size, prices: NO_PRICES, perM2: NO_PRICES })
    }
  }
  return groups.sort((a, b) => b.size - a.size || (a.text < b.text ? -1 : 1)).slice(0, most)
}

function nameAt({ read, nameOf }: Labels, slot: number): string | undefined {
  const label = new Int32Array(1)
  read(Int32Array.of(slot), label)
  return nameOf(label[0] as number)
}

/** What listings cost, for one operation and in one currency. */
interface Offers {
  operation: Operation
  currency: Currency
  slots: Int32Array
  /** In the order of the slots. */
  prices: Float64Array
}

/** Of rents, only those by the month: others cannot be compared with them. */
function* offersOf(
  { facets, columns }: Index,
  hits: Bitmap,
  operation: Operation,
  priceIn: Filters['priceIn'],
): Generator<void, Offers[]> {
  const found = operation === 'rental' ? inBoth(hits, facets.mark.sets.get('monthly')) : hits
  const { values } = operation === 'sale' ? columns.salePrice : columns.rentPrice
  const inEach: Offers[] = []
  for (const currency of CURRENCIES) {
    const priced = facets.price.sets.get(`${operation} ${currency}`)
    const slots = new Int32Array(priced?.countIn(found) ?? 0)
    const prices = new Float64Array(slots.length)
    let size = 0
    for (const all of priced?.partsIn(found) ?? []) {
      yield
      // There are more only once slots are used again, and then everything begins again.
      const part = all.subarray(0, slots.length - size)
      slots.set(part, size)
      readPrices(prices.subarray(size, size + part.length), part, values)
      if (priceIn) convertAll(prices.subarray(size, size + part.length), currency, priceIn)
      size += part.length
    }
    inEach.push({ operation, currency, slots: slots.subarray(0, size), prices: prices.subarray(0, size) })
  }
  return priceIn ? [inEach.reduce((a, b) => joined(a, b, priceIn.currency))] : inEach
}

function inBoth(hits: Bitmap, set: SlotSet | undefined): Bitmap {
  const both = new Bitmap(hits.words.length * 32)
  set?.orInto(both)
  both.and(hits)
  return both
}

// Loops over all slots are functions of their own: in a generator they take two to three times as long.

function readPrices(prices: Float64Array, slots: Int32Array, values: Float64Array): void {
  for (let i = 0; i < slots.length; i++) prices[i] = values[slots[i] as number] as number
}

function convertAll(
  prices: Float64Array,
  currency: Currency,
  priceIn: NonNullable<Filters['priceIn']>,
): void {
  for (let i = 0; i < prices.length; i++) prices[i] = convert(prices[i] as number, currency, priceIn)
}

function joined(a: Offers, b: Offers, currency: Currency): Offers {
  const slots = new Int32Array(a.slots.length + b.slots.length)
  const prices = new Float64Array(slots.length)
  slots.set(a.slots)
  slots.set(b.slots, a.slots.length)
  prices.set(a.prices)
  prices.set(b.prices, a.slots.length)
  return { operation: a.operation, currency, slots, prices }
}

/** Offers and the number of the group of each. Of each group, the first slot and how many it has. */
type Divided = Offers & { numbers: Int32Array; firsts: number[]; sizes: Int32Array }

interface Group {
  offers: Divided
  number: number
  names: (string | undefined)[]
  /** Decides between groups of the same size. */
  text: string
  size: number
  prices: Float64Array
  /** Of those that have an area. */
  perM2: Float64Array
}

const NO_PRICES = new Float64Array()

/** Looked at between two pauses. */
const GROUPS_AT_ONCE = 500

/** The prices of groups of those offers. */
function* addPrices(index: Index, offers: Divided, groups: Group[]): Generator<void> {
  const total = groups.reduce((sum, { size }) => sum + size, 0)
  const [all, perM2] = [new Float64Array(total), new Float64Array(total)]
  const ends = new Int32Array(offers.firsts.length).fill(OTHER_GROUP)
  let start = 0
  const starts = groups.map(({ number, size }) => {
    ends[number] = start
    start += size
    return start - size
  })
  const sorted = { all, ends, perM2, endsM2: ends.slice() }
  for (let from = 0; from < offers.slots.length; from += PART) {
    yield
    sortIn(sorted, offers, index, from)
  }
  for (const [i, group] of groups.entries()) {
    group.prices = all.subarray(starts[i], ends[group.number])
    group.perM2 = perM2.subarray(starts[i], sorted.endsM2[group.number])
  }
}

/** Prices by group, and where the next one of each goes. */
interface Sorted {
  all: Float64Array
  ends: Int32Array
  perM2: Float64Array
  endsM2: Int32Array
}

/** One part of the offers. Their area is, of land, the lot; otherwise what is built. */
function sortIn(
  { all, ends, perM2, endsM2 }: Sorted,
  { slots, prices, numbers }: Divided,
  { facets, columns }: Index,
  from: number,
): void {
  const { labels, values } = facets.type
  const land = values.indexOf('land')
  const [lots, built] = [columns.lot.values, columns.construction.values]
  const to = Math.min(slots.length, from + PART)
  for (let i = from; i < to; i++) {
    const number = numbers[i] as number
    const end = ends[number] as number
    if (end === OTHER_GROUP) continue
    const slot = slots[i] as number
    const price = prices[i] as number
    all[end] = price
    ends[number] = end + 1
    const area = (labels[slot] === land ? lots[slot] : built[slot]) as number
    if (!(area > 0)) continue
    const endM2 = endsM2[number] as number
    perM2[endM2] = price / area
    endsM2[number] = endM2 + 1
  }
}

const OTHER_GROUP = -1

/** Per slot, the number of its value. */
interface Labels {
  /** Reads those of some slots. */
  read: (slots: Int32Array, into: Int32Array) => void
  /** More than any number. */
  size: number
  nameOf: (number: number) => string | undefined
}

/** Numbers the groups of slots that have all labels in common. */
function* numbered(
  slots: Int32Array,
  labels: readonly Labels[],
): Generator<void, Pick<Divided, 'numbers' | 'firsts' | 'sizes'>> {
  const numbers = new Int32Array(slots.length)
  const labelOf = new Int32Array(PART)
  let firsts: number[] = slots.length > 0 ? [slots[0] as number] : []
  for (const { read, size } of labels) {
    const known = tableOf(firsts.length * size)
    firsts = []
    for (let from = 0; from < slots.length; from += PART) {
      yield
      const part = slots.subarray(from, from + PART)
      read(part, labelOf)
      renumber(numbers.subarray(from, from + PART), part, labelOf, size, known, firsts)
    }
  }
  return { numbers, firsts, sizes: sizesOf(numbers, firsts.length) }
}

/** By the group so far and the label. */
function renumber(
  numbers: Int32Array,
  slots: Int32Array,
  labelOf: Int32Array,
  size: number,
  known: Int32Array | Map<number, number>,
  firsts: number[],
): void {
  for (let i = 0; i < slots.length; i++) {
    const key = (numbers[i] as number) * size + (labelOf[i] as number)
    let number = (known instanceof Map ? known.get(key) : known[key]) ?? NO_NUMBER
    if (number === NO_NUMBER) {
      number = firsts.push(slots[i] as number) - 1
      if (known instanceof Map) known.set(key, number)
      else known[key] = number
    }
    numbers[i] = number
  }
}

function sizesOf(numbers: Int32Array, groups: number): Int32Array {
  const sizes = new Int32Array(groups)
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number
    sizes[number] = (sizes[number] as number) + 1
  }
  return sizes
}

const NO_NUMBER = -1
const MAX_TABLE = 1 << 22

/** Numbers by key: an array if that is not too large, which takes a fifth of the time. */
const tableOf = (size: number): Int32Array | Map<number, number> =>
  size > MAX_TABLE ? new Map() : new Int32Array(size).fill(NO_NUMBER)

/** Up to the year 2106. */
const MAX_MONTHS = 12 * 136

function labelsOf({ facets, columns }: Index, name: Grouping): Labels {
  if (name === 'month') {
    const { values } = columns.newest
    return {
      read: (slots, into) => readMonths(slots, values, into),
      size: MAX_MONTHS,
      nameOf: nameOfMonth,
    }
  }
  const facet = facets[name]
  const { labels, values } = facet
  return {
    read: (slots, into) => readLabels(slots, labels, into),
    size: values.length,
    nameOf: label => facet.nameOf(label),
  }
}

function readLabels(slots: Int32Array, labels: SlotLabels, into: Int32Array): void {
  for (let i = 0; i < slots.length; i++) into[i] = labels[slots[i] as number] as number
}

function readMonths(slots: Int32Array, times: Float64Array, into: Int32Array): void {
  for (let i = 0; i < slots.length; i++) into[i] = monthOf(times[slots[i] as number] as number)
}

/** The month of each day since 1970, once it was asked for: dates are slow. */
const monthsOfDays = new Int16Array(MAX_MONTHS * 31).fill(-1)

/** Months since 1970. */
function monthOf(time: number): number {
  const day = Math.max(0, Math.min(monthsOfDays.length - 1, Math.floor(time / DAY_MS)))
  const known = monthsOfDays[day] as number
  if (known >= 0) return known
  const date = new Date(day * DAY_MS)
  const month = Math.min(MAX_MONTHS - 1, (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth())
  monthsOfDays[day] = month
  return month
}

const nameOfMonth = (month: number) =>
  `${1970 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`

function answerOf(
  { offers: { operation, currency }, names, prices, perM2 }: Group,
  groupings: readonly Grouping[],
): MarketGroup {
  const places = groupings.map((grouping, i) => [grouping, names[i]])
  return {
    operation,
    currency,
    ...Object.fromEntries(places.filter(([, value]) => value !== undefined)),
    count: prices.length,
    price: quartiles(prices),
    price_m2: perM2.length > 0 ? { count: perM2.length, ...quartiles(perM2) } : null,
  }
}

export const toCents = (amount: number): number => Math.round(amount * 100) / 100

/** With the values between two neighbors in proportion, as `percentile_cont` of PostgreSQL; to the cent. Reorders them. */
function quartiles(values: Float64Array): Quartiles {
  let settled = 0
  const at = (share: number) => {
    const place = share * (values.length - 1)
    const index = Math.floor(place)
    selectFrom(values, settled, index)
    settled = index
    const low = values[index] as number
    let high = index === place ? low : Number.POSITIVE_INFINITY
    if (index !== place)
      for (let i = index + 1; i < values.length; i++) high = Math.min(high, values[i] as number)
    return toCents(low + (high - low) * (place % 1))
  }
  return { p25: at(0.25), median: at(0.5), p75: at(0.75) }
}

/** Reorders the values from `low` on until the one at `index` is where sorting would put it: Hoare's selection. */
function selectFrom(values: Float64Array, from: number, index: number): void {
  let [low, high] = [from, values.length - 1]
  while (low < high) {
    const pivot = values[low + Math.floor(Math.random() * (high - low + 1))] as number
    let [left, right] = [low, high]
    while (left <= right) {
      while ((values[left] as number) < pivot) left++
      while ((values[right] as number) > pivot) right--
      if (left > right) break
      const swapped = values[left] as number
      values[left++] = values[right] as number
      values[right--] = swapped
    }
    if (index <= right) high = right
    else if (index >= left) low = left
    else return
  }
}
