import type { Currency } from '../../lib/money.ts'
import type { Criteria, Filters } from '../criteria.ts'
import type { Bitmap } from './bitmap.ts'
import type { Uuid } from './ids.ts'
import type { Order } from './orders.ts'
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
 * conversion, so both currencies are read along it at once and merged.
 */
export class Converted implements Ranking {
  readonly #order: Order
  readonly #ids: Index['ids']
  readonly #isInDollars: (slot: number) => boolean
  readonly #mxnPerUsd: number

  constructor({ ids, columns, facets, orders }: Index, { mxnPerUsd }: PriceIn, criteria: Criteria) {
    const dollars = (operation: string) => facets.price.sets.get(`${operation} USD`)
    const [sale, rental] = [dollars('sale'), dollars('rental')]
    const isIn = {
      sale: (slot: number) => sale?.has(slot) ?? false,
      rental: (slot: number) => rental?.has(slot) ?? false,
    }
    const either = (slot: number) =>
      Number.isNaN(columns.salePrice.get(slot)) ? isIn.rental(slot) : isIn.sale(slot)
    this.#order = orders[orderOf(criteria.sort, criteria.operation)]
    this.#ids = ids
    this.#isInDollars = criteria.operation ? isIn[criteria.operation] : either
    this.#mxnPerUsd = mxnPerUsd
  }

  rank(slot: number): number {
    const rank = this.#order.rank(slot)
    return this.#isInDollars(slot) ? rank * this.#mxnPerUsd : rank
  }

  compare(a: number, b: number): number {
    const [rankA, rankB] = [this.rank(a), this.rank(b)]
    return rankA < rankB ? -1 : rankA > rankB ? 1 : this.#ids.compare(a, b)
  }

  page(among: Bitmap, count: number, offset: number, limit: number): number[] {
    const end = Math.min(offset + limit, count)
    const found: number[] = []
    const [nextInPesos, nextInDollars] = [this.#walk(among, false), this.#walk(among, true)]
    let pesos = nextInPesos()
    let dollars = nextInDollars()
    for (let at = 0; at < end; at++) {
      const isPesos = dollars < 0 || (pesos >= 0 && this.compare(pesos, dollars) < 0)
      if (at >= offset) found.push(isPesos ? pesos : dollars)
      if (isPesos) pesos = nextInPesos()
      else dollars = nextInDollars()
    }
    return found
  }

  countThrough(among: Bitmap, rank: number, id: Uuid): number {
    let count = 0
    for (const slot of among.slots()) {
      const own = this.rank(slot)
      if (own < rank || (own === rank && this.#ids.compareTo(slot, id) <= 0)) count++
    }
    return count
  }

  /** As `Order.walk`, along those in one currency. */
  #walk(among: Bitmap, inDollars: boolean): () => number {
    const next = this.#order.walk()
    return () => {
      let slot = next()
      while (slot >= 0 && !(among.has(slot) && this.#isInDollars(slot) === inDollars)) slot = next()
      return slot
    }
  }
}
