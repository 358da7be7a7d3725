import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { leadFields } from '../../src/leads/schema.ts'
import { writableFields } from '../../src/listings/fields.ts'
import { imagesFields } from '../../src/listings/schema.ts'
import { searchParameters } from '../../src/search/parameters.ts'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'
import { listen, speak } from '../support/socket.ts'

const exchange = useExchange()
let agent: TestAgent
let listing: { id: string; slug: string }
let port: number

beforeAll(async () => {
  agent = await exchange.agent()
  listing = await exchange.published(agent)
  port = await listen(exchange)
})

const RUNS = { numRuns: 120 }

/** Whatever was asked: an answer, in JSON, with rate headers and never a fault of ours. */
async function expectCalm(request: InjectOptions) {
  const headers = { authorization: `Bearer ${agent.key}`, ...request.headers }
  const answer = await exchange.app.inject({ ...request, headers })
  const said = `${JSON.stringify(request).slice(0, 500)} → ${answer.statusCode} ${answer.body.slice(0, 200)}`
  expect(answer.statusCode, said).toBeLessThan(500)
  expect(answer.headers['x-ratelimit-limit'], said).toBeDefined()
  expect(answer.headers['x-ratelimit-remaining'], said).toBeDefined()
  expect(answer.headers['x-request-id'], said).toBeDefined()
  // Outside the API, where dots may lead too, are pages for people.
  if (!leadsToApi(String(request.url))) return
  expect(answer.headers['content-type'], said).toBe('application/json; charset=utf-8')
  if (request.method === 'HEAD') return
  const body = answer.json()
  if (answer.statusCode < 400) return
  expect(body.error, said).toMatch(/^[a-z_]+$/)
  expect(body.message, said).toMatch(/\S/)
  expect(Array.isArray(body.errors), said).toBe(answer.statusCode === 422)
}

