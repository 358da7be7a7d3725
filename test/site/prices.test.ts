import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setFlags } from '../../src/listings/service.ts'
import { setRate } from '../../src/rates/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { stock } from '../support/inventory.ts'
import { attributes, decoded, textOf, visit } from '../support/site.ts'

const exchange = useExchange()
let agent: TestAgent

const PRICED = {
  Barata: { sale_price: 100_000, sale_currency: 'USD', construction_m2: 100 },
  Media: { sale_price: 2_000_000, sale_currency: 'MXN', construction_m2: 160 },
  Cara: { sale_price: 150_000, sale_currency: 'USD' },
  Mayor: { sale_price: 3_500_000, sale_currency: 'MXN' },
}

beforeAll(async () => {
  agent = await exchange.agent()
  for (const [name, fields] of Object.entries(PRICED))
    await stock(exchange, agent, { title: `Casa ${name}`, city: 'Zapopan', ...fields })
})
beforeEach(() => sql`delete from exchange_rates`.execute(exchange.db))

const aRate = (rate = '18') =>
  setRate(exchange.db, { day: '2026-01-31', mxn_per_usd: rate, source: 'Banco de prueba' }, new Date())
const titles = (html: string) =>
  [...html.matchAll(/<h2><a [^>]*>Casa (.*?)<\/a>/g)].map(match => decoded(match[1] as string))
const results = async (query: string, prefix = '') => {
  const page = await visit(exchange, `${prefix}/propiedades?city=Zapopan&${query}`)
  expect(page.status).toBe(200)
  expect(htmlFaults(page.html)).toEqual([])
  return { ...page, titles: titles(page.html), text: textOf(page.html) }
}

describe('with a rate, results', () => {
  beforeEach(() => aRate())

  it('are sorted by price in one currency, the asked price beside the converted one, with rate, day and source', async () => {
    const { titles, text } = await results('sort=price_asc')
    expect(titles).toEqual(['Barata', 'Media', 'Cara', 'Mayor'])
    expect((await results('sort=price_desc')).titles).toEqual(['Mayor', 'Cara', 'Media', 'Barata'])
    expect(text).toContain('$100,000 USD ≈ aproximadamente $1,800,000 MXN')
    expect(text).toContain('1 dólar = $18 MXN, 31 ene 2026 (Banco de prueba)')
  })

  it('are filtered in the chosen currency, and the choice of the other converts the limits', async () => {
    const pesos = await results('max_price=2000000')
    expect(pesos.titles.sort()).toEqual(['Barata', 'Media'])
    expect(attributes(pesos.html, 'href')).toContain(
      '/propiedades?city=Zapopan&max_price=111111&price_in=USD',
    )
    const dollars = await results('max_price=120000&price_in=USD', '/en')
    expect(dollars.titles.sort()).toEqual(['Barata', 'Media'])
    expect(dollars.text).toContain('$2,000,000 MXN ≈ about $111,100 USD')
    expect(dollars.text).toContain('up to $120,000 USD')
    expect(attributes(dollars.html, 'href')).toContain('/en/propiedades?city=Zapopan&max_price=2160000')
    const marks = await exchange.app.inject('/mapa.json?city=Zapopan&max_price=120000&price_in=USD')
    expect(JSON.stringify(marks.json().marks)).not.toContain('Cara')
  })

  it('a currency that is none is left out of the URL', async () => {
    const { status, headers } = await visit(exchange, '/propiedades?price_in=EUR')
    expect([status, headers.location]).toEqual([302, '/propiedades'])
  })
})

describe('without a rate, results', () => {
  it('by price are of one currency, and lead to those of the other', async () => {
    const pesos = await results('sort=price_asc')
    expect(pesos.titles).toEqual(['Media', 'Mayor'])
    expect(pesos.text).toContain('los precios en pesos y en dólares no se comparan')
    expect(pesos.text).not.toContain('≈')
    const link = '/propiedades?city=Zapopan&currency=USD&sort=price_asc'
    expect(attributes(pesos.html, 'href')).toContain(link)
    expect((await results('currency=USD&sort=price_asc')).titles).toEqual(['Barata', 'Cara'])
    expect((await results('max_price=2500000')).titles).toEqual(['Media'])
    const { json } = await exchange.app.inject('/mapa.json?city=Zapopan&sort=price_asc')
    expect(json().marks.reduce((sum: number, mark: number[]) => sum + (mark[2] as number), 0)).toBe(2)
  })

  it('in another order are of both', async () => {
    expect((await results('')).titles).toHaveLength(4)
  })
})

describe('featured listings', () => {
  it('carry a label, lead the newest and every order of the API, but no order by price on the site', async () => {
    await aRate()
    const id = (
      await exchange.db
        .selectFrom('listings')
        .select('id')
        .where('title', '=', 'Casa Cara')
        .executeTakeFirstOrThrow()
    ).id
    await setFlags(exchange.db, id, { featured: true })
    const newest = await results('')
    expect(newest.titles[0]).toBe('Cara')
    expect(newest.html.match(/Destacada/g)).toHaveLength(1)
    expect((await results('sort=price_asc')).titles).toEqual(['Barata', 'Media', 'Cara', 'Mayor'])
    const { body } = await exchange.get('/properties?city=Zapopan&sort=price_asc&price_in=MXN', agent.key)
    expect(body.content[0].title).toBe('Casa Cara')
    await setFlags(exchange.db, id, { featured: false })
  })
})

