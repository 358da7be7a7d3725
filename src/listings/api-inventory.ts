import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import { sendContent } from '../http/answers.ts'
import { NEXT_LINK, nextLink } from '../http/links.ts'
import { answers } from '../http/openapi.ts'
import { describe, oneOf } from '../lib/fields.ts'
import { pageOf, pageParameters } from '../lib/list-page.ts'
import { querySchema, readOrRefuse } from '../lib/query.ts'
import { Content, Shared } from '../lib/schemas.ts'
import { LIMITS, listingStatuses } from '../lookups/catalog.ts'
import { listingRecord } from './record.ts'
import { listingFieldsParameter } from './schema.ts'
import { listOwn } from './service.ts'

const MOST = LIMITS.my_properties

const parameters = {
  status: describe(oneOf(listingStatuses), 'Only listings in this status.', 'published'),
  ...pageParameters(MOST),
  fields: listingFieldsParameter,
}

export function registerInventory(
  app: FastifyInstance,
  { db, publicUrl }: { db: Db; publicUrl: string },
): void {
  app.get(
    '/my/properties',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'listMyListings',
        summary: 'Your listings in every status',
        description: `The ${MOST} most recently changed; \`Link\` leads to the others. A listing that changes while you read moves to the front: to keep a copy, use \`GET /changes?scope=own\`.`,
        tags: ['Listings'],
        querystring: querySchema(parameters),
        response: answers(
          {
            schema: Content(Shared('Listing')),
            description: 'Latest change first.',
            headers: {
              ...NEXT_LINK,
              'X-Total-Count': { type: 'integer', description: 'Total number of listings.' },
            },
          },
          ['validation'],
        ),
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const query = request.query as URLSearchParams
      const { status, cursor: after, fields, ...asked } = readOrRefuse(parameters, query)
      const limit = Math.min(asked.limit ?? MOST, MOST)
      const { rows, total } = await listOwn(db, agentId, { status, after, limit: limit + 1 })
      const { page, next } = pageOf(rows, limit, ({ updated_at: at, id }) => ({ at, id }))
      reply.header('x-total-count', total)
      if (next) reply.header('link', nextLink(publicUrl, request.url, query, next))
      return sendContent(
        reply,
        page.map(row => listingRecord(row, agentId, publicUrl)),
        fields,
      )
    },
  )
}
