import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { compressedStream } from '../../http/compression.ts'
import { isNotModified } from '../../http/etags.ts'
import type { OpenLimit } from '../../http/rate-limit.ts'
import { Problem } from '../../lib/problem.ts'
import { fairTurns } from '../../lib/turns.ts'
import { contentOf, PAGES_AHEAD } from '../content.ts'
import { MAX_READS, readerOf } from '../rules.ts'
import { findByFile, updateRead } from '../service.ts'

/** A turn is one page of listings, so that a long feed or a slow reader delays nobody. */
const TURNS = {
  running: 2,
  runningPerKey: 2,
  waiting: 1_000,
  waitingPerKey: MAX_READS * (PAGES_AHEAD + 1),
}

/** The address alone grants access: portals send no credentials. */
export function registerFeedFiles(
  app: FastifyInstance,
  { db, publicUrl, openLimit }: { db: Db; publicUrl: string; openLimit: OpenLimit },
): void {
  const reads = openLimit('feeds', MAX_READS)
  const turns = fairTurns(TURNS)

  app.get<{ Params: { file: string } }>('/feeds/:file', async (request, reply) => {
    const feed = await findByFile(db, request.params.file)
    if (!feed) throw new Problem('not_found')
    const { allowed, retryAfter } = await reads.take(feed.id)
    if (!allowed) throw new Problem('rate_limited', { retryAfter })
    const { format, etag, pieces } = await contentOf(db, publicUrl, feed)
    await updateRead(db, feed.id, readerOf(request.headers['user-agent'], request.ip))
    reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
    if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(format.type).header('content-disposition', `inline; filename="lonja.${format.extension}"`)
    if (request.method === 'HEAD') return reply.send('')
    return reply.send(compressedStream(request, reply, Readable.from(pieces(turns))))
  })
}
