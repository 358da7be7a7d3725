import { beforeAll, describe, expect, it } from 'vitest'
import { addListing, createCollection } from '../../src/collections/service.ts'
import { FORMATS } from '../../src/feeds/rules.ts'
import { unsubscribeKeyOf, unsubscribeToken } from '../../src/lib/unsubscribe.ts'
import { sharedKey } from '../../src/webhooks/secrets.ts'
import { createWidget } from '../../src/widgets/service.ts'
import { broughtTo, type Cooperation, step } from '../support/cooperation.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { newFeed } from '../support/feeds.ts'
import { askForShowing, clock, identify, inquire, person, SECOND, useClock } from '../support/inquiries.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { routesOf } from '../support/routes.ts'
import { signedInAgent, Visitor } from '../support/visitor.ts'
import { subscribe } from '../support/webhooks.ts'

/**
 * A market in which every commission is a number found nowhere else. It is looked for on everything that is not a page of a
 * verified agent's market, own listing or cooperation.
 */
const exchange = useExchange(useClock())
const COMMISSION = '7.7731'
const PRICE = 1_000_000
/** Not within hexadecimal digits: those of an id are random. */
const LEAK = /7[.,]7731|(?<![\da-f])77[.,]?731(?![\da-f])|77\.73/

const seen = new Map<string, string>()
const keep = (where: string, body: string) => seen.set(where, body)

let owner: TestAgent
let me: { agent: TestAgent; visitor: Visitor }
let cooperation: Cooperation
// biome-ignore lint/suspicious/noExplicitAny: a record of the API
let listing: any
const tokens: Record<string, string> = {}
const feeds: string[] = []

beforeAll(async () => {
  owner = await exchange.agent({ name: 'Olga Owner', agency: 'Casas del Sur' })
  me = await signedInAgent(exchange, { name: 'Beto Buscador', agency: 'Norte' })
  const fields = { sale_price: PRICE, shared_commission: COMMISSION, description: 'Una casa.' }
  listing = await exchange.published(owner, fields)
  await exchange.published(me.agent, { ...fields, title: 'Casa propia con vista' })
  await exchange.published(owner, { ...fields, idx_opt_out: true, title: 'Casa reservada' })
  const collection = await createCollection(exchange.db, me.agent.id, {
    value: { title: 'Para Eva' },
    issues: [],
  })
  await addListing(exchange.db, me.agent.id, collection, listing.id)
  tokens.c = (await exchange.pool.query('select token from collections')).rows[0].token
  for (const kind of ['listings', 'inquiry'] as const) {
    const value = { name: kind, kind, domains: ['www.example.com'] }
    tokens[kind] = await createWidget(exchange.db, me.agent.id, { value, issues: [] })
  }
  for (const agent of [owner, me.agent])
    await subscribe(exchange, agent, 'https://hook.example/x', [
      'listing.updated',
      'cooperation.created',
      'cooperation.updated',
    ])
  tokens.calendar = (
    await exchange.pool.query('select calendar_key from agents where id = $1', [me.agent.id])
  ).rows[0].calendar_key
  tokens.alert = await alertToken()
  for (const format of FORMATS) feeds.push((await newFeed(exchange, owner, { format })).path)
  cooperation = await broughtTo(exchange, 'accepted')
  await exchange.pool.query('update listings set shared_commission = $1', [COMMISSION])
  await exchange.pool.query('update cooperations set split = $1', [COMMISSION])
  await step(cooperation, cooperation.owner, 'message', { text: 'Hola' })
  await exchange.search.refresh()
}, 60_000)

const get = async (url: string, headers: Record<string, string> = {}) => {
  const { body, statusCode } = await exchange.app.inject({
    url,
    headers: { accept: 'text/html', ...headers },
  })
  keep(`GET ${url}`, body)
  return statusCode
}

/** The private link of an alert, which also ends its mail. */
async function alertToken(): Promise<string> {
  const { rows } = await exchange.pool.query(
    `insert into alerts (email, lang, query, pace, consent_at, consent_notice, confirmed_at)
     values ('visitor@example.com', 'es', 'operation=sale', 'at_once', now(), '2026-11-15', now()) returning id`,
  )
  const key = unsubscribeKeyOf(await sharedKey(exchange.db, undefined))
  return unsubscribeToken(key, 'alerts', rows[0].id)
}

/** What each parameter of a public path can be. */
function filled(path: string): string[] {
  const slugs = { agent: owner.slug, agency: 'casas-del-sur', state: 'jalisco', city: 'guadalajara' }
  if (path.startsWith('/feeds/')) return feeds
  if (path.startsWith('/widget/'))
    return [tokens.listings, tokens.inquiry].map(id => path.replace(':id', id as string))
  return [
    path
      .replace(/\/c\/:token/, `/c/${tokens.c}`)
      .replace(/(avisos|alerts|baja|unsubscribe)\/:token/, `$1/${tokens.alert}`)
      .replace(/propiedades\/:slug/, `propiedades/${listing.slug}`)
      .replace(/agentes\/:slug/, `agentes/${slugs.agent}`)
      .replace(/inmobiliarias\/:slug/, `inmobiliarias/${slugs.agency}`)
      .replace(':state', slugs.state)
      .replace(':city', slugs.city)
      .replace('/sitemaps/:file', '/sitemaps/propiedades-1.xml')
      .replace('/calendario/:file', `/calendario/${tokens.calendar}.ics`),
  ]
}

