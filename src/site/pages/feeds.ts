import type { FastifyInstance, FastifyReply } from 'fastify'
import { listPeopleAddresses } from '../../agents/directory.ts'
import { LANG_TAGS } from '../../lib/i18n.ts'
import { Problem } from '../../lib/problem.ts'
import { countPublicListings, listInventory, listListingAddresses } from '../../listings/on-market.ts'
import type { Market, SiteDeps } from '../market.ts'
import { localPath } from '../visit.ts'
import { excerpt, placeName, priceText } from '../words.ts'
import { stateNamed, stateSlug } from './places.tsx'

/** Each page is there in two languages, and a sitemap holds at most 50,000 addresses. */
const PER_SITEMAP = 10_000
const FEED_ITEMS = 30

const escaped = (text: string): string =>
  text
    // XML 1.0 has no way to write these at all.
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

const sendXml = (reply: FastifyReply, body: string, type = 'application/xml') =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('cache-control', 'no-cache')
    .send(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`)

interface Entry {
  path: string
  updatedAt?: Date | undefined
}

export function registerFeeds(app: FastifyInstance, deps: SiteDeps, market: Market): void {
  const { db, publicUrl } = deps

  const urlset = (entries: Entry[]) => {
    const alternates = (path: string) =>
      (['es', 'en'] as const)
        .map(
          lang =>
            `<xhtml:link rel="alternate" hreflang="${LANG_TAGS[lang]}" href="${escaped(publicUrl + localPath(lang, path))}"/>`,
        )
        .join('')
    const url = ({ path, updatedAt }: Entry, lang: 'es' | 'en') =>
      `<url><loc>${escaped(publicUrl + localPath(lang, path))}</loc>${updatedAt ? `<lastmod>${updatedAt.toISOString()}</lastmod>` : ''}${alternates(path)}</url>`
    return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries
      .flatMap(entry => [url(entry, 'es'), url(entry, 'en')])
      .join('\n')}</urlset>`
  }

  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        [
          'User-agent: *',
          'Disallow: /portal',
          'Disallow: /api/',
          'Disallow: /mapa.json',
          '',
          `Sitemap: ${publicUrl}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  )

  app.get('/sitemap.xml', async (_request, reply) => {
    const parts = Math.max(1, Math.ceil((await countPublicListings(db)) / PER_SITEMAP))
    const names = ['lugares', 'agentes', ...Array.from({ length: parts }, (_, i) => `propiedades-${i + 1}`)]
    const items = names.map(
      name => `<sitemap><loc>${escaped(`${publicUrl}/sitemaps/${name}.xml`)}</loc></sitemap>`,
    )
    return sendXml(
      reply,
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.join('\n')}</sitemapindex>`,
    )
  })

  app.get<{ Params: { file: string } }>('/sitemaps/:file', async (request, reply) => {
    const name = /^(lugares|agentes|propiedades-([1-9]\d{0,5}))\.xml$/.exec(request.params.file)
    if (!name) throw new Problem('not_found')
    if (name[1] === 'lugares') return sendXml(reply, urlset(await placeEntries()))
    if (name[1] === 'agentes') {
      const { agents, agencies } = await listPeopleAddresses(db)
      return sendXml(
        reply,
        urlset([
          ...agents.map(({ slug, updatedAt }) => ({ path: `/agentes/${slug}`, updatedAt })),
          ...agencies.map(({ slug, updatedAt }) => ({ path: `/inmobiliarias/${slug}`, updatedAt })),
        ]),
      )
    }
    const part = Number(name[2])
    const listings = await listListingAddresses(db, PER_SITEMAP, (part - 1) * PER_SITEMAP)
    if (listings.length === 0 && part > 1) throw new Problem('not_found')
    return sendXml(
      reply,
      urlset(listings.map(({ slug, updatedAt }) => ({ path: `/propiedades/${slug}`, updatedAt }))),
    )
  })

  async function placeEntries(): Promise<Entry[]> {
    const inventory = await listInventory(db)
    const places = [...inventory].flatMap(([state, cities]): Entry[] => {
      const path = `/mx/${stateSlug(state)}`
      const latest = new Date(Math.max(...cities.map(city => city.updatedAt.getTime())))
      return [
        { path, updatedAt: latest },
        ...cities.map(city => ({ path: `${path}/${city.slug}`, updatedAt: city.updatedAt })),
      ]
    })
    return [...['/', '/propiedades', '/mx', '/agentes', '/inmobiliarias'].map(path => ({ path })), ...places]
  }

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
      `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${escaped(`Lonja: propiedades en ${city.name}, ${state}`)}</title><link>${escaped(page)}</link><description>${escaped(`Lo más reciente en ${city.name}, ${state}.`)}</description><language>es-mx</language><atom:link href="${escaped(`${page}/rss.xml`)}" rel="self" type="application/rss+xml"/>${items.join('')}</channel></rss>`,
      'application/rss+xml',
    )
  })
}
