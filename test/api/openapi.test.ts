import { Ajv } from 'ajv'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { AMENITIES } from '../../src/lookups/amenities.ts'
import { STATES } from '../../src/lookups/states.ts'
import { EVENTS } from '../../src/outbox/store.ts'
import { HOUSE, PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked, not modelled
type Json = any
let document: Json
let operations: { name: string; operation: Json }[]
let agent: TestAgent

beforeAll(async () => {
  agent = await exchange.agent()
  document = (await exchange.get('/openapi.json')).body
  operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
})

describe('the description', () => {
  it('is OpenAPI 3.0.3 of version 1.1.0, at the address people use', () => {
    expect(document.openapi).toBe('3.0.3')
    expect(document.info.version).toBe('1.1.0')
    expect(document.servers).toEqual([{ url: `${PUBLIC_URL}/api/v1` }])
  })

  it('is served without key and may be kept for an hour', async () => {
    const answer = await exchange.get('/openapi.json')
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'public, max-age=3600'])
  })

  it('describes the 33 endpoints and nothing of the rest', () => {
    expect(operations).toHaveLength(33)
    expect(Object.keys(document.paths).filter(path => /health|ready|docs|\/api/.test(path))).toEqual([])
  })

  it('names each operation once, says what it does and where it belongs', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(33)
    const tags = document.tags.map((tag: Json) => tag.name)
    for (const { name, operation } of operations) {
      expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z]+$/)
      expect(operation.summary, name).toMatch(/\S/)
      expect(operation.tags, name).toHaveLength(1)
      expect(tags, name).toContain(operation.tags[0])
    }
  })

  it('asks for a bearer key everywhere but for /meta and itself', () => {
    expect(document.security).toEqual([{ key: [] }])
    expect(document.components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' })
    const open = operations.filter(({ operation }) => operation.security?.length === 0)
    expect(open.map(({ name }) => name).sort()).toEqual(['GET /meta', 'GET /openapi.json'])
  })

  it('gives the rate headers of every answer, and the wait of 429 and 503', () => {
    for (const { name, operation } of operations) {
      for (const [status, answer] of Object.entries<Json>(operation.responses)) {
        const headers = Object.keys(answer.headers)
        const rate = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
        expect(headers, `${name} ${status}`).toEqual(expect.arrayContaining(rate))
        expect(headers.includes('Retry-After'), `${name} ${status}`).toBe(
          status === '429' || status === '503',
        )
        expect(answer.description, `${name} ${status}`).toMatch(/\S/)
      }
    }
  })

  it('gives every answer a schema, every refusal that of an error, and 304 none', () => {
    for (const { name, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      expect(statuses, name).toEqual(expect.arrayContaining(['401', '429', '500', '503']))
      if (operation.security === undefined) expect(statuses, name).toContain('403')
      if (operation.requestBody)
        expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415', '422']))
      for (const [status, answer] of Object.entries<Json>(operation.responses)) {
        if (status === '304') {
          expect(answer.content, name).toBeUndefined()
          continue
        }
        const { schema } = answer.content['application/json']
        if (status.startsWith('2')) expect(schema, name).toBeDefined()
        else
          expect(schema.$ref, `${name} ${status}`).toBe(
            `#/components/schemas/${status === '409' ? 'Conflict' : 'Error'}`,
          )
      }
    }
  })

  it('has the shared schemas by name, and every reference leads somewhere', () => {
    const { schemas } = document.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Conflict', 'Error', 'Lead', 'Listing', 'Pagination']),
    )
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(50)
    for (const [, name = ''] of references) expect(schemas[name], name).toBeDefined()
  })

  it('describes every operation, with an example for every parameter, body and answer', () => {
    const samples = new Ajv({ strict: false })
    // Many operations share their parameters, and compiling a schema takes long.
    const known = new Map<string, boolean>()
    const isAsDescribed = (schema: Json, example: Json) => {
      const key = JSON.stringify([schema, example])
      const isRight =
        known.get(key) ??
        samples.validate(toJsonSchema({ ...schema, components: document.components }), example)
      known.set(key, isRight as boolean)
      return isRight
    }
    for (const { name, operation } of operations) {
      expect(operation.description, name).toMatch(/^.{20,}$/s)
      for (const parameter of operation.parameters ?? []) {
        expect(parameter.description, `${name} ${parameter.name}`).toMatch(/\S/)
        expect(parameter.example, `${name} ${parameter.name}`).toBeDefined()
        const isRight = isAsDescribed(parameter.schema, parameter.example)
        expect(isRight, `${name} ${parameter.name}`).toBe(true)
      }
      const bodies = [operation.requestBody, ...Object.values<Json>(operation.responses)]
      for (const { schema, example } of bodies.flatMap(body => Object.values<Json>(body?.content ?? {}))) {
        expect(isAsDescribed(schema, example), `${name} ${JSON.stringify(example)}`).toBe(true)
      }
    }
  })

  it('lists no null in an enum: generators take it for a value of another type', () => {
    const enums = [...JSON.stringify(document).matchAll(/"enum":\[(.*?)\]/g)].map(([, values]) => values)
    expect(enums.length).toBeGreaterThan(20)
    expect(enums.filter(values => /(^|,)null(,|$)/.test(values ?? ''))).toEqual([])
  })

  it('names all states and amenities, and says that input may use other names for them', () => {
    const { State, Amenity, NewListing } = document.components.schemas
    expect([State.enum.length, Amenity.enum.length]).toEqual([STATES.length, AMENITIES.length])
    expect(NewListing.properties.state.anyOf).toEqual([
      { $ref: '#/components/schemas/State' },
      { type: 'string' },
    ])
  })

  it('has a schema for the body of every webhook', () => {
    const named = document.components.schemas.Event.oneOf.map(({ $ref }: Json) => {
      const { event } = document.components.schemas[$ref.split('/').at(-1)].properties
      return event.enum[0]
    })
    expect(named.sort()).toEqual([...EVENTS].sort())
  })

  it('never speaks of what no answer holds', () => {
    // Agents send the commission; no answer returns it. The hash of a digest is of ids and versions.
    const isInput = (name: string) => ['NewListing', 'ListingChanges'].includes(name)
    const isDigest = (name: string) => name === 'GET /digest'
    const answers = JSON.stringify([
      operations.filter(({ name }) => !isDigest(name)).map(({ operation }) => operation.responses),
      Object.entries(document.components.schemas).filter(([name]) => !isInput(name)),
    ])
    expect(answers).not.toMatch(/commission|password|hash|phone_e164/)
    const digest = operations.find(({ name }) => isDigest(name))?.operation.responses
    expect(JSON.stringify(digest)).not.toMatch(/commission|password|[a-z]_?hash|hash_|phone_e164/)
  })
})

