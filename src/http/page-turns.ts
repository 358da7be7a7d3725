import type { FastifyInstance } from 'fastify'
import { networkOf } from '../lib/address.ts'
import { fairTurns } from '../lib/turns.ts'
import { whenOver } from './connections.ts'

type PageTurns = ReturnType<typeof fairTurns>

/**
 * Shared by all pages of a process, because rendering blocks the thread that the API needs too. Several run at a time
 * only so that one that waits for the database does not block the others.
 */
export const openPageTurns = (): PageTurns =>
  fairTurns({ running: 4, runningPerKey: 2, waiting: 200, waitingPerKey: 40 })

/** Renders a few pages at a time, taking turns by client address; a full queue answers 503. */
export function registerPageTurns(app: FastifyInstance, turns: PageTurns): void {
  app.addHook('preHandler', async (request, reply) => {
    // Forms have their own limits, and one with a photo takes minutes to arrive.
    if (request.method !== 'GET' && request.method !== 'HEAD') return
    const leave = await turns.enter(networkOf(request.ip))
    // From here on a slow reader holds a connection, not a turn.
    request.leavePage = leave
    whenOver(reply, leave)
    if (request.raw.socket.destroyed) leave()
  })
  app.addHook('onSend', async request => request.leavePage?.())
}

declare module 'fastify' {
  interface FastifyRequest {
    leavePage?: () => void
  }
}
