import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onEnding } from '../http/ending.ts'
import { API_PREFIX } from '../http/openapi.ts'
import { Overloaded } from '../lib/problem.ts'
import type { Metrics } from './definitions.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The pattern of its route: addresses are endless, and some are secret. */
export const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'unknown'

/** Counts and times every request, by route and status. */
export function registerRequestMetrics(app: FastifyInstance, { requests, shed }: Metrics): void {
  onEnding(app, (request, reply, status) => {
    const method = METHODS.has(request.method) ? request.method : 'other'
    requests.observe({ route: routeOf(request), method, status }, reply.elapsedTime / 1000)
  })
  app.addHook('onError', async (request, _reply, error) => {
    if (!((error as Error) instanceof Overloaded)) return
    shed.inc({ area: request.url.startsWith(`${API_PREFIX}/`) ? 'api' : 'pages' })
  })
}
