import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { whenOver } from './connections.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** To be done first when the server closes: let go of requests that wait on purpose. */
    onClosing(work: () => void): void
  }
}

const ANSWER_MS = 10_000
/** For a body that is still coming in: whoever sends it may also have fallen silent. */
const BODY_MS = 1_000

/**
 * An orderly end: nobody new is let in, running requests are answered, each with the word that the connection
 * closes, and then whatever is still connected is let go. Node alone would wait for connections that say nothing.
 */
export function registerClosing(app: FastifyInstance): void {
  const running = new Set<ServerResponse>()
  const works: (() => void)[] = []
  let isClosing = false
  app.decorate('onClosing', work => void works.push(work))
  app.addHook('onRequest', async (_request, reply) => {
    running.add(reply.raw)
    whenOver(reply, () => running.delete(reply.raw))
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const work of works) work()
    app.server.close()
    const since = Date.now()
    const isWorthWaiting = ({ req }: ServerResponse) =>
      Date.now() - since < (req.complete ? ANSWER_MS : BODY_MS)
    while ([...running].some(isWorthWaiting)) await sleep(20)
    app.server.closeAllConnections()
  })
}
