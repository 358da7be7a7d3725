import { idsOfAgents } from '../agents/service.ts'
import type { Db } from '../db/database.ts'
import { describe, oneOf, type Reading, text } from '../lib/fields.ts'
import { flagParameter, type Parameter, readQuery } from '../lib/query.ts'
import type { Filters } from './criteria.ts'
import { FACETS, type FacetName } from './engine/tallies.ts'

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
  exclude_own: describe(flagParameter, '`true` leaves out your own listings.', true),
} satisfies Record<string, Parameter<unknown>>

const facetName = oneOf(FACETS)
const facets: Parameter<FacetName[]> = {
  schema: { type: 'string' },
  read(value, fail) {
    const names = String(value)
      .split(',')
      .map(name => facetName.read(name.trim(), fail.about(name)))
    return [...new Set(names.filter(name => name !== undefined))]
  },
}

export const facetsParameter = describe(
  facets,
  `Also counts the results by these, separated by commas: ${FACETS.join(', ')}. Each is counted with all other filters, but without its own.`,
  'type,city,price',
)

export async function readExtras(
  db: Db,
  query: URLSearchParams,
  viewer: string,
): Promise<Reading<Partial<Filters>>> {
  const { value, issues } = readQuery(extraParameters, query)
  const { agent, agency } = value
  return {
    value: {
      ...(agent || agency ? { agents: await idsOfAgents(db, agent ?? null, agency ?? null) } : {}),
      ...(value.exclude_own ? { notAgents: [viewer] } : {}),
    },
    issues,
  }
}
