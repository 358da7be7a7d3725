import type { FastifyInstance } from 'fastify'
import { errorPage } from './errors.tsx'
import { registerFeeds } from './feeds.ts'
import { registerHome } from './home.tsx'
import { registerListing } from './listing.tsx'
import { registerMapData } from './map-data.ts'
import { Market, type SiteDeps } from './market.ts'
import { registerPeople } from './people.tsx'
import { registerPlaces } from './places.tsx'
import { registerResults } from './results.tsx'

/** The public site: the same pages in Spanish and, under /en, in English. */
export function registerSite(app: FastifyInstance, deps: SiteDeps): void {
  const market = new Market(deps)
  // Pages are not part of the API and its description.
  app.addHook('onRoute', route => {
    route.schema = { ...route.schema, hide: true }
  })
  app.setErrorHandler(errorPage(deps))
  registerFeeds(app, deps, market)
  registerMapData(app, market)
  for (const lang of ['es', 'en'] as const) {
    registerHome(app, deps, market, lang)
    registerResults(app, deps, market, lang)
    registerListing(app, deps, market, lang)
    registerPeople(app, deps, market, lang)
    registerPlaces(app, deps, market, lang)
  }
}
