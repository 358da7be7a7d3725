import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { weightedValues } from './headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `once`: the same bytes for everyone, worth more effort. `never`: the response has secrets next to text that
     * others choose, and its compressed length would reveal whether the two match (BREACH).
     */
    compression?: 'once' | 'never'
  }
}

/** A smaller body fits into one packet either way. */
const MIN_BYTES = 1024
const TEXT = /^(text\/|application\/(json|xml|[\w.]+\+xml)\b|image\/svg\+xml)/

type Encoding = 'br' | 'gzip'
type Effort = Record<Encoding, number>
// More effort for each answer saves 3 % of the bytes and doubles the time (docs/performance.md).
const EACH: Effort = { br: 3, gzip: 4 }
const ONCE: Effort = { br: 9, gzip: 9 }

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Runs in Node's thread pool. */
const compress = (body: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> =>
  encoding === 'br'
    ? brotliAsync(body, {
        params: { [BROTLI_PARAM_QUALITY]: effort.br, [BROTLI_PARAM_SIZE_HINT]: body.length },
      })
    : gzipAsync(body, { level: effort.gzip })

/** A buffer that is sent again, such as a file or a cached answer, is compressed once. */
const kept = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

function compressOnce(body: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  const known = kept.get(body) ?? new Map<Encoding, Promise<Buffer>>()
  kept.set(body, known)
  const compressed = known.get(encoding) ?? compress(body, encoding, effort)
  known.set(encoding, compressed)
  return compressed
}

/** What the client prefers; Brotli wins a tie. Undefined: no compression. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  const weights = new Map(weightedValues(accepted ?? '').map(({ value, weight }) => [value, weight]))
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [br, gzip] = [weightOf('br'), weightOf('gzip')]
  if (br <= 0 && gzip <= 0) return undefined
  return br >= gzip ? 'br' : 'gzip'
}

/** Compresses every text. Must run after everything else that changes the response. */
export async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { compression } = request.routeOptions.config
  const isText = TEXT.test(String(reply.getHeader('content-type') ?? ''))
  if (compression === 'never' || !isText || reply.hasHeader('content-encoding')) return payload
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
  reply.header('vary', varying(reply.getHeader('vary')))
  const accepted = request.headers['accept-encoding']
  const encoding = accepted === undefined ? undefined : encodingFor(accepted)
  if (!encoding) return payload
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (body.length < MIN_BYTES) return payload
  const bytes = await compressOnce(body, encoding, compression === 'once' ? ONCE : EACH)
  reply.headers({ 'content-encoding': encoding, 'content-length': bytes.length })
  return bytes
}

/** For documents too large for memory: compressed while they are written. */
export function compressedStream(request: FastifyRequest, reply: FastifyReply, source: Readable): Readable {
  reply.header('vary', varying(reply.getHeader('vary')))
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (!encoding) return source
  reply.header('content-encoding', encoding)
  const compressor =
    encoding === 'br'
      ? createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: EACH.br } })
      : createGzip({ level: EACH.gzip })
  // An error of either destroys both, and with them the connection.
  return pipeline(source, compressor, () => {})
}

function varying(already: unknown): string {
  const names = String(already ?? '')
  if (/accept-encoding/i.test(names)) return names
  return names ? `${names}, accept-encoding` : 'accept-encoding'
}