describe('a commission', () => {
  it('is on no public page, feed or widget', async () => {
    const routes = routesOf(exchange.app).filter(
      ({ method, path }) => method === 'GET' && !/^\/(api|portal|assets|media|demo|docs)/.test(path),
    )
    const closed: string[] = []
    for (const { path } of routes) {
      // The link of a mail opens this one: see below.
      if (/\/identifica(cion|tion)\//.test(path)) continue
      for (const url of filled(path)) if ((await get(url)) !== 200) closed.push(url)
    }
    expect(closed, 'public routes the walk did not get into').toEqual([])
    for (const query of ['q=casa', 'min_commission=7', 'sort=commission', 'ask=comision+7.7731'])
      await get(`/propiedades?${query}`)
    await get(`/mapa.json?q=casa`)
    for (const [url, body] of seen) expect(body, url).not.toMatch(LEAK)
    expect([...seen.values()].filter(body => body.includes('Providencia')).length).toBeGreaterThan(8)
  })

  it('is in no answer of the API, not even to its owner', async () => {
    const before = seen.size
    for (const key of [owner.key, me.agent.key]) {
      const answer = async (path: string) =>
        keep(`${key.slice(0, 12)} ${path}`, JSON.stringify(await exchange.get(path, key)))
      const paths = routesOf(exchange.app)
        .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/v1/'))
        .map(({ path }) => path.slice('/api/v1'.length).replace(':id', listing.id))
      for (const path of paths) await answer(path)
      for (const query of [
        'min_commission=7',
        'shared_commission=7.7731',
        'q=7.7731',
        'fields=shared_commission',
      ])
        await answer(`/properties?${query}`)
    }
    const edited = await exchange.put(`/properties/${listing.id}`, owner.key, {
      shared_commission: COMMISSION,
    })
    keep('PUT', JSON.stringify(edited))
    const created = await exchange.listing(owner, { shared_commission: COMMISSION })
    keep('POST', JSON.stringify(created))
    expect(seen.size).toBeGreaterThan(before + 20)
    for (const [url, body] of seen) expect(body, url).not.toMatch(LEAK)
  })

  it('is in no mail, to visitors or agents, and in no event', async () => {
    const path = `/propiedades/${listing.slug}`
    await inquire(exchange, path)
    const collected = await new Visitor(exchange).open(`/c/${tokens.c}`)
    clock.now += 5 * SECOND
    const contact = collected.forms().find(form => form.action.endsWith('/contacto'))
    if (contact) await collected.submit(contact.action, person())
    keep('the collection', collected.html)
    const { mail, link } = await askForShowing(exchange, owner, path)
    keep('the mail to identify', `${mail?.html} ${mail?.text}`)
    keep('the page to identify', (await identify(exchange, link)).html)
    const mails = await takeMail(exchange)
    for (const one of mails) keep(`mail ${one.kind} ${one.id}`, `${one.subject} ${one.html} ${one.text}`)
    expect(mails.length).toBeGreaterThan(0)
    expect(() => linkIn(mails[0])).toBeDefined()
    const { rows } = await exchange.pool.query('select event, data::text from outbox')
    expect(rows.length).toBeGreaterThan(4)
    for (const [i, row] of rows.entries()) keep(`event ${i} ${row.event}`, row.data)
    for (const [where, body] of seen) expect(body, where).not.toMatch(LEAK)
  })

  it('is on no sheet, and in the portal only where colleagues look for it', async () => {
    const places: string[] = []
    const { visitor } = me
    const shown = [
      '/portal',
      '/portal/listings',
      '/portal/market',
      '/portal/market?as=table',
      '/portal/market?as=map',
      '/portal/market/map.json',
      '/portal/market/map.svg',
      `/portal/market/${listing.slug}`,
      `/portal/market/${listing.slug}/propose`,
      `/portal/market/${listing.slug}/sheet`,
      `/portal/market/compare?id=${listing.id}`,
      '/portal/cooperations',
      '/portal/collections',
      '/portal/leads',
      '/portal/calendar',
      '/portal/webhooks',
    ]
    for (const path of shown) {
      await visitor.open(path)
      expect(visitor.status, path).toBe(200)
      if (LEAK.test(visitor.html)) places.push(path)
    }
    expect(places).toEqual([
      '/portal/market',
      '/portal/market?as=table',
      `/portal/market/${listing.slug}`,
      `/portal/market/${listing.slug}/propose`,
      `/portal/market/compare?id=${listing.id}`,
    ])
    await cooperation.owner.visitor.open(cooperation.path)
    expect(cooperation.owner.visitor.html).toMatch(LEAK)
  })
})
