import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'
import { head, listen, type RawAnswer, speak } from '../support/socket.ts'

const exchange = useExchange()
let agent: TestAgent
let port: number

beforeAll(async () => {
  agent = await exchange.agent()
  port = await listen(exchange)
})

const ask = (line: string, ...headers: string[]) => speak(port, head(`${line} HTTP/1.1`, ...headers))

/** A POST or PUT with the given body, as JSON unless the headers say otherwise. */
function send(line: string, body: string | Buffer, ...headers: string[]) {
  const all = headers.some(header => /^content-type/i.test(header))
    ? headers
    : ['Content-Type: application/json', ...headers]
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return speak(port, head(`${line} HTTP/1.1`, `Authorization: Bearer ${agent.key}`, length, ...all), body)
}

function expectError(answer: RawAnswer, status: number, error: string) {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.body).toMatchObject({ error, message: expect.any(String) })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['x-ratelimit-limit']).toBeDefined()
  expect(answer.headers['x-ratelimit-remaining']).toBeDefined()
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
}

describe('every answer', () => {
  it.each([
    ['200', '/api/v1/meta'],
    ['401', '/api/v1/me'],
    ['404', '/api/v1/nothing'],
    ['404 outside the API', '/nothing'],
    ['a URL that cannot be decoded', '/api/v1/%zz'],
  ])('has the security headers and no name of software: %s', async (_status, path) => {
    const { headers } = await ask(`GET ${path}`)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
    })
    expect(headers.server).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
  })

  it.each([
    ['an answer', 'GET /api/v1/meta'],
    ['an error', 'GET /api/v1/me'],
    ['a URL that cannot be decoded', 'GET /api/v1/%zz'],
    ['a page', 'GET /'],
    ['a page that does not exist', 'GET /nothing'],
    ['the health of the process', 'GET /health'],
    ['an unknown expectation', 'GET /api/v1/meta', 'Expect: nothing'],
    ['CONNECT', 'CONNECT lonja.example:443'],
  ])('has the request id that the client sent: %s', async (_what, line, ...headers) => {
    const answer = await ask(line, 'X-Request-Id: Mine-1.of_2', ...headers)
    expect(answer.headers['x-request-id']).toBe('Mine-1.of_2')
  })

  it('has a request id of our own for each request that has none of 1 to 128 harmless characters', async () => {
    const longest = 'a'.repeat(128)
    expect((await ask('GET /health', `X-Request-Id: ${longest}`)).headers['x-request-id']).toBe(longest)
    const unusable = [
      [],
      ['X-Request-Id:'],
      [`X-Request-Id: ${longest}a`],
      ['X-Request-Id: two words'],
      ['X-Request-Id: {"level":60}'],
      ['X-Request-Id: ñandú'],
      ['X-Request-Id: one', 'X-Request-Id: two'],
      [`X-Request-Id: ${agent.key}`],
    ]
    const ids = await Promise.all(
      unusable.map(async headers => (await ask('GET /health', ...headers)).headers['x-request-id']),
    )
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    expect(new Set(ids).size).toBe(unusable.length)
  })

  it('is JSON, whatever the client would like', async () => {
    for (const accept of ['text/html', 'application/xml', '*/*;q=0', 'nonsense']) {
      const { status, headers } = await ask('GET /api/v1/meta', `Accept: ${accept}`)
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    }
  })

  it('is not to be stored when it needed a key', async () => {
    const keyed = await ask('GET /api/v1/me', `Authorization: Bearer ${agent.key}`)
    expect(keyed.headers['cache-control']).toBe('private, no-store')
    expect((await ask('GET /api/v1/meta')).headers['cache-control']).toBe('public, max-age=3600')
  })

  it('is never a script: callback is ignored', async () => {
    const answer = await ask('GET /api/v1/meta?callback=alert&jsonp=alert')
    expect(answer.text.startsWith('{')).toBe(true)
    expect(answer.status).toBe(200)
  })
})

