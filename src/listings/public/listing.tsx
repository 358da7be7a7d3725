import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { queryOf } from '../../http/forms.ts'
import { type Inquiry, InquirySection, inquiryLabel, newInquiry } from '../../leads/visitors/inquiry-form.tsx'
import type { Lang } from '../../lib/i18n.ts'
import { isSlug, kebab } from '../../lib/slug.ts'
import { foldText } from '../../lib/text.ts'
import { findRate } from '../../rates/service.ts'
import { AgentCard, pricedAs } from '../../site/cards.tsx'
import { ComparingIn } from '../../site/comparing.tsx'
import { Crumbs, sendSitePage } from '../../site/layout.tsx'
import { crumbData, listingData } from '../../site/linked-data.tsx'
import type { Market, SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, visitOf } from '../../site/visit.ts'
import { excerpt, type Listing, placeName, shareImage, titleOf, typeName } from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'
import { listPriceChanges, type PriceChange } from '../history.ts'
import { listingRecord } from '../record.ts'
import { findVisible, type ListingRow } from '../service.ts'
import { ContactBar } from './contact-bar.tsx'
import { Gallery } from './gallery.tsx'
import { SIMILAR, Similar, sendGone } from './gone.tsx'
import { type Mortgage, MortgageSection, readMortgage } from './mortgage.tsx'
import { PriceHistory } from './price-history.tsx'
import { descriptionOf, Sections } from './sections.tsx'
import { Share } from './share.tsx'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function registerListing(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  const { publicUrl } = deps
  app.get<{ Params: { slug: string } }>(localPath(lang, '/propiedades/:slug'), async (request, reply) => {
    const { slug } = request.params
    const visit = visitOf(deps, lang, `/propiedades/${encodeURIComponent(slug)}`)
    const db = deps.readerFor(request)
    const row = await shownRow(db, slug)
    if (!row) return sendGone(reply, db, market, visit, slug)
    const [listing] = (await market.marked([listingRecord(row, null, publicUrl)])) as [Listing]
    deps.countShown(request, 'views', [row.id])
    const similar = await market.similarTo(row, SIMILAR)
    const changes = (await listPriceChanges(db, [row.id])).get(row.id) ?? []
    const rate = await findRate(db, undefined)
    const mortgage = readMortgage(queryOf(request))
    const title = titleOf(listing, lang)
    const description = descriptionOf(listing, lang)
    const steps = crumbsOf(listing, visit.t)
    const inquiry = await newInquiry(deps, lang, visit.path, {
      showings: true,
      whereabouts: listing.location,
    })
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: excerpt(description?.text ?? `${title}. ${placeName(listing.location)}`, 160),
        kind: 'article',
        image: shareImage(listing.images[0]?.url, publicUrl),
        imageAlt: title,
        data: [listingData(listing, visit), crumbData(steps, visit)],
        status: mortgage.wrong.length > 0 ? 422 : 200,
        assets: ['leaflet.css', 'leaflet.js', 'base-map.js', 'map.js', 'viewer.js', 'mortgage.js'],
      },
      <ComparingIn value={{ currency: otherCurrency(listing), rate }}>
        <ListingPage {...{ listing, similar, steps, inquiry, changes, mortgage }} />
      </ComparingIn>,
    )
  })
}

/** Looked up by slug only: ids are for the API. */
export async function shownRow(db: Db, slug: string): Promise<ListingRow | undefined> {
  return isSlug(slug) && !UUID.test(slug) ? findVisible(db, slug, null) : undefined
}

function crumbsOf({ location, property_type }: Listing, t: (es: string, en: string) => string) {
  const state = kebab(location.state, 'estado')
  return [
    { name: t('México', 'Mexico'), path: '/mx' },
    { name: location.state, path: `/mx/${state}` },
    { name: location.city, path: `/mx/${state}/${kebab(foldText(location.city), 'ciudad')}` },
    { name: t(typeName(property_type, 'es'), typeName(property_type, 'en')) },
  ]
}

/** People who think in the other currency read along. */
const otherCurrency = ({ operations: [first] }: Listing) => (first?.currency === 'USD' ? 'MXN' : 'USD')

interface ListingPageProps {
  listing: Listing
  similar: Listing[]
  steps: ReturnType<typeof crumbsOf>
  inquiry: Inquiry
  changes: PriceChange[]
  mortgage: Mortgage
}

function ListingPage({ listing, similar, steps, inquiry, changes, mortgage }: ListingPageProps) {
  const { lang, t, to, publicUrl, path } = useVisit()
  const title = titleOf(listing, lang)
  const sale = listing.operations.find(({ type }) => type === 'sale')
  const message = t(
    `Hola, me interesa «${title}»: ${publicUrl}${path}`,
    `Hello, I am interested in “${title}”: ${publicUrl}/en${path}`,
  )
  return (
    <div class="listing-page wrap">
      <div class="listing-top">
        <a
          class="btn btn-ghost btn-sm"
          data-back
          href={to(`/propiedades?state=${encodeURIComponent(listing.location.state)}`)}
        >
          ← {t('Resultados', 'Results')}
        </a>
        <Crumbs steps={steps} />
        <div class="listing-actions" data-seen={listing.slug} data-price={pricedAs(listing)}>
          <Share title={title} />
        </div>
      </div>
      <Gallery listing={listing} title={title} />
      <div class="listing-columns">
        <div class="min-w-0">
          <Sections listing={listing}>
            <PriceHistory listing={listing} changes={changes} />
            {sale && <MortgageSection sale={sale} mortgage={mortgage} />}
          </Sections>
          <InquirySection inquiry={inquiry} agentName={listing.agent.name} />
        </div>
        <aside class="min-w-0" aria-label={t('Contacto', 'Contact')}>
          <AgentCard agent={listing.agent} agency={listing.agency} about={message}>
            <a class="btn btn-outline justify-self-start" href="#contacto">
              <Icon name="mail" /> {inquiryLabel(inquiry, t)}
            </a>
            <p class="text-xs opacity-75">
              {t(
                'Nunca pagues un anticipo sin visitar la propiedad.',
                'Never pay a deposit before visiting the property.',
              )}
            </p>
          </AgentCard>
        </aside>
      </div>
      <Similar listings={similar} />
      <p class="only-print">
        {publicUrl}
        {to(path)}
      </p>
      <ContactBar
        phone={listing.agent.phone}
        about={message}
        showings={inquiry.showings}
        form={to(`${path}/contacto${inquiry.showings ? '?kind=tour' : ''}`)}
      />
    </div>
  )
}
