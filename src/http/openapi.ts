import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { API_CODES } from '../lib/issue-words.ts'
import { once } from '../lib/once.ts'
import type { ProblemKind } from '../lib/problem.ts'
import { Enum } from '../lib/schemas.ts'
import { MB } from '../lib/sizes.ts'
import { JSON_TYPE } from './answers.ts'
import { BODY_LIMIT } from './body.ts'
import { ERRORS } from './errors.ts'
import { type Document, withExamples } from './openapi-examples.ts'
import { described } from './openapi-routes.ts'
import { WINDOW_MINUTES } from './rate-limit.ts'

export const API_PREFIX = '/api/v1'
const API_VERSION = '1.1.0'

export const IssueDetails = Type.Array(
  Type.Object({
    field: Type.String({ description: 'The field or parameter.' }),
    index: Type.Optional(Type.Integer({ description: 'The entry of a list, from 0.' })),
    code: Enum(API_CODES, { description: 'Compare this, not the message. The list is complete.' }),
    message: Type.String({ description: 'The same message as in `errors`.' }),
  }),
  { description: 'With 422: the problems of `errors`, in the same order, for programs.' },
)

const ErrorBody = Type.Object(
  {
    error: Enum(Object.keys(ERRORS), { description: 'A stable code.' }),
    message: Type.String({ description: 'What to do next, for people.' }),
    errors: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'With 422: one message per problem, starting with the field or parameter. For people; programs should read `details`.',
      }),
    ),
    details: Type.Optional(IssueDetails),
  },
  {
    $id: 'Error',
    examples: [
      {
        error: 'validation',
        message: ERRORS.validation.message,
        errors: ['title is required'],
        details: [{ field: 'title', code: 'required', message: 'title is required' }],
      },
    ],
  },
)

const ConflictBody = Type.Object(
  {
    error: Type.String({ example: 'conflict' }),
    message: Type.String({ example: ERRORS.conflict.message }),
    id: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'The listing that already has this external_id. Absent if a request with the same Idempotency-Key is still running.',
      }),
    ),
    slug: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
  },
  { $id: 'Conflict' },
)

const integerHeader = (description: string) => ({ type: 'integer', description })
const RATE_HEADERS = {
  'X-RateLimit-Limit': integerHeader(`Requests allowed in ${WINDOW_MINUTES} minutes.`),
  'X-RateLimit-Remaining': integerHeader('Requests left now.'),
  'X-RateLimit-Reset': integerHeader('When the oldest counted request leaves the window, in epoch seconds.'),
}
const EVERY_ANSWER = {
  ...RATE_HEADERS,
  'X-Request-Id': {
    type: 'string',
    description:
      'Yours, if you sent one of 1 to 128 letters, digits, `.`, `_` or `-`. Quote it when you report a problem.',
  },
}
const CHALLENGE = { 'WWW-Authenticate': { type: 'string', description: 'Bearer.' } }
const CURRENT = {
  ETag: { type: 'string', description: 'The current version, unless there is no such listing.' },
}
const RETRY_AFTER = { 'Retry-After': integerHeader('Seconds to wait.') }

const errorAnswers = (kinds: ProblemKind[]) =>
  Object.fromEntries(
    kinds.map(kind => {
      const headers = {
        ...EVERY_ANSWER,
        ...(kind === 'rate_limited' ? RETRY_AFTER : {}),
        ...(kind === 'unauthorized' ? CHALLENGE : {}),
        ...(kind === 'precondition_failed' ? CURRENT : {}),
      }
      const $ref = kind === 'conflict' ? 'Conflict#' : 'Error#'
      return [ERRORS[kind].status, { description: ERRORS[kind].message, headers, $ref }]
    }),
  )

// 401 even where no key is needed: a key in the URL is rejected on every path.
const EVERYWHERE: ProblemKind[] = ['unauthorized', 'rate_limited', 'server_error']
const WITH_KEY: ProblemKind[] = ['forbidden', ...EVERYWHERE]
const WITH_BODY: ProblemKind[] = ['bad_request', 'payload_too_large', 'unsupported_media_type', 'validation']

interface Answer {
  schema: TSchema | Record<string, unknown>
  description: string
  status?: number
  headers?: Record<string, unknown>
}

