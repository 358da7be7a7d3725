import type { FastifyInstance } from 'fastify'
import { formOf } from '../../http/forms.ts'
import { perAddress } from '../../http/rate-limit.ts'
import { isSlug } from '../../lib/slug.ts'
import { listPublicBySlug } from '../../listings/service.ts'
import type { SiteDeps } from '../../site/market.ts'

/** In ten minutes, from one address: more favorites than a person marks. */
const MOST = 60

/** Favorites and shares happen in the browser, which reports them here. Always answered the same. */
export function registerBeacon(app: FastifyInstance, deps: SiteDeps): void {
  const limit = perAddress(deps.openLimit('beacon', MOST))
  app.post('/cifras', async (request, reply) => {
    const form = formOf(request)
    const kind = (['favorites', 'shares'] as const).find(one => one === form.get('kind'))
    const slug = form.get('listing') ?? ''
    if (kind && isSlug(slug) && (await limit.take(request.ip)).allowed) {
      const [listing] = await listPublicBySlug(deps.db, [slug])
      if (listing) deps.countShown(request, kind, [listing.id], 'site')
    }
    return reply.code(204).send()
  })
}
