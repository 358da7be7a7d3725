import type { FastifyInstance } from 'fastify'
import { registerAccountScreens } from './agents/accounts/portal/routes.tsx'
import { openThrottle } from './agents/accounts/throttle.ts'
import { registerAgents } from './agents/api.ts'
import { registerAgentsOperator } from './agents/operator/routes.tsx'
import { registerAgencyPages } from './agents/public/agencies.tsx'
import { registerAgentPages } from './agents/public/agents.tsx'
import { setLang } from './agents/service.ts'
import { registerTeamScreens } from './agents/teams/portal/routes.tsx'
import { registerAlertPage } from './alerts/public/alert.tsx'
import { registerAlertSignUp } from './alerts/public/sign-up.tsx'
import { alertsEnding } from './alerts/unsubscribe.ts'
import type { AppOptions } from './app-options.ts'
import { registerCollectionScreens } from './collections/portal/routes.tsx'
import { registerCollectionPages } from './collections/public/page.tsx'
import { DEFAULTS } from './config.ts'
import { registerDisputesDesk } from './cooperation/operator/disputes.tsx'
import { registerCooperationScreens } from './cooperation/portal/routes.tsx'
import { registerDemoPictures } from './demo/pictures/routes.ts'
import { registerDuplicatesDesk } from './doctor/operator/duplicates.tsx'
import { registerDoctorScreens } from './doctor/portal/doctor.tsx'
import { registerEvents } from './events/api.ts'
import { Events } from './events/service.ts'
import { registerFeedsOperator } from './feeds/operator/feeds.tsx'
import { registerFeedScreens } from './feeds/portal/routes.tsx'
import { registerFeedFiles } from './feeds/public/feed.ts'
import { openFeedBox } from './feeds/rules.ts'
import { registerFigures } from './figures/portal/figures.tsx'
import { registerBeacon } from './figures/public/beacon.ts'
import { countShown } from './figures/service.ts'
import { figuresEnding } from './figures/unsubscribe.ts'
import { registerMedia } from './files/routes.ts'
import { registerAssets } from './http/assets.ts'
import { openBaseMap } from './http/base-map.ts'
import { registerBodyParser } from './http/body.ts'
import { registerGuard } from './http/guard.ts'
import { registerHealth } from './http/health.ts'
import { LOAD_LIMITS, registerLoad } from './http/load.ts'
import { API_PREFIX, registerDescription, registerOpenApi } from './http/openapi.ts'
import { registerPageTurns } from './http/page-turns.ts'
import { registerReference } from './http/reference.ts'
import { registerUnknownRoutes } from './http/routes.ts'
import { buildServer } from './http/server.ts'
import { registerWarnings } from './http/warnings.ts'
import { openImportBox } from './imports/connections.ts'
import { registerImportScreens } from './imports/portal/routes.tsx'
import { registerKeysOperator } from './keys/operator/keys.tsx'
import { registerKeyScreens } from './keys/portal/keys.tsx'
import { authenticate, findKey } from './keys/service.ts'
import { registerLeads } from './leads/api.ts'
import { registerCalendarFeed } from './leads/calendar/feed.ts'
import { registerCalendar } from './leads/calendar/portal/calendar.tsx'
import { registerContactScreens } from './leads/contacts/portal/routes.tsx'
import { registerIdentification } from './leads/identification/public/identification.tsx'
import { registerIdentificationDesk } from './leads/operator/identification.tsx'
import { registerIdentificationsDesk } from './leads/operator/identifications.tsx'
import { registerPeopleDesk } from './leads/operator/people.tsx'
import { registerLeadScreens } from './leads/portal/routes.tsx'
import { registerInquiries } from './leads/public/inquiry.tsx'
import type { Lang } from './lib/i18n.ts'
import { once } from './lib/once.ts'
import { deriveKey, sealedBox } from './lib/sealed-box.ts'
import { unsubscribeKeyOf } from './lib/unsubscribe.ts'
import { registerListings } from './listings/api.ts'
import { registerListingsOperator } from './listings/operator/listings.tsx'
import { registerListingScreens } from './listings/portal/routes.tsx'
import { registerFavorites } from './listings/public/favorites.tsx'
import { registerFilterCounts } from './listings/public/filter-counts.ts'
import { registerListing } from './listings/public/listing.tsx'
import { registerMapData } from './listings/public/map-data.ts'
import { registerResults } from './listings/public/results.tsx'
import { registerSuggestions } from './listings/public/suggestions.ts'
import { registerLookups } from './lookups/api.ts'
import { registerMarketScreens } from './market/portal/routes.tsx'
import { registerNeedScreens } from './needs/portal/routes.tsx'
import { needsEnding } from './needs/unsubscribe.ts'
import { removeMailsNaming } from './notices/mailers.ts'
import { type Parts, partsOf, quotaOf } from './parts.ts'
import { registerPortalHome } from './portal/home/agent.tsx'
import { registerOperator } from './portal/home/operator.tsx'
import { registerPortal } from './portal/shell.tsx'
import { registerRatesDesk } from './rates/operator/rates.tsx'
import { registerOwnWrites, registerSearch } from './search/api.ts'
import { registerClusters } from './search/api-clusters.ts'
import { registerMarket } from './search/api-market.ts'
import { registerSimilar } from './search/api-similar.ts'
import { registerSuggest } from './search/api-suggest.ts'
import { Counts } from './search/counts.ts'
import { registerLimitsDesk } from './settings/operator/limits.tsx'
import { registerNoticeDesk } from './settings/operator/notice.tsx'
import { errorPage } from './site/errors.tsx'
import { Market } from './site/market.ts'
import { registerCity } from './site/pages/city.tsx'
import { registerCountry } from './site/pages/country.tsx'
import { registerForAgents } from './site/pages/for-agents.tsx'
import { registerHome } from './site/pages/home.tsx'
import { registerPrivacy } from './site/pages/privacy.tsx'
import { registerRobots } from './site/pages/robots.ts'
import { registerRss } from './site/pages/rss.ts'
import { registerSitemaps } from './site/pages/sitemaps.ts'
import { registerState } from './site/pages/state.tsx'
import { registerUnsubscribe } from './site/pages/unsubscribe.tsx'
import { registerGround } from './site/site.ts'
import { registerSync } from './sync/api.ts'
import { Sync } from './sync/service.ts'
import { registerWebhooksOperator } from './webhooks/operator/webhooks.tsx'
import { registerWebhookScreens } from './webhooks/portal/routes.tsx'
import { openSecretBox, sharedKey } from './webhooks/secrets.ts'
import { privateNetwork, publicNetwork } from './webhooks/sender/network.ts'
import { registerWidgetsOperator } from './widgets/operator/widgets.tsx'
import { registerWidgetScreens } from './widgets/portal/routes.tsx'
import { registerWidgetPages } from './widgets/public/frame.tsx'

