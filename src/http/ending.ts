import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { whenOver } from './connections.ts'

/** Never sent: the connection ended before the whole answer was written. */
const HUNG_UP = 499

/**
 * Calls `work` once for each request, with its status. Fastify's `onResponse` leaves out clients that hang up, and its
 * `onRequestAbort` those who do so after they have sent a body.
 */
export function onEnding(
  app: FastifyInstance,
  work: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  const ended = new WeakSet<FastifyReply>()
  const end = (reply: FastifyReply, status: number) => {
    if (ended.has(reply)) return
    ended.add(reply)
    work(reply.request, reply, status)
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
