import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked, not modelled
type Document = any

/** Headers that are sent only when they apply. */
const isOptional = (header: string, status: number) =>
  ['Link', 'X-Warnings', 'X-Dry-Run', 'Idempotent-Replayed'].includes(header) ||
  (header === 'ETag' && status === 412)

const validators = new WeakMap<object, Map<string, ValidateFunction>>()

/** Fails unless status, headers and body of the response are as our OpenAPI document describes. */
export function expectAsDescribed(
  document: Document,
  method: string,
  url: string,
  response: LightMyRequestResponse,
) {
  expect(response.headers['x-ratelimit-limit'], `${method} ${url} has no rate headers`).toBeDefined()
  expect(response.headers['x-ratelimit-remaining']).toBeDefined()
  expect(response.headers['x-request-id']).toBeDefined()
  expect(response.headers['access-control-allow-origin']).toBeUndefined()
  const operation = operationFor(document, method, url)
  if (!operation || response.statusCode === 405) return
  const described = operation.responses[response.statusCode]
  expect(described, `${method} ${url} answered ${response.statusCode}, which is not described`).toBeDefined()
  for (const name of Object.keys(described.headers ?? {})) {
    if (isOptional(name, response.statusCode)) continue
    expect(
      response.headers[name.toLowerCase()],
      `${method} ${url} ${response.statusCode} lacks ${name}`,
    ).toBeDefined()
  }
  if (method === 'HEAD') return
  if (!described.content) return void expect(response.body).toBe('')
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  const schema = described.content?.['application/json']?.schema
  // With `fields`, others are missing; those present must still be as described.
  const isPart = /[?&]fields=[^&]/.test(url)
  const validate = validatorFor(document, isPart ? withoutRequired(schema) : schema, isPart)
  const isValid = validate(response.json())
  expect(isValid, `${method} ${url} ${response.statusCode}: ${JSON.stringify(validate.errors)}`).toBe(true)
}

function operationFor(document: Document, method: string, url: string) {
  const path =
    url
      .replace(/^https?:\/\/[^/]+/, '')
      .replace(/^\/api\/v1/, '')
      .split('?')[0]
      ?.replace(/\/$/, '') ?? ''
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const template = Object.keys(document.paths)
    .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
    .find(one => new RegExp(`^${one.replace(/\{[^}]+\}/g, '[^/]+').replace('.', '\\.')}$`).test(path))
  return template ? document.paths[template][verb] : undefined
}

function validatorFor(document: Document, schema: object, isPart: boolean): ValidateFunction {
  const known = validators.get(document) ?? new Map<string, ValidateFunction>()
  validators.set(document, known)
  const text = JSON.stringify([schema, isPart])
  const cached = known.get(text)
  if (cached) return cached
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  // Closed: fields that are not described are errors.
  const validate = ajv.compile(
    closed({ ...schema, components: isPart ? withoutRequired(document.components) : document.components }),
  )
  known.set(text, validate)
  return validate
}

// biome-ignore lint/suspicious/noExplicitAny: walks schemas of every shape
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const walked = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  // Null is allowed by `nullable`: an enum does not list it.
  if (walked.nullable && Array.isArray(walked.enum)) walked.enum = [...walked.enum, null]
  const isRecord = walked.type === 'object' && walked.properties && walked.additionalProperties === undefined
  return isRecord ? { ...walked, additionalProperties: false } : walked
}

// biome-ignore lint/suspicious/noExplicitAny: walks schemas of every shape
function withoutRequired(schema: any): any {
  if (Array.isArray(schema)) return schema.map(withoutRequired)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).filter(([name, value]) => name !== 'required' || !Array.isArray(value))
  return Object.fromEntries(parts.map(([name, value]) => [name, withoutRequired(value)]))
}
