import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { registerAgents } from './agents/api.ts'
import type { Db } from './db/database.ts'
import { registerBodyParser } from './http/body.ts'
import { registerGuard } from './http/guard.ts'
import { registerHealth } from './http/health.ts'
import { API_PREFIX, registerDescription, registerOpenApi } from './http/openapi.ts'
import { slidingWindow } from './http/rate-limit.ts'
import { registerReference } from './http/reference.ts'
import { registerUnknownRoutes } from './http/routes.ts'
import { buildServer } from './http/server.ts'
import { authenticate, findKey } from './keys/service.ts'
import { registerLeads } from './leads/api.ts'
import { registerListings } from './listings/api.ts'
import { registerLookups } from './lookups/api.ts'
import { registerSearch } from './search/api.ts'

export interface AppOptions {
  db: Db
  logger: FastifyBaseLogger
  publicUrl: string
  rateLimit: number
  trustProxy: readonly string[]
  /** Time is the one thing tests may pretend. */
  now?: () => number
}

/** The whole application, not yet listening. Everything it serves is registered here by hand, in reading order. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { db, publicUrl } = options
  const rateLimit = slidingWindow(options.rateLimit, options.now)
  const app = buildServer({ logger: options.logger, rateLimit, trustProxy: [...options.trustProxy] })
  await registerOpenApi(app, publicUrl)
  registerUnknownRoutes(app)

  await app.register(
    async api => {
      registerUnknownRoutes(api)
      registerBodyParser(api)
      registerGuard(api, bearer => authenticate(db, bearer), rateLimit)

      registerAgents(api, { db, publicUrl, findKey: id => findKey(db, id) })
      registerLookups(api, { db })
      registerSearch(api, { db, publicUrl })
      registerListings(api, { db, publicUrl })
      registerLeads(api, { db, publicUrl })
      registerDescription(api)
    },
    { prefix: API_PREFIX },
  )

  await app.register(async pages => {
    registerHealth(pages, db)
    await registerReference(pages)
  })
  return app
}
