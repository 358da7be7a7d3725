import type { FastifyInstance } from 'fastify'
import { networkOf } from '../lib/address.ts'
import { fairTurns } from '../lib/turns.ts'
import { whenOver } from './connections.ts'

type PageTurns = ReturnType<typeof fairTurns>

/** In one process: drawing pages is work for its one thread, which the API needs as well. */
const openPageTurns = (): PageTurns =>
  fairTurns({ running: 4, runningPerKey: 2, waiting: 200, waitingPerKey: 40 })

/** Pages are drawn a few at a time, in turns of the addresses that ask; whoever finds the line full gets a 503. */
export function registerPageTurns(app: FastifyInstance, turns: PageTurns = openPageTurns()): void {
  app.addHook('preHandler', async (request, reply) => {
    // Forms have limits of their own, and one with a photo takes minutes to arrive.
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
