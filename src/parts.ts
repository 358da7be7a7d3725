import type { FastifyRequest } from 'fastify'
import type { AppOptions } from './app-options.ts'
import { DEFAULTS } from './config.ts'
import { Counter } from './figures/counter.ts'
import type { Source } from './figures/rules.ts'
import { noStorage } from './files/storage.ts'
import type { Quota } from './files/uploads.ts'
import type { BaseMap } from './http/base-map.ts'
import { readinessOf } from './http/health.ts'
import { LoopDelay } from './http/load.ts'
import { openPageTurns } from './http/page-turns.ts'
import { type OpenLimit, perAddress, steadyNow } from './http/rate-limit.ts'
import { LiveKeys } from './keys/service.ts'
import { identificationBox } from './leads/identification/service.ts'
import { FORMS_PER_ADDRESS, PRIVACY_EDITION } from './leads/visitors/service.ts'
import { once } from './lib/once.ts'
import { deriveKey } from './lib/sealed-box.ts'
import { MB } from './lib/sizes.ts'
import { SharedLimits } from './limits/service.ts'
import { hasSession } from './portal/visit.ts'
import { Suggestions } from './search/suggest/service.ts'
import type { Limits } from './settings/rules.ts'
import { editionAt, LiveSettings } from './settings/service.ts'
import { sharedKey } from './webhooks/secrets.ts'

export type Parts = ReturnType<typeof partsOf> & { baseMap: BaseMap }

/** Where operators set nothing. */
function defaultLimits({ rateLimit, uploadQuota = DEFAULTS.uploadQuota }: AppOptions): Limits {
  return {
    rate_limit: rateLimit,
    forms_per_address: FORMS_PER_ADDRESS,
    upload_files: uploadQuota.files,
    upload_mb: uploadQuota.bytes / MB,
    upload_unverified_mb: uploadQuota.unverifiedBytes / MB,
  }
}

export const quotaOf = (limits: Limits): Quota => ({
  files: limits.upload_files,
  bytes: limits.upload_mb * MB,
  unverifiedBytes: limits.upload_unverified_mb * MB,
})

/** What the API, the portal and the site share. */
export function partsOf(options: AppOptions) {
  const { db, reserved = db, reader = db, publicUrl, search } = options
  const secure = publicUrl.startsWith('https:')
  const now = options.now ?? Date.now
  const identities = options.serverKey ? identificationBox(options.serverKey) : undefined
  const counter = new Counter({ db, logger: options.logger, now })
  const settings = new LiveSettings(reserved, defaultLimits(options))
  const limits = new SharedLimits({ db: reserved, logger: options.logger, now: options.now ?? steadyNow })
  const openLimit: OpenLimit = (name, limit) => limits.open(name, limit)
  const visitors = {
    db,
    formKey: once(async () => deriveKey(await sharedKey(db, options.secret), 'lonja visitor forms')),
    forms: perAddress(openLimit('forms', () => settings.limits.forms_per_address)),
    editionAt: (at: Date) => editionAt(db, at, PRIVACY_EDITION),
    takesShowings: identities !== undefined,
    now,
    onContact: (listingId: string, source: Source) => counter.add(listingId, 'contacts', source),
  }
  return {
    options,
    db,
    reserved,
    publicUrl,
    search,
    now,
    visitors,
    counter,
    identities,
    secure,
    reader,
    readerFor: (request: FastifyRequest) => (hasSession(request, secure) ? db : reader),
    files: options.files ?? noStorage,
    keys: options.keys ?? new LiveKeys(reserved),
    settings,
    limits,
    openLimit,
    rateLimit: openLimit('api', () => settings.limits.rate_limit),
    pageTurns: openPageTurns(),
    loop: options.loop ?? new LoopDelay(),
    suggestions: new Suggestions({ db, search, publicUrl }),
    isSearchReady: () => search?.isReady ?? false,
    countPublic: async () => (search?.isReady ? search.countPublic() : undefined),
    readiness: readinessOf({
      db: reserved,
      isStopping: options.isStopping ?? (() => false),
      needed: { search: () => search?.condition ?? 'loading' },
      reported: { storage: () => options.files?.condition() ?? 'ok' },
    }),
  }
}
