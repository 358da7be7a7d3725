import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { DEMO_KEYS } from '../../src/demo/access.ts'
import { loadDemo } from '../../src/demo/load.ts'
import { NotReady } from '../../src/lib/problem.ts'
import { SqlSearch } from '../../src/search/sql/service.ts'
import { openSnapshots } from '../../src/search/sql/snapshot.ts'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
const logger = pino({ level: 'silent' })
let tables: SqlSearch
let other: FastifyInstance

const appWith = async (search: SqlSearch) => {
  const { db, keys, files } = exchange
  const loop = { delayMs: 0 }
  const settings = { publicUrl: PUBLIC_URL, rateLimit: 1_000_000, trustProxy: [], loop }
  return buildApp({ db, keys, files, search, logger, ...settings })
}

beforeAll(async () => {
  const { db, pool } = exchange
  await loadDemo(db, () => {})
  tables = new SqlSearch({ db, url: pool.options.connectionString as string, publicUrl: PUBLIC_URL, logger })
  other = await appWith(tables)
  await Promise.all([exchange.search.refresh(), tables.refresh()])
}, 120_000)
afterAll(async () => {
  await other.close()
  await tables.close()
})

const KEY = DEMO_KEYS.readWrite
const inject = (app: FastifyInstance, url: string) =>
  app.inject({ url, headers: { authorization: `Bearer ${KEY}`, host: 'lonja.example' } })

/** What both answer; fails if it is not the same. */
async function same(url: string, masked: (body: string) => string = body => body) {
  const [one, two] = [await inject(exchange.app, url), await inject(other, url)]
  expect(two.statusCode, url).toBe(one.statusCode)
  expect(masked(two.body), url).toBe(masked(one.body))
  expect(two.headers.link, url).toBe(one.headers.link)
  return one
}

/** A single record from a cache has its fields in another order than one from the database. */
const unordered = (body: string) => JSON.stringify(Object.entries(JSON.parse(body)).sort())

const MEXICO = 'sw_lat=14&sw_lng=-118&ne_lat=33&ne_lng=-86'
const FACETS = 'facets=type,state,city,neighborhood,bedrooms,features,price'
const SEARCHES = [
  '',
  'page=3&limit=5',
  'sort=price_asc&operation=sale&limit=50',
  'sort=price_desc&operation=rental',
  'rent_period=daily',
  'rent_period=monthly&max_price=20000',
  'sort=updated&limit=100',
  'q=casa+con+alberca&sort=relevance',
  'q=depa+2+recamaras',
  'q=departamento+en+renta+cdmx&sort=relevance&limit=100',
  'q=la',
  'state=Jalisco&type=house&min_bedrooms=3',
  'city=zapopan&neighborhood=prov',
  'place=Monterrey,+NL',
  'place=Riviera+Maya&sort=price_asc',
  'features=Alberca&features=Jard%C3%ADn&exclude_own=true',
  'exclude_features=Alberca&exclude_features=Jard%C3%ADn',
  'min_price=1000000&max_price=5000000&currency=MXN&operation=sale',
  'price_in=USD&min_price=100000&sort=price_asc',
  'lat=20.67&lng=-103.35&radius_km=10&sort=distance',
  `${MEXICO}&limit=7`,
  'polygon=20.5,-103.6;20.9,-103.6;20.9,-103.1;20.5,-103.1',
  `${FACETS}`,
  `${FACETS}&state=Jalisco&min_bedrooms=2&price_in=MXN&q=casa`,
  'fields=title,operations&limit=3',
  'ask=depa+en+renta+en+guadalajra+menos+de+30+mil',
  'ask=casa+cerca+de+zapopan+con+albrca+3+recamaras',
  'ask=terreno+barato+tulum',
  'min_price=x&page=0',
]

