import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { Problem } from '../../lib/problem.ts'
import { findFeed } from './calendar.ts'

/** The address alone grants access: calendar clients send no credentials. */
export function registerCalendarFeed(
  app: FastifyInstance,
  deps: { db: Db; publicUrl: string; now: () => Date },
): void {
  app.get<{ Params: { file: string } }>('/calendario/:file', async (request, reply) => {
    const [, key = ''] = /^(.+)\.ics$/.exec(request.params.file) ?? []
    const feed = await findFeed(deps, key, deps.now())
    if (feed === undefined) throw new Problem('not_found')
    return reply
      .type('text/calendar; charset=utf-8')
      .headers({
        'cache-control': 'private, no-store',
        'content-disposition': 'inline; filename="lonja.ics"',
        'x-robots-tag': 'noindex',
      })
      .send(feed)
  })
}
