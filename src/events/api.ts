import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from '../http/answers.ts'
import { whileConnected } from '../http/guard.ts'
import { answers } from '../http/openapi.ts'
import { NotReady, refuseIfAny } from '../lib/problem.ts'
import { readQuery } from '../lib/query.ts'
import { EVENT_SCHEMAS } from './payloads.ts'
import { LIMIT } from './rules.ts'
import { EventsAnswer, eventsParameters, eventsQuerySchema } from './schema.ts'
import type { Events } from './service.ts'

export function registerEvents(app: FastifyInstance, events: Events | undefined): void {
  for (const schema of EVENT_SCHEMAS) app.addSchema(schema)
  if (events) app.onClosing(() => events.waiting.close())

  app.get(
    '/events',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listEvents',
        summary: 'Read your events',
        description:
          'Your own events, oldest first, as webhooks send them and whether or not you have a webhook. Without a cursor, from the oldest event kept; with a cursor, what came after it.',
        tags: ['Events'],
        querystring: eventsQuerySchema,
        response: answers({ schema: EventsAnswer, description: 'The next events.' }, ['validation', 'gone']),
      },
    },
    async (request, reply) => {
      const { value, issues } = readQuery(eventsParameters, request.query as URLSearchParams)
      refuseIfAny(issues)
      if (!events) throw new NotReady('there is no search')
      const { cursor, limit = LIMIT.default, wait = 0 } = value
      const body = await whileConnected(request, reply, signal =>
        events.list(request.caller.agentId, { cursor, limit, waitMs: wait * 1000, signal }),
      )
      return reply.type(JSON_TYPE).send(body)
    },
  )
}
