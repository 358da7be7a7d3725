import { beforeAll, describe, expect, it } from 'vitest'
import type { FormatName } from '../../src/feeds/rules.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { META, RSS, TROVIT } from '../support/feed-schemas.ts'
import { newFeed, readFeed } from '../support/feeds.ts'
import { faultsIn, parseXml, type Schema, textOf, type Xml } from '../support/xml.ts'

const exchange = useExchange()

const HOSTILE = ']]></title><script>alert("1")</script>&amp; \u{1F3E0} ñ'
const IMAGES = ['https://images.example/1.jpg?a=1&b=2', 'https://images.example/2.jpg']

let agent: TestAgent

/** All types, both operations, every period, with and without what is optional, and values that would break XML. */
beforeAll(async () => {
  agent = await exchange.agent({ name: 'Eva & "Hijos" <SA>', agency: 'Casas & Co.', phone: '33 1111 2222' })
  const types = [
    'house',
    'apartment',
    'land',
    'office',
    'commercial',
    'warehouse',
    'ranch',
    'building',
    'other',
  ]
  const full = {
    description: `${HOSTILE}\r\nUna casa amplia con jardín, terraza y vista.`,
    rent_price: 18_000.5,
    rent_period: 'monthly',
    bedrooms: 3,
    bathrooms: 2.5,
    parking: 2,
    construction_m2: 180.4,
    lot_m2: 200,
    year_built: 1999,
    images: IMAGES,
    neighborhood: 'Providencia',
    address: 'Calle 1 <2>',
    postal_code: '44630',
    show_exact_address: true,
    virtual_tour_url: 'https://tours.example/1?a&b',
  }
  for (const property_type of types)
    await exchange.published(agent, { ...full, property_type, title: `${HOSTILE} ${property_type}` })
  await exchange.published(agent, { title: 'Casa sin nada más' })
  await exchange.published(agent, {
    title: 'Casa en dólares',
    sale_price: 250_000,
    sale_currency: 'USD',
    images: IMAGES,
  })
  for (const rent_period of ['weekly', 'daily', 'yearly']) {
    const fields = {
      title: `Casa ${rent_period}`,
      sale_price: null,
      rent_price: 900,
      rent_period,
      images: IMAGES,
    }
    await exchange.published(agent, fields)
  }
}, 60_000)

async function read(format: FormatName): Promise<Xml> {
  const { body, statusCode } = await readFeed(exchange, (await newFeed(exchange, agent, { format })).path)
  expect(statusCode).toBe(200)
  return parseXml(body)
}

const entriesOf = (root: Xml, name: string) => root.children.filter(child => child.name === name)
const find = (entries: Xml[], title: string, field = 'title') =>
  entries.filter(entry => textOf(entry, field)?.startsWith(title))

describe('every XML format', () => {
  it.each<[FormatName, string, Schema]>([
    ['rss', 'rss', RSS],
    ['trovit', 'trovit', TROVIT],
    ['meta', 'listings', META],
  ])('%s is well-formed and as documented, whatever the texts are', async (format, rootName, schema) => {
    const root = await read(format)
    expect(root.name).toBe(rootName)
    expect(faultsIn(root, schema)).toEqual([])
  })

  it('is well-formed without listings too', async () => {
    const empty = await exchange.agent()
    for (const format of ['rss', 'trovit', 'meta'] as const) {
      const { body } = await readFeed(exchange, (await newFeed(exchange, empty, { format })).path)
      expect(faultsIn(parseXml(body), { rss: RSS, trovit: TROVIT, meta: META }[format])).toEqual([])
    }
  })
})

describe('RSS', () => {
  it('has each listing once, with the texts as they were written', async () => {
    const [channel] = entriesOf(await read('rss'), 'channel') as [Xml]
    const items = entriesOf(channel, 'item')
    expect(items).toHaveLength(14)
    expect(textOf(channel, 'description')).toBe('Propiedades de Eva & "Hijos" <SA>')
    const [item] = find(items, HOSTILE)
    expect(textOf(item, 'title')).toMatch(/^\]\]><\/title><script>alert\("1"\)/)
    expect(textOf(item, 'description')).toContain(
      '$4,500,000 MXN · $18,000.50 MXN al mes. Providencia, Guadalajara, Jalisco',
    )
  })
})

describe('the layout of Trovit', () => {
  it('has an ad for each operation, under ids that do not change', async () => {
    const ads = entriesOf(await read('trovit'), 'ad')
    expect(ads).toHaveLength(9 * 2 + 5)
    const ids = ads.map(ad => textOf(ad, 'id'))
    expect(new Set(ids).size).toBe(ids.length)
    const types = find(ads, `${HOSTILE} warehouse`).map(ad => textOf(ad, 'type'))
    expect(types).toEqual(['Warehouse For Sale', 'Warehouse For Rent'])
    const [sale, rent] = find(ads, `${HOSTILE} house`) as [Xml, Xml]
    expect(textOf(rent, 'id')).toBe(`${textOf(sale, 'id')}-rental`)
    expect(rent.children.find(({ name }) => name === 'price')).toMatchObject({
      text: '18000.5',
      attributes: { currency: 'MXN', period: 'monthly' },
    })
    expect(textOf(sale, 'floor_area')).toBe('180')
    expect(textOf(sale, 'address')).toBe('Calle 1 <2>')
  })

  it('never has a price that would be read as another: of a day, of a year, in pesos instead of dollars', async () => {
    const ads = entriesOf(await read('trovit'), 'ad')
    const pricesOf = (title: string) =>
      find(ads, title).map(ad => ad.children.find(({ name }) => name === 'price'))
    expect(pricesOf('Casa daily')).toEqual([undefined])
    expect(pricesOf('Casa yearly')).toEqual([undefined])
    expect(pricesOf('Casa weekly')[0]?.attributes).toEqual({ currency: 'MXN', period: 'weekly' })
    expect(pricesOf('Casa en dólares')[0]).toMatchObject({ text: '250000', attributes: { currency: 'USD' } })
  })
})

describe('the catalog of Meta', () => {
  it('has an entry for each operation, without what Meta rejects', async () => {
    const entries = entriesOf(await read('meta'), 'listing')
    const names = entries.map(entry => textOf(entry, 'name'))
    expect(entries).toHaveLength(9 * 2 + 1)
    expect(names.filter(name => /sin nada|daily|yearly|weekly/.test(name ?? ''))).toEqual([])
    const [sale, rent] = find(entries, `${HOSTILE} house`, 'name')
    expect([textOf(sale, 'price'), textOf(rent, 'price')]).toEqual(['4500000.00 MXN', '18000.50 MXN'])
    expect(textOf(sale, 'property_type')).toBe('house')
    expect(textOf(find(entries, `${HOSTILE} office`, 'name')[0], 'property_type')).toBe('other')
  })
})
