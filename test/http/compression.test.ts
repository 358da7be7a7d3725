import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { asset } from '../../src/http/assets.ts'
import { encodingFor } from '../../src/http/compression.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { signedInAgent } from '../support/visitor.ts'

const exchange = useExchange()
let agent: TestAgent

beforeAll(async () => {
  agent = await exchange.agent()
  for (const name of ['uno', 'dos', 'tres']) await exchange.published(agent, { title: `Casa ${name}` })
})

const ask = (url: string, accepted?: string, method: 'GET' | 'HEAD' = 'GET') =>
  exchange.app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${agent.key}`,
      ...(accepted === undefined ? {} : { 'accept-encoding': accepted }),
    },
  })

const OPEN = { br: brotliDecompressSync, gzip: gunzipSync }

/** The decompressed body. */
async function opened(url: string, encoding: 'br' | 'gzip') {
  const { headers, rawPayload } = await ask(url, encoding)
  expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
  expect(headers['content-length']).toBe(String(rawPayload.length))
  return { text: OPEN[encoding](rawPayload).toString(), bytes: rawPayload.length, headers }
}

describe('every text is compressed as the client accepts, and decompresses to the same text', () => {
  it.each([
    ['a search', '/api/v1/properties'],
    ['a list', '/api/v1/my/properties'],
    ['the accepted values', '/api/v1/meta'],
    ['the API description', '/api/v1/openapi.json'],
    ['styles', asset('styles.css')],
    ['a script', asset('htmx.js')],
    ['a drawing', asset('street.svg')],
    ['data of a page', asset('mexico.json')],
    ['the widget’s script', '/widget.js'],
    ['the reference’s script', '/docs/scalar.js'],
    ['a sitemap', '/sitemaps/propiedades-1.xml'],
    ['a feed', '/mx/jalisco/guadalajara/rss.xml'],
  ])('%s', async (_what, url) => {
    const plain = await ask(url)
    expect(plain.statusCode).toBe(200)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toBe('accept-encoding')
    for (const encoding of ['br', 'gzip'] as const) {
      const { text, bytes, headers } = await opened(url, encoding)
      expect(text).toBe(plain.body)
      expect(bytes).toBeLessThan(plain.rawPayload.length)
      expect(headers['content-type']).toBe(plain.headers['content-type'])
    }
  })

  it('a page of the site', async () => {
    for (const encoding of ['br', 'gzip'] as const) {
      expect((await opened('/propiedades', encoding)).text).toContain('Casa uno')
    }
  })

  it('changes', async () => {
    const { content } = JSON.parse((await opened('/api/v1/changes', 'br')).text)
    expect(content).toHaveLength(3)
  })

  it('a changed body is not served from the compressed copy of the old one', async () => {
    const first = await opened('/api/v1/properties', 'br')
    expect((await opened('/api/v1/properties', 'br')).text).toBe(first.text)
    await exchange.published(agent, { title: 'Casa cuatro' })
    expect((await opened('/api/v1/properties', 'br')).text).toContain('Casa cuatro')
  })
})

describe('not compressed', () => {
  it('a body that fits into one packet', async () => {
    const { headers, body } = await ask('/health', 'br, gzip')
    expect([headers['content-encoding'], body]).toEqual([undefined, '{"ok":true}'])
    const refused = await ask('/api/v1/properties?type=castle', 'br')
    expect([refused.statusCode, refused.headers['content-encoding']]).toEqual([422, undefined])
  })

  it('a response without a body', async () => {
    const { headers } = await ask('/api/v1/properties')
    const unchanged = await exchange.app.inject({
      url: '/api/v1/properties',
      headers: {
        authorization: `Bearer ${agent.key}`,
        'accept-encoding': 'br',
        'if-none-match': String(headers.etag),
      },
    })
    expect([unchanged.statusCode, unchanged.body]).toEqual([304, ''])
    expect(unchanged.headers['content-encoding']).toBeUndefined()
    expect(unchanged.headers['content-length']).toBeUndefined()
  })

  it('portal screens, where form tokens and personal data meet text from links', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.request('GET', '/portal/leads?q=token', { headers: { 'accept-encoding': 'br, gzip' } })
    expect([visitor.status, visitor.headers['content-encoding']]).toEqual([200, undefined])
    expect(visitor.html.length).toBeGreaterThan(5_000)
  })
})

describe('HEAD', () => {
  it('has the headers of the compressed GET and no body', async () => {
    const { headers } = await ask('/api/v1/meta', 'gzip')
    const head = await ask('/api/v1/meta', 'gzip', 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary', 'etag']) {
      expect(head.headers[name], name).toBe(headers[name])
    }
  })
})

describe('the encoding a client accepts', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;Q=1.0', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=nonsense', undefined],
    [';;;,,,q=1', undefined],
  ])('%j gets %s', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding)
  })
})
