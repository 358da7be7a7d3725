import type { FastifyInstance } from 'fastify'
import { registerForms } from '../http/forms.ts'
import { registerAgencies } from './agencies.tsx'
import { registerAgents } from './agents.tsx'
import { errorPage } from './errors.tsx'
import { registerFeeds } from './feeds.ts'
import { registerHome } from './home.tsx'
import { registerIdentification } from './identification.tsx'
import { registerInquiries } from './inquiry.tsx'
import { registerListing } from './listing.tsx'
import { registerMapData } from './map-data.ts'
import { Market, type SiteDeps } from './market.ts'
import { registerPlaces } from './places.tsx'
import { registerPrivacy } from './privacy.tsx'
import { registerResults } from './results.tsx'

/** What pages for everybody stand on, also those of other folders: errors are pages, and forms are read. */
export async function registerGround(app: FastifyInstance, site: { publicUrl: string }): Promise<void> {
  // Pages are not part of the API and its description.
  app.addHook('onRoute', route => {
    route.schema = { ...route.schema, hide: true }
  })
  app.setErrorHandler(errorPage(site))
  await registerForms(app)
}

/** The public site: the same pages in Spanish and, under /en, in English. */
export async function registerSite(app: FastifyInstance, deps: SiteDeps): Promise<void> {
  const market = new Market(deps)
  await registerGround(app, deps)
  registerFeeds(app, deps, market)
  registerMapData(app, market)
  await registerIdentification(app, deps)
  for (const lang of ['es', 'en'] as const) {
    registerHome(app, deps, market, lang)
    registerResults(app, deps, market, lang)
    registerListing(app, deps, market, lang)
    registerAgents(app, deps, market, lang)
    registerAgencies(app, deps, market, lang)
    registerPlaces(app, deps, market, lang)
    registerInquiries(app, deps, market, lang)
    registerPrivacy(app, deps, lang)
  }
}
