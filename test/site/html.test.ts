import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { DEMO_ACCOUNTS, DEMO_KEYS, DEMO_PASSWORD } from '../../src/demo/access.ts'
import { loadDemo } from '../../src/demo/load.ts'
import { unsubscribeKeyOf, unsubscribeToken, unsubscribeUrl } from '../../src/lib/unsubscribe.ts'
import { sharedKey } from '../../src/webhooks/secrets.ts'
import { HOUSE, useExchange } from '../support/exchange.ts'
import { identify, leadsOf, person, showing } from '../support/inquiries.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { Receiver } from '../support/receiver.ts'
import { routeFinder, routesOf } from '../support/routes.ts'
import { attributes } from '../support/site.ts'
import { validatorSays } from '../support/validator.ts'
import { PASSWORD, signedInAgent, Visitor } from '../support/visitor.ts'
import { dispatch, settled, subscribe } from '../support/webhooks.ts'

const exchange = useExchange()

/** GET routes that do not return a page. */
const NO_PAGES = [
  /^\/(api|assets|fonts|media|demo|docs|feeds|sitemap|robots|mapa|health|ready)/,
  /\.(csv|xml|ics|js|json|svg|pdf)$/,
  /^\/portal\/(webhooks\/check|listings\/locate)$/,
  /\/(document|preview|picture|files\/:entry)$/,
  /^\/calendario\//,
]
const isPage = (route: string) => !NO_PAGES.some(pattern => pattern.test(route))

/** How many of each kind of page are checked, and as many again with a query. */
const IS_THOROUGH = process.env.THOROUGH === '1'
const OF_EACH_KIND = IS_THOROUGH ? 4 : 1
type Lang = 'es' | 'en'
/** The same templates; `npm run test:thorough` reads both. */
const LANGUAGES: Lang[] = IS_THOROUGH ? ['es', 'en'] : ['es']

const visited = new Set<string>()
let routes: string[]
let routeOf: ReturnType<typeof routeFinder>

beforeAll(async () => {
  await loadDemo(exchange.db, () => {})
  await exchange.search.refresh()
  await setOperator(exchange.db, DEMO_ACCOUNTS.agent, true)
  await deliverOnce()
  routes = routesOf(exchange.app).flatMap(({ method, path }) => (method === 'GET' ? [path] : []))
  routeOf = routeFinder(routes)
}, 120_000)

