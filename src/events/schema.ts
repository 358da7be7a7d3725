import Type from 'typebox'
import { describe } from '../lib/fields.ts'
import { numberParameter, querySchema } from '../lib/query.ts'
import { Shared } from '../lib/schemas.ts'
import { WAIT_SECONDS_MAX } from '../sync/rules.ts'
import { anyText } from '../sync/schema.ts'
import { LIMIT } from './rules.ts'

export const eventsParameters = {
  cursor: describe(
    anyText,
    'From the previous response. Omit it to start with the oldest event kept.',
    'eyJ4IjoiMTA0MiJ9',
  ),
  limit: describe(
    numberParameter({ min: 1, max: LIMIT.max, decimals: 0 }),
    `Maximum events per response; default ${LIMIT.default}.`,
    LIMIT.default,
  ),
  wait: describe(
    numberParameter({ min: 0, max: WAIT_SECONDS_MAX }),
    'Seconds to wait if there are no events: the response is sent as soon as there is one, or empty after that time. Default 0.',
    30,
  ),
}

export const eventsQuerySchema = querySchema(eventsParameters)

export const EventsAnswer = Type.Object({
  content: Type.Array(Shared('Event')),
  cursor: Type.String({ description: 'For the next GET /events.', example: 'eyJ4IjoiMTA0MiJ9' }),
  more: Type.Boolean({ description: 'There are more events: call again immediately.', example: false }),
})