/** JSON Schema says null and open ranges in other words than OpenAPI 3.0. Formats and examples only describe. */
function toJsonSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(toJsonSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, exclusiveMinimum, example: _, format: __, ...rest } = schema
  const plain = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, toJsonSchema(value)]))
  if (exclusiveMinimum === true) {
    plain.exclusiveMinimum = plain.minimum
    delete plain.minimum
  }
  if (nullable && plain.enum) plain.enum = [...plain.enum, null]
  return nullable && plain.type ? { ...plain, type: [plain.type, 'null'] } : plain
}

const ROUTES = {
  createListing: { method: 'POST', path: () => '/properties', good: HOUSE },
  updateListing: { method: 'PUT', path: (id: string) => `/properties/${id}`, good: {} },
  addImages: {
    method: 'POST',
    path: (id: string) => `/properties/${id}/images`,
    good: { urls: ['https://fotos.example.com/1.jpg'] },
  },
  putMyListing: { method: 'PUT', path: (id: string) => `/my/properties/${id}`, good: HOUSE },
  orderImages: { method: 'PUT', path: (id: string) => `/properties/${id}/images`, good: { order: [] } },
  createLead: { method: 'POST', path: () => '/leads', good: { name: 'Ana' } },
}

// Text without spaces at its ends, and never empty: those the server takes for shorter text, and for null.
const word = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 1, maxLength })
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1, 3, 2.5, 1_000, 2_000, 1e9, 1e15, {}, [], [null], [1], [{}]),
  fc.constantFrom('MXN', 'USD', 'house', 'monthly', 'Jalisco', '06700', '1,250,000.50', 'ana@example.com'),
  word(12),
  word(300),
  fc.array(word(10), { maxLength: 3 }),
  fc.double({ noNaN: true }),
)

describe.each(Object.keys(ROUTES) as (keyof typeof ROUTES)[])('the body of %s', operationId => {
  const { method, path, good } = ROUTES[operationId]
  const schemaOf = () => {
    const found = operations.find(({ operation }) => operation.operationId === operationId)
    const { $ref } = found?.operation.requestBody.content['application/json'].schema ?? {}
    return document.components.schemas[$ref.replace('#/components/schemas/', '')]
  }

  it('is refused by the server whenever the description refuses it', async () => {
    const schema = schemaOf()
    const { components } = document
    const isDescribed = new Ajv({ strict: false }).compile(toJsonSchema({ ...schema, components }))
    expect(isDescribed(good)).toBe(true)
    const { id } = await exchange.listing(agent)
    const names = Object.keys(schema.properties)
    const bodies = fc
      .dictionary(fc.constantFrom(...names), anyValue, { minKeys: 1, maxKeys: 2 })
      .map(some => ({ ...good, ...some }))
    let refused = 0
    await fc.assert(
      fc.asyncProperty(bodies, async body => {
        const { status } = await exchange.call(method, path(id), { key: agent.key, body })
        if (isDescribed(JSON.parse(JSON.stringify(body)))) {
          expect([200, 201, 409, 422]).toContain(status)
          return
        }
        refused++
        expect(status, JSON.stringify(body)).toBe(422)
      }),
      { numRuns: 100 },
    )
    expect(refused).toBeGreaterThan(20)
  })

  it('may hold null exactly where the description says so', async () => {
    const { properties } = schemaOf()
    const { id } = await exchange.listing(agent, { rent_price: 9_000 })
    for (const [name, schema] of Object.entries<Json>(properties)) {
      const answer = await exchange.call(method, path(id), {
        key: agent.key,
        body: { ...good, [name]: null },
      })
      const errors: string[] = answer.body.errors ?? []
      const isNullable = schema.nullable === true || schema.anyOf?.some((one: Json) => one.nullable) === true
      expect(errors.includes(`${name} cannot be null`), name).toBe(!isNullable)
    }
  })
})