describe('400 for a body that is not JSON', () => {
  it.each<[string, string | Buffer]>([
    ['cut short', '{"name": "Ana"'],
    ['empty', ''],
    ['with a trailing comma', '{"name": "Ana",}'],
    ['with single quotes', "{'name': 'Ana'}"],
    ['with NaN', '{"name": NaN}'],
    ['two values', '{"name": "Ana"}{}'],
    ['of invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ['in UTF-16', Buffer.from('{"name": "Ana"}', 'utf16le')],
    ['33 levels deep', '['.repeat(33) + ']'.repeat(33)],
    ['of nothing but brackets', '['.repeat(1_800_000)],
    ['with a form in it', 'name=Ana'],
  ])('%s', async (_what, body) => {
    expectError(await send('POST /api/v1/leads', body), 400, 'bad_request')
  })

  it('but 32 levels are read, and brackets inside text are not levels', async () => {
    const deep = `{"name": "Ana", "x": ${'['.repeat(31)}${']'.repeat(31)}}`
    expect((await send('POST /api/v1/leads', deep)).status).toBe(201)
    const quoted = JSON.stringify({ name: 'Ana', message: `\\"${'[{'.repeat(100)}` })
    expect((await send('POST /api/v1/leads', quoted)).status).toBe(201)
  })
})

describe('what is read of a body', () => {
  const lead = async (body: string | Buffer, ...headers: string[]) => {
    const answer = await send('POST /api/v1/leads', body, ...headers)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }

  it('a byte order mark is not part of it', async () => {
    expect((await lead('\ufeff{"name": "Ana"}')).name).toBe('Ana')
  })

  it('of a repeated key the last counts', async () => {
    expect((await lead('{"name": "Ana", "name": "Eva"}')).name).toBe('Eva')
  })

  it('__proto__ and constructor are names like any unknown one', async () => {
    const body =
      '{"__proto__": {"source": "portal", "id": "x"}, "constructor": {"prototype": {}}, "name": "Ana"}'
    expect(await lead(body)).toMatchObject({ name: 'Ana', source: 'api' })
    expect((await send('POST /api/v1/leads', '{"__proto__": {"name": "Ana"}}')).status).toBe(422)
  })

  it('accents and emoji arrive as sent', async () => {
    expect((await lead('{"name": "Íñigo 🏠"}')).name).toBe('Íñigo 🏠')
  })

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; version=1; charset=UTF-8',
  ])('Content-Type %s is JSON', async type => {
    await lead('{"name": "Ana"}', `Content-Type: ${type}`)
  })
})

describe('415', () => {
  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json5',
    'application/merge-patch+json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'nonsense',
    '',
  ])('Content-Type "%s"', async type => {
    const answer = await send('POST /api/v1/leads', '{"name": "Ana"}', `Content-Type: ${type}`)
    expectError(answer, 415, 'unsupported_media_type')
  })

  it('no Content-Type at all', async () => {
    const request = head(
      'POST /api/v1/leads HTTP/1.1',
      `Authorization: Bearer ${agent.key}`,
      'Content-Length: 2',
    )
    expectError(await speak(port, request, '{}'), 415, 'unsupported_media_type')
  })

  it.each(['gzip', 'br', 'deflate', 'gzip, gzip', 'x-unknown'])('Content-Encoding %s', async encoding => {
    const body = gzipSync('{"name": "Ana"}')
    const answer = await send('POST /api/v1/leads', body, `Content-Encoding: ${encoding}`)
    expectError(answer, 415, 'unsupported_media_type')
  })

  it('but identity is no encoding', async () => {
    for (const name of ['identity', 'Identity']) {
      expect((await send('POST /api/v1/leads', '{"name": "Ana"}', `Content-Encoding: ${name}`)).status).toBe(
        201,
      )
    }
  })
})

