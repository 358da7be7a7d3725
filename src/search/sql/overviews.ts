import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { groupBy } from '../../lib/groups.ts'
import { CURRENCIES, type Currency } from '../../lib/money.ts'
import { type Operation, operations } from '../../lookups/catalog.ts'
import type { Filters } from '../criteria.ts'
import { STEPS } from '../engine/price-steps.ts'
import { type FacetName, largest, type PriceTally, type Tallied, type Tally } from '../engine/tallies.ts'
import type { Condition } from './conditions.ts'

type Plain = Exclude<FacetName, 'price'>

/** The value, and as it is written where that differs. */
const VALUES: Record<Plain, { value: RawBuilder<unknown>; name?: RawBuilder<unknown> }> = {
  type: { value: sql`l.property_type` },
  state: { value: sql`l.state` },
  city: { value: sql`l.city_fold`, name: sql`l.city` },
  neighborhood: { value: sql`l.neighborhood_fold`, name: sql`l.neighborhood` },
  bedrooms: { value: sql`l.bedrooms` },
  features: { value: sql`feature` },
}

/** How many of what is found have each value. */
export async function tally(
  tx: Tx,
  name: FacetName,
  where: Condition,
  priceIn: Filters['priceIn'],
): Promise<Tallied<Tally | PriceTally>> {
  if (name === 'price') return { values: await priceTallies(tx, where, priceIn), other_values: 0 }
  const { value, name: spelling = value } = VALUES[name]
  const each = name === 'features' ? sql`, unnest(l.features) as feature` : sql``
  const { rows } = await sql<{ value: string | number; name: string | number; count: number }>`
    select ${value} as value, ${spelling} as name, count(*) as count
    from listings l ${each} where ${where} and ${value} is not null group by 1, 2`.execute(tx)
  const spelled = [...groupBy(rows, row => row.value).values()]
  return largest(
    spelled.map(rows => ({
      value: mostCommon(rows),
      count: rows.reduce((sum, { count }) => sum + count, 0),
    })),
  )
}

/** Of several spellings of one name; the first in the alphabet wins a tie. */
export function mostCommon<T extends string | number>(spellings: readonly { name: T; count: number }[]): T {
  return spellings.reduce((best, one) =>
    one.count > best.count || (one.count === best.count && one.name < best.name) ? one : best,
  ).name
}

/** What a listing asks for, for sale or for rent, in the currency to compare in. */
export function priceOf(operation: Operation, priceIn: Filters['priceIn']) {
  const column = operation === 'sale' ? 'sale' : 'rent'
  const [price, own] = [sql<number>`l.${sql.ref(`${column}_price`)}::float8`, sql.ref(`l.${column}_currency`)]
  if (!priceIn) return { price, currency: sql<Currency>`${own}` }
  const { currency, mxnPerUsd } = priceIn
  const converted =
    currency === 'MXN' ? sql`${price} * ${mxnPerUsd}::float8` : sql`${price} / ${mxnPerUsd}::float8`
  return {
    price: sql<number>`case when ${own} = ${currency} then ${price} else floor(${converted} * 1e6 + 0.5) / 1e6 end`,
    currency: sql<Currency>`${currency}::text`,
  }
}

/** Ascending, for each operation and currency. */
async function priceTallies(tx: Tx, where: Condition, priceIn: Filters['priceIn']): Promise<PriceTally[]> {
  const counted = operations.map(operation => {
    const { price, currency } = priceOf(operation, priceIn)
    return sql`select ${operation} as operation, ${currency} as currency,
        width_bucket(${price}, ${STEPS}::float8[]) - 1 as step, count(*) as count
      from listings l where ${where} and ${price} is not null group by 2, 3`
  })
  const { rows } = await sql<{ operation: Operation; currency: Currency; step: number; count: number }>`
    ${sql.join(counted, sql` union all `)}`.execute(tx)
  const placeOf = ({ operation, currency, step }: (typeof rows)[number]) =>
    (operations.indexOf(operation) * CURRENCIES.length + CURRENCIES.indexOf(currency)) * STEPS.length + step
  return rows
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map(({ operation, currency, step, count }) => ({
      operation,
      currency,
      min: STEPS[step] ?? 0,
      max: STEPS[step + 1] ?? 1e13,
      count,
    }))
}
