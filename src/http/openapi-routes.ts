import type { FastifySchema, RouteOptions } from 'fastify'
import Type from 'typebox'
import { Enum } from '../lib/schemas.ts'

const LANGUAGE = {
  ...Enum(['en', 'es']),
  description:
    'Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English.',
  example: 'es',
}

const IF_NONE_MATCH = {
  type: 'string',
  description: 'The ETag of your copy: 304 without a body if it is up to date.',
  example: '"9c1e04b7d25fa830"',
}

/** Every read with an ETag accepts If-None-Match. */
function withTag(schema: FastifySchema, isTagged: boolean | undefined): FastifySchema {
  if (!isTagged) return schema
  const { headers, response } = schema as {
    headers?: { properties: object }
    response: Record<string, { headers: object }>
  }
  const ETag = { type: 'string', description: 'Changes with the answer; for If-None-Match.' }
  const good = { ...response[200], headers: { ETag, ...response[200]?.headers } }
  const unchanged = { type: 'null', description: 'Your copy is up to date.', headers: good.headers }
  return {
    ...schema,
    headers: { type: 'object', properties: { ...headers?.properties, 'if-none-match': IF_NONE_MATCH } },
    response: { ...response, 200: good, 304: unchanged },
  }
}

const WARNINGS = Type.Array(Type.String(), {
  description:
    'Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them.',
  examples: [['operacion is not a parameter; did you mean operation?']],
})
const WARNED = {
  'X-Warnings': { type: 'integer', description: 'The number of `warnings`, if there are any.' },
}

/** For a record that an answer may consist of. */
export const warnable = <T extends { properties: object }>(record: T) => ({
  ...record,
  properties: { ...record.properties, warnings: WARNINGS },
})

/** Every answer that succeeds names what was ignored. */
function withWarnings(schema: FastifySchema): FastifySchema {
  const response = Object.entries((schema?.response ?? {}) as Record<string, Answered>).map(
    ([status, answer]) => {
      if (!status.startsWith('2')) return [status, answer]
      const headers = { ...answer.headers, ...WARNED }
      const { properties } = answer
      return [status, { ...answer, headers, ...(properties ? warnable({ properties }) : {}) }]
    },
  )
  return { ...schema, ...(schema?.response ? { response: Object.fromEntries(response) } : {}) }
}
type Answered = { headers?: object; properties?: object }

const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[!-~]+$',
  description:
    'Makes a retry safe: for 24 hours the same request with the same key gets the same answer and is not done again. With another request 422; while the first is running 409.',
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
}
const REPLAYED = {
  'Idempotent-Replayed': {
    type: 'string',
    description: '`true` if the answer is that of an earlier request with the same Idempotency-Key.',
  },
}

/** Every POST takes an Idempotency-Key. */
function withIdempotencyKey(schema: FastifySchema, refusals: Record<string, unknown>): FastifySchema {
  const { headers, response } = schema as {
    headers?: { properties: object }
    response: Record<string, { headers: object }>
  }
  const replayed = Object.entries(response)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, answer]) => [status, { ...answer, headers: { ...answer.headers, ...REPLAYED } }])
  return {
    ...schema,
    headers: { type: 'object', properties: { ...headers?.properties, 'idempotency-key': IDEMPOTENCY_KEY } },
    response: { ...refusals, ...response, ...Object.fromEntries(replayed) },
  }
}

/** Every route with validation messages takes `lang`. */
function withLanguage(schema: FastifySchema): FastifySchema {
  if (!(schema?.response as Record<string, unknown> | undefined)?.[422]) return schema
  const query = schema.querystring as { properties?: Record<string, unknown> } | undefined
  const properties = { ...query?.properties, lang: LANGUAGE }
  return { ...schema, querystring: { type: 'object', ...query, properties } }
}

/** The schema of a route with what every route of its kind has. `refusals` are those of an Idempotency-Key. */
export function described(
  schema: FastifySchema,
  { method, config }: RouteOptions,
  refusals: Record<string, unknown>,
): FastifySchema {
  if (!schema || schema.hide) return schema
  const whole = method === 'POST' ? withIdempotencyKey(schema, refusals) : schema
  return withTag(withWarnings(withLanguage(whole)), config?.etag)
}
