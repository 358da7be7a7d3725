import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { JSON_TYPE } from '../http/answers.ts'
import { NEXT_LINK, nextLink } from '../http/links.ts'
import { answers } from '../http/openapi.ts'
import { NotReady, refuseIfAny } from '../lib/problem.ts'
import { readQuery } from '../lib/query.ts'
import { Nullable, Shared } from '../lib/schemas.ts'
import { type Asked, answerAsk, readAsk } from './ask.ts'
import { readSearch, searchParameters, searchQuerySchema } from './parameters.ts'
import type { Search } from './service.ts'

const Pagination = Type.Object(
  { page: Type.Integer(), pages: Type.Integer(), total: Type.Integer(), limit: Type.Integer() },
  { $id: 'Pagination', example: { page: 1, pages: 18, total: 412, limit: 24 } },
)

const UnderstoodAnswer = Type.Object(
  {
    parameters: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'The filters the question was turned into, by parameter name.',
    }),
    pieces: Type.Array(Type.Object({ text: Type.String(), parameter: Type.String(), value: Type.String() }), {
      description: 'Which words of the question became which filter.',
    }),
    text: Type.String({ description: 'What was not understood, searched for as text.' }),
    corrections: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
      description: 'Words found in no listing, and what was searched for instead.',
    }),
    left_out: Nullable(
      Type.String({
        description: 'Text dropped because no listing matches it together with the filters.',
      }),
    ),
  },
  { $id: 'Understood' },
)

interface SearchDeps {
  search: Search | undefined
  publicUrl: string
}

export function registerSearch(app: FastifyInstance, { search, publicUrl }: SearchDeps): void {
  app.addSchema(Pagination)
  app.addSchema(UnderstoodAnswer)
  app.get(
    '/properties',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'searchListings',
        summary: 'Search listings',
        description:
          'Published listings of verified agents, plus your own in any status. All filters must match; an invalid one is rejected, never ignored. To keep a copy, use `GET /changes`, or ask with `updated_since` and `sort=updated` from a few seconds before your latest `updated_at`.',
        tags: ['Listings'],
        querystring: searchQuerySchema,
        response: answers(
          {
            schema: Type.Object({
              understood: Type.Optional(Shared('Understood')),
              pagination: Shared('Pagination'),
              content: Type.Array(Shared('Listing')),
            }),
            description: 'A page of listings and the exact total.',
            headers: NEXT_LINK,
          },
          ['validation'],
        ),
      },
    },
    async (request, reply) => {
      const query = request.query as URLSearchParams
      const viewer = request.caller.agentId
      const { ask } = readQuery({ ask: searchParameters.ask }, query).value
      if (!search) throw new NotReady('there is no search')
      const answer = ask
        ? await answerQuestion(search, readAsk(query, await search.understand(ask)), viewer)
        : await answerSearch(search, query, viewer)
      const { body, cursor, next } = answer
      if (cursor) reply.header('link', nextLink(publicUrl, request.url, next, cursor))
      return reply.type(JSON_TYPE).send(body)
    },
  )
}

async function answerSearch(search: Search, query: URLSearchParams, viewer: string) {
  const { value, issues, fields } = readSearch(query)
  refuseIfAny(issues)
  return { ...(await search.page(value, viewer, fields)), next: query }
}

/** The next page repeats the search by its parameters: the meaning of a question may change with the market. */
async function answerQuestion(search: Search, asked: Asked, viewer: string) {
  refuseIfAny(asked.issues)
  const { body, cursor, leftOut } = await answerAsk(search, asked, viewer)
  const { parameters, pieces, text, corrections } = asked.understood
  const understood = {
    parameters: Object.fromEntries(
      [...new Set(parameters.keys())].map(name => [name, parameters.getAll(name)]),
    ),
    pieces,
    text,
    corrections,
    left_out: leftOut ?? null,
  }
  const next = new URLSearchParams(asked.query)
  if (leftOut !== undefined) next.delete('q')
  const start = Buffer.from(`{"understood":${JSON.stringify(understood)},`)
  return { body: Buffer.concat([start, body.subarray(1)]), cursor, next }
}

/** Read-your-writes: the response waits until the index contains the change. */
export function registerOwnWrites(app: FastifyInstance, search: Search): void {
  app.addHook('onSend', async (request, reply) => {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    if (isWrite && reply.statusCode < 400) await search.showOwnWrite()
  })
}
