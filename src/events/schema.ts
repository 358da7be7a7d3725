import Type from 'typebox'
import { describe } from '../lib/fields.ts'
import { numberParameter, querySchema } from '../lib/query.ts'
import { Enum, Timestamp } from '../lib/schemas.ts'
import { EVENTS } from '../outbox/store.ts'
import { WAIT_SECONDS_MAX } from '../sync/rules.ts'
import { anyText } from '../sync/schema.ts'
import { DELIVERY_STATUSES } from '../webhooks/rules.ts'
import { LIMIT } from './rules.ts'

export const eventsParameters = {
  cursor: describe(anyText, 'From the previous response. Omit it to start with the oldest event kept.'),
  limit: describe(
    numberParameter({ min: 1, max: LIMIT.max, decimals: 0 }),
    `Maximum events per response; default ${LIMIT.default}.`,
  ),
  wait: describe(
    numberParameter({ min: 0, max: WAIT_SECONDS_MAX }),
    'Seconds to wait if there are no events: the response is sent as soon as there is one, or empty after that time. Default 0.',
  ),
}

export const eventsQuerySchema = querySchema(eventsParameters)

const Event = Type.Object({
  event: Enum(EVENTS),
  created_at: Timestamp,
  data: Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    description: 'Byte for byte the data that webhooks send.',
  }),
  delivery: Type.Optional(
    Type.Object(
      { status: Enum(DELIVERY_STATUSES), at: Timestamp },
      {
        description:
          'The last attempt to deliver it, if there was one; of several webhooks, one whose last attempt failed.',
      },
    ),
  ),
})

export const EventsAnswer = Type.Object({
  content: Type.Array(Event),
  cursor: Type.String({ description: 'For the next GET /events.' }),
  more: Type.Boolean({ description: 'There are more events: call again immediately.' }),
})