describe('413', () => {
  const LIMIT = 2_097_152
  const bodyOf = (bytes: number) => `{"name": "Ana", "x": "${'x'.repeat(bytes - 24)}"}`
  const chunked = (body: string) => {
    const size = 65_536
    const chunks: string[] = []
    for (let at = 0; at < body.length; at += size) {
      const chunk = body.slice(at, at + size)
      chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    }
    return [...chunks, '0\r\n\r\n']
  }
  const sendChunked = (body: string) =>
    speak(
      port,
      head(
        'POST /api/v1/leads HTTP/1.1',
        `Authorization: Bearer ${agent.key}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ),
      ...chunked(body),
    )

  it('accepts 2,097,152 bytes, by length or in chunks', async () => {
    expect(bodyOf(LIMIT)).toHaveLength(LIMIT)
    expect((await send('POST /api/v1/leads', bodyOf(LIMIT))).status).toBe(201)
    expect((await sendChunked(bodyOf(LIMIT))).status).toBe(201)
  })

  it('refuses one byte more, by length or in chunks, and hangs up', async () => {
    for (const answer of [
      await send('POST /api/v1/leads', bodyOf(LIMIT + 1)),
      await sendChunked(bodyOf(LIMIT + 1)),
    ]) {
      expectError(answer, 413, 'payload_too_large')
      expect(answer.headers.connection).toBe('close')
    }
  })

  it('counts bytes, not characters', async () => {
    const body = JSON.stringify({ name: 'Ana', x: 'ñ'.repeat(LIMIT / 2) })
    expectError(await send('POST /api/v1/leads', body), 413, 'payload_too_large')
  })

  it('decides on the announced length before a byte of the body came', async () => {
    const request = head(
      'POST /api/v1/leads HTTP/1.1',
      `Authorization: Bearer ${agent.key}`,
      'Content-Type: application/json',
      `Content-Length: ${LIMIT + 1}`,
    )
    expectError(await speak(port, request), 413, 'payload_too_large')
  })

  it('holds where the body is ignored, too', async () => {
    const listing = await exchange.listing(agent)
    const answer = await send(`POST /api/v1/properties/${listing.id}/publish`, bodyOf(LIMIT + 1))
    expectError(answer, 413, 'payload_too_large')
  })
})

describe('publish, unpublish and DELETE need no body', () => {
  const JSON_TYPE = 'Content-Type: application/json'
  it.each<[string, string[], string]>([
    ['nothing', [], ''],
    ['an empty body said to be JSON', [JSON_TYPE, 'Content-Length: 0'], ''],
    ['a JSON type and no length', [JSON_TYPE], ''],
    ['a body that is not JSON', [JSON_TYPE, 'Content-Length: 1'], '{'],
    ['a body without type', ['Content-Length: 3'], 'abc'],
    ['a form', ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 3'], 'a=b'],
  ])('with %s they work', async (_what, headers, body) => {
    const { id } = await exchange.listing(agent)
    for (const [line, status] of [
      [`POST /api/v1/properties/${id}/publish`, 'published'],
      [`POST /api/v1/properties/${id}/unpublish`, 'draft'],
      [`DELETE /api/v1/properties/${id}`, 'withdrawn'],
    ]) {
      const request = head(`${line} HTTP/1.1`, `Authorization: Bearer ${agent.key}`, ...headers)
      const answer = await speak(port, request, body)
      expect([answer.status, answer.body]).toEqual([200, { ok: true, status }])
    }
  })
})

describe('one connection', () => {
  it('serves many requests, also after an error', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      socket
        .on('data', chunk => (received += chunk))
        .on('error', reject)
        .on('close', () => resolve(received))
      socket.write('GET /api/v1/me HTTP/1.1\r\nHost: a\r\n\r\n')
      socket.write('POST /api/v1/nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello')
      socket.write(head('GET /api/v1/meta HTTP/1.1'))
    })
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  })

  it('creates as usual when the client first asks whether to go on', async () => {
    const answer = await send('POST /api/v1/properties', JSON.stringify(HOUSE), 'Expect: 100-continue')
    expect(answer.status).toBe(201)
  })
})
