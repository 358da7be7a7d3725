import type { FastifyRequest } from 'fastify'

/** The value of a header that was sent once. */
export const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
