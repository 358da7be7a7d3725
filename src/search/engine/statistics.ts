import { CURRENCIES, type Currency, convert } from '../../lib/money.ts'
import { PART } from '../../lib/slices.ts'
import { DAY_MS } from '../../lib/time.ts'
import { type Operation, operations, type PropertyType } from '../../lookups/catalog.ts'
import type { Filters } from '../criteria.ts'
import type { Bitmap } from './bitmap.ts'
import type { Index } from './parts.ts'

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
      const names = labels.map(({ of, nameOf }) => nameOf(of(slot)))
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
  const monthly = facets.mark.sets.get('monthly')
  const { values } = operation === 'sale' ? columns.salePrice : columns.rentPrice
  const inEach: Offers[] = []
  for (const currency of CURRENCIES) {
    const priced = facets.price.sets.get(`${operation} ${currency}`)
    const most = priced?.countIn(hits) ?? 0
    const [slots, prices] = [new Int32Array(most), new Float64Array(most)]
    let size = 0
    for (const part of priced?.partsIn(hits) ?? []) {
      yield
      for (const slot of part) {
        if (operation === 'rental' && !monthly?.has(slot)) continue
        const price = values[slot] as number
        slots[size] = slot
        prices[size++] = priceIn ? convert(price, currency, priceIn) : price
      }
    }
    inEach.push({ operation, currency, slots: slots.subarray(0, size), prices: prices.subarray(0, size) })
  }
  return priceIn ? [inEach.reduce((a, b) => joined(a, b, priceIn.currency))] : inEach
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
function* addPrices(
  index: Index,
  { slots, prices, numbers, firsts }: Divided,
  groups: Group[],
): Generator<void> {
  const total = groups.reduce((sum, { size }) => sum + size, 0)
  const [all, perM2] = [new Float64Array(total), new Float64Array(total)]
  const ends = new Int32Array(firsts.length).fill(OTHER_GROUP)
  let start = 0
  const starts = groups.map(({ number, size }) => {
    ends[number] = start
    start += size
    return start - size
  })
  const endsM2 = ends.slice()
  const areaOf = areas(index)
  for (let i = 0; i < slots.length; i++) {
    if (i % PART === 0) yield
    const number = numbers[i] as number
    const end = ends[number] as number
    if (end === OTHER_GROUP) continue
    const price = prices[i] as number
    all[end] = price
    ends[number] = end + 1
    const area = areaOf(slots[i] as number)
    if (!(area > 0)) continue
    const endM2 = endsM2[number] as number
    perM2[endM2] = price / area
    endsM2[number] = endM2 + 1
  }
  for (const [i, group] of groups.entries()) {
    group.prices = all.subarray(starts[i], ends[group.number])
    group.perM2 = perM2.subarray(starts[i], endsM2[group.number])
  }
}

const OTHER_GROUP = -1

/** Of land, the lot; otherwise what is built. */
function areas({ facets, columns: { lot, construction } }: Index): (slot: number) => number {
  const { labels, values } = facets.type
  const land = values.indexOf('land')
  const [lots, built] = [lot.values, construction.values]
  return slot => (labels[slot] === land ? lots[slot] : built[slot]) as number
}

/** Per slot, the number of its value. */
interface Labels {
  of: (slot: number) => number
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
  let firsts: number[] = slots.length > 0 ? [slots[0] as number] : []
  for (const { of, size } of labels) {
    const known = tableOf(firsts.length * size)
    firsts = []
    for (let i = 0; i < slots.length; i++) {
      if (i % PART === 0) yield
      const slot = slots[i] as number
      const key = (numbers[i] as number) * size + of(slot)
      let number = known.get(key)
      if (number < 0) {
        number = firsts.push(slot) - 1
        known.set(key, number)
      }
      numbers[i] = number
    }
  }
  const sizes = new Int32Array(firsts.length)
  for (const number of numbers) sizes[number] = (sizes[number] as number) + 1
  return { numbers, firsts, sizes }
}

const MAX_TABLE = 1 << 22

/** Numbers by key, -1 where there is none: as an array if that is not too large, which takes a fifth of the time. */
function tableOf(size: number): { get(key: number): number; set(key: number, number: number): void } {
  if (size > MAX_TABLE) {
    const map = new Map<number, number>()
    return { get: key => map.get(key) ?? -1, set: (key, number) => map.set(key, number) }
  }
  const array = new Int32Array(size).fill(-1)
  return {
    get: key => array[key] as number,
    set: (key, number) => {
      array[key] = number
    },
  }
}

/** Up to the year 2106. */
const MAX_MONTHS = 12 * 136

function labelsOf({ facets, columns }: Index, name: Grouping): Labels {
  if (name === 'month') {
    const { values } = columns.newest
    return { of: slot => monthOf(values[slot] as number), size: MAX_MONTHS, nameOf: nameOfMonth }
  }
  const facet = facets[name]
  const { labels, values } = facet
  return { of: slot => labels[slot] as number, size: values.length, nameOf: label => facet.nameOf(label) }
}

const MAX_DAYS = 100_000
const monthsOfDays = new Map<number, number>()

/** Months since 1970. Remembered by day: dates are slow. */
function monthOf(time: number): number {
  const day = Math.floor(time / DAY_MS)
  let month = monthsOfDays.get(day)
  if (month === undefined) {
    const date = new Date(day * DAY_MS)
    month = Math.max(0, Math.min(MAX_MONTHS - 1, (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()))
    if (monthsOfDays.size < MAX_DAYS) monthsOfDays.set(day, month)
  }
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
