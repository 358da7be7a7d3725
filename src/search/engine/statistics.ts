import { CURRENCIES, type Currency, convert } from '../../lib/money.ts'
import { PART } from '../../lib/slices.ts'
import { type Operation, operations, type PropertyType } from '../../lookups/catalog.ts'
import type { Filters } from '../criteria.ts'
import { Bitmap } from './bitmap.ts'
import {
  type Grouping,
  groupingsOf,
  type Labels,
  labelsOf,
  type Numbered,
  nameAt,
  numbered,
} from './groupings.ts'
import type { Index } from './parts.ts'
import { type Quartiles, quartiles } from './quartiles.ts'
import type { SlotSet } from './slot-set.ts'

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

type Divided = Offers & Numbered

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
  const { lot, construction } = columns
  const to = Math.min(slots.length, from + PART)
  for (let i = from; i < to; i++) {
    const number = numbers[i] as number
    const end = ends[number] as number
    if (end === OTHER_GROUP) continue
    const slot = slots[i] as number
    const price = prices[i] as number
    all[end] = price
    ends[number] = end + 1
    const area = (labels[slot] === land ? lot : construction).get(slot)
    if (!(area > 0)) continue
    const endM2 = endsM2[number] as number
    perM2[endM2] = price / area
    endsM2[number] = endM2 + 1
  }
}

const OTHER_GROUP = -1

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