/** The responses of a route: success, the errors every route has, and its own errors. */
export function answers(
  good: Answer,
  kinds: ProblemKind[] = [],
  options: { key?: boolean; body?: boolean } = {},
): Record<string, unknown> {
  const { key = true, body = false } = options
  const all = [...(key ? WITH_KEY : EVERYWHERE), ...(body ? WITH_BODY : []), ...kinds]
  const { schema, description, status = 200, headers = {} } = good
  return {
    [status]: { ...schema, description, headers: { ...EVERY_ANSWER, ...headers } },
    ...errorAnswers(all),
    503: {
      description: 'Not ready: retry after the number of seconds in Retry-After.',
      headers: { ...EVERY_ANSWER, ...RETRY_AFTER },
      $ref: 'Error#',
    },
  }
}

const describe = (rateLimit: number) =>
  `
The multi-listing exchange for licensed real estate agents in Mexico: search everyone's published listings,
manage your own, receive leads.

**Start**: send your key as \`Authorization: Bearer svc_…\` and call \`GET /me\`. Bodies are JSON in UTF-8. Times are
ISO 8601 in UTC with milliseconds. Ignore fields you do not know: new ones are added without notice.

**Limits**: ${rateLimit} requests in ${WINDOW_MINUTES} minutes per key, unless the operator changed it; every response says how many are allowed and left. Bodies up to ${BODY_LIMIT / MB} MB.
You may cache data for at most 12 hours.

**Smaller responses**: \`fields\` names the fields you want, \`If-None-Match\` returns 304 if nothing has changed, and every response
is compressed if you accept gzip or br.

**Errors**: 422 lists every problem at once, as messages in \`errors\` and with codes in \`details\`; in Spanish with
\`lang=es\` or \`Accept-Language: es\`. Parameters and fields that do not exist are ignored, and named in \`warnings\`.

**Retries**: a POST with an \`Idempotency-Key\` can be sent again safely; PUT and DELETE can anyway. \`If-Match\` protects
what others changed.

**Call it from a server**: there is no CORS, and a key in a URL is rejected.`.trim()

export async function registerOpenApi(
  app: FastifyInstance,
  { publicUrl, rateLimit }: { publicUrl: string; rateLimit: number },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Lonja API',
        version: API_VERSION,
        description: describe(rateLimit),
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: `${publicUrl}${API_PREFIX}` }],
      tags: [
        { name: 'Listings', description: 'Search everyone’s published listings; manage your own.' },
        { name: 'Events', description: 'The events your webhooks deliver, readable at any time.' },
        { name: 'Copies', description: 'Keep a copy of what your key may show, and verify it.' },
        { name: 'Leads', description: 'Inquiries you have received.' },
        {
          name: 'Lookups',
          description: 'Your account, the other agents and agencies, and the accepted values.',
        },
      ],
      components: {
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key created in the portal: svc_<8>_<48>.',
          },
        },
      },
      security: [{ key: [] }],
    },
    stripBasePath: true,
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
    transformObject: found => withExamples((found as { openapiObject: Document }).openapiObject),
    transform: ({ schema, url, route }) => ({
      schema: described(schema, route, errorAnswers(['conflict', 'validation'])),
      url: url.startsWith(API_PREFIX) ? url.slice(API_PREFIX.length) : url,
    }),
  })
  app.addSchema(ErrorBody)
  app.addSchema(ConflictBody)
}

export function registerDescription(app: FastifyInstance): void {
  // Built from hundreds of schemas, and the same for everyone.
  const document = once(async () => Buffer.from(JSON.stringify(app.swagger())))
  app.get(
    '/openapi.json',
    {
      config: { etag: true, compression: 'once' },
      schema: {
        operationId: 'getDescription',
        summary: 'This description',
        description: 'OpenAPI 3.0, for code generators and API clients. No key is needed.',
        tags: ['Lookups'],
        security: [],
        response: answers(
          { schema: { type: 'object', additionalProperties: true }, description: 'OpenAPI 3.0.' },
          [],
          { key: false },
        ),
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=3600')
      return reply.type(JSON_TYPE).send(await document())
    },
  )
}
