import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { closest } from '../lib/edits.ts'
import { wordsIn } from '../lib/i18n.ts'
import { cut } from '../lib/text.ts'
import { languageOf } from './language.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What was ignored, in words. Added to an answer that succeeds. */
    warnings: string[]
  }
}

/** A body of 2 MB can have 100,000 unknown fields. */
const MAX_WARNINGS = 20

/** Those that can be meant, and those that may be there. */
export interface Names {
  meant: Set<string>
  ignored: Set<string>
}

type Properties = { properties?: Record<string, unknown>; $ref?: string }

/** Names the parameters and body fields that a route does not have: they are ignored, but not silently. */
export function registerWarnings(app: FastifyInstance): void {
  app.decorateRequest('warnings')
  const propertiesOf = ({ properties, $ref }: Properties = {}): string[] =>
    Object.keys(properties ?? ($ref ? (propertiesIn(app.getSchema($ref.replace('#', ''))) ?? {}) : {}))
  const known = new WeakMap<FastifySchema, { parameters: Names; fields: Names }>()
  const namesOf = (schema: FastifySchema) => {
    const found = known.get(schema) ?? {
      parameters: {
        meant: new Set([...propertiesOf(schema.querystring as Properties), 'lang']),
        ignored: new Set<string>(),
      },
      fields: {
        meant: new Set(propertiesOf(schema.body as Properties)),
        // A client may send back the record it was given.
        ignored: new Set(answersOf(schema).flatMap(answer => propertiesOf(answer as Properties))),
      },
    }
    known.set(schema, found)
    return found
  }

  app.addHook('onRequest', (request, _reply, done) => {
    request.warnings = []
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const { schema } = request.routeOptions
    if (!schema || request.is404) return done()
    const { parameters, fields } = namesOf(schema)
    warn(request, (request.query as URLSearchParams).keys(), parameters, [
      'no es un parámetro',
      'is not a parameter',
    ])
    if (schema.body) warnOfFields(request, request.body, fields)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    const isOurs =
      isJson && reply.statusCode < 300 && (typeof payload === 'string' || Buffer.isBuffer(payload))
    done(null, isOurs ? warned(request, reply, payload) : payload)
  })
}

/** The answer with what was ignored, added once. */
export function warned<T extends string | Buffer>(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: T,
): T | Buffer {
  const warnings = request.warnings ?? []
  request.warnings = []
  if (warnings.length === 0) return payload
  reply.header('x-warnings', warnings.length)
  const end = Buffer.from(`,"warnings":${JSON.stringify(warnings)}}`)
  return Buffer.concat([Buffer.from(payload).subarray(0, -1), end])
}

/** Names the fields of a part of the body that do not exist. */
export function warnOfFields(request: FastifyRequest, body: unknown, names: Names): void {
  if (isObject(body)) warn(request, Object.keys(body), names, ['no es un campo', 'is not a field'])
}

function warn(
  request: FastifyRequest,
  sent: Iterable<string>,
  { meant, ignored }: Names,
  isNot: [es: string, en: string],
): void {
  const unknown = [...new Set(sent)].filter(name => !meant.has(name) && !ignored.has(name))
  if (unknown.length === 0) return
  const t = wordsIn(languageOf(request))
  const shown = unknown.slice(0, MAX_WARNINGS).map(name => {
    const other = closest(name, meant)
    const hint = other ? t(`; ¿quisiste decir ${other}?`, `; did you mean ${other}?`) : ''
    return `${cut(name)} ${t(...isNot)}${hint}`
  })
  const rest = unknown.length - shown.length
  request.warnings.push(...shown, ...(rest > 0 ? [t(`y ${rest} más`, `and ${rest} more`)] : []))
}

const answersOf = ({ response }: FastifySchema): unknown[] => {
  const { 200: ok, 201: created } = (response ?? {}) as Record<number, unknown>
  return [ok, created]
}

const propertiesIn = (schema: unknown) => (schema as Properties | undefined)?.properties

const isObject = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
