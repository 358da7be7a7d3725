import { CURRENCIES, type Currency, convert } from '../../lib/money.ts'
import { type Operation, operations } from '../../lookups/catalog.ts'
import type { Filters, Reach } from '../criteria.ts'
import type { Bitmap } from './bitmap.ts'
import type { DictionaryColumn } from './columns.ts'
import type { Engine } from './engine.ts'
import type { Facet, LabeledFacet } from './facet.ts'
import { countLabels } from './passes.ts'
import { STEPS, stepOf } from './price-steps.ts'
import { Scratch } from './scratch.ts'
import type { SlotSet } from './slot-set.ts'
import type { Choice, Wanted } from './wanted.ts'

export const FACETS = ['type', 'state', 'city', 'neighborhood', 'bedrooms', 'features', 'price'] as const
export type FacetName = (typeof FACETS)[number]

export interface Tally {
  value: string | number
  count: number
}

export interface PriceTally {
  operation: Operation
  currency: Currency
  /** From `min`, below `max`. */
  min: number
  max: number
  count: number
}

export interface Tallied<T> {
  values: T[]
  /** How many more values there are. */
  other_values: number
}
export type Tallies = { [N in Exclude<FacetName, 'price'>]?: Tallied<Tally> } & {
  price?: Tallied<PriceTally>
}

/** The filters of each facet, which do not apply to its own counts. */
const OWN: Record<FacetName, (keyof Filters)[]> = {
  type: ['types'],
  state: ['state'],
  city: ['city', 'cities'],
  neighborhood: ['neighborhood'],
  bedrooms: ['minBedrooms', 'maxBedrooms'],
  features: ['features'],
  price: ['minPrice', 'maxPrice'],
}

const MAX_VALUES = 50
const ANYTHING: Wanted = { groups: [] }

/** For each facet, the filters that apply to it; facets with the same filters are together. */
export function narrowings(names: readonly FacetName[], filters: Filters): [Filters, FacetName[]][] {
  const isNarrowed = (name: FacetName) => OWN[name].some(own => filters[own] !== undefined)
  const plain = names.filter(name => !isNarrowed(name))
  const without = (name: FacetName): [Filters, FacetName[]] => {
    const rest = { ...filters }
    for (const own of OWN[name]) delete rest[own]
    return [rest, [name]]
  }
  return [
    ...(plain.length > 0 ? [[filters, plain] as [Filters, FacetName[]]] : []),
    ...names.filter(isNarrowed).map(without),
  ]
}

/** In the order in which they were asked for. */
export const inOrder = (names: readonly FacetName[], tallies: Partial<Record<FacetName, unknown>>): Tallies =>
  Object.fromEntries(names.map(name => [name, tallies[name]])) as Tallies

/** A price matches together with these. */
const PRICED = ['operation', 'currency', 'priceIn'] as const satisfies (keyof Filters)[]

/** What is found first stays although the index goes on; see `Engine.sweeps`. */
export function* talliesOf(
  engine: Engine,
  names: readonly FacetName[],
  filters: Filters,
  viewer: string | null,
  wanted: Wanted,
  reach: Reach = 'all',
): Generator<void, Tallies> {
  const narrowed = names.filter(name => OWN[name].some(own => filters[own] !== undefined))
  const rest = { ...filters }
  for (const own of narrowed.flatMap(name => OWN[name])) delete rest[own]
  const options = narrowed.map(name => {
    const kept = [...OWN[name], ...(name === 'price' ? PRICED : [])]
    return Object.fromEntries(kept.map(key => [key, filters[key]])) as Filters
  })
  // At once: an id leads to another slot once its listing has changed.
  const all = engine.select(rest, viewer, reach, wanted).clone()
  // Each own filter is applied once, to what all others find.
  const byOwn: Bitmap[] = []
  for (const option of options) {
    yield
    byOwn.push(engine.selectAmong(all, option, ANYTHING).clone())
  }
  yield
  const tallies: Record<string, unknown> = {}
  for (const name of names) {
    const hits = all.clone()
    for (const [i, own] of byOwn.entries()) if (narrowed[i] !== name) hits.and(own)
    tallies[name] = yield* tallyOf(engine, name, hits, filters.priceIn)
    yield
  }
  return tallies as Tallies
}

/** For each choice, how many are found with each of its options, all among what is visible at the start. In steps. */
export function* countsOf(
  engine: Engine,
  choices: readonly Choice[],
  viewer: string | null,
  reach: Reach,
  wanted: Wanted,
): Generator<void, number[][]> {
  const ids = choices[0]?.rest.ids
  // An id leads to another slot once its listing has changed.
  const visible = engine.select(ids ? { ids } : {}, viewer, reach, ANYTHING).clone()
  // Most filters of a form leave the same rest.
  const found = new Map<string, Bitmap>()
  const counts: number[][] = []
  for (const { rest, options } of choices) {
    yield
    const { ids: _ids, ...others } = rest
    const key = JSON.stringify(others)
    const hits = found.get(key) ?? engine.selectAmong(visible, others, wanted).clone()
    found.set(key, hits)
    counts.push(yield* countOptions(engine, hits, options))
  }
  return counts
}

function* countOptions(engine: Engine, hits: Bitmap, options: readonly Filters[]): Generator<void, number[]> {
  const counts: number[] = []
  let copy: Bitmap | undefined
  for (const [i, option] of options.entries()) {
    const set = setOf(engine, option)
    if (!set || i % SETS_AT_ONCE === 0) {
      yield
      copy = undefined
    }
    copy ??= set && copyOf(hits)
    counts.push(set && copy ? set.countIn(copy) : engine.selectAmong(hits, option, ANYTHING).count())
  }
  return counts
}

