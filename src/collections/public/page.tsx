import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findAgent } from '../../agents/directory.ts'
import { agentCard } from '../../agents/record.ts'
import { formOf } from '../../http/forms.ts'
import {
  type Addressee,
  interestIn,
  receiveInquiry,
  sendContact,
  sendThanks,
} from '../../leads/public/inquiry.tsx'
import { type Inquiry, InquirySection, newInquiry } from '../../leads/visitors/inquiry-form.tsx'
import type { Lang } from '../../lib/i18n.ts'
import { AgentCard, ListingGrid } from '../../site/cards.tsx'
import { NoPage } from '../../site/errors.tsx'
import { Nothing, sendSitePage } from '../../site/layout.tsx'
import type { SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, type Visit, visitOf } from '../../site/visit.ts'
import { placeName, shareImage, titleOf } from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'
import { sourceOf } from '../rules.ts'
import { findShared, type Shared } from '../service.ts'
import { SharedListing, type SharedListingProps } from './listing.tsx'

interface ByToken {
  Params: { token: string }
}
interface OfListing {
  Params: { token: string; slug: string }
}

/** The shared page in both languages; the collection's language decides which link is shared. */
export function registerCollectionPages(app: FastifyInstance, deps: SiteDeps): void {
  for (const lang of ['es', 'en'] as const) registerIn(app, deps, lang)
}

function registerIn(app: FastifyInstance, deps: SiteDeps, lang: Lang): void {
  const { db, publicUrl, visitors } = deps
  const path = localPath(lang, '/c/:token')

  async function open({ params: { token } }: FastifyRequest<ByToken>, rest = '') {
    const shared = await findShared(db, publicUrl, token)
    const row = shared && (await findAgent(db, shared.collection.agent_slug))
    if (!shared || !row) throw new NoPage(lang)
    const { collection, listings } = shared
    const at = `/c/${collection.token}`
    return {
      shared,
      agent: agentCard(row, publicUrl),
      visit: visitOf(deps, lang, at + rest),
      to: { agent: row, path: at, title: collection.title } satisfies Addressee,
      fresh: async (): Promise<Inquiry> => ({
        ...(await newInquiry(deps, lang, at, { showings: listings.length > 0 })),
        listings: listings.map(listing => ({ id: listing.id, title: titleOf(listing, lang) })),
      }),
    }
  }

  app.get<ByToken>(path, async (request, reply) => {
    const { shared, agent, visit, fresh } = await open(request)
    if (!shared.collection.active) return sendWithdrawn(reply, visit)
    const { title, message } = shared.collection
    const ids = shared.listings.map(({ id }) => id)
    deps.countShown(request, 'appearances', ids, 'collection')
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: message ?? visit.t(`Una selección de ${agent.name}`, `Picked by ${agent.name}`),
        image: shareImage(shared.listings[0]?.images[0]?.url, publicUrl),
        indexed: false,
      },
      <CollectionPage {...{ shared, agent }} inquiry={await fresh()} />,
    )
  })

  app.get<OfListing>(`${path}/propiedades/:slug`, async (request, reply) => {
    const { slug } = request.params
    const { shared, agent, visit, fresh } = await open(request, `/propiedades/${encodeURIComponent(slug)}`)
    if (!shared.collection.active) return sendWithdrawn(reply, visit)
    const listing = shared.listings.find(one => one.slug === slug)
    if (!listing) throw new NoPage(lang)
    deps.countShown(request, 'views', [listing.id], 'collection')
    const inquiry = { ...(await fresh()), values: new URLSearchParams({ listing: listing.id }) }
    return sendShared(reply, visit, { listing, agent, inquiry, collection: shared.collection })
  })

  app.post<ByToken>(`${path}/contacto`, async (request, reply) => {
    const { shared, visit, to, fresh } = await open(request, '/contacto')
    const { collection, listings } = shared
    if (!collection.active) return sendWithdrawn(reply, visit)
    // A listing that left the market is not named, but the message is still delivered.
    const chosen = listings.find(listing => listing.id === formOf(request).get('listing'))
    const origin = {
      agentId: collection.agent_id,
      listingId: chosen?.id ?? null,
      interest: interestIn(chosen),
      ...(chosen ? { whereabouts: chosen.location } : {}),
      source: sourceOf(collection.id),
    }
    return receiveInquiry(visitors, { request, reply, visit, to, origin, fresh })
  })

  app.get<ByToken>(`${path}/contacto`, async (request, reply) => {
    const { shared, visit, to, fresh } = await open(request, '/contacto')
    if (!shared.collection.active) return sendWithdrawn(reply, visit)
    return sendContact(reply, visit, to, await fresh())
  })

  app.get<ByToken>(`${path}/gracias`, async (request, reply) => {
    const { shared, visit, to } = await open(request, '/gracias')
    if (!shared.collection.active) return sendWithdrawn(reply, visit)
    return sendThanks(request, reply, visit, to)
  })
}

