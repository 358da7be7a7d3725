import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { answers } from '../http/openapi.ts'
import { NotReady, refuseIfAny } from '../lib/problem.ts'
import { Shared } from '../lib/schemas.ts'
import { readCriteria, searchQuerySchema } from './criteria.ts'
import type { Page, Search } from './service.ts'

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
      const page = await search.page(criteria, request.caller.agentId)
      return reply.type('application/json; charset=utf-8').send(bodyOf(page))
    },
  )
}

const COMMA = Buffer.from(',')
const END = Buffer.from(']}')

/** The records are JSON already; serializing them again would take most of the time of an answer. */
function bodyOf({ pagination, records }: Page): Buffer {
  const start = Buffer.from(`{"pagination":${JSON.stringify(pagination)},"content":[`)
  const parts = records.flatMap((record, i) => (i === 0 ? [record] : [COMMA, record]))
  return Buffer.concat([start, ...parts, END])
}

/** Whoever writes finds it in the next search: the answer waits until the change has come round. */
export function registerOwnWrites(app: FastifyInstance, search: Search): void {
  app.addHook('onSend', async (request, reply) => {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    if (isWrite && reply.statusCode < 400) await search.showOwnWrite()
  })
}