const leadsToApi = (url: string) =>
  !URL.canParse(url, 'http://lonja.example') ||
  new URL(url, 'http://lonja.example').pathname.startsWith('/api')

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\ufeff',
    '\u202e',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '$1',
    '{}',
    '[]',
  ),
  fc.constantFrom(
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e400',
    '0x10',
    '-0',
    '9'.repeat(400),
  ),
  fc.constantFrom(
    "' or 1=1 --",
    '1;select pg_sleep(9)',
    ':*',
    '!',
    '& | !',
    '<->',
    "''",
    '(a',
    'a:*A',
    '\\x00',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', '2026-02-30', '0001-01-01', '9999-12-31T23:59:59Z'),
)
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, -1, 0.1, 1e-300, 1e308, 2 ** 53, 2 ** 63, 999_999_999_999.99, 1e12, 20.5, -103.4),
)
const json = fc.oneof(
  { depthSize: 'small' },
  fc.constant(null),
  fc.boolean(),
  number,
  text,
  fc.array(fc.oneof(text, number, fc.constant(null)), { maxLength: 70 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
)

describe('never a fault, whatever is sent', () => {
  const BODIES: [string, string, () => string, object, object][] = [
    ['create', 'POST', () => '/properties', writableFields, HOUSE],
    ['update', 'PUT', () => `/properties/${listing.id}`, writableFields, {}],
    ['images', 'POST', () => `/properties/${listing.slug}/images`, imagesFields, {}],
    ['lead', 'POST', () => '/leads', leadFields, { name: 'Ana' }],
  ]
  it.each(BODIES)('as the body of %s: any value in any field', async (_what, method, path, fields, good) => {
    const names = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...Object.keys(fields)) },
      { weight: 1, arbitrary: fc.constantFrom('__proto__', 'id', 'status', 'toString', '') },
    )
    const bodies = fc.oneof(
      {
        weight: 9,
        arbitrary: fc.dictionary(names, json, { maxKeys: 4 }).map(some => ({ ...good, ...some })),
      },
      { weight: 1, arbitrary: json },
    )
    await fc.assert(
      fc.asyncProperty(bodies, body =>
        expectCalm({
          method: method as 'POST',
          url: `/api/v1${path()}`,
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify(body) ?? 'null',
        }),
      ),
      RUNS,
    )
  })

  it('as a body of any bytes, under any content type', async () => {
    const types = fc.constantFrom(
      'application/json',
      'application/json; charset=',
      'text/plain',
      ';',
      '/',
      'a/b; c="',
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), types, (bytes, type) =>
        expectCalm({
          method: 'POST',
          url: '/api/v1/leads',
          headers: { 'content-type': type },
          payload: Buffer.from(bytes),
        }),
      ),
      RUNS,
    )
  })

  it('as the parameters of a search', async () => {
    const names = fc.constantFrom(...Object.keys(searchParameters), '__proto__', 'q[]', 'type[0]')
    const values = fc.oneof(
      text,
      number.map(String),
      fc.constantFrom('house', 'relevance', '1', '2', '19.4', '-99.1'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(names, values), { maxLength: 5 }), pairs => {
        const query = new URLSearchParams()
        for (const [name, value] of pairs) query.append(name, value.toWellFormed())
        return expectCalm({ method: 'GET', url: `/api/v1/properties?${query}` })
      }),
      { numRuns: 200 },
    )
  })

  it('as a query that nobody encoded', async () => {
    const bytes = fc.string({ unit: fc.constantFrom(...'%&=+;?/[]abq0F.~!$*'), maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(bytes, query => expectCalm({ method: 'GET', url: `/api/v1/my/properties?${query}` })),
      RUNS,
    )
  })

  it('as the name of a listing', async () => {
    const routes = fc.constantFrom<[string, string]>(
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/publish'],
    )
    await fc.assert(
      fc.asyncProperty(text, routes, (name, [method, more]) => {
        const url = `/api/v1/properties/${encodeURIComponent(name.toWellFormed())}${more}`
        return expectCalm({ method: method as 'GET', url })
      }),
      RUNS,
    )
  })

  it('as method, path and headers', async () => {
    const methods = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'SEARCH',
    )
    const segments = fc.constantFrom(
      'api',
      'v1',
      'v2',
      'me',
      'meta',
      'properties',
      'my',
      'leads',
      'publish',
      'openapi.json',
      '',
      '.',
      '..',
      '%',
      '%zz',
      '%2F',
      '%00',
      '%FF',
      '*',
      ':id',
      '__proto__',
      'a'.repeat(600),
    )
    const paths = fc
      .tuple(fc.constantFrom('/api/v1', '/api', ''), fc.array(segments, { maxLength: 5 }))
      .map(([prefix, parts]) => `${prefix}/${parts.join('/')}`)
    const headers = fc.dictionary(
      fc.constantFrom(
        'authorization',
        'accept',
        'if-match',
        'range',
        'x-forwarded-for',
        'content-encoding',
        'cookie',
      ),
      fc.string({ unit: fc.constantFrom(...' \tBearer*"\',;=/%svc_0'), maxLength: 20 }),
      { maxKeys: 3 },
    )
    await fc.assert(
      fc.asyncProperty(methods, paths, headers, (method, url, sent) =>
        expectCalm({ method: method as 'GET', url, headers: sent }),
      ),
      RUNS,
    )
  })

  it('as bytes on the wire: an answer in JSON with rate headers, and then the line is closed', async () => {
    const pieces = fc.constantFrom(
      'GET',
      'POST',
      'get',
      ' ',
      '  ',
      '/api/v1/meta',
      '*',
      'http://x',
      'HTTP/1.1',
      'HTTP/1.0',
      'HTTP/2.0',
      '\r\n',
      '\n',
      'Host: a',
      'Content-Length: 1',
      'Content-Length: x',
      'Transfer-Encoding: chunked',
      ':',
      '\0',
      '\u00ff',
      'a: b',
      '{',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 12 }), async parts => {
        const bytes = Buffer.from(`${parts.join('')}\r\n!\r\n\r\n`, 'latin1')
        const { status, headers, body, text: said } = await speak(port, bytes)
        expect(status, said).toBeGreaterThanOrEqual(200)
        expect(status, said).toBeLessThan(500)
        expect(headers['x-ratelimit-remaining'], said).toBeDefined()
        if (status >= 400) expect(body.error, said).toMatch(/^[a-z_]+$/)
      }),
      { numRuns: 80 },
    )
  })
})
