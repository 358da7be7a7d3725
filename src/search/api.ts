import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { answers } from '../http/openapi.ts'
import { NotReady, refuseIfAny } from '../lib/problem.ts'
import { Shared } from '../lib/schemas.ts'
import { readCriteria, searchQuerySchema } from './criteria.ts'
import type { Search } from './service.ts'

const Pagination = Type.Object(
  { page: Type.Integer(), pages: Type.Integer(), total: Type.Integer(), limit: Type.Integer() },
  { $id: 'Pagination' },
)

export function registerSearch(app: FastifyInstance, search: Search | undefined): void {
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
    async (request, reply) => {
      const { value: criteria, errors } = readCriteria(request.query as URLSearchParams)
      refuseIfAny(errors)
      if (!search) throw new NotReady('there is no search')
      const body = await search.page(criteria, request.caller.agentId)
      return reply.type('application/json; charset=utf-8').send(body)
    },
  )
}

/** Whoever writes finds it in the next search: the answer waits until the change has come round. */
export function registerOwnWrites(app: FastifyInstance, search: Search): void {
  app.addHook('onSend', async (request, reply) => {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    if (isWrite && reply.statusCode < 400) await search.showOwnWrite()
  })
}
