import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { whenOver } from './connections.ts'

/** Never sent: the connection ended before the whole answer was written. */
const HUNG_UP = 499

type Work = (request: FastifyRequest, reply: FastifyReply, status: number) => void

declare module 'fastify' {
  interface FastifyInstance {
    endings: Work[]
  }
  interface FastifyReply {
    hasEnded: boolean
  }
}

/** Calls `work` once for each request, with its status. */
export function onEnding(app: FastifyInstance, work: Work): void {
  if (!app.hasDecorator('endings')) registerEnding(app)
  app.endings.push(work)
}

/**
 * Fastify's `onResponse` leaves out clients that hang up, and its `onRequestAbort` those who do so after they have sent a
 * body.
 */
function registerEnding(app: FastifyInstance): void {
  app.decorate('endings', [])
  app.decorateReply('hasEnded', false)
  const end = (reply: FastifyReply, status: number) => {
    if (reply.hasEnded) return
    reply.hasEnded = true
    for (const work of app.endings) work(reply.request, reply, status)
  }
  app.addHook('onRequest', (_request, reply, done) => {
    whenOver(reply, () => end(reply, HUNG_UP))
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    end(reply, reply.statusCode)
    done()
  })
}
