import pino from 'pino'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addListing, createCollection } from '../../src/collections/service.ts'
import type { Db } from '../../src/db/database.ts'
import { Counter } from '../../src/figures/counter.ts'
import { isRobot, sourceOf } from '../../src/figures/rules.ts'
import { announceWeekly } from '../../src/figures/service.ts'
import { useExchange } from '../support/exchange.ts'
import { clock, inquire, person, useClock } from '../support/inquiries.ts'
import { takeMail } from '../support/mail.ts'
import { signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange(useClock())
type Side = Awaited<ReturnType<typeof signedInAgent>>
let [owner, other] = [] as unknown as [Side, Side]
let listing: { id: string; slug: string; title: string }

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

beforeAll(async () => {
  owner = await signedInAgent(exchange)
  other = await signedInAgent(exchange)
})
beforeEach(async () => {
  await exchange.pool.query('delete from listing_figures')
  listing = await exchange.published(owner.agent, { city: 'Loreto', state: 'Zacatecas' })
  await exchange.search.refresh()
  await exchange.app.counter.flush()
  await takeMail(exchange)
})

const rows = async () => {
  await exchange.app.counter.flush()
  const { rows: found } = await exchange.pool.query(
    `select source, views, contacts, favorites, shares, appearances from listing_figures
     where listing_id = $1 order by source`,
    [listing.id],
  )
  return found
}
const NONE = { views: 0, contacts: 0, favorites: 0, shares: 0, appearances: 0 }
const look = (headers: Record<string, string> = {}, path = `/propiedades/${listing.slug}`) =>
  new Visitor(exchange).request('GET', path, { headers })

describe('a listing’s figures', () => {
  it('count people who open its page by where they came from, and nobody else', async () => {
    await look()
    await look({ referer: 'https://lonja.example/propiedades' })
    await look({ referer: 'https://www.google.com/' })
    await look({ referer: 'https://l.facebook.com/' })
    await look({ referer: 'https://portal.example/secret?token=1' })
    await look({ 'user-agent': GOOGLEBOT })
    await look({ 'user-agent': '' })
    await look({ 'sec-purpose': 'prefetch' })
    expect(await rows()).toEqual([
      { ...NONE, source: 'other', views: 1 },
      { ...NONE, source: 'search', views: 1 },
      { ...NONE, source: 'site', views: 2 },
      { ...NONE, source: 'social', views: 1 },
    ])
    await look()
    expect((await rows()).find(row => row.source === 'site')?.views).toBe(3)
    const { rows: all } = await exchange.pool.query('select f::text as text from listing_figures f')
    expect(JSON.stringify(all)).not.toMatch(/10\.\d+\.\d+|secret|Mozilla/)
  })

  it('count appearances in results and contacts by the form', async () => {
    await look({}, '/propiedades?city=Loreto&state=Zacatecas')
    await look({ 'user-agent': GOOGLEBOT }, '/propiedades?city=Loreto&state=Zacatecas')
    await inquire(exchange, `/propiedades/${listing.slug}`, person())
    expect(await rows()).toEqual([{ ...NONE, source: 'site', views: 1, contacts: 1, appearances: 1 }])
  })

  it('count appearances in a collection as such', async () => {
    const id = await createCollection(exchange.db, owner.agent.id, {
      value: { title: 'Para Eva' },
      issues: [],
    })
    await addListing(exchange.db, owner.agent.id, id, listing.id)
    const { rows: made } = await exchange.pool.query('select token from collections where id = $1', [id])
    await look({}, `/c/${made[0].token}`)
    expect(await rows()).toEqual([{ ...NONE, source: 'collection', appearances: 1 }])
  })

  it('count favorites and shares as the browser reports them, within limits, whatever is sent', async () => {
    const visitor = new Visitor(exchange)
    const send = async (fields: Record<string, string>, headers = {}) => {
      const sent = urlencoded(Object.entries(fields))
      await visitor.request('POST', '/cifras', { ...sent, headers: { ...sent.headers, ...headers } })
      expect(visitor.status).toBe(204)
    }
    await send({ kind: 'favorites', listing: listing.slug })
    await send({ kind: 'shares', listing: listing.slug })
    await send({ kind: 'shares', listing: listing.slug }, { 'user-agent': GOOGLEBOT })
    for (const fields of [
      {},
      { kind: 'views', listing: listing.slug },
      { kind: 'shares', listing: listing.id },
    ])
      await send(fields as Record<string, string>)
    await send({ kind: 'shares', listing: "x' or 1=1" })
    expect(await rows()).toEqual([{ ...NONE, source: 'site', favorites: 1, shares: 1 }])
    for (let i = 0; i < 70; i++) await send({ kind: 'favorites', listing: listing.slug })
    expect((await rows())[0].favorites).toBeLessThanOrEqual(60)
  })

  it('are shown to its owner, with a chart, and not to others', async () => {
    await look()
    await exchange.app.counter.flush()
    for (const path of ['/portal/figures', `/portal/listings/${listing.id}`]) {
      await owner.visitor.open(path)
      expect(owner.visitor.status).toBe(200)
      expect(owner.visitor.html).toContain('<svg viewBox="0 0 360 190"')
      expect(owner.visitor.text).toContain('Vistas en 14 días')
    }
    await other.visitor.open('/portal/figures')
    expect(other.visitor.text).not.toContain(listing.title)
    expect((await new Visitor(exchange).open('/portal/figures')).path).toContain('sign-in')
  })

  it('are mailed once a week to agents with views, who can stop it by one click or in the portal', async () => {
    await look()
    await exchange.app.counter.flush()
    const now = new Date(clock.now)
    await announceWeekly(exchange.db, now)
    await announceWeekly(exchange.db, now)
    const [mail, ...more] = await takeMail(exchange)
    expect(more).toEqual([])
    expect(mail?.to.address).toBe(owner.agent.email)
    expect(mail?.text).toContain(listing.title)
    const next = new Date(clock.now + 7 * 86_400_000)
    await new Visitor(exchange).request('POST', new URL(mail?.unsubscribeUrl as string).pathname)
    await exchange.pool.query(`update listing_figures set day = to_char($1::timestamptz, 'YYYY-MM-DD')`, [
      next,
    ])
    await announceWeekly(exchange.db, next)
    expect(await takeMail(exchange)).toEqual([])
    await owner.visitor.open('/portal/figures')
    expect(owner.visitor.text).toContain('Está desactivado.')
    await owner.visitor.submit('/portal/figures/mail')
    expect(owner.visitor.text).toContain('Cada lunes')
    await announceWeekly(exchange.db, next)
    expect(await takeMail(exchange)).toHaveLength(1)
  })
})

describe('the counter', () => {
  const open = (db: () => Db, now = Date.now) =>
    new Counter({
      get db() {
        return db()
      },
      logger: pino({ level: 'silent' }),
      now,
    })

  it('keeps its counts while the database is away, and stores what is left when it closes', async () => {
    let db: Db | undefined
    const counter = open(() => db as Db)
    counter.add(listing.id, 'views', 'site')
    await counter.flush()
    counter.add(listing.id, 'views', 'site')
    counter.add(listing.id, 'shares', 'widget')
    db = exchange.db
    await counter.close()
    expect(await rows()).toEqual([
      { ...NONE, source: 'site', views: 2 },
      { ...NONE, source: 'widget', shares: 1 },
    ])
  })

  it('takes a bounded number of listings, and skips those that are gone', async () => {
    const counter = open(() => exchange.db)
    for (let i = 0; i < 100_010; i++)
      counter.add(`00000000-0000-4000-8000-${String(i).padStart(12, '0')}`, 'views', 'site')
    expect(counter.size).toBe(100_000)
    await counter.close()
    expect(await rows()).toEqual([])
  })

  it('counts for the day it is in central Mexico', async () => {
    const counter = open(
      () => exchange.db,
      () => Date.UTC(2026, 10, 16, 5, 59),
    )
    counter.add(listing.id, 'views', 'site')
    await counter.close()
    const { rows: found } = await exchange.pool.query('select day from listing_figures')
    expect(found).toEqual([{ day: '2026-11-15' }])
  })
})

describe('robots and sources', () => {
  it('are told by what programs and browsers say of themselves', () => {
    const browsers = [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
      'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    ]
    const robots = [
      GOOGLEBOT,
      'curl/8.5.0',
      'python-requests/2.32',
      'facebookexternalhit/1.1',
      'WhatsApp/2.24',
      undefined,
    ]
    expect(browsers.map(isRobot)).toEqual(browsers.map(() => false))
    expect(robots.map(isRobot)).toEqual(robots.map(() => true))
    expect(sourceOf('not a url', 'lonja.example')).toBe('site')
    expect(sourceOf('https://evilgoogle.com.example/', 'lonja.example')).toBe('other')
  })
})