/** Not indexed: the listing's own page is. */
function sendShared(reply: FastifyReply, visit: Visit, shown: SharedListingProps) {
  const { listing } = shown
  return sendSitePage(
    reply,
    visit,
    {
      title: `${titleOf(listing, visit.lang)} | Lonja`,
      description: placeName(listing.location),
      image: shareImage(listing.images[0]?.url, visit.publicUrl),
      indexed: false,
      assets: ['leaflet.css', 'leaflet.js', 'base-map.js', 'map.js'],
    },
    <SharedListing {...shown} />,
  )
}

function sendWithdrawn(reply: FastifyReply, visit: Visit) {
  const title = visit.t('Esta selección ya no se comparte', 'This selection is no longer shared')
  return sendSitePage(
    reply,
    visit,
    { title: `${title} | Lonja`, description: title, status: 410 },
    <Withdrawn title={title} />,
  )
}

function Withdrawn({ title }: { title: string }) {
  const { t, to } = useVisit()
  return (
    <div class="wrap py-12">
      <Nothing icon="home" title={title} level={1}>
        <p>{t('Pídele a tu agente un enlace nuevo.', 'Ask your agent for a new link.')}</p>
        <a class="btn btn-primary" href={to('/propiedades')}>
          {t('Buscar propiedades', 'Search properties')}
        </a>
      </Nothing>
    </div>
  )
}

function CollectionPage(props: { shared: Shared; agent: ReturnType<typeof agentCard>; inquiry: Inquiry }) {
  const { lang, t } = useVisit()
  const { agent } = props
  const { collection, listings, gone } = props.shared
  // The agent's texts are in the collection's language, not the page's.
  const written = collection.lang === lang ? undefined : collection.lang
  return (
    <div class="wrap pb-16">
      <header class="grid gap-6 pt-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div class="min-w-0">
          <p class="text-sm opacity-80">
            {t(`Una selección de ${agent.name}`, `Picked for you by ${agent.name}`)}
          </p>
          <h1 class="page-title mt-1 break-words" lang={written}>
            {collection.title}
          </h1>
          {collection.message && (
            <p class="mt-4 max-w-prose text-lg break-words whitespace-pre-line" lang={written}>
              {collection.message}
            </p>
          )}
          <p class="mt-4">
            <a class="btn btn-primary" href="#contacto">
              <Icon name="mail" /> {t('Preguntar por estas propiedades', 'Ask about these properties')}
            </a>
          </p>
        </div>
        <AgentCard agent={agent} agency={agent.agency} about={collection.title} />
      </header>
      <section class="listing-section">
        <h2>
          {listings.length === 1
            ? t('1 propiedad', '1 property')
            : t(`${listings.length} propiedades`, `${listings.length} properties`)}
        </h2>
        {listings.length > 0 ? (
          <ListingGrid listings={listings} eager={3} at={`/c/${collection.token}/propiedades`} />
        ) : (
          <Nothing icon="home" title={t('Por ahora no hay propiedades', 'No properties yet')} />
        )}
        <Gone count={gone} />
      </section>
      <InquirySection inquiry={props.inquiry} agentName={agent.name} />
    </div>
  )
}

function Gone({ count }: { count: number }) {
  const { t } = useVisit()
  if (count === 0) return null
  return (
    <p class="mt-5 opacity-80">
      {count === 1
        ? t(
            '1 propiedad de esta selección ya no está disponible.',
            '1 property in this selection is no longer available.',
          )
        : t(
            `${count} propiedades de esta selección ya no están disponibles.`,
            `${count} properties in this selection are no longer available.`,
          )}
    </p>
  )
}
