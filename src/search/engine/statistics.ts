import { CURRENCIES, type Currency, convert } from '../../lib/money.ts'
import { DAY_MS } from '../../lib/time.ts'
import { type Operation, operations, type PropertyType } from '../../lookups/catalog.ts'
import type { Filters } from '../criteria.ts'
import type { Bitmap } from './bitmap.ts'
import type { Facet } from './facet.ts'
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

interface Group {
  slot: number
  prices: number[]
  perM2: number[]
}

/** A place is grouped with the places it is in: there is a Centro in every city. */
const WITHIN: Record<Grouping, Grouping[]> = {
  state: ['state'],
  city: ['state', 'city'],
  neighborhood: ['state', 'city', 'neighborhood'],
  type: ['type'],
  month: ['month'],
}

/** Per slot, the number of its value, from 1; 0 if it has none. */
interface Labels {
  of: (slot: number) => number
  /** More than any number. */
  size: number
  nameOf: (number: number) => string | undefined
}

export interface Statistics {
  groups: MarketGroup[]
  /** How many more there are. */
  others: number
}

/** Prices of the hits by operation, currency and the groupings: the `most` largest groups, the largest first. */
export function statisticsOf(
  index: Index,
  hits: Bitmap,
  by: readonly Grouping[],
  { operation: only, priceIn }: Filters,
  most: number,
): Statistics {
  const groupings = GROUPINGS.filter(one => by.some(name => WITHIN[name].includes(one)))
  const labels = groupings.map(name => ({ name, ...labelsOf(index, name, hits) }))
  const keyOf = (slot: number) => {
    let key = 0
    for (let i = 0; i < labels.length; i++) {
      const { of, size } = labels[i] as Labels
      key = key * size + of(slot)
    }
    return key
  }
  const slots = hits.slots()
  const found: Named[] = []
  for (const operation of operations) {
    if (only !== undefined && operation !== only) continue
    const groups = { MXN: new Map<number, Group>(), USD: new Map<number, Group>() }
    for (const currency of CURRENCIES)
      gather(index, slots, { operation, currency, priceIn }, keyOf, groups[priceIn?.currency ?? currency])
    for (const currency of CURRENCIES) {
      for (const group of groups[currency].values()) {
        const names = labels.map(({ of, nameOf }) => nameOf(of(group.slot)))
        found.push({ operation, currency, group, names, text: [operation, currency, ...names].join('\n') })
      }
    }
  }
  found.sort((a, b) => b.group.prices.length - a.group.prices.length || (a.text < b.text ? -1 : 1))
  const groups = found.slice(0, most).map(one => groupOf(one, groupings))
  return { groups, others: found.length - groups.length }
}

interface Named {
  operation: Operation
  currency: Currency
  group: Group
  names: (string | undefined)[]
  /** Decides between groups of the same size. */
  text: string
}

function groupOf({ operation, currency, group, names }: Named, groupings: readonly Grouping[]): MarketGroup {
  const { prices, perM2 } = group
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

interface Offer {
  operation: Operation
  currency: Currency
  priceIn: Filters['priceIn']
}

/** Of rents, only those by the month: others cannot be compared with them. */
function gather(
  { facets, columns }: Index,
  slots: Int32Array,
  { operation, currency, priceIn }: Offer,
  keyOf: (slot: number) => number,
  groups: Map<number, Group>,
): void {
  const priced = facets.price.sets.get(`${operation} ${currency}`)
  if (!priced) return
  const monthly = facets.mark.sets.get('monthly')
  const land = facets.type.sets.get('land')
  const { values } = operation === 'sale' ? columns.salePrice : columns.rentPrice
  for (const slot of slots) {
    if (!priced.has(slot) || (operation === 'rental' && !monthly?.has(slot))) continue
    const amount = values[slot] as number
    const price = priceIn ? convert(amount, currency, priceIn) : amount
    const area = (land?.has(slot) ? columns.lot : columns.construction).get(slot)
    const key = keyOf(slot)
    let group = groups.get(key)
    if (!group) {
      group = { slot, prices: [], perM2: [] }
      groups.set(key, group)
    }
    group.prices.push(price)
    if (area > 0) group.perM2.push(price / area)
  }
}

function labelsOf({ facets, columns }: Index, name: Grouping, hits: Bitmap): Labels {
  if (name !== 'month') return labelsIn(facets[name], hits)
  const months = new Map<number, number>()
  const monthOf = (slot: number) => {
    const day = Math.floor(columns.newest.get(slot) / DAY_MS)
    let month = months.get(day)
    if (month === undefined) {
      const date = new Date(day * DAY_MS)
      month = date.getUTCFullYear() * 12 + date.getUTCMonth()
      months.set(day, month)
    }
    return month
  }
  const nameOf = (month: number) => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  return { of: monthOf, size: 12 * 10_000, nameOf }
}

function labelsIn({ sets, names }: Facet, hits: Bitmap): Labels {
  const numbers = new Int32Array(hits.words.length * 32)
  const values = [...sets.keys()]
  values.forEach((value, i) => {
    for (const slot of sets.get(value)?.slots() ?? []) numbers[slot] = i + 1
  })
  const nameOf = (number: number) => {
    const value = values[number - 1]
    return value === undefined ? undefined : (names.get(value) ?? value)
  }
  return { of: slot => numbers[slot] as number, size: values.length + 1, nameOf }
}

/** With the values between two neighbors in proportion, as `percentile_cont` of PostgreSQL; to the cent. */
function quartiles(values: number[]): Quartiles {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => {
    const place = share * (sorted.length - 1)
    const [low, high] = [sorted[Math.floor(place)] as number, sorted[Math.ceil(place)] as number]
    return Math.round((low + (high - low) * (place % 1)) * 100) / 100
  }
  return { p25: at(0.25), median: at(0.5), p75: at(0.75) }
}
