import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Db } from '../db/database.ts'
import { answers } from '../http/openapi.ts'
import { describe } from '../lib/fields.ts'
import { CURRENCIES } from '../lib/money.ts'
import { NotReady } from '../lib/problem.ts'
import { querySchema } from '../lib/query.ts'
import { Enum, Nullable } from '../lib/schemas.ts'
import { operations, propertyTypes } from '../lookups/catalog.ts'
import { GROUPINGS } from './engine/groupings.ts'
import { extraParameters, namesParameter, RateAnswer, readOverview } from './extras.ts'
import { criteriaParameters } from './parameters.ts'
import type { Search } from './service.ts'

const MAX_GROUPS = 500

const own = {
  by: describe(
    namesParameter(GROUPINGS),
    `Groups by these, separated by commas: ${GROUPINGS.join(', ')}. Operations and currencies are always separate.`,
    'city,type',
  ),
}

const amounts = {
  p25: Type.Number({ example: 2_150_000 }),
  median: Type.Number({ example: 3_400_000 }),
  p75: Type.Number({ example: 5_900_000 }),
}

const GroupAnswer = Type.Object({
  operation: Enum(operations),
  currency: Enum(CURRENCIES),
  state: Type.Optional(Type.String({ example: 'Jalisco' })),
  city: Type.Optional(Type.String({ example: 'Guadalajara' })),
  neighborhood: Type.Optional(Type.String({ example: 'Providencia' })),
  type: Type.Optional(Enum(propertyTypes)),
  month: Type.Optional(
    Type.String({
      description: 'The month of publication, in UTC.',
      example: '2026-01',
      pattern: '^\\d{4}-\\d\\d$',
    }),
  ),
  count: Type.Integer({ example: 38 }),
  price: Type.Object(amounts),
  price_m2: Nullable(
    Type.Object(
      { count: Type.Integer({ description: 'Listings with an area.', example: 35 }), ...amounts },
      { description: 'Per square meter of construction; of land, per square meter of the lot.' },
    ),
  ),
})

export function registerMarket(
  app: FastifyInstance,
  { db, search }: { db: Db; search: Search | undefined },
): void {
  app.get(
    '/market',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'marketStatistics',
        summary: 'Market prices',
        description: `Count, median and quartiles of prices and of prices per square meter, of what a search with the same filters finds among public listings. A listing for sale and for rent counts in both; only monthly rents are counted. At most ${MAX_GROUPS} groups, those with the most listings first.`,
        tags: ['Lookups'],
        querystring: querySchema({ ...own, ...criteriaParameters, ...extraParameters }),
        response: answers(
          {
            schema: Type.Object({
              rate: Type.Optional(RateAnswer),
              other_groups: Type.Integer({ description: 'How many more groups there are.', example: 0 }),
              content: Type.Array(GroupAnswer),
            }),
            description: 'The groups, the largest first.',
          },
          ['validation'],
        ),
      },
    },
    async request => {
      const query = request.query as URLSearchParams
      const { asked, filters, rate } = await readOverview(own, db, query, request.caller.agentId)
      if (!search) throw new NotReady('there is no search')
      // As everyone sees it: drafts of the caller are not the market.
      const { groups, others } = await search.statistics(filters, asked.by ?? [], MAX_GROUPS)
      return { ...rate, other_groups: others, content: groups }
    },
  )
}
