import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hideKeys } from '../lib/key-shape.ts'
import { Problem } from '../lib/problem.ts'

type ErrorPage = (error: Error, request: FastifyRequest, reply: FastifyReply) => FastifyReply

const isReadByPeople = ({ method, headers, url }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') &&
  Boolean(headers.accept?.includes('text/html')) &&
  !/^\/api\b/.test(url)

/**
 * Distinguishes unknown paths (404) from unsupported methods (405, with the allowed methods). With a `page`, browsers
 * get that instead of JSON.
 */
export function registerUnknownRoutes(app: FastifyInstance, page?: ErrorPage): void {
  const routes: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+').replace(/\./g, '\\.')}/?$`)
    for (const one of [method].flat()) routes.push({ pattern, method: one })
  })
  const refuse = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const decoded = decodedPath(path)
    const allowed = routes.filter(({ pattern }) => pattern.test(decoded)).map(({ method }) => method)
    const isEncodedSlash = /%2f/i.test(path)
    if (allowed.length === 0 || isEncodedSlash) {
      const problem = new Problem('not_found', {
        message: `There is nothing at ${hideKeys(path.slice(0, 200))}.`,
      })
      if (page && isReadByPeople(request)) return page(problem, request, reply)
      throw problem
    }
    reply.header('allow', [...new Set(allowed)].sort().join(', '))
    throw new Problem('method_not_allowed')
  }
  // Before the body is read: its errors do not matter if the route does not exist.
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404) return refuse(request, reply) as never
  })
  app.setNotFoundHandler(refuse)
}

/** Decoded as the router does. A path that cannot be decoded matches no route. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
