import pino from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { newKey } from '../../src/keys/rules.ts'
import { PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'
import { head, listen, type RawAnswer, speak } from '../support/socket.ts'

const exchange = useExchange()
let agent: TestAgent
let port: number

beforeAll(async () => {
  agent = await exchange.agent()
  port = await listen(exchange)
})

const ask = (line: string, ...headers: string[]) => speak(port, head(`${line} HTTP/1.1`, ...headers))

function expectError(answer: RawAnswer, status: number, error: string) {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.body).toMatchObject({ error, message: expect.any(String) })
  expect(answer.headers['x-ratelimit-limit']).toBeDefined()
  expect(answer.headers['x-ratelimit-remaining']).toBeDefined()
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
}

describe('200', () => {
  it('one slash at the end makes no difference', async () => {
    expect((await ask('GET /api/v1/meta/')).status).toBe(200)
    expect((await ask('GET /api/v1/me/', `Authorization: Bearer ${agent.key}`)).status).toBe(200)
  })

  it('a listing is read by its UUID in upper case', async () => {
    const { id } = await exchange.listing(agent)
    const answer = await exchange.get(`/properties/${id.toUpperCase()}`, agent.key)
    expect([answer.status, answer.body.id]).toEqual([200, id])
  })

  it('HEAD is GET without the body', async () => {
    const [full, bare] = [await ask('GET /api/v1/meta'), await ask('HEAD /api/v1/meta')]
    expect([bare.status, bare.text]).toEqual([200, ''])
    expect(bare.headers['content-length']).toBe(full.headers['content-length'])
    expect(bare.headers['content-type']).toBe(full.headers['content-type'])
    expect((await ask('HEAD /api/v1/me')).status).toBe(401)
  })

  it('a target in absolute form is read for its path alone', async () => {
    for (const target of ['http://evil.example/api/v1/meta', 'HTTPS://evil.example:8443/api/v1/meta?x=1']) {
      expect((await ask(`GET ${target}`)).status, target).toBe(200)
    }
    expect((await ask('GET http://evil.example/api')).status).toBe(404)
    expect((await ask(`GET http://evil.example/api/v1/meta?api_key=x`)).status).toBe(401)
  })

  it('the method cannot be overridden by header or parameter', async () => {
    const listing = await exchange.listing(agent)
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const line = `GET /api/v1/properties/${listing.id}?_method=DELETE`
      const answer = await ask(line, `Authorization: Bearer ${agent.key}`, `${name}: DELETE`)
      expect([answer.status, answer.body.status]).toEqual([200, 'draft'])
    }
  })

  it('an old client of HTTP/1.0 needs no Host', async () => {
    expect((await speak(port, 'GET /api/v1/meta HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  it('a wish to upgrade is not granted, and does no harm', async () => {
    const headers = ['Connection: Upgrade', 'Upgrade: websocket']
    const request = ['GET /api/v1/meta HTTP/1.0', 'Host: localhost', ...headers, '', ''].join('\r\n')
    expect((await speak(port, request)).status).toBe(200)
  })
})

describe('404', () => {
  it.each([
    '/nothing',
    '/api',
    '/api/v1',
    '/api/v2/meta',
    '/api/app/v1',
    '/api/app/v1/properties',
    '/api/v1/nothing',
    '/api/v1/keys',
    '/api/v1/webhooks',
    '/api/v1/leads/00000000-0000-4000-8000-000000000000/notes',
    '/API/v1/meta',
    '/api/v1/META',
    '/api/v1/Meta',
    '//api/v1/meta',
    '/api//v1/meta',
    '/api/v1//meta',
    '/api/v1/meta//',
    '/api/v1%2Fmeta',
    '/api%2Fv1%2Fmeta',
    '/api/v1/meta%2F',
    '/api/v1/meta%00',
    '/api/v1/meta/../me',
    '/api/v1/%2e%2e/v1/meta',
    '/api/v1/%zz',
    '/api/v1/%',
    '/api/v1/%c3%28',
    '/api/v1/meta;x=1',
    '/%2Fevil.example/api/v1/meta',
    '/.env',
    '/api/v1/openapi.yaml',
    '/api/v1/openapiXjson',
    `/api/v1/properties/${'a'.repeat(600)}`,
  ])('%s', async path => {
    expectError(await ask(`GET ${path}`), 404, 'not_found')
    expectError(await ask(`GET ${path}`, `Authorization: Bearer ${agent.key}`), 404, 'not_found')
  })

  it.each(['%2F', 'a%2Fb', '%00', 'a%00b', '%20', "'", '%25', '..%2F..', '%F0%9F%8F%A0', 'null', '-', '0'])(
    'a listing called %s, for readers and writers',
    async name => {
      const { key } = agent
      expect((await exchange.get(`/properties/${name}`, key)).status).toBe(404)
      expect((await exchange.put(`/properties/${name}`, key, { bedrooms: 1 })).status).toBe(404)
      expect((await exchange.post(`/properties/${name}/publish`, key)).status).toBe(404)
      expect((await exchange.delete(`/properties/${name}`, key)).status).toBe(404)
    },
  )

  it('no listing at all', async () => {
    expectError(await ask('GET /api/v1/properties//', `Authorization: Bearer ${agent.key}`), 404, 'not_found')
    const line = 'POST /api/v1/properties//publish'
    expectError(await ask(line, `Authorization: Bearer ${agent.key}`), 404, 'not_found')
  })

  it('an unknown path, whatever body is sent to it', async () => {
    const headers = ['Content-Type: application/json', 'Content-Length: 1']
    for (const path of ['/api/v1/nothing', '/nothing']) {
      expectError(await speak(port, head(`POST ${path} HTTP/1.1`, ...headers), '{'), 404, 'not_found')
    }
  })
})

describe('405', () => {
  it.each([
    ['PATCH', '/properties/x', 'DELETE, GET, HEAD, PUT'],
    ['POST', '/properties/x', 'DELETE, GET, HEAD, PUT'],
    ['DELETE', '/properties', 'GET, HEAD, POST'],
    ['PUT', '/properties', 'GET, HEAD, POST'],
    ['GET', '/properties/x/publish', 'POST'],
    ['HEAD', '/properties/x/publish', 'POST'],
    ['GET', '/properties/x/images', 'POST, PUT'],
    ['POST', '/me', 'GET, HEAD'],
    ['POST', '/%6De', 'GET, HEAD'],
    ['POST', '/meta', 'GET, HEAD'],
    ['DELETE', '/leads', 'GET, HEAD, POST'],
    ['GET', '/leads/00000000-0000-4000-8000-000000000000', 'PATCH'],
    ['PUT', '/my/properties', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['TRACE', '/meta', 'GET, HEAD'],
    ['OPTIONS', '/meta', 'GET, HEAD'],
    ['OPTIONS', '/properties', 'GET, HEAD, POST'],
    ['PROPFIND', '/meta', 'GET, HEAD'],
    ['QUERY', '/properties', 'GET, HEAD, POST'],
    ['PATCH', '/meta/', 'GET, HEAD'],
  ])('%s %s lists the methods it takes', async (method, path, allow) => {
    const answer = await ask(`${method} /api/v1${path}`, 'Content-Length: 0')
    expect([answer.status, answer.headers.allow]).toEqual([405, allow])
    if (method !== 'HEAD') expectError(answer, 405, 'method_not_allowed')
  })

  it('a browser’s preflight gets no leave to call', async () => {
    const preflight = ['Origin: https://evil.example', 'Access-Control-Request-Method: GET']
    const { status, headers } = await ask('OPTIONS /api/v1/me', ...preflight)
    expect(status).toBe(405)
    expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
    const plain = await ask('GET /api/v1/meta', 'Origin: https://evil.example')
    expect(Object.keys(plain.headers).filter(name => name.startsWith('access-control'))).toEqual([])
  })

  it('TRACE does not echo what it was sent', async () => {
    const answer = await ask('TRACE /api/v1/meta', 'X-Secret: open sesame')
    expect(answer.text).not.toContain('sesame')
  })

  it('nobody is connected through', async () => {
    expectError(await ask('CONNECT evil.example:443'), 405, 'method_not_allowed')
  })
})

describe('400 and its kin for what is not HTTP, in JSON all the same', () => {
  const meta = 'GET /api/v1/meta HTTP/1.1\r\nHost: a\r\n'
  const post = 'POST /api/v1/leads HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
  it.each([
    ['no HTTP at all', 400, 'hello\r\n\r\n'],
    ['a method nobody knows', 400, 'FETCH /api/v1/meta HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method in lower case', 400, 'get /api/v1/meta HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a version nobody knows', 400, 'GET /api/v1/meta HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['NUL in the URL', 400, 'GET /api/v1/me\0ta HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the URL', 400, 'GET /api/v1/me ta HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no Host', 400, 'GET /api/v1/meta HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 400, `${meta}Host: b\r\nConnection: close\r\n\r\n`],
    ['a header without colon', 400, `${meta}nonsense\r\n\r\n`],
    ['a space before the colon', 400, `${meta}X-A : b\r\n\r\n`],
    ['a folded header', 400, `${meta}X-A: b\r\n c\r\n\r\n`],
    [
      'both a length and chunks',
      400,
      `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', 400, `${post}Content-Length: 3\r\nContent-Length: 4\r\n\r\n{}`],
    ['a negative length', 400, `${post}Content-Length: -1\r\n\r\n{}`],
    ['a length that is no number', 400, `${post}Content-Length: 2x\r\n\r\n{}`],
    [
      'a chunk whose size is no number',
      400,
      `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
    ['an encoding that does not end in chunked', 400, `${post}Transfer-Encoding: gzip\r\n\r\n{}`],
    ['16 kB of headers', 431, `${meta}X-Long: ${'x'.repeat(16_384)}\r\n\r\n`],
    ['an expectation we cannot meet', 417, `${meta}Expect: wonders\r\nConnection: close\r\n\r\n`],
  ])('%s', async (_what, status, bytes) => {
    expectError(await speak(port, bytes), status, 'bad_request')
  })

  it('and the server goes on serving', async () => {
    expect((await ask('GET /api/v1/meta')).status).toBe(200)
  })
})

describe('503', () => {
  it('tells within three seconds that the database is away, and when to come back', async () => {
    const db = openDatabase(openPool('postgres://nobody@127.0.0.1:1/nothing', 1))
    const logger = pino({ level: 'silent' })
    const app = await buildApp({
      loop: { delayMs: 0 },
      db,
      logger,
      publicUrl: PUBLIC_URL,
      rateLimit: 600,
      trustProxy: [],
    })
    await app.ready()
    const start = Date.now()
    const headers = { authorization: `Bearer ${newKey()}` }
    const answer = await app.inject({ url: '/api/v1/properties', headers })
    expect(Date.now() - start).toBeLessThan(3_000)
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toEqual({ error: 'server_error', message: expect.any(String) })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(answer.headers['x-ratelimit-remaining']).toBeDefined()
    // What needs no database works without one.
    expect((await app.inject('/api/v1/meta')).statusCode).toBe(200)
    expect((await app.inject('/health')).statusCode).toBe(200)
    expect((await app.inject('/ready')).statusCode).toBe(503)
    await app.close()
    await db.destroy()
  })
})
