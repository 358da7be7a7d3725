import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Currency } from '../../lib/money.ts'
import { type Operation, operations, type PropertyType } from '../../lookups/catalog.ts'
import type { Filters } from '../criteria.ts'
import { type Grouping, groupingsOf } from '../engine/groupings.ts'
import { type Quartiles, toCents } from '../engine/quartiles.ts'
import type { MarketGroup, Statistics } from '../engine/statistics.ts'
import type { Condition } from './conditions.ts'
import { priceOf } from './overviews.ts'

/** What listings are grouped by, and what a group is called. */
const GROUPED: Record<Grouping, { key: Condition; name: Condition }> = {
  state: { key: sql`l.state`, name: sql`min(l.state)` },
  city: { key: sql`l.city_fold`, name: sql`mode() within group (order by l.city collate "C")` },
  neighborhood: {
    key: sql`l.neighborhood_fold`,
    name: sql`mode() within group (order by l.neighborhood collate "C")`,
  },
  type: { key: sql`l.property_type`, name: sql`min(l.property_type)` },
  month: {
    key: sql`date_trunc('month', coalesce(l.published_at, l.created_at) at time zone 'UTC')`,
    name: sql`to_char(min(coalesce(l.published_at, l.created_at)) at time zone 'UTC', 'YYYY-MM')`,
  },
}

interface Row {
  operation: Operation
  currency: Currency
  names: (string | null)[]
  count: number
  prices: [number, number, number]
  areas: number
  per_m2: [number, number, number] | null
}

/** Prices of what is found by operation, currency and the groupings: the `most` largest groups, the largest first. */
export async function statisticsWhere(
  tx: Tx,
  where: Condition,
  by: readonly Grouping[],
  { operation: only, priceIn }: Filters,
  most: number,
): Promise<Statistics> {
  const groupings = groupingsOf(by)
  const found: { row: Row; text: string }[] = []
  for (const operation of operations) {
    if (only !== undefined && operation !== only) continue
    for (const row of await groupsOf(tx, where, groupings, operation, priceIn))
      found.push({
        row,
        text: [operation, row.currency, ...row.names.map(name => name ?? undefined)].join('\n'),
      })
  }
  found.sort((a, b) => b.row.count - a.row.count || (a.text < b.text ? -1 : 1))
  const groups = found.slice(0, most).map(({ row }) => answerOf(row, groupings))
  return { groups, others: found.length - groups.length }
}

/** Of rents, only those by the month: others cannot be compared with them. Of land, the lot; otherwise what is built. */
async function groupsOf(
  tx: Tx,
  where: Condition,
  groupings: readonly Grouping[],
  operation: Operation,
  priceIn: Filters['priceIn'],
): Promise<Row[]> {
  const { price, currency } = priceOf(operation, priceIn)
  const keys = [sql`currency`, ...groupings.map(one => GROUPED[one].key)]
  const names = groupings.map(one => GROUPED[one].name)
  const shares = sql`array[0.25, 0.5, 0.75]`
  const { rows } = await sql<Row>`
    select ${operation}::text as operation, currency, array[${sql.join(names)}]::text[] as names, count(*) as count,
      percentile_cont(${shares}) within group (order by price) as prices,
      count(*) filter (where area > 0) as areas,
      percentile_cont(${shares}) within group (order by price / area) filter (where area > 0) as per_m2
    from listings l
    cross join lateral (select ${price} as price, ${currency} as currency,
      (case l.property_type when 'land' then l.lot_m2 else l.construction_m2 end)::float8 as area) as offer
    where ${where} and price is not null ${operation === 'rental' ? sql`and l.rent_period = 'monthly'` : sql``}
    group by ${sql.join(keys)}`.execute(tx)
  return rows
}

function answerOf(row: Row, groupings: readonly Grouping[]): MarketGroup {
  const { operation, currency, names, count, prices, areas, per_m2 } = row
  const places = groupings.map((grouping, i) => [grouping, names[i]])
  return {
    operation,
    currency,
    ...(Object.fromEntries(places.filter(([, value]) => value !== null)) as { type?: PropertyType }),
    count,
    price: quartiles(prices),
    price_m2: per_m2 ? { count: areas, ...quartiles(per_m2) } : null,
  }
}

const quartiles = ([p25, median, p75]: [number, number, number]): Quartiles => ({
  p25: toCents(p25),
  median: toCents(median),
  p75: toCents(p75),
})
