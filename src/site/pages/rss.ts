import type { FastifyInstance } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { escaped } from '../../lib/xml.ts'
import type { Market, SiteDeps } from '../market.ts'
import { excerpt, placeName, priceText } from '../words.ts'
import { stateNamed, stateSlug } from './states.ts'
import { sendXml, xmlDocument } from './xml.ts'

const FEED_ITEMS = 30

export function registerRss(app: FastifyInstance, { publicUrl }: SiteDeps, market: Market): void {
  app.get<{ Params: { state: string; city: string } }>('/mx/:state/:city/rss.xml', async (request, reply) => {
    const state = stateNamed(request.params.state)
    const city = state && (await market.findCity(state, request.params.city))
    if (!state || !city) throw new Problem('not_found')
    const { listings } = await market.find({ state, cities: city.folds, limit: FEED_ITEMS })
    if (listings.length === 0) throw new Problem('not_found')
    const page = `${publicUrl}/mx/${stateSlug(state)}/${city.slug}`
    const items = listings.map(listing => {
      const price = listing.operations.map(operation => priceText(operation, 'es')).join(' · ')
      const text = [price, placeName(listing.location), excerpt(listing.description ?? '', 300)]
        .filter(Boolean)
        .join('. ')
      const published = new Date(listing.published_at ?? listing.created_at).toUTCString()
      return `<item><title>${escaped(listing.title)}</title><link>${escaped(listing.url)}</link><guid isPermaLink="true">${escaped(listing.url)}</guid><pubDate>${published}</pubDate><description>${escaped(text)}</description></item>`
    })
    return sendXml(
      reply,
      xmlDocument(
        `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${escaped(`Lonja: propiedades en ${city.name}, ${state}`)}</title><link>${escaped(page)}</link><description>${escaped(`Lo más reciente en ${city.name}, ${state}.`)}</description><language>es-mx</language><atom:link href="${escaped(`${page}/rss.xml`)}" rel="self" type="application/rss+xml"/>${items.join('')}</channel></rss>`,
      ),
      'application/rss+xml',
    )
  })
}
