import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { makeTiles } from '../../scripts/make-tiles.ts'
import { buildApp } from '../../src/app.ts'
import { openBaseMap } from '../../src/http/base-map.ts'
import { useExchange } from '../support/exchange.ts'
import { visit } from '../support/site.ts'

const folder = mkdtempSync(join(tmpdir(), 'lonja-tiles-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const TILES = makeTiles()
const written = (name: string, bytes: Buffer | string) => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}
const FILE = written('mexico.pmtiles', TILES)
const REMOTE = 'https://tiles.example/mexico.pmtiles'

const exchange = useExchange({ mapPmtiles: FILE })
const streetsIn = (page: string) => /data-streets="([^"]+)"/.exec(page)?.[1] ?? ''

describe('a file of streets', () => {
  const read = async (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') => {
    const { html } = await visit(exchange, '/propiedades')
    return exchange.app.inject({ method, url: streetsIn(html), headers })
  }

  it('is named on the page, and its pages connect to nobody else', async () => {
    const { html, headers } = await visit(exchange, '/propiedades')
    expect(streetsIn(html)).toMatch(/^\/mapa\/[0-9a-f]{12}\.pmtiles$/)
    expect(html).not.toContain('src="/assets/protomaps')
    expect(headers['content-security-policy']).toContain("connect-src 'self';")
    expect(headers['content-security-policy']).not.toMatch(/unsafe|blob|wasm/)
  })

  it('is read in ranges that caches may keep for ever', async () => {
    const { statusCode, headers, rawPayload } = await read({ range: 'bytes=0-126' })
    expect(statusCode).toBe(206)
    expect(headers).toMatchObject({
      'content-range': `bytes 0-126/${TILES.length}`,
      'content-length': '127',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(rawPayload).toEqual(TILES.subarray(0, 127))
    const rest = await read({ range: `bytes=${TILES.length - 10}-99999999999` })
    expect(rest.rawPayload).toEqual(TILES.subarray(-10))
    const same = await read({ range: 'bytes=5-9', 'if-range': String(headers.etag) })
    expect(same.rawPayload).toEqual(TILES.subarray(5, 10))
    expect((await read({ 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
  })

  it('is answered whole without a range, with one of another version, and with one that makes no sense', async () => {
    for (const headers of [
      {},
      { range: 'bytes=0-4', 'if-range': '"another"' },
      { range: 'bytes=9-4' },
      { range: 'tiles=1' },
    ]) {
      const { statusCode, rawPayload } = await read(headers as Record<string, string>)
      expect([statusCode, rawPayload.length]).toEqual([200, TILES.length])
    }
    expect((await read({}, 'HEAD')).headers['content-length']).toBe(String(TILES.length))
  })

  it('has nothing behind its end, and no other version', async () => {
    const beyond = await read({ range: `bytes=${TILES.length}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${TILES.length}`])
    expect((await exchange.app.inject('/mapa/000000000000.pmtiles')).statusCode).toBe(404)
  })
})

it('a page with streets of another server may connect to exactly that address', async () => {
  const app = await buildApp({
    db: exchange.db,
    search: exchange.search,
    mapPmtiles: REMOTE,
    loop: { delayMs: 0 },
    publicUrl: 'https://lonja.example',
    rateLimit: 9,
    trustProxy: [],
    logger: pino({ level: 'silent' }),
  })
  const { body, headers } = await app.inject('/propiedades')
  await app.close()
  expect(streetsIn(body)).toBe(REMOTE)
  expect(headers['content-security-policy']).toContain(`connect-src 'self' ${REMOTE};`)
})

describe('the server does not start', () => {
  const raster = Buffer.from(TILES)
  raster[99] = 2
  const zstd = Buffer.from(TILES)
  zstd[98] = 4
  it.each([
    ['without the file', join(folder, 'missing.pmtiles')],
    ['with a folder', folder],
    ['with another kind of file', written('text.pmtiles', 'PMTiles? No.')],
    ['with an empty file', written('empty.pmtiles', '')],
    ['with pictures instead of vector tiles', written('raster.pmtiles', raster)],
    ['with a compression that browsers lack', written('zstd.pmtiles', zstd)],
  ])('%s', async (_name, mapPmtiles) => {
    const app = Fastify()
    await expect(openBaseMap(app, { mapPmtiles })).rejects.toThrow(/^MAP_PMTILES /)
    await app.close()
  })
})
