import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { whenOver } from './connections.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs first when the server closes, to release requests that wait on purpose. */
    onClosing(work: () => void): void
  }
}

const ANSWER_MS = 10_000
/** For a request whose body is still arriving: its sender may have stalled. */
const BODY_MS = 1_000

/**
 * Graceful shutdown: no new connections, running requests are answered with `Connection: close`, then the remaining
 * connections are closed. Node alone would wait for idle ones.
 */
export function registerClosing(app: FastifyInstance): void {
  const running = new Set<ServerResponse>()
  const works: (() => void)[] = []
  let isClosing = false
  app.decorate('onClosing', work => void works.push(work))
  app.addHook('onRequest', (_request, reply, done) => {
    running.add(reply.raw)
    whenOver(reply, () => running.delete(reply.raw))
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
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
