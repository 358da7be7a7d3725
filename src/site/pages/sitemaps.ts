import type { FastifyInstance } from 'fastify'
import { listPeopleAddresses } from '../../agents/directory.ts'
import type { Db } from '../../db/database.ts'
import { LANG_TAGS } from '../../lib/i18n.ts'
import { Problem } from '../../lib/problem.ts'
import { inSlices } from '../../lib/slices.ts'
import { escaped, XML_START } from '../../lib/xml.ts'
import { listListingAddresses } from '../../listings/on-market.ts'
import type { Market, SiteDeps } from '../market.ts'
import { localPath } from '../visit.ts'
import { stateSlug } from './states.ts'
import { sendXml, xmlDocument } from './xml.ts'

/** At most this many on average, about half a megabyte: see `idsOf`. */
const PER_SITEMAP = 1_000
/** What a sitemap may hold: each page exists in two languages, and there may be 50,000 URLs. */
const MOST_PER_SITEMAP = 25_000

const KEPT_SITEMAPS = 12

/** Except for the sitemap of people, who can leave the directory without a change to a listing. */
export function registerSitemaps(
  app: FastifyInstance,
  { db, readerFor, publicUrl }: SiteDeps,
  market: Market,
): void {
  const kept = market.rememberedEach<Buffer | undefined>(KEPT_SITEMAPS)
  const index = market.remembered(drawIndex, 0)

  const currentParts = market.remembered(async () => partsOf(await market.counts.listings()))

  async function drawListings(part: number, parts: number): Promise<Buffer | undefined> {
    const current = await currentParts.get()
    // A crawler may have read the index before the market grew or shrank.
    const isDivision = [current / 2, current, current * 2].includes(parts)
    if (!isDivision || part > parts) return undefined
    const listings = await listListingAddresses(db, idsOf(part, parts), MOST_PER_SITEMAP)
    const entries = listings.map(({ slug, updatedAt }) => ({ path: `/propiedades/${slug}`, updatedAt }))
    return urlset(publicUrl, entries)
  }

  async function drawIndex(): Promise<Buffer> {
    const parts = await currentParts.get()
    const names = ['lugares', 'agentes', ...Array.from({ length: parts }, (_, i) => nameOf(i + 1, parts))]
    const items = names.map(
      name => `<sitemap><loc>${escaped(`${publicUrl}/sitemaps/${name}.xml`)}</loc></sitemap>`,
    )
    return xmlDocument(
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.join('\n')}</sitemapindex>`,
    )
  }

  async function drawPeople(reader: Db): Promise<Buffer> {
    const { agents, agencies } = await listPeopleAddresses(reader)
    const people = [...agents.map(({ id }) => id), ...agencies.flatMap(({ members }) => members)]
    const shareOf = await market.counts.sharesOf([...new Set(people)])
    return urlset(publicUrl, [
      ...agents.map(({ id, slug, createdAt }) => ({
        path: `/agentes/${slug}`,
        updatedAt: shareOf(id).latest ?? createdAt,
      })),
      ...agencies.map(({ members, slug, createdAt }) => ({
        path: `/inmobiliarias/${slug}`,
        updatedAt: latest(members.map(id => shareOf(id).latest)) ?? createdAt,
      })),
    ])
  }

  app.get('/sitemap.xml', async (_request, reply) => {
    return sendXml(reply, await index.get())
  })

  app.get<{ Params: { file: string } }>('/sitemaps/:file', async (request, reply) => {
    const [, name, part, parts = 1] =
      /^(lugares|agentes|propiedades-([1-9]\d{0,5})(?:-de-([1-9]\d{0,5}))?)\.xml$/.exec(
        request.params.file,
      ) ?? []
    if (!name) throw new Problem('not_found')
    if (name === 'agentes') return sendXml(reply, await drawPeople(readerFor(request)))
    const document = await kept.get(name, async () =>
      part ? drawListings(Number(part), Number(parts)) : urlset(publicUrl, await placeEntries(market)),
    )
    if (!document) throw new Problem('not_found')
    return sendXml(reply, document)
  })
}

/** With the division: each name means the same listings, however many there are. */
const nameOf = (part: number, parts: number) => `propiedades-${part}${parts > 1 ? `-de-${parts}` : ''}`

/** A power of two. */
export const partsOf = (listings: number): number =>
  2 ** Math.max(0, Math.ceil(Math.log2(listings / PER_SITEMAP)))

/** Of all ids, which are random, that part: counting to where a part of a million begins would read all before it. */
export function idsOf(part: number, parts: number): { first: string; last: string } {
  const width = 2 ** 32 / parts
  const hex = (number: number) => number.toString(16).padStart(8, '0')
  return {
    first: `${hex((part - 1) * width)}-0000-0000-0000-000000000000`,
    last: `${hex(part * width - 1)}-ffff-ffff-ffff-ffffffffffff`,
  }
}

const URLSET_START =
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'

interface Entry {
  path: string
  updatedAt?: Date | undefined
}

/** In slices: there may be thousands. */
const urlset = (publicUrl: string, entries: Entry[]): Promise<Buffer> =>
  inSlices(urlsetOf(publicUrl, entries))

function* urlsetOf(publicUrl: string, entries: Entry[]): Generator<void, Buffer> {
  const alternates = (path: string) =>
    (['es', 'en'] as const)
      .map(
        lang =>
          `<xhtml:link rel="alternate" hreflang="${LANG_TAGS[lang]}" href="${escaped(publicUrl + localPath(lang, path))}"/>`,
      )
      .join('')
  const url = ({ path, updatedAt }: Entry, lang: 'es' | 'en') =>
    `<url><loc>${escaped(publicUrl + localPath(lang, path))}</loc>${updatedAt ? `<lastmod>${updatedAt.toISOString()}</lastmod>` : ''}${alternates(path)}</url>`
  const parts = [Buffer.from(`${XML_START}${URLSET_START}`)]
  for (const entry of entries) {
    parts.push(Buffer.from(`${url(entry, 'es')}\n${url(entry, 'en')}\n`))
    yield
  }
  return Buffer.concat([...parts, Buffer.from('</urlset>')])
}

async function placeEntries(market: Market): Promise<Entry[]> {
  const changeOf = await market.counts.changesByCity()
  const places = [...(await market.inventory())].flatMap(([state, cities]): Entry[] => {
    const path = `/mx/${stateSlug(state)}`
    const entries = cities.map(({ slug, folds }) => ({
      path: `${path}/${slug}`,
      updatedAt: latest(folds.map(city => changeOf({ state, city }))),
    }))
    return [{ path, updatedAt: latest(entries.map(({ updatedAt }) => updatedAt)) }, ...entries]
  })
  return [
    ...['/', '/propiedades', '/mx', '/agentes', '/inmobiliarias', '/para-agentes'].map(path => ({ path })),
    ...places,
  ]
}

/** Undefined if there is none, or the market has changed since its places were counted. */
function latest(times: (Date | undefined)[]): Date | undefined {
  const known = times.filter(time => time !== undefined)
  return known.length > 0 ? known.reduce((a, b) => (a > b ? a : b)) : undefined
}
