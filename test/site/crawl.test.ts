import { beforeAll, describe, expect, it } from 'vitest'
import { loadDemo } from '../../src/demo/load.ts'
import { DEMO_EMAIL } from '../../src/demo/market.ts'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { type PrivateValues, readPrivateValues } from '../support/private-values.ts'
import { attributes, linkedData, locations } from '../support/site.ts'

const exchange = useExchange()
const MOST_BYTES = 100_000
/** `npm run test:thorough` reads every page; otherwise a sample of similar ones, such as listings and searches. */
const IS_THOROUGH = process.env.THOROUGH === '1'
const ONE_OF = IS_THOROUGH ? 1 : 12
/** Drawn for each listing; here only the URLs matter. */
const ONE_PICTURE_OF = IS_THOROUGH ? 40 : 400

/** Takes the first and then one of every `oneOf`. */
function sampler(oneOf: number): () => boolean {
  let met = 0
  return () => met++ % oneOf === 0
}

/** Each requested path, with the problems of its response; bodies are not kept. */
const visited = new Map<string, string[]>()
/** Link targets, with the first page that has them. */
const links = new Map<string, string>()
let secrets: PrivateValues

beforeAll(async () => {
  await loadDemo(exchange.db, () => {})
  await exchange.search.refresh()
  secrets = await readPrivateValues(exchange.pool)
}, 120_000)

const inside = (href: string): string | undefined => {
  const path = href.startsWith(PUBLIC_URL) ? href.slice(PUBLIC_URL.length) || '/' : href
  return path.startsWith('/') && !path.startsWith('//') ? path.split('#')[0] : undefined
}

const ask = (path: string) => exchange.app.inject({ url: path, headers: { accept: 'text/html' } })

/** Except files, and the assets of the API reference and of the portal's sign-in. */
const isOurs = (path: string) => !/^\/(assets|fonts|docs|portal|demo)/.test(path)

async function look(path: string): Promise<void> {
  if (visited.has(path)) return
  const { statusCode, headers, body } = await ask(path)
  const isPage = String(headers['content-type']).startsWith('text/html')
  const faults: string[] = []
  if (statusCode >= 400) faults.push(`answers ${statusCode}`)
  if (isPage && isOurs(path) && statusCode === 200) {
    if (Buffer.byteLength(body) > MOST_BYTES) faults.push(`has ${body.length} characters`)
    faults.push(...htmlFaults(body))
    for (const data of linkedData(body))
      if (data['@context'] !== 'https://schema.org') faults.push('has linked data of no context')
    for (const href of [...attributes(body, 'href'), ...attributes(body, 'src')]) {
      const target = inside(href)
      if (target && !links.has(target)) links.set(target, path)
    }
  }
  if (isOurs(path)) faults.push(...secrets.foundIn(body, path))
  visited.set(path, faults)
}

const faultsOf = (paths: Iterable<string>): string[] =>
  [...paths].flatMap(path => (visited.get(path) ?? []).map(fault => `${path} ${fault}`))

/** Rendered by one template: a listing, an agent, a city of a state, a search. */
const isOneOfMany = (path: string) => path.includes('?') || path.split('/').length > (isEnglish(path) ? 3 : 2)
const isListing = (path: string) => /^(\/en)?\/propiedades\/[^/?]+$/.test(path)
const isEnglish = (path: string) => path.startsWith('/en')

it('the demo market has cooperations under way and ended, with histories that fit the rules', async () => {
  const { rows } = await exchange.pool.query(`
    select c.state, c.awaited, d.id_status, d.agent_id = c.buyer_agent_id as is_own_lead, l.agent_id = c.owner_id as is_own_listing,
      (select array_agg(kind order by id) from cooperation_entries e where e.cooperation_id = c.id) as kinds,
      (select bool_and(e.agent_id is null or e.agent_id in (c.buyer_agent_id, c.owner_id)) from cooperation_entries e where e.cooperation_id = c.id) as is_theirs
    from cooperations c join leads d on d.id = c.lead_id join listings l on l.id = c.listing_id`)
  const states = rows.map(row => row.state)
  for (const state of ['proposed', 'accepted', 'showing', 'offer', 'closed', 'declined', 'expired', 'lost'])
    expect(states).toContain(state)
  for (const row of rows) {
    expect(row).toMatchObject({ is_own_lead: true, is_own_listing: true, is_theirs: true })
    expect(row.kinds[0]).toBe('propose')
    if (row.kinds.includes('showing')) expect(row.id_status).toBe('verified')
  }
})

it('the demo market has listings offered to needs, one that waits for the demo agent', async () => {
  const { rows } = await exchange.pool.query(`
    select c.state, c.awaited, n.agent_id = c.buyer_agent_id and n.on_board as is_need, l.city = any(n.places) as fits,
      b.email as buyer
    from cooperations c join needs n on n.id = c.need_id join listings l on l.id = c.listing_id
    join agents b on b.id = c.buyer_agent_id order by c.state desc`)
  expect(rows).toMatchObject([
    { state: 'proposed', awaited: 'buyer', is_need: true, fits: true, buyer: DEMO_EMAIL },
    { state: 'accepted', awaited: null, is_need: true, fits: true },
  ])
})

describe('a crawl of the whole site from its sitemap', () => {
  it('reaches every public page, and each answers 200, is valid and small, and leaks nothing', async () => {
    const files = locations((await ask('/sitemap.xml')).body)
    const paths: string[] = []
    for (const file of files)
      paths.push(...locations((await ask(inside(file) as string)).body).map(one => inside(one) as string))
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths.filter(path => isListing(path) && !isEnglish(path))).toHaveLength(secrets.publicListings)
    const isTaken = sampler(ONE_OF)
    for (const path of paths) if (!isOneOfMany(path) || isTaken()) await look(path)
    expect(visited.size).toBeGreaterThan(IS_THOROUGH ? secrets.publicListings * 2 : 150)
    expect(faultsOf(visited.keys())).toEqual([])
  }, 300_000)

  it('finds no broken internal link, and nothing private behind any', async () => {
    const found = [...links.keys()].filter(path => !visited.has(path))
    expect(found.length).toBeGreaterThan(500)
    const [isTaken, isPictureTaken] = [sampler(ONE_OF), sampler(ONE_PICTURE_OF)]
    const looked: string[] = []
    for (const path of found) {
      if (path.startsWith('/demo/') ? !isPictureTaken() : isOneOfMany(path) && !isTaken()) continue
      looked.push(path)
      await look(path)
    }
    expect(looked.length).toBeGreaterThan(IS_THOROUGH ? 500 : 50)
    expect(
      faultsOf(looked).map(fault => `${fault}, linked from ${links.get(fault.split(' ')[0] as string)}`),
    ).toEqual([])
  }, 300_000)

  it('would notice a leak: the private values exist and were searched for', async () => {
    expect(secrets.size).toBeGreaterThan(9_000)
    const [listing] = secrets.hidden
    if (!listing) throw new Error('the demo hides no address')
    const page = (await ask(`/propiedades/${listing.slug}`)).body
    const path = `/propiedades/${listing.slug}`
    expect(secrets.foundIn(page, path)).toEqual([])
    for (const secret of listing.secrets)
      expect(
        secrets.foundIn(page.replace('</main>', ` <p>Está en ${secret}, casi.</p></main>`), path),
        secret,
      ).not.toEqual([])
  })
})
