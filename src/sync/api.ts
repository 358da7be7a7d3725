import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from '../http/answers.ts'
import { whileConnected } from '../http/guard.ts'
import { answers } from '../http/openapi.ts'
import { NotReady, refuseIfAny } from '../lib/problem.ts'
import { readQuery } from '../lib/query.ts'
import { readFilters } from '../search/parameters.ts'
import { LIMIT } from './rules.ts'
import {
  ChangesAnswer,
  changesParameters,
  changesQuerySchema,
  DigestAnswer,
  digestParameters,
  digestQuerySchema,
} from './schema.ts'
import type { Sync } from './service.ts'

const tags = ['Copies']

export function registerSync(app: FastifyInstance, sync: Sync | undefined): void {
  if (sync) app.onClosing(() => sync.waiting.close())

  app.get(
    '/changes',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listChanges',
        summary: 'Changes to apply to your copy',
        description:
          'Without a cursor, everything; with a cursor, what has changed since: each listing once, in its current state. Apply all pages in order and your copy is exactly what your key may show. Repeating a request with an old cursor is always safe.',
        tags,
        querystring: changesQuerySchema,
        response: answers({ schema: ChangesAnswer, description: 'The next changes.' }, [
          'validation',
          'gone',
        ]),
      },
    },
    async (request, reply) => {
      const query = request.query as URLSearchParams
      const { value, issues } = readQuery(changesParameters, query)
      const filters = readFilters(query)
      refuseIfAny([...issues, ...filters.issues])
      const { scope = 'all', cursor, limit = LIMIT.default, wait = 0, fields } = value
      const question = { viewer: request.caller.agentId, scope, filters: filters.value, fields }
      const body = await whileConnected(request, reply, signal =>
        ready(sync).changes(question, { cursor, limit, waitMs: wait * 1000, signal }),
      )
      return reply.type(JSON_TYPE).send(body)
    },
  )

  app.get(
    '/digest',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getDigest',
        summary: 'Verify your copy',
        description:
          'If count and hash match, your copy is correct as of the cursor. Otherwise compare the buckets, then the ids in those that differ, and fetch the listings with GET /properties?ids=.',
        tags,
        querystring: digestQuerySchema,
        response: answers(
          { schema: DigestAnswer, description: 'The digest of everything your key may show.' },
          ['validation'],
        ),
      },
    },
    async request => {
      const query = request.query as URLSearchParams
      const { value, issues } = readQuery(digestParameters, query)
      const filters = readFilters(query)
      refuseIfAny([...issues, ...filters.issues])
      const { scope = 'all', prefix, fields } = value
      const question = { viewer: request.caller.agentId, scope, filters: filters.value, fields }
      return prefix === undefined
        ? ready(sync).digest(question)
        : ready(sync).digestOfPrefix(question, prefix)
    },
  )
}

function ready(sync: Sync | undefined): Sync {
  if (!sync) throw new NotReady('there is no search')
  return sync
}
