import Type from 'typebox'
import { idsOfAgents } from '../agents/service.ts'
import type { Db } from '../db/database.ts'
import { describe, oneOf, type Reading, text } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { CURRENCIES } from '../lib/money.ts'
import { refuseIfAny } from '../lib/problem.ts'
import { flagParameter, MOST_VALUES, type Parameter, readQuery } from '../lib/query.ts'
import { dayField } from '../rates/rules.ts'
import { findRate } from '../rates/service.ts'
import type { Filters } from './criteria.ts'
import { FACETS } from './engine/tallies.ts'
import { readNarrowing } from './parameters.ts'

/** Filters of the API that need the caller or the database to be understood. */
export const extraParameters = {
  agent: describe(
    text({ max: 200 }),
    'Only listings of this agent: the slug or the id, as in `GET /agents`.',
    'ana-torres',
  ),
  agency: describe(
    text({ max: 200 }),
    'Only listings of the agents of this agency: the slug or the id, as in `GET /agencies`.',
    'torres-inmuebles',
  ),
  price_in: describe(
    oneOf(CURRENCIES),
    'Compares prices of both currencies in this one, in `min_price`, `max_price`, sorts by price and the facet `price`. The rate is returned as `rate`. Without it, nothing is converted.',
    'MXN',
  ),
  rate_date: describe(
    dayField,
    'With price_in: the rate of that day, or the latest before it. Default: the latest.',
    '2026-01-31',
  ),
  exclude_own: describe(flagParameter, '`true` leaves out your own listings.', true),
} satisfies Record<string, Parameter<unknown>>

/** Some of these names, separated by commas. */
export function namesParameter<T extends string>(names: readonly T[]): Parameter<T[]> {
  const name = oneOf(names)
  return {
    schema: { type: 'string' },
    read(value, fail) {
      const sent = [...new Set(String(value).split(','))]
      if (sent.length > MOST_VALUES)
        return void fail('too_many_items', { max: MOST_VALUES, sent: sent.length })
      const known = sent.map(one => name.read(one.trim(), fail.about(one)))
      return [...new Set(known.filter(one => one !== undefined))]
    },
  }
}

export const facetsParameter = describe(
  namesParameter(FACETS),
  `Also counts the results by these, separated by commas: ${FACETS.join(', ')}. Each is counted with all other filters, but without its own: \`features\` without the amenities you chose. \`city\` and \`neighborhood\` count whole names, while the filters find parts of a name.`,
  'type,city,price',
)

export interface Extras extends Reading<Partial<Filters>> {
  /** What prices were compared at. */
  rate: { date: string; mxn_per_usd: number; source: string } | undefined
}

export const RateAnswer = Type.Object(
  {
    date: Type.String({ format: 'date', example: '2026-01-31' }),
    mxn_per_usd: Type.Number({ description: 'Pesos for one dollar.', example: 17.1234 }),
    source: Type.String({ example: 'Banco de México, FIX' }),
  },
  { description: 'With price_in: the rate at which prices were compared.' },
)

export async function readExtras(db: Db, query: URLSearchParams, viewer: string): Promise<Extras> {
  const { value, issues } = readQuery(extraParameters, query)
  const { agent, agency, price_in: priceIn, rate_date: day } = value
  const found = priceIn && issues.length === 0 ? await findRate(db, day) : undefined
  if (priceIn && !found && issues.length === 0) issues.push(issue('price_in', 'no_rate'))
  if (day && !query.get('price_in')) issues.push(issue('rate_date', 'requires', { other: 'price_in' }))
  return {
    rate: found && { date: found.day, mxn_per_usd: found.mxnPerUsd, source: found.source },
    value: {
      ...(agent || agency ? { agents: await idsOfAgents(db, agent ?? null, agency ?? null) } : {}),
      ...(priceIn && found ? { priceIn: { currency: priceIn, mxnPerUsd: found.mxnPerUsd } } : {}),
      ...(value.exclude_own ? { notAgents: [viewer] } : {}),
    },
    issues,
  }
}

/** What is asked of everything that a search would find: some parameters of its own, and the filters. */
export async function readOverview<P extends Record<string, Parameter<unknown>>>(
  own: P,
  db: Db,
  query: URLSearchParams,
  viewer: string,
) {
  const asked = readQuery(own, query)
  const extras = await readExtras(db, query, viewer)
  const filters = readNarrowing(query, extras.value)
  refuseIfAny([...asked.issues, ...filters.issues, ...extras.issues])
  return { asked: asked.value, filters: filters.value, rate: extras.rate ? { rate: extras.rate } : {} }
}