describe('price per square meter', () => {
  it.each([
    ['of what is built', { construction_m2: 160, lot_m2: 400 }, '$12,500 MXN/m² construido'],
    [
      'of land by its lot',
      { property_type: 'land', construction_m2: null, lot_m2: 400 },
      '$5,000 MXN/m² de terreno',
    ],
    ['not of a rented home', { sale_price: null, rent_price: 9_000, construction_m2: 90 }, undefined],
    ['not without an area', { construction_m2: null, lot_m2: 400 }, undefined],
  ])('%s', async (_name, fields, words) => {
    const { slug } = await stock(exchange, agent, { sale_price: 2_000_000, ...fields })
    const text = textOf((await visit(exchange, `/propiedades/${slug}`)).html)
    if (words) expect(text).toContain(words)
    else expect(text.split('Propiedades parecidas')[0]).not.toContain('/m²')
  })
})

describe('price history', () => {
  const FIELDS = { title: 'Casa de la historia', city: 'Tonalá', sale_price: 2_000_000 }
  const change = async (id: string, fields: object) =>
    expect((await exchange.put(`/properties/${id}`, agent.key, fields)).status).toBe(200)
  const shown = async (slug: string) => {
    const { html } = await visit(exchange, `/propiedades/${slug}`)
    return /<ul class="price-history">(.*?)<\/ul>/s.exec(html)?.[1] ?? ''
  }
  const label = async () => textOf((await visit(exchange, '/propiedades?city=Tonalá')).html)

  it('has what was asked while it was published, and marks a lower price on card and page', async () => {
    const { id, slug } = await exchange.published(agent, FIELDS)
    expect(await label()).not.toContain('Bajó de precio')
    await change(id, { sale_price: 1_900_000 })
    expect(textOf(await shown(slug))).toMatch(/\$2,000,000 MXN → \$1,900,000 MXN bajó 5%/)
    expect(await label()).toContain('Bajó de precio')
    expect(textOf((await visit(exchange, `/en/propiedades/${slug}`)).html)).toContain('Price drop')
    await change(id, { sale_price: 1_950_000 })
    expect(textOf(await shown(slug))).toContain('subió 2.6%')
    expect(await label()).not.toContain('Bajó de precio')
  })

  it('never has the price of a draft, and starts over when it is published again', async () => {
    const { id, slug } = await exchange.published(agent, { ...FIELDS, city: 'Tonalá' })
    await change(id, { sale_price: 1_800_000 })
    await exchange.post(`/properties/${id}/unpublish`, agent.key)
    await change(id, { sale_price: 1_234_567 })
    await change(id, { sale_price: 1_200_000 })
    await exchange.post(`/properties/${id}/publish`, agent.key)
    expect(await shown(slug)).toBe('')
    expect(await label()).not.toContain('Bajó de precio')
    expect(await label()).not.toContain('1,234,567')
  })

  it('starts over with another currency: its amounts are of another kind', async () => {
    const { id, slug } = await exchange.published(agent, FIELDS)
    await change(id, { sale_price: 1_900_000 })
    await change(id, { sale_price: 110_000, sale_currency: 'USD' })
    expect(await shown(slug)).toBe('')
    await change(id, { sale_price: 100_000 })
    expect(textOf(await shown(slug))).toContain('$110,000 USD → $100,000 USD')
    expect(await shown(slug)).not.toContain('1,900,000')
  })
})

describe('mortgage estimate', () => {
  const at = async (query: string, fields: object = {}) => {
    const { slug } = await stock(exchange, agent, { sale_price: 2_000_000, ...fields })
    const page = await visit(exchange, `/propiedades/${slug}${query}`)
    return { ...page, text: textOf(page.html) }
  }

  it('states its rate, term and down payment, and says that it is an estimate', async () => {
    const { text, html } = await at('')
    // 1,600,000 at 11 % over 240 months.
    expect(text).toContain(
      '$16,515 MXN al mes, por un crédito de $1,600,000 MXN y un enganche de $400,000 MXN',
    )
    expect(text).toContain('La tasa de 11% es una suposición, no una oferta')
    expect(html).toMatch(/name="rate" value="11"/)
    expect(htmlFaults(html)).toEqual([])
  })

  it('is calculated with what the visitor enters', async () => {
    const { text } = await at('?down=50&years=10&rate=0')
    expect(text).toContain('$8,333 MXN al mes, por un crédito de $1,000,000 MXN')
  })

  it.each(['?years=0', '?years=abc', '?rate=-1', '?rate=1e9', '?down=91'])(
    '%s is 422 with its limits, and the page is complete',
    async query => {
      const { status, text, html } = await at(query)
      expect(status).toBe(422)
      expect(text).toMatch(/de \d+ a \d+/)
      expect(text).not.toContain('al mes, por')
      expect(text).toContain('Ubicación')
      expect(htmlFaults(html)).toEqual([])
    },
  )

  it('is not there for a rental', async () => {
    const { html } = await at('', { sale_price: null, rent_price: 12_000 })
    expect(html).not.toContain('data-mortgage')
  })
})
