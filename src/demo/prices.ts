import type { Operation } from './kinds.ts'
import { between, chance, type Random, weighted } from './random.ts'
import type { Currency, RentPeriod } from './types.ts'

export type Prices = {
  sale_price: number | null
  sale_currency: Currency | null
  rent_price: number | null
  rent_currency: Currency | null
  rent_period: RentPeriod | null
}

const toStep = (value: number, step: number): number => Math.max(step, Math.round(value / step) * step)

/** Steps people round to: about two and a half significant digits. */
function stepFor(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(value))
  return value / magnitude < 3 ? magnitude / 20 : magnitude / 10
}

/** A round price, one just below it (2,990,000), or an exact one from a developer's price list. */
function roundSale(r: Random, value: number): number {
  if (chance(r, 0.03)) return chance(r, 0.3) ? Math.round(value * 100) / 100 : Math.round(value)
  const step = stepFor(value)
  return chance(r, 0.12) ? toStep(value, 2 * step) - step / 10 : toStep(value, step)
}

function roundRent(value: number): number {
  if (value < 1000) return toStep(value, 50)
  if (value < 8000) return toStep(value, 100)
  return toStep(value, Math.max(500, stepFor(value)))
}

/** Monthly rent as a share of the value, in the usual range for Mexican homes. */
const RENT_SHARE = [0.0035, 0.006] as const

/** The price of one period as a share of the monthly rent: short stays cost more per night. */
const PERIOD_FACTOR: Readonly<Record<RentPeriod, number>> = {
  monthly: 1,
  weekly: 0.4,
  daily: 0.075,
  yearly: 11.5,
}

export type RentHabit = 'home' | 'holiday' | 'field'

const PERIODS: Readonly<Record<RentHabit, readonly (readonly [RentPeriod, number])[]>> = {
  home: [['monthly', 1]],
  holiday: [
    ['monthly', 55],
    ['daily', 28],
    ['weekly', 17],
  ],
  field: [
    ['monthly', 45],
    ['yearly', 55],
  ],
}

export function drawPrices(
  r: Random,
  operation: Operation,
  value: number,
  currency: Currency,
  habit: RentHabit,
): Prices {
  const sale = operation !== 'rental'
  const rent = operation !== 'sale'
  const period = rent ? weighted(r, PERIODS[habit]) : null
  const monthly = value * between(r, ...RENT_SHARE)
  return {
    sale_price: sale ? roundSale(r, value) : null,
    sale_currency: sale ? currency : null,
    rent_price: period ? roundRent(monthly * PERIOD_FACTOR[period]) : null,
    rent_currency: rent ? currency : null,
    rent_period: period,
  }
}