/** The set of a filter that asks for one value and nothing else; undefined for any other, and for a value that no listing has. */
function setOf({ facets }: Engine, { state, types, features, ...others }: Filters): SlotSet | undefined {
  const values = state === undefined ? (types ?? features) : [state]
  const filters = [state, types, features].filter(filter => filter !== undefined)
  if (filters.length !== 1 || values?.length !== 1 || Object.keys(others).length > 0) return undefined
  const facet = state ? facets.state : types ? facets.type : facets.amenity
  return facet.sets.get(values[0] as string)
}

function* tallyOf(
  engine: Engine,
  name: FacetName,
  hits: Bitmap,
  priceIn: Filters['priceIn'],
): Generator<void, Tallied<Tally | PriceTally>> {
  const { facets } = engine
  if (name === 'price') return { values: yield* priceTallies(engine, hits, priceIn), other_values: 0 }
  if (name === 'bedrooms') return largest(yield* countValues(engine.columns.bedrooms, hits))
  if (name === 'state' || name === 'city' || name === 'neighborhood')
    return largest(yield* countNames(facets[name], hits))
  return largest(yield* countSets(name === 'features' ? facets.amenity : facets[name], hits))
}

export function largest(tallies: Tally[]): Tallied<Tally> {
  tallies.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  return { values: tallies.slice(0, MAX_VALUES), other_values: Math.max(0, tallies.length - MAX_VALUES) }
}

const scratch = new Scratch()

/** For the kernels. Copied after each pause: others use the scratch meanwhile. */
function copyOf(found: Bitmap): Bitmap {
  scratch.begin(found.words.length * 32)
  return scratch.copyOf(found)
}

/** Sets counted between two pauses: up to four milliseconds. */
const SETS_AT_ONCE = 8

/** For facets of few values, which the kernels count. */
function* countSets({ sets, names }: Facet, found: Bitmap): Generator<void, Tally[]> {
  const tallies: Tally[] = []
  const all = [...sets]
  for (let i = 0; i < all.length; i += SETS_AT_ONCE) {
    yield
    const hits = copyOf(found)
    for (const [value, set] of all.slice(i, i + SETS_AT_ONCE)) {
      const count = set.countIn(hits)
      if (count > 0) tallies.push({ value: names.get(value) ?? value, count })
    }
  }
  return tallies
}

/** For facets of many values, each listing having one. */
function* countNames(facet: LabeledFacet, hits: Bitmap): Generator<void, Tally[]> {
  const counts = yield* countLabels(facet.labels, facet.values.length, hits)
  const tallies: Tally[] = []
  for (const [label, count] of counts.entries()) {
    const value = count > 0 ? facet.nameOf(label) : undefined
    if (value !== undefined) tallies.push({ value, count })
  }
  return tallies
}

function* countValues(column: DictionaryColumn, hits: Bitmap): Generator<void, Tally[]> {
  // As it is now: in a pause, others may come.
  const { dictionary } = column
  if (!dictionary) return yield* countNumbers(column, hits)
  const counts = yield* countLabels(dictionary.labels, dictionary.numbers.length, hits)
  const tallies: Tally[] = []
  for (const [label, value] of dictionary.numbers.entries()) {
    const count = counts[label] ?? 0
    if (label > 0 && count > 0) tallies.push({ value, count })
  }
  return tallies
}

function* countNumbers(column: DictionaryColumn, hits: Bitmap): Generator<void, Tally[]> {
  const counts = new Map<number, number>()
  for (const part of hits.parts()) {
    yield
    for (const slot of part) {
      const value = column.get(slot)
      if (!Number.isNaN(value)) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
  }
  return [...counts].map(([value, count]) => ({ value, count }))
}

/** Ascending, for each operation and currency; prices of two currencies are added up only if one to compare in is given. */
function* priceTallies(
  engine: Engine,
  hits: Bitmap,
  priceIn: Filters['priceIn'],
): Generator<void, PriceTally[]> {
  const tallies: PriceTally[] = []
  for (const operation of operations) {
    const counts = { MXN: new Int32Array(STEPS.length), USD: new Int32Array(STEPS.length) }
    for (const currency of CURRENCIES) {
      const shown = counts[priceIn?.currency ?? currency]
      const counted = yield* countSteps(engine, hits, operation, currency, priceIn)
      for (const [step, count] of counted.entries()) shown[step] = (shown[step] as number) + count
    }
    for (const currency of CURRENCIES) {
      for (const [i, count] of counts[currency].entries())
        if (count > 0)
          tallies.push({ operation, currency, min: STEPS[i] ?? 0, max: STEPS[i + 1] ?? 1e13, count })
    }
  }
  return tallies
}

/** How many of the hits with a price in that currency are in each step, perhaps of the price in another. */
function* countSteps(
  { facets, columns, priceSteps }: Engine,
  hits: Bitmap,
  operation: Operation,
  currency: Currency,
  priceIn: Filters['priceIn'],
): Generator<void, Int32Array> {
  const priced = facets.price.sets.get(`${operation} ${currency}`)
  if (!priced) return new Int32Array()
  if (!priceIn || priceIn.currency === currency)
    return yield* priced.countLabelsIn(hits, priceSteps[operation].labels, STEPS.length)
  const { values } = operation === 'sale' ? columns.salePrice : columns.rentPrice
  const counts = new Int32Array(STEPS.length)
  for (const part of priced.partsIn(hits)) {
    yield
    for (const slot of part) {
      const step = stepOf(convert(values[slot] as number, currency, priceIn))
      counts[step] = (counts[step] as number) + 1
    }
  }
  return counts
}
