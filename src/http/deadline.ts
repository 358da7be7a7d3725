import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    bodyDeadline: NodeJS.Timeout | undefined
  }
}

/** Drops requests whose body takes too long; Node supports only one limit for all requests. */
export function registerDeadline(
  app: FastifyInstance,
  bodyMs: number,
  refuse: (request: IncomingMessage) => void,
): void {
  app.decorateRequest('bodyDeadline', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined)
      return done()
    const late = () => {
      if (raw.complete || raw.socket.destroyed !== false) return
      if (reply.raw.headersSent) raw.socket.destroy()
      else refuse(raw)
    }
    const timer = setTimeout(late, bodyMs).unref()
    raw.once('close', () => clearTimeout(timer))
    request.bodyDeadline = timer
    done()
  })
}

/** For signed-in users who upload files. */
export const allowUpload = (request: FastifyRequest): void => clearTimeout(request.bodyDeadline)
