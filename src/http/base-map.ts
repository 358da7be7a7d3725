import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../lib/problem.ts'
import { StartupError } from '../lib/startup-error.ts'
import { asset, FOREVER } from './assets.ts'
import { isNotModified } from './etags.ts'

/** What maps draw under their pins. */
export interface BaseMap {
  /** Template of a tile server. */
  tilesUrl?: string | undefined
  /** Where browsers read vector tiles: a path of ours or an https address. */
  streetsUrl?: string | undefined
}

/** For the element that public/base-map.js draws on. */
export const baseMapData = ({ tilesUrl, streetsUrl }: BaseMap) => ({
  'data-base': asset('mexico.json'),
  'data-tiles': tilesUrl,
  'data-streets': streetsUrl,
  'data-streets-script': streetsUrl && asset('protomaps-leaflet.js'),
})

/** The one address outside this server that a page with a map may connect to. */
export const foreignStreets = ({ streetsUrl }: BaseMap): string[] =>
  streetsUrl?.startsWith('https:') ? [streetsUrl] : []

interface Options {
  mapTilesUrl?: string | undefined
  /** The path of a PMTiles file, served by us, or its https address. */
  mapPmtiles?: string | undefined
}

export async function openBaseMap(app: FastifyInstance, options: Options): Promise<BaseMap> {
  const { mapTilesUrl: tilesUrl, mapPmtiles: place } = options
  if (!place || place.startsWith('https:')) return { tilesUrl, streetsUrl: place }
  return { tilesUrl, streetsUrl: await serveStreets(app, place) }
}

/** The header of the format, and usually the root of its index: enough to tell two files apart. */
const HEAD_BYTES = 16_384
const VECTOR_TILES = 1
/** None and gzip: the ones browsers can unpack. */
const COMPRESSIONS = [1, 2]

async function serveStreets(app: FastifyInstance, path: string): Promise<string> {
  const file = await open(path).catch(error => {
    throw new StartupError(`MAP_PMTILES cannot be read (${error.message}).`)
  })
  app.addHook('onClose', () => file.close())
  const { size } = await file.stat()
  const head = await headOf(file)
  if (!isStreets(head))
    throw new StartupError(`MAP_PMTILES must be a PMTiles file, version 3, with vector tiles: ${path}.`)
  const version = createHash('sha256').update(head).update(String(size)).digest('hex').slice(0, 12)
  registerStreets(app, file.fd, size, version)
  return addressOf(version)
}

async function headOf(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file
    .read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    // A folder can be opened, but not read.
    .catch(error => {
      throw new StartupError(`MAP_PMTILES cannot be read (${error.message}).`)
    })
  return buffer.subarray(0, bytesRead)
}

const isStreets = (head: Buffer) =>
  head.toString('latin1', 0, 7) === 'PMTiles' &&
  head[7] === 3 &&
  COMPRESSIONS.includes(head[97] ?? 0) &&
  COMPRESSIONS.includes(head[98] ?? 0) &&
  head[99] === VECTOR_TILES

const addressOf = (version: string) => `/mapa/${version}.pmtiles`

/** Open until the server stops: a file that is replaced meanwhile is not mixed with the old one. */
function registerStreets(app: FastifyInstance, fd: number, size: number, version: string): void {
  app.get<{ Params: { version: string } }>(
    addressOf(':version'),
    { schema: { hide: true } },
    (request, reply) => {
      if (request.params.version !== version) throw new Problem('not_found')
      const etag = `"${version}"`
      const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
      reply.headers({ etag, 'cache-control': FOREVER, 'accept-ranges': 'bytes' })
      if (isNotModified(ifNoneMatch, etag)) return reply.code(304).send()
      const part = ifRange === undefined || ifRange === etag ? rangeOf(range, size) : undefined
      if (part && part.start >= size)
        return reply
          .code(416)
          .headers({ 'content-range': `bytes */${size}`, 'cache-control': 'no-store' })
          .send()
      const { start, end } = part ?? { start: 0, end: size - 1 }
      if (part) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
      return reply
        .type('application/vnd.pmtiles')
        .header('content-length', end - start + 1)
        .send(createReadStream('', { fd, start, end, autoClose: false }))
    },
  )
}

/** One range, as readers of tiles send it; any other header is ignored, as HTTP allows. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  const start = Number(from)
  const end = Math.min(to ? Number(to) : size, size - 1)
  if (from === '' || (to && Number(to) < start)) return undefined
  return { start, end }
}
