import type { FastifyInstance } from 'fastify'
import { type OpenLimit, perAddress } from '../../http/rate-limit.ts'
import { Problem } from '../../lib/problem.ts'
import { suggest } from '../../search/api-suggest.ts'
import type { Suggestions } from '../../search/suggest/service.ts'

/** In ten minutes, from one address: an office where several people type all the time. */
const MOST = 1_200

/** What `GET /suggest` answers, for the search boxes of the site and the portal. */
export function registerSuggestions(
  app: FastifyInstance,
  { suggestions, openLimit }: { suggestions: Suggestions; openLimit: OpenLimit },
): void {
  const limit = perAddress(openLimit('suggestions', MOST))
  app.get('/sugerencias.json', async (request, reply) => {
    const { allowed, retryAfter } = await limit.take(request.ip)
    if (!allowed) throw new Problem('rate_limited', { retryAfter })
    reply.header('cache-control', 'no-cache')
    return suggest(suggestions, request.query as URLSearchParams)
  })
}