/** The page of an alert that waits for its owner. */
async function alertPath(lang: Lang, key: Buffer): Promise<string> {
  const { id } = await exchange.db
    .insertInto('alerts')
    .values({
      email: `alert-${lang}@example.com`,
      lang,
      query: 'city=Tala',
      pace: 'daily',
      consent_at: new Date(),
      consent_notice: '2026-11-15',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `${lang === 'es' ? '/avisos' : '/en/alerts'}/${unsubscribeToken(key, 'alerts', id)}`
}

/** A webhook with deliveries to show, in addition to the demo's data. */
async function deliverOnce(): Promise<void> {
  const { id, slug, name, email } = await exchange.db
    .selectFrom('agents')
    .selectAll()
    .where('email', '=', DEMO_ACCOUNTS.agent)
    .executeTakeFirstOrThrow()
  const receiver = await new Receiver().listen()
  await subscribe(exchange, { id, slug, name, email, key: '' }, receiver.url())
  const created = await exchange.post('/properties', DEMO_KEYS.readWrite, HOUSE)
  await exchange.post(`/properties/${created.body.id}/publish`, DEMO_KEYS.readWrite)
  const dispatcher = await dispatch(exchange)
  await settled(exchange.db)
  await dispatcher.stop()
  await receiver.close()
}

async function faultsOf(visitor: Visitor): Promise<string[]> {
  visited.add(routeOf(visitor.path) ?? 'none')
  const said = await validatorSays(visitor.html)
  return said.map(fault => `${visitor.path} (${visitor.status}): ${fault}`)
}

/** Follows links from there and returns the problems it finds. */
async function walkAll(visitor: Visitor, starts: string[], isInside: (path: string) => boolean) {
  const waiting = [...starts]
  const seen = new Map<string, number>()
  const faults: string[] = []
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const route = routeOf(path) ?? 'none'
    const kind = `${route} ${path.includes('?')}`
    const times = seen.get(kind) ?? 0
    if (!isPage(route) || times >= OF_EACH_KIND) continue
    seen.set(kind, times + 1)
    await visitor.open(path)
    faults.push(...(await faultsOf(visitor)))
    const links = attributes(visitor.html, 'href').map(href => href.replace(/#.*/, ''))
    waiting.push(...links.filter(isInside))
  }
  return faults
}

/** A visitor of the portal with that language. */
async function speaking(lang: Lang, visitor = new Visitor(exchange)): Promise<Visitor> {
  if (visitor.path === '') await visitor.open('/portal/sign-in')
  return visitor.submit('/portal/preferences', { lang })
}

describe.each(LANGUAGES)('in %s, a standard HTML validator accepts', lang => {
  it('every kind of public page, and error pages', async () => {
    const prefix = lang === 'es' ? '' : '/en'
    const here = { es: /^\/(?!\/|en(\/|$)|portal)/, en: /^\/en(\/|$|\?)/ }[lang]
    const odd = [
      '/propiedades?q=submarino&min_bedrooms=4',
      '/propiedades?min_price=x&state=Texas',
      '/no-such-page',
      '/propiedades/no-such-listing',
    ]
    const starts = [prefix || '/', ...odd.map(path => prefix + path)]
    expect(await walkAll(new Visitor(exchange), starts, path => here.test(path))).toEqual([])
  })

  it('every screen of an agent and of the operator', async () => {
    const visitor = await speaking(
      lang,
      await new Visitor(exchange).signIn(DEMO_ACCOUNTS.agent, DEMO_PASSWORD),
    )
    const inside = (path: string) => path.startsWith('/portal')
    const some = await exchange.db
      .selectFrom('listings')
      .select('id')
      .where('status', '=', 'published')
      .limit(2)
      .execute()
    const compare = `/portal/market/compare?${some.map(({ id }) => `id=${id}`).join('&')}`
    expect(await walkAll(visitor, ['/portal', '/portal/nothing', '/portal/doctor', compare], inside)).toEqual(
      [],
    )
  })

  it('the screens for signing in, resetting the password and signing up', async () => {
    const visitor = await speaking(lang)
    const faults = []
    const email = `nadia-${lang}@example.mx`
    const looked = async () => faults.push(...(await faultsOf(visitor)))
    for (const path of ['sign-in', 'forgotten', 'reset?token=x']) {
      await visitor.open(`/portal/${path}`)
      await looked()
    }
    await visitor.open('/portal/sign-up')
    await looked()
    await visitor.submit('/portal/sign-up', { name: '', email: 'x', phone: '1', password: 'short' })
    expect(visitor.status).toBe(422)
    await looked()
    await visitor.submit('/portal/sign-up', {
      name: 'Nadia Ruiz',
      email,
      phone: '3312345678',
      password: PASSWORD,
    })
    await looked()
    await visitor.open(linkIn((await takeMail(exchange)).find(({ to }) => to.address === email)))
    await looked()
    await visitor.submit('/portal/confirm', { password: PASSWORD })
    expect(visitor.path).toBe('/portal/licence')
    await looked()
    for (const path of ['', '/keys', '/webhooks', '/listings', '/leads']) {
      await visitor.open(`/portal${path}`)
      await looked()
    }
    const other = await speaking(lang)
    await other.open('/portal/forgotten')
    await other.submit('/portal/forgotten', { email })
    await other.open(linkIn((await takeMail(exchange)).at(-1)))
    expect(other.path).toContain('/portal/reset')
    faults.push(...(await faultsOf(other)))
    expect(faults).toEqual([])
  })

  it('rejected forms, and secrets that are shown once', async () => {
    const { visitor } = await signedInAgent(exchange)
    await speaking(lang, visitor)
    const faults: string[] = []
    const send = async (page: string, action: string, fields: Record<string, string>, status: number) => {
      await visitor.open(page)
      await visitor.submit(action, fields)
      expect(visitor.status, action).toBe(status)
      faults.push(...(await faultsOf(visitor)))
    }
    const key = { label: 'My site', scopes: 'read', password: PASSWORD }
    await send(
      '/portal/listings/new',
      '/portal/listings/new',
      { title: 'x', sale_price: 'much', lat: '99' },
      422,
    )
    await send('/portal/keys', '/portal/keys', { ...key, password: 'wrong' }, 422)
    await send('/portal/keys', '/portal/keys', key, 200)
    await send('/portal/webhooks', '/portal/webhooks', { url: 'http://x', password: PASSWORD }, 422)
    await send('/portal/profile', '/portal/profile', { name: '', phone: '1' }, 422)
    expect(faults).toEqual([])
  })

  it('what agents share: a collection, its form and thank-you page, and the frames of widgets; the end of a mailing', async () => {
    const { token } = await exchange.db.selectFrom('collections').select('token').executeTakeFirstOrThrow()
    const widgets = await exchange.db.updateTable('widgets').set({ lang }).returning('id').execute()
    const visitor = new Visitor(exchange)
    const faults: string[] = []
    const prefix = lang === 'es' ? '' : '/en'
    const key = unsubscribeKeyOf(await sharedKey(exchange.db, undefined))
    for (const path of [
      unsubscribeUrl('', lang, unsubscribeToken(key, 'needs', randomUUID())),
      unsubscribeUrl('', lang, 'unknown'),
      ...['', '?city=Tala&q=jard%C3%ADn', '/gracias', '/unknown'].map(
        rest => `${prefix}/${lang === 'es' ? 'avisos' : 'alerts'}${rest}`,
      ),
      await alertPath(lang, key),
      `${prefix}/${lang === 'es' ? 'comparar' : 'compare'}`,
      ...['', '/contacto', '/gracias'].map(rest => `${prefix}/c/${token}${rest}`),
      `${prefix}/c/${'x'.repeat(22)}`,
      ...widgets.map(({ id }) => `/widget/${id}`),
      '/widget/unknown',
    ]) {
      await visitor.open(path)
      faults.push(...(await faultsOf(visitor)))
    }
    await visitor.open(`${prefix}/c/${token}`)
    const [shared] = attributes(visitor.html, 'href').filter(href => /\/c\/[^/]+\/propiedades\//.test(href))
    await visitor.open(shared as string)
    faults.push(...(await faultsOf(visitor)))
    await visitor.open(`${prefix}/c/${token}`)
    await visitor.submit(`${prefix}/c/${token}/contacto`, { name: '' })
    expect(visitor.status).toBe(422)
    faults.push(...(await faultsOf(visitor)))
    expect(faults).toEqual([])
  })

  it('visitors’ forms, and the screens that show them', async () => {
    const { agent, visitor: portal } = await signedInAgent(exchange)
    await setOperator(exchange.db, agent.email, true)
    await speaking(lang, portal)
    const listing = await exchange.published(agent)
    await exchange.search.refresh()
    const visitor = new Visitor(exchange)
    const faults: string[] = []
    const looked = async (status: number, who = visitor) => {
      expect(who.status, who.path).toBe(status)
      faults.push(...(await faultsOf(who)))
    }
    const prefix = lang === 'es' ? '' : '/en'
    const [toListing, toAgent] = [`${prefix}/propiedades/${listing.slug}`, `${prefix}/agentes/${agent.slug}`]
    const asked = person({ ...showing(), email: `html-${lang}@example.com` })
    await visitor.open(`${toAgent}/contacto`)
    await looked(200)
    await sleep(2_100)
    await visitor.submit(`${toAgent}/contacto`, person())
    await looked(200)
    await visitor.open(`${toListing}/contacto`)
    await looked(200)
    await visitor.submit(`${toListing}/contacto`, { kind: 'tour' })
    await looked(422)
    await sleep(2_100)
    await visitor.submit(`${toListing}/contacto`, asked)
    await looked(200)
    const link = linkIn((await takeMail(exchange)).find(({ to }) => to.address === asked.email))
    await visitor.open(link)
    await looked(200)
    await visitor.submit(link)
    await looked(422)
    await looked(200, await identify(exchange, link))
    await visitor.open(link)
    await looked(410)
    const [lead] = await leadsOf(exchange, agent.id)
    for (const path of ['leads', 'operator/identifications']) {
      await portal.open(`/portal/${path}`)
      await looked(200, portal)
      await portal.open(`/portal/${path}/${lead?.id}`)
      await looked(200, portal)
    }
    expect(faults).toEqual([])
  })

  it('the pages of internal errors', async () => {
    const broken = vi.spyOn(exchange.search, 'page').mockRejectedValue(new Error('on purpose'))
    try {
      const visitor = await new Visitor(exchange).open(lang === 'es' ? '/propiedades' : '/en/propiedades')
      expect(visitor.status).toBe(500)
      expect(await faultsOf(visitor)).toEqual([])
    } finally {
      broken.mockRestore()
    }
  })
})

it('all pages are covered', () => {
  const isRead = (route: string) => IS_THOROUGH || !/^\/en(\/|$)/.test(route)
  expect(routes.filter(route => isPage(route) && isRead(route) && !visited.has(route))).toEqual([])
})
