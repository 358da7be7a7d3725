import { hash } from 'node:crypto'
import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Responses have an ETag: clients that already have that version get 304. */
    etag?: boolean
  }
}

/** The tags of an If-Match or If-None-Match header, unparsed; undefined for `*`, which matches any. */
function tagsIn(header: string): string[] | undefined {
  if (header.trim() === '*') return undefined
  return [...header.matchAll(/(?:W\/)?"[^"]*"|[^\s,"]+/g)].map(([tag]) => tag)
}

/**
 * The versions the client accepts to change; a weak tag never matches, and a tag without quotes is read as if it had
 * them. Undefined: any version.
 */
export function expectedTags(ifMatch: string): string[] | undefined {
  return tagsIn(ifMatch)
    ?.filter(tag => !tag.startsWith('W/'))
    .map(tag => tag.replaceAll('"', ''))
}

/** Whether the client already has this version; for reading, weak and strong tags are the same. */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const bare = (tag: string) => tag.replace(/^W\//, '')
  return tagsIn(ifNoneMatch)?.some(tag => bare(tag) === bare(etag)) ?? true
}

/** A buffer that is sent again is hashed once. */
const known = new WeakMap<Buffer, string>()

/** Weak, because compressed and plain responses share it. */
function tagOf(payload: string | Buffer): string {
  const found = typeof payload === 'string' ? undefined : known.get(payload)
  const tag = found ?? `W/"${hash('sha1', payload, 'base64url').slice(0, 22)}"`
  if (typeof payload !== 'string') known.set(payload, tag)
  return tag
}

/** Tags the response by its content, unless it already has a tag. */
export function tagged(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
): void {
  done(null, taggedPayload(request, reply, payload))
}

function taggedPayload(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (!request.routeOptions.config.etag || reply.statusCode !== 200) return payload
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
  const etag = String(reply.getHeader('etag') ?? tagOf(payload))
  reply.header('etag', etag)
  if (!isNotModified(request.headers['if-none-match'], etag)) return payload
  reply.code(304).removeHeader('content-type')
  // Fastify's HEAD handling runs next and fails on null.
  return request.method === 'HEAD' ? '' : null
}
