import type { FastifyInstance } from 'fastify'
import { networkOf } from '../lib/address.ts'
import { fairTurns } from '../lib/turns.ts'
import { whenOver } from './connections.ts'

type PageTurns = ReturnType<typeof fairTurns>

/** Per process: rendering pages uses the one thread that the API needs too. */
const openPageTurns = (): PageTurns =>
  fairTurns({ running: 4, runningPerKey: 2, waiting: 200, waitingPerKey: 40 })

/** Renders a few pages at a time, taking turns by client address; a full queue answers 503. */
export function registerPageTurns(app: FastifyInstance, turns: PageTurns = openPageTurns()): void {
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
