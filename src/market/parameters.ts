import type { Field, Reading } from '../lib/fields.ts'
import { oneOf } from '../lib/fields.ts'
import { numberParameter, readQuery } from '../lib/query.ts'
import { DAY_MS } from '../lib/time.ts'
import { type Criteria, type Filters, MARKET_SORTS, MARKS } from '../search/criteria.ts'
import { readCriteria, searchParameters } from '../search/parameters.ts'
import { withPlainPrices } from '../search/typed-prices.ts'

/** What is new or became cheaper, and within how many days: `lowered-30`. */
const FRESH = /^(new|lowered|either)-([1-9]\d{0,2})$/
const fresh: Field<{ kind: string; days: number }> = {
  schema: { type: 'string' },
  read(value, fail) {
    const [, kind, days] = FRESH.exec(String(value)) ?? []
    return kind
      ? { kind, days: Number(days) }
      : void fail('unknown_value', { allowed: ['new-7', 'lowered-30'] })
  },
}

/** What the market asks beyond the parameters of the API, which must not know them: they would tell commissions. */
const marketParameters = {
  min_commission: numberParameter({ min: 0, max: 100 }),
  exclusive: oneOf(['1']),
  media: oneOf(['1']),
  fresh,
  /** Whose listings to leave out. */
  not: oneOf(['mine', 'agency']),
  as: oneOf(['list', 'table', 'map']),
}
export type MarketView = 'list' | 'table' | 'map'

const NAMES = [...Object.keys(searchParameters), ...Object.keys(marketParameters)].filter(
  name => name !== 'ask',
)

/** Who is asking, and when. */
export interface Asker {
  id: string
  /** All agents of the same agency, the asker included. */
  colleagues: string[]
  now: Date
}

export const sinceDays = (days: number, now: Date) => new Date(now.getTime() - days * DAY_MS)

export const freshOf = (text: string, now: Date): NonNullable<Filters['fresh']> | undefined => {
  const [, kind, days] = FRESH.exec(text) ?? []
  if (!kind) return undefined
  return { since: sinceDays(Number(days), now), isNew: kind !== 'lowered', isLowered: kind !== 'new' }
}

export const leftOut = (who: string, { id, colleagues }: Asker) => (who === 'mine' ? [id] : colleagues)

/** Known parameters in a fixed order, so that a search has one address; empty ones are dropped. */
export function cleanQuery(query: URLSearchParams): URLSearchParams {
  const clean = new URLSearchParams()
  const plain = withPlainPrices(query)
  for (const name of NAMES) {
    for (const value of plain.getAll(name)) {
      const text = value.trim()
      const isMeaningless =
        (name === 'page' && text === '1') || (name === 'rent_period' && plain.get('operation') === 'sale')
      if (text !== '' && !isMeaningless) clean.append(name, text)
    }
  }
  return clean
}

/** The same parameters as the API, and those of the market. */
export function readMarketQuery(
  query: URLSearchParams,
  asker: Asker,
): Reading<Criteria & { view: MarketView }> {
  const sort = MARKET_SORTS.find(one => one === query.get('sort'))
  const plain = new URLSearchParams(query)
  if (sort) plain.delete('sort')
  const { value: asked, issues } = readCriteria(plain)
  const { value: more, issues: moreIssues } = readQuery(marketParameters, query)
  const marks = MARKS.filter(mark => more[mark])
  const value = {
    ...asked,
    sort: sort ?? (query.has('q') && !query.has('sort') ? ('relevance' as const) : asked.sort),
    view: more.as ?? ('list' as const),
    ...(more.min_commission ? { minCommission: more.min_commission } : {}),
    ...(marks.length > 0 ? { marks } : {}),
    ...(more.fresh
      ? { fresh: freshOf(query.get('fresh') as string, asker.now) as NonNullable<Filters['fresh']> }
      : {}),
    ...(more.not ? { notAgents: leftOut(more.not, asker) } : {}),
  }
  return { value, issues: [...issues, ...moreIssues] }
}