/** The whole application, not yet listening. Everything it serves is registered explicitly in this file. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const core = partsOf(options)
  const app = buildServer({
    logger: options.logger,
    rateLimit: core.rateLimit,
    trustProxy: [...options.trustProxy],
    secure: core.secure,
    limits: options.connectionLimits ?? {},
  })
  options.observe?.(app, core.readiness)
  const parts = { ...core, baseMap: await openBaseMap(app, options) }
  app.decorate('counter', parts.counter)
  app.addHook('onClose', () => parts.counter.close())
  app.addHook('onReady', () => parts.settings.follow())
  app.addHook('onClose', () => parts.settings.stop())
  app.addHook('onReady', () => parts.limits.follow())
  app.addHook('onClose', () => parts.limits.stop())
  await registerOpenApi(app, options)
  registerUnknownRoutes(app, errorPage(options))
  await app.register(async api => registerApi(api, parts), { prefix: API_PREFIX })
  await app.register(async human => {
    registerLoad(human, LOAD_LIMITS.pages, parts.loop)
    await human.register(async portal => registerScreens(portal, parts), { prefix: '/portal' })
    await human.register(async site => registerSite(site, parts))
    await human.register(async shared => registerShared(shared, parts))
  })
  await app.register(async pages => registerPages(pages, parts))
  return app
}

function registerApi(api: FastifyInstance, parts: Parts): void {
  const { options, db, reserved, publicUrl, search, keys, rateLimit, files, now } = parts
  registerLoad(api, LOAD_LIMITS.api, parts.loop)
  registerUnknownRoutes(api)
  registerBodyParser(api)
  registerGuard(api, bearer => authenticate(reserved, keys, bearer), rateLimit)
  registerWarnings(api)
  if (search) registerOwnWrites(api, search)

  const counts = new Counts(search)
  registerAgents(api, {
    db,
    reader: parts.reader,
    publicUrl,
    sharesOf: ids => counts.sharesOf(ids),
    findKey: id => findKey(db, id),
  })
  registerLookups(api, { listLocations: limit => counts.locations(limit) })
  registerSearch(api, { db, search, publicUrl })
  registerClusters(api, { db, search })
  registerMarket(api, { db, search })
  registerSimilar(api, { db, search })
  registerSuggest(api, parts.suggestions)
  registerListings(api, {
    db,
    publicUrl,
    files,
    recordOf: search && ((id, viewer) => search.record(id, viewer)),
  })
  const openBox = once(async () => sealedBox(await sharedKey(db, options.secret), 'lonja cursors'))
  registerSync(api, search && new Sync({ search, publicUrl, openBox }))
  const days = options.eventRetentionDays ?? DEFAULTS.eventRetentionDays
  registerEvents(api, search && new Events({ db, search, publicUrl, openBox, days, now }))
  registerLeads(api, { db, publicUrl })
  registerDescription(api)
}

function portalDepsOf({ options, now, rateLimit, ...parts }: Parts) {
  const { db, publicUrl } = parts
  const allowPrivate = options.webhookAllowPrivate ?? false
  return {
    ...parts,
    now: () => new Date(now()),
    uploads: {
      files: parts.files,
      get quota() {
        return quotaOf(parts.settings.limits)
      },
    },
    removeMails: async (contacts: readonly string[], agentEmail?: string) =>
      options.mailDir ? removeMailsNaming(options.mailDir, contacts, agentEmail) : 0,
    reconfirmDays: options.reconfirmDays ?? DEFAULTS.reconfirmDays,
    eventRetentionDays: options.eventRetentionDays ?? DEFAULTS.eventRetentionDays,
    rateLimit: () => parts.settings.limits.rate_limit,
    privacyContact: options.privacyContact,
    setLang: (agentId: string, lang: Lang) => setLang(db, agentId, lang),
    requestsOf: async (keyId: string) => rateLimit.count(`key:${keyId}`),
    openBox: () => openSecretBox(db, options.secret),
    openImportBox: once(async () => openImportBox(await sharedKey(db, options.secret))),
    openFeedBox: once(async () => openFeedBox(await sharedKey(db, options.secret))),
    network: options.network ?? (allowPrivate ? privateNetwork() : publicNetwork()),
    policy: { allowPrivate, publicUrl },
    throttle: options.throttle ?? openThrottle(parts.openLimit),
    deviceKey: once(async () => deriveKey(await sharedKey(db, options.secret), 'lonja known devices')),
  }
}

async function registerScreens(portal: FastifyInstance, parts: Parts): Promise<void> {
  const deps = portalDepsOf(parts)
  const { keys, search } = parts
  await registerPortal(portal, deps)
  // Any form may revoke keys, and a revoked key must stop working before the response.
  portal.addHook('onSend', async request => {
    if (request.method === 'POST') keys.forget()
  })
  if (search) registerOwnWrites(portal, search)
  registerPortalHome(portal, deps)
  registerAccountScreens(portal, deps)
  registerListingScreens(portal, deps)
  registerImportScreens(portal, deps)
  registerDoctorScreens(portal, deps)
  registerMarketScreens(portal, deps)
  registerNeedScreens(portal, deps)
  registerCooperationScreens(portal, deps)
  registerLeadScreens(portal, deps)
  registerContactScreens(portal, deps)
  registerTeamScreens(portal, deps)
  registerFigures(portal, deps)
  registerCalendar(portal, deps)
  registerCollectionScreens(portal, deps)
  registerWidgetScreens(portal, deps)
  registerFeedScreens(portal, deps)
  registerKeyScreens(portal, deps)
  registerWebhookScreens(portal, deps)

  registerOperator(portal, deps)
  registerAgentsOperator(portal, deps)
  registerListingsOperator(portal, deps)
  registerIdentificationsDesk(portal, deps)
  registerIdentificationDesk(portal, deps)
  registerPeopleDesk(portal, deps)
  registerDisputesDesk(portal, deps)
  registerKeysOperator(portal, deps)
  registerWebhooksOperator(portal, deps)
  registerWidgetsOperator(portal, deps)
  registerFeedsOperator(portal, deps)
  registerDuplicatesDesk(portal, deps)
  registerRatesDesk(portal, deps)
  registerLimitsDesk(portal, deps)
  registerNoticeDesk(portal, deps)
}

function siteDepsOf(parts: Parts) {
  const { options, db, search, publicUrl, now, visitors, identities, counter, baseMap, settings, openLimit } =
    parts
  return {
    db,
    readerFor: parts.readerFor,
    search,
    publicUrl,
    now,
    visitors,
    identities,
    baseMap,
    idRetentionDays: options.idRetentionDays ?? DEFAULTS.idRetentionDays,
    privacyContact: options.privacyContact,
    settings,
    openLimit,
    countShown: countShown(counter, publicUrl),
    unsubscribeKey: once(async () => unsubscribeKeyOf(await sharedKey(db, options.secret))),
    endings: { needs: needsEnding(db), alerts: alertsEnding(db), figures: figuresEnding(db) },
  }
}

async function registerSite(site: FastifyInstance, parts: Parts): Promise<void> {
  const deps = siteDepsOf(parts)
  const market = new Market(deps)
  await registerGround(site, deps)
  registerPageTurns(site, parts.pageTurns)
  registerRobots(site, deps)
  registerSitemaps(site, deps, market)
  registerRss(site, deps, market)
  registerMapData(site, deps, market)
  registerFilterCounts(site, deps, market)
  registerSuggestions(site, parts)
  registerBeacon(site, deps)
  await registerIdentification(site, deps)
  // The same pages in Spanish, and in English under /en.
  for (const lang of ['es', 'en'] as const) {
    registerHome(site, deps, market, lang)
    registerResults(site, deps, market, lang)
    registerListing(site, deps, market, lang)
    registerFavorites(site, deps, market, lang)
    registerAgentPages(site, deps, market, lang)
    registerAgencyPages(site, deps, market, lang)
    registerCountry(site, deps, market, lang)
    registerState(site, deps, market, lang)
    registerCity(site, deps, market, lang)
    registerInquiries(site, deps, market, lang)
    registerForAgents(site, deps, lang)
    registerPrivacy(site, deps, lang)
    registerUnsubscribe(site, deps, lang)
    registerAlertSignUp(site, deps, lang)
    registerAlertPage(site, deps, lang)
  }
}

/** What agents share: collections, widgets, calendars and feeds. */
async function registerShared(shared: FastifyInstance, parts: Parts): Promise<void> {
  const deps = siteDepsOf(parts)
  await registerGround(shared, deps)
  registerPageTurns(shared, parts.pageTurns)
  registerCollectionPages(shared, deps)
  registerWidgetPages(shared, deps)
  registerCalendarFeed(shared, { ...deps, now: () => new Date(parts.now()) })
  registerFeedFiles(shared, deps)
}

async function registerPages(pages: FastifyInstance, { db, files, readiness }: Parts): Promise<void> {
  registerDemoPictures(pages)
  registerAssets(pages)
  registerMedia(pages, { db, files })
  registerHealth(pages, readiness)
  await registerReference(pages)
}