describe('an exchange that answers by SQL', () => {
  it.each(SEARCHES)('finds the same as from memory, byte by byte, and goes on after it: %s', async query => {
    const first = await same(`/api/v1/properties?${query}`)
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1]
    if (next) await same(next.replace(PUBLIC_URL, ''))
  })

  it('groups the same on a map, but for the last digit of a mean, which depends on the order of its listings', async () => {
    const masked = (body: string) => body.replace(/"(lat|lng)":[-.\d]+/g, '')
    for (const query of ['', 'zoom=14', 'state=Jalisco&zoom=20', 'q=casa&zoom=3']) {
      const url = `/api/v1/properties/clusters?${query}`
      const { content } = (await same(url, masked)).json()
      const others = (await inject(other, url)).json().content
      for (const [i, { lat, lng }] of content.entries())
        expect(Math.max(Math.abs(lat - others[i].lat), Math.abs(lng - others[i].lng))).toBeLessThan(2e-6)
    }
    const meansOf = (body: string) => body.replace(/(\.\d{5})\d+/g, '$1')
    for (const query of [
      '',
      'state=Jalisco',
      'view=-103.6,20.4,-103.2,20.8',
      'view=-103.4,20.66,-103.38,20.68',
    ])
      expect((await same(`/mapa.json?${query}`, meansOf)).json().marks).not.toEqual([])
  })

  it('counts and suggests the same', async () => {
    for (const path of [
      'market',
      'market?by=city,type',
      'market?by=neighborhood,month&price_in=USD',
      'market?by=state&operation=sale&type=land',
      'locations',
      'agents',
      'agencies',
      'suggest?q=guad',
      'suggest?q=casa+en+zapo',
      'suggest?q=alb',
    ])
      await same(`/api/v1/${path}`)
    const { content } = (await same('/api/v1/properties?limit=20')).json()
    for (const { id } of content) {
      await same(`/api/v1/properties/${id}`, unordered)
      await same(`/api/v1/properties/${id}/similar?limit=20`)
    }
  })

  it('feeds the same copies, each with the cursors of the other, and proves them the same', async () => {
    const masked = (body: string) => body.replace(/"cursor":"[^"]*"/, '')
    for (const filters of ['', 'state=Jalisco&', 'scope=own&']) {
      let cursor = ''
      for (let more = true; more; ) {
        const page = (await same(`/api/v1/changes?${filters}limit=100${cursor}`, masked)).json()
        cursor = `&cursor=${page.cursor}`
        more = page.more
      }
      const [one] = (
        await inject(exchange.app, `/api/v1/properties?${filters.replace('scope=own&', '')}limit=1`)
      ).json().content
      await sql`update listings set featured = not featured, idx_opt_out = not idx_opt_out where id = ${one.id}`.execute(
        exchange.db,
      )
      await Promise.all([exchange.search.refresh(), tables.refresh()])
      const { content } = (await same(`/api/v1/changes?${filters}${cursor}`, masked)).json()
      expect(content.length).toBeGreaterThanOrEqual(filters.startsWith('scope') ? 0 : 1)
      await same(`/api/v1/digest?${filters}`, masked)
      await same(`/api/v1/digest?${filters}prefix=a0`, masked)
    }
  })

  it('shows the same pages', async () => {
    // Each page has tokens of its own.
    const masked = (body: string) => body.replace(/[\w.~+/=-]{30,}/g, '')
    for (const path of [
      '/',
      '/en/properties?q=house',
      '/propiedades?state=Jalisco&page=2',
      '/mx',
      '/mx/jalisco',
      '/agentes',
      '/agentes?q=jalisco',
      '/inmobiliarias',
      '/filtros.json?state=Jalisco',
      '/filtros.json',
      '/sugerencias.json?q=zap',
      '/sitemap.xml',
      '/sitemaps/lugares.xml',
      '/sitemaps/agentes.xml',
    ])
      await same(path, masked)
  })

  it('shows a write to whoever made it', async () => {
    const headers = { authorization: `Bearer ${KEY}` }
    const [own] = (await inject(other, '/api/v1/changes?scope=own&limit=1')).json().content
    const title = 'Un título que nadie más tiene: xilófono'
    const url = `/api/v1/properties/${own.id}`
    expect((await other.inject({ method: 'PUT', url, headers, payload: { title } })).statusCode).toBe(200)
    expect((await inject(other, '/api/v1/properties?q=xilofono')).json().pagination.total).toBe(1)
  })

  it('is ready when it follows the database, and says so when it does not', async () => {
    const { checks } = (await inject(other, '/ready')).json()
    expect(checks.search).toBe('ok')
    expect(tables.revision).toBeGreaterThan(0)
    const lost = new SqlSearch({
      db: exchange.db,
      url: 'postgres://nobody@127.0.0.1:1/none',
      publicUrl: PUBLIC_URL,
      logger,
    })
    const app = await appWith(lost)
    const answer = await inject(app, '/ready')
    expect([answer.statusCode, answer.json().checks.search]).toEqual([503, 'loading'])
    expect(answer.headers['retry-after']).toBeDefined()
    await app.close()
    await lost.close()
  })

  it('lets the questions of others pass those that one agent has waiting, of which there is a limit', async () => {
    const atOnce = openSnapshots(exchange.db)
    const wait = (viewer: string) => atOnce(tx => sql`select pg_sleep(0.1)`.execute(tx), viewer)
    const ended: string[] = []
    const many = Promise.allSettled(
      Array.from({ length: 60 }, () => wait('many').then(() => ended.push('many'))),
    )
    await wait('one')
    ended.push('one')
    expect(ended.indexOf('one')).toBeLessThan(10)
    const refused = (await many).filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(20)
  })

  it('gives up a question that takes too long, and asks to retry', async () => {
    const atOnce = openSnapshots(exchange.db, 50)
    await expect(atOnce(tx => sql`select pg_sleep(5)`.execute(tx))).rejects.toThrow(NotReady)
  })
})
