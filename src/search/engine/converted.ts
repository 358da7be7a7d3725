import type { Currency } from '../../lib/money.ts'
import type { Criteria, Filters } from '../criteria.ts'
import { Bitmap } from './bitmap.ts'
import type { Uuid } from './ids.ts'
import { firstThat, type Order } from './orders.ts'
import type { Ranking } from './pages.ts'
import { type Index, orderOf } from './parts.ts'

type PriceIn = NonNullable<Filters['priceIn']>

/** Cents, millionths of a peso per dollar, and hundred-millionths of an asked amount: exact whole numbers. */
const scaled = (value: number, decimals: number) => BigInt(value.toFixed(decimals).replace('.', ''))

/** A range of prices in one currency, as the range in `currency` that holds the same listings: exact to the cent. */
export function rangeIn(
  currency: Currency,
  { currency: asked, mxnPerUsd }: PriceIn,
  low: number,
  high: number,
): [number, number] {
  if (currency === asked) return [low, high]
  const rate = scaled(mxnPerUsd, 6)
  /** The least number of cents that is worth at least the amount, or one cent less if the amount falls between. */
  const centsFor = (amount: number, roundUp: boolean) => {
    const [above, below] =
      currency === 'USD' ? [scaled(amount, 8), rate] : [scaled(amount, 8) * rate, 10n ** 12n]
    const cents = above / below
    return Number(roundUp && above % below !== 0n ? cents + 1n : cents) / 100
  }
  return [centsFor(low, true), Number.isFinite(high) ? centsFor(high, false) : high]
}

/**
 * By price, all in pesos at the rate. The order by amount is kept sorted; within one currency it is the same after
 * conversion, so the page is found in both and merged.
 */
export class Converted implements Ranking {
  readonly #order: Order
  readonly #ids: Index['ids']
  readonly #inDollars: Bitmap
  readonly #mxnPerUsd: number

  constructor(index: Index, { mxnPerUsd }: PriceIn, { sort, operation }: Criteria) {
    this.#order = index.orders[orderOf(sort, operation)]
    this.#ids = index.ids
    this.#inDollars = inDollars(index, operation)
    this.#mxnPerUsd = mxnPerUsd
  }

  rank(slot: number): number {
    const rank = this.#order.rank(slot)
    return this.#inDollars.has(slot) ? rank * this.#mxnPerUsd : rank
  }

  compare(a: number, b: number): number {
    const rankA = this.rank(a)
    const rankB = this.rank(b)
    return rankA < rankB ? -1 : rankA > rankB ? 1 : this.#ids.compare(a, b)
  }

  page(among: Bitmap, count: number, offset: number, limit: number): number[] {
    const { pesos, dollars } = this.#split(among)
    const pesosAt = this.#order.places(pesos)
    const dollarsAt = this.#order.places(dollars)
    const isPesoFirst = (peso: number, dollar: number) =>
      dollar < 0 || (peso >= 0 && this.compare(peso, dollar) < 0)
    // Of those before the page, how many are in pesos: one more would come after a price in dollars that is left out for it.
    const most = Math.min(offset, pesos.count())
    const least = Math.max(0, offset - dollars.count())
    let inPesos =
      least +
      firstThat(most - least, n => !isPesoFirst(pesosAt(least + n), dollarsAt(offset - least - n - 1)))
    const found: number[] = []
    for (let at = offset; at < Math.min(offset + limit, count); at++) {
      const peso = pesosAt(inPesos)
      const dollar = dollarsAt(at - inPesos)
      const isPeso = isPesoFirst(peso, dollar)
      found.push(isPeso ? peso : dollar)
      if (isPeso) inPesos++
    }
    return found
  }

  countThrough(among: Bitmap, rank: number, id: Uuid): number {
    const { pesos, dollars } = this.#split(among)
    const isThrough = (slot: number) => {
      const own = this.#order.rank(slot) * this.#mxnPerUsd
      return own < rank || (own === rank && this.#ids.compareTo(slot, id) <= 0)
    }
    return this.#order.countThrough(pesos, rank, id) + this.#order.countUntil(dollars, isThrough)
  }

  #split(among: Bitmap): { pesos: Bitmap; dollars: Bitmap } {
    const pesos = among.clone()
    pesos.andNot(this.#inDollars)
    const dollars = among.clone()
    dollars.and(this.#inDollars)
    return { pesos, dollars }
  }
}

/** Those whose price for that operation is in dollars; without one, that for sale, or else the rent. */
function inDollars({ facets, columns }: Index, operation: Criteria['operation']): Bitmap {
  const { sets } = facets.price
  const inSet = (name: string) => {
    const bitmap = new Bitmap(columns.salePrice.values.length)
    sets.get(name)?.orInto(bitmap)
    return bitmap
  }
  if (operation) return inSet(`${operation} USD`)
  const found = inSet('rental USD')
  found.andNot(inSet('sale'))
  found.or(inSet('sale USD'))
  return found
}
