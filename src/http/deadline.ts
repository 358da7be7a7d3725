import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    bodyDeadline: NodeJS.Timeout | undefined
  }
}

/** Lets go of requests whose body takes too long; Node can do so only with one limit for all of them. */
export function registerDeadline(
  app: FastifyInstance,
  bodyMs: number,
  refuse: (socket: Socket) => void,
): void {
  app.decorateRequest('bodyDeadline', undefined)
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    const late = () => {
      if (raw.complete || raw.socket.destroyed !== false) return
      if (reply.raw.headersSent) raw.socket.destroy()
      else refuse(raw.socket)
    }
    const timer = setTimeout(late, bodyMs).unref()
    raw.once('close', () => clearTimeout(timer))
    request.bodyDeadline = timer
  })
}

/** For whoever has shown to be one of ours and sends files. */
export const allowUpload = (request: FastifyRequest): void => clearTimeout(request.bodyDeadline)
