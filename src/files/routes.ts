import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isNotModified } from '../http/etags.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { Problem } from '../lib/problem.ts'
import { shareJpeg } from './images.ts'
import type { Storage } from './storage.ts'

export const mediaPath = (name: string): string => `/media/${name}`

/** A suspension must take effect on photos in other people's caches too; other pictures are never hidden. */
const PHOTO_CACHE = 'public, max-age=3600'
const CACHE = 'public, max-age=31536000, immutable'
/** Until the AVIF is drawn. */
const STAND_IN_CACHE = 'public, max-age=300'
const TYPES: Record<string, string> = { '.webp': 'image/webp', '.avif': 'image/avif' }

/** About 100 KB each. Apps that show a shared link all ask for it at the same time. */
const previews = new BoundedMap<string, Buffer>({ entries: 50 })

async function previewOf(name: string, content: Readable): Promise<Buffer> {
  const known = previews.get(name)
  if (known) {
    content.destroy()
    return known
  }
  const preview = await shareJpeg(await buffer(content))
  previews.set(name, preview)
  return preview
}

/** The public pictures. Their names are random and their content never changes. */
export function registerMedia(app: FastifyInstance, { db, files }: { db: Db; files: Storage }): void {
  app.get<{ Params: { name: string } }>(
    mediaPath(':name'),
    { schema: { hide: true } },
    async (request, reply) => {
      const sent = request.params.name
      const isPreview = sent.endsWith('.jpg')
      // First, so that names that strangers make up cost no read of the database.
      const found = await findFile(files, sent, request.headers['if-none-match'])
      if (!found) throw new Problem('not_found')
      const { name, etag, file } = found
      const { isPhoto, isSuspended } = await listingUses(db, webpOf(sent)).catch(error => {
        file?.content.destroy()
        throw error
      })
      if (isSuspended) {
        file?.content.destroy()
        throw new Problem('not_found')
      }
      const isStandIn = !isPreview && name !== sent
      reply.headers({ 'cache-control': isStandIn ? STAND_IN_CACHE : isPhoto ? PHOTO_CACHE : CACHE, etag })
      if (!file) return reply.code(304).send()
      if (isPreview) return reply.type('image/jpeg').send(await previewOf(name, file.content))
      return reply
        .type(TYPES[extname(name)] ?? 'application/octet-stream')
        .header('content-length', file.bytes)
        .send(file.content)
    },
  )
}

const webpOf = (name: string) => name.replace(/\.(jpg|avif)$/, '.webp')

/**
 * The file that answers: previews are made of the WebP, which also stands in for an AVIF that is not drawn yet. Without
 * `file`, the client has it.
 */
async function findFile(files: Storage, sent: string, known: string | undefined) {
  const webp = webpOf(sent)
  const names = sent.endsWith('.avif') ? [sent, webp.replace('-medium.', '-full.')] : [webp]
  for (const name of names) {
    const etag = `"${sent.endsWith('.jpg') ? sent : name}"`
    const isKnown = isNotModified(known, etag)
    const file = isKnown ? undefined : await files.stream('media', name)
    if (file || (isKnown && (await files.exists('media', name)))) return { name, etag, file }
  }
  return undefined
}

/** Whether it is a photo of a listing, and whether every such listing is suspended. One read of an index. */
async function listingUses(db: Db, name: string) {
  const { rows } = await sql<{ isPhoto: boolean; isSuspended: boolean }>`
    select count(*) > 0 as "isPhoto", coalesce(bool_and(l.status = 'suspended'), false) as "isSuspended"
    from upload_uses u join listings l on l.id = u.listing_id
    where u.listing_id is not null and u.id = upload_id(${name})`.execute(db)
  return rows[0] as { isPhoto: boolean; isSuspended: boolean }
}
