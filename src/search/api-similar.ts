import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Db } from '../db/database.ts'
import { JSON_TYPE } from '../http/answers.ts'
import { answers } from '../http/openapi.ts'
import { describe } from '../lib/fields.ts'
import { NotReady, Problem } from '../lib/problem.ts'
import { numberParameter, querySchema, readOrRefuse } from '../lib/query.ts'
import { Shared } from '../lib/schemas.ts'
import { BY_ID } from '../listings/addressing.ts'
import { listingFieldsParameter } from '../listings/schema.ts'
import { findVisible } from '../listings/service.ts'
import { listBody } from './bodies.ts'
import type { Search } from './service.ts'
import { likeOf } from './similar.ts'

const LIMIT = { default: 6, max: 20 }

const parameters = {
  limit: describe(
    numberParameter({ min: 1, max: LIMIT.max, decimals: 0 }),
    `How many, at most. Default ${LIMIT.default}.`,
    10,
  ),
  fields: listingFieldsParameter,
}

export function registerSimilar(
  app: FastifyInstance,
  { db, search }: { db: Db; search: Search | undefined },
): void {
  app.get(
    `${BY_ID.path}/similar`,
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'similarListings',
        summary: 'Similar listings',
        description:
          'Listings you could find in a search, with the same type, operation, currency and state; the closest in distance, price and size come first. The listing itself is not included.',
        tags: ['Listings'],
        params: BY_ID.params,
        querystring: querySchema(parameters),
        response: answers(
          {
            schema: Type.Object({ content: Type.Array(Shared('Listing')) }),
            description: 'The listings, the most similar first; fewer, or none, if there are no more.',
          },
          ['not_found', 'validation'],
        ),
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const { limit = LIMIT.default, fields } = readOrRefuse(parameters, request.query as URLSearchParams)
      const row = await findVisible(db, BY_ID.nameOf(request), agentId)
      if (!row) throw new Problem('not_found')
      if (!search) throw new NotReady('there is no search')
      const records = await search.similar(likeOf(row), agentId, limit, fields)
      return reply.type(JSON_TYPE).send(listBody(records))
    },
  )
}
