import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { answers } from '../http/openapi.ts'
import { NotReady, refuseIfAny } from '../lib/problem.ts'
import { Shared } from '../lib/schemas.ts'
import { readCriteria, searchQuerySchema } from './parameters.ts'
import type { Search } from './service.ts'

const Pagination = Type.Object(
  { page: Type.Integer(), pages: Type.Integer(), total: Type.Integer(), limit: Type.Integer() },
  { $id: 'Pagination' },
)

interface SearchDeps {
  search: Search | undefined
  publicUrl: string
}

export function registerSearch(app: FastifyInstance, { search, publicUrl }: SearchDeps): void {
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
            headers: {
              Link: {
                type: 'string',
                description:
                  'While more follow, `<address>; rel="next"`: the page after this one. Unlike a page number it misses nothing when listings vanish while you read.',
              },
            },
          },
          ['validation'],
        ),
      },
    },
    async (request, reply) => {
      const { value: criteria, issues } = readCriteria(request.query as URLSearchParams)
      refuseIfAny(issues)
      if (!search) throw new NotReady('there is no search')
      const { body, cursor } = await search.page(criteria, request.caller.agentId)
      if (cursor) reply.header('link', `<${publicUrl}${nextOf(request.url, cursor)}>; rel="next"`)
      return reply.type('application/json; charset=utf-8').send(body)
    },
  )
}

/** The same search, going on at the cursor. */
function nextOf(url: string, cursor: string): string {
  const [path = '', query] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  parameters.set('cursor', cursor)
  return `${path}?${parameters}`
}

/** Whoever writes finds it in the next search: the answer waits until the change has come round. */
export function registerOwnWrites(app: FastifyInstance, search: Search): void {
  app.addHook('onSend', async (request, reply) => {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    if (isWrite && reply.statusCode < 400) await search.showOwnWrite()
  })
}
