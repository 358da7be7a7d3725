import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'

/** Tells a path that does not exist (404) from one that does not take the method (405, with the methods it takes). */
export function registerUnknownRoutes(app: FastifyInstance): void {
  const routes: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+').replace(/\./g, '\\.')}/?$`)
    for (const one of [method].flat()) routes.push({ pattern, method: one })
  })
  const refuse = (request: FastifyRequest, reply: FastifyReply): never => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    const isEncodedSlash = /%2f/i.test(path)
    if (allowed.length === 0 || isEncodedSlash) {
      throw new Problem('not_found', { message: `There is nothing at ${path.slice(0, 200)}.` })
    }
    reply.header('allow', [...new Set(allowed)].sort().join(', '))
    throw new Problem('method_not_allowed')
  }
  // Before the body is read: what is wrong with it does not matter where nobody would take it.
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404) refuse(request, reply)
  })
  app.setNotFoundHandler(refuse)
}
