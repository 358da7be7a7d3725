import { PART } from '../../lib/slices.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { SlotLabels } from './columns.ts'
import type { Index } from './parts.ts'

export const GROUPINGS = ['state', 'city', 'neighborhood', 'type', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

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

/** Per slot, the number of its value. */
export interface Labels {
  /** Reads those of some slots. */
  read: (slots: Int32Array, into: Int32Array) => void
  /** More than any number. */
  size: number
  nameOf: (number: number) => string | undefined
}

/** The number of the group of each slot. Of each group, the first slot and how many it has. */
export interface Numbered {
  numbers: Int32Array
  firsts: number[]
  sizes: Int32Array
}

/** Numbers the groups of slots that have all labels in common. */
export function* numbered(slots: Int32Array, labels: readonly Labels[]): Generator<void, Numbered> {
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

export function labelsOf({ facets, columns }: Index, name: Grouping): Labels {
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

export function nameAt({ read, nameOf }: Labels, slot: number): string | undefined {
  const label = new Int32Array(1)
  read(Int32Array.of(slot), label)
  return nameOf(label[0] as number)
}
