import { beforeAll, describe, expect, it } from 'vitest'
import { loadDemo } from '../../src/demo/load.ts'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { attributes, decoded, linkedData, locations } from '../support/site.ts'

const exchange = useExchange()
const MOST_BYTES = 100_000

interface Visited {
  status: number
  type: string
  body: string
}
const visited = new Map<string, Visited>()

async function fetchPage(path: string): Promise<Visited> {
  const known = visited.get(path)
  if (known) return known
  const answer = await exchange.app.inject({ url: path, headers: { accept: 'text/html' } })
  const page = { status: answer.statusCode, type: String(answer.headers['content-type']), body: answer.body }
  visited.set(path, page)
  return page
}

const inside = (href: string): string | undefined => {
  const path = href.startsWith(PUBLIC_URL) ? href.slice(PUBLIC_URL.length) || '/' : href
  return path.startsWith('/') && !path.startsWith('//') ? path.split('#')[0] : undefined
}

const streetOf = (address: string) => address.split(',', 1)[0]?.trim() as string

/** The market changes under no one's hands here: a listing that shows once is worth no second look. */
const isListing = (path: string) => /^(\/en)?\/propiedades\/[^/?]+$/.test(path)

beforeAll(async () => {
  await loadDemo(exchange.db, () => {})
  await exchange.search.refresh()
}, 120_000)

describe('a walk over the whole site from its sitemap', () => {
  it('meets every public page, and each answers 200, is well made and small', async () => {
    const files = locations((await fetchPage('/sitemap.xml')).body)
    const pages: string[] = []
    for (const file of files) pages.push(...locations((await fetchPage(inside(file) as string)).body))
    const { rows } = await exchange.pool.query(
      'select count(*)::int as count from listings l join agents a on a.id = l.agent_id where is_public(l, a)',
    )
    const paths = pages.map(page => inside(page) as string)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths.filter(path => /^\/propiedades\/./.test(path))).toHaveLength(rows[0].count)
    // All Spanish pages but listings; of those, and of their English twins, some: they are the same templates.
    const sample = paths.filter(
      (path, i) =>
        (!isListing(path) && !path.startsWith('/en')) || (isListing(path) ? i % 60 < 2 : i % 16 === 1),
    )
    for (const path of sample) {
      const { status, body } = await fetchPage(path)
      expect(status, path).toBe(200)
      expect(Buffer.byteLength(body), path).toBeLessThan(MOST_BYTES)
      expect(htmlFaults(body), path).toEqual([])
      for (const data of linkedData(body)) expect(data['@context'], path).toBe('https://schema.org')
    }
    expect(visited.size).toBeGreaterThan(400)
  }, 120_000)

  it('finds no broken link inside', async () => {
    const links = new Map<string, string>()
    for (const [from, { body, type }] of visited) {
      if (!type.includes('text/html')) continue
      for (const href of [...attributes(body, 'href'), ...attributes(body, 'src')]) {
        const path = inside(href)
        if (path && !visited.has(path)) links.set(path, from)
      }
    }
    const broken: string[] = []
    let seen = 0
    for (const [path, from] of links) {
      // Thousands differ only in what is searched, shown or drawn: some of each, all of the others.
      const isOneOfMany = isListing(path) || /\?|^\/demo\/|rss\.xml$|^\/en\//.test(path)
      if (isOneOfMany && seen++ % 40 !== 0) continue
      const { status } = await fetchPage(path)
      const isFine = status === 200 || status === 302 || status === 303 || path.startsWith('/portal')
      if (!isFine) broken.push(`${path} (from ${from}): ${status}`)
    }
    expect(broken).toEqual([])
    expect([...visited.values()].filter(page => page.status >= 500)).toEqual([])
  }, 120_000)

  it('shows no byte of what is never public', async () => {
    const { rows } = await exchange.pool.query(`
      select l.id, l.slug, l.lat, l.lng, l.address, l.postal_code, l.shared_commission, l.internal_id,
             l.show_exact_address as exact, is_public(l, a) as shown, l.public_lat, l.public_lng,
             a.id as agent, a.email
      from listings l join agents a on a.id = l.agent_id`)
    const secrets = new Set<string>()
    for (const row of rows) {
      secrets.add(row.id).add(row.agent).add(row.email)
      if (row.internal_id) secrets.add(row.internal_id)
      if (!row.shown) secrets.add(row.slug)
      if (row.exact && row.shown) continue
      if (row.lat !== null) secrets.add(String(row.lat)).add(String(row.lng))
      if (row.address) secrets.add(streetOf(row.address))
    }
    for (const row of rows) {
      if (!row.exact && row.lat !== null)
        expect([row.public_lat, row.public_lng]).not.toEqual([row.lat, row.lng])
      if (!row.shown) continue
      // What one listing shows is no secret because another hides the same.
      for (const value of [row.public_lat, row.public_lng, row.exact && streetOf(row.address ?? '')])
        secrets.delete(String(value))
    }
    const commissions = ['50% de la comisión', 'shared_commission', 'comisión compartida']
    const everything = [...visited].filter(
      ([path]) => !path.startsWith('/assets/') && !path.startsWith('/docs'),
    )
    expect(secrets.size).toBeGreaterThan(4000)
    expect([...secrets].filter(secret => / \d+$/.test(secret)).length).toBeGreaterThan(300)
    const words = new Set<string>()
    for (const [path, { body }] of everything) {
      for (const id of body.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? []) {
        expect(secrets.has(id), `${path}: ${id}`).toBe(false)
      }
      for (const word of body.match(/-?\d{1,3}\.\d{4,}|[A-Za-z]+-\d+|[a-z0-9-]{12,}/g) ?? []) words.add(word)
      for (const part of decoded(body).split(/[<>",/]/)) words.add(part.trim())
      expect(/\w@\w/.test(body), path).toBe(false)
      for (const commission of commissions) expect(body, path).not.toContain(commission)
    }
    expect([...words].filter(word => secrets.has(word))).toEqual([])
  }, 120_000)
})
