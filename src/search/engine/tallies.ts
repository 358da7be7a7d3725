import { CURRENCIES, type Currency, convert } from '../../lib/money.ts'
import { type Operation, operations } from '../../lookups/catalog.ts'
import type { Filters, Reach } from '../criteria.ts'
import type { Bitmap } from './bitmap.ts'
import type { Engine, Wanted } from './engine.ts'
import type { Facet, LabeledFacet } from './facet.ts'
import { STEPS, stepOf } from './price-steps.ts'

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

export function talliesOf(
  engine: Engine,
  names: readonly FacetName[],
  filters: Filters,
  viewer: string | null,
  wanted: Wanted,
  reach: Reach = 'all',
): Tallies {
  const tallies: Record<string, unknown> = {}
  const isNarrowed = (name: FacetName) => OWN[name].some(own => filters[own] !== undefined)
  const plain = names.filter(name => !isNarrowed(name))
  if (plain.length > 0) {
    const hits = engine.select(filters, viewer, reach, wanted)
    for (const name of plain) tallies[name] = tallyOf(engine, name, hits, filters.priceIn)
  }
  for (const name of names.filter(isNarrowed)) {
    const rest = { ...filters }
    for (const own of OWN[name]) delete rest[own]
    tallies[name] = tallyOf(engine, name, engine.select(rest, viewer, reach, wanted), filters.priceIn)
  }
  return Object.fromEntries(names.map(name => [name, tallies[name]])) as Tallies
}

function tallyOf(
  engine: Engine,
  name: FacetName,
  hits: Bitmap,
  priceIn: Filters['priceIn'],
): Tallied<Tally | PriceTally> {
  const { facets } = engine
  if (name === 'price') return { values: priceTallies(engine, hits, priceIn), other_values: 0 }
  if (name === 'bedrooms') return largest(countValues(engine.columns.bedrooms.values, hits))
  if (name === 'city' || name === 'neighborhood') return largest(countLabels(facets[name], hits))
  return largest(countSets(name === 'features' ? facets.amenity : facets[name], hits))
}

function largest(tallies: Tally[]): Tallied<Tally> {
  tallies.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  return { values: tallies.slice(0, MAX_VALUES), other_values: Math.max(0, tallies.length - MAX_VALUES) }
}

function countSets({ sets, names }: Facet, hits: Bitmap): Tally[] {
  const tallies: Tally[] = []
  for (const [value, set] of sets) {
    const count = set.countIn(hits)
    if (count > 0) tallies.push({ value: names.get(value) ?? value, count })
  }
  return tallies
}

/** For facets of many values. */
function countLabels(facet: LabeledFacet, hits: Bitmap): Tally[] {
  const tallies: Tally[] = []
  hits.countLabels(facet.labels, facet.values.length).forEach((count, label) => {
    const value = facet.nameOf(label)
    if (count > 0 && value !== undefined) tallies.push({ value, count })
  })
  return tallies
}

/** Usual numbers are counted in an array, which takes a tenth of the time of a map. */
const USUAL = 64

function countValues(values: Float64Array, hits: Bitmap): Tally[] {
  const usual = new Int32Array(USUAL)
  const others = new Map<number, number>()
  for (const slot of hits.slots()) {
    const value = values[slot] as number
    if (value < USUAL) usual[value] = (usual[value] as number) + 1
    else if (value >= USUAL) others.set(value, (others.get(value) ?? 0) + 1)
  }
  return [...usual.entries(), ...others].flatMap(([value, count]) => (count > 0 ? [{ value, count }] : []))
}

/** Ascending, for each operation and currency; prices of two currencies are added up only if one to compare in is given. */
function priceTallies(engine: Engine, hits: Bitmap, priceIn: Filters['priceIn']): PriceTally[] {
  return operations.flatMap(operation => {
    const counts = { MXN: new Int32Array(STEPS.length), USD: new Int32Array(STEPS.length) }
    for (const currency of CURRENCIES) {
      const shown = counts[priceIn?.currency ?? currency]
      const counted = countSteps(engine, hits, operation, currency, priceIn)
      for (const [step, count] of counted.entries()) shown[step] = (shown[step] as number) + count
    }
    return CURRENCIES.flatMap(currency =>
      [...counts[currency]].flatMap((count, i) =>
        count > 0 ? [{ operation, currency, min: STEPS[i] ?? 0, max: STEPS[i + 1] ?? 1e13, count }] : [],
      ),
    )
  })
}

/** How many of the hits with a price in that currency are in each step, perhaps of the price in another. */
function countSteps(
  { facets, columns, priceSteps }: Engine,
  hits: Bitmap,
  operation: Operation,
  currency: Currency,
  priceIn: Filters['priceIn'],
): Int32Array {
  const priced = facets.price.sets.get(`${operation} ${currency}`)
  if (!priced) return new Int32Array()
  if (!priceIn || priceIn.currency === currency)
    return priced.countLabelsIn(hits, priceSteps[operation].labels, STEPS.length)
  const { values } = operation === 'sale' ? columns.salePrice : columns.rentPrice
  const counts = new Int32Array(STEPS.length)
  for (const slot of priced.slotsIn(hits)) {
    const step = stepOf(convert(values[slot] as number, currency, priceIn))
    counts[step] = (counts[step] as number) + 1
  }
  return counts
}
