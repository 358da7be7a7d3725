import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Db } from '../db/database.ts'
import { answers } from '../http/openapi.ts'
import { refuseIfAny } from '../lib/problem.ts'
import { Shared } from '../lib/schemas.ts'
import { listingRecord } from '../listings/record.ts'
import { readCriteria, searchQuerySchema } from './criteria.ts'
import { search } from './service.ts'

const Pagination = Type.Object(
  { page: Type.Integer(), pages: Type.Integer(), total: Type.Integer(), limit: Type.Integer() },
  { $id: 'Pagination' },
)

export function registerSearch(app: FastifyInstance, { db, publicUrl }: { db: Db; publicUrl: string }): void {
  app.addSchema(Pagination)
  app.get(
    '/properties',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'searchListings',
        summary: 'Search listings',
        description:
          'Published listings of verified agents, plus your own in any status. Every filter given must hold; one that cannot be understood is refused, never ignored. To synchronize, ask with `updated_since` and `sort=updated`, a few seconds before the latest `updated_at` you have.',
        tags: ['Listings'],
        querystring: searchQuerySchema,
        response: answers(
          {
            schema: Type.Object({ pagination: Shared('Pagination'), content: Type.Array(Shared('Listing')) }),
            description: 'A page of listings and the exact total.',
          },
          ['validation'],
        ),
      },
    },
    async request => {
      const { value: criteria, errors } = readCriteria(request.query as URLSearchParams)
      refuseIfAny(errors)
      const { agentId } = request.caller
      const { rows, pagination } = await search(db, criteria, agentId)
      return { pagination, content: rows.map(row => listingRecord(row, agentId, publicUrl)) }
    },
  )
}
