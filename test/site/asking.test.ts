import { beforeAll, describe, expect, it } from 'vitest'
import { useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { stock } from '../support/inventory.ts'
import { attributes, textOf, visit } from '../support/site.ts'

const exchange = useExchange()

beforeAll(async () => {
  const agent = await exchange.agent()
  const home = {
    property_type: 'apartment',
    city: 'Mérida',
    state: 'Yucatán',
    sale_price: null,
    rent_price: 15_000,
  }
  await stock(exchange, agent, { ...home, title: 'Departamento de tres', bedrooms: 3 })
  await stock(exchange, agent, { ...home, title: 'Departamento de dos', bedrooms: 2 })
  await stock(exchange, agent, { title: 'Casa en Guadalajara', city: 'Guadalajara', state: 'Jalisco' })
})

/** Follows the search box's redirect to the resulting search. */
const ask = async (typed: string, more = '', path = '/propiedades') => {
  const { status, headers } = await visit(exchange, `${path}?ask=${encodeURIComponent(typed)}${more}`)
  expect(status).toBe(302)
  const page = await visit(exchange, String(headers.location))
  return { address: decodeURIComponent(String(headers.location)).replaceAll('+', ' '), ...page }
}

describe('the search box of the site', () => {
  it('turns words into filters, shown as chips that can be removed one by one', async () => {
    const { status, address, html } = await ask('depa 2 recamaras en renta merida')
    expect(address).toBe(
      '/propiedades?operation=rental&type=apartment&place=Mérida&min_bedrooms=2&asked=depa 2 recamaras en renta merida',
    )
    expect(status).toBe(200)
    expect(textOf(html)).toContain('Entendimos de «depa 2 recamaras en renta merida»')
    expect(textOf(html)).toContain('2 propiedades')
    expect(attributes(html, 'href').map(decodeURIComponent)).toContain(
      '/propiedades?type=apartment&place=Mérida&min_bedrooms=2',
    )
    expect(htmlFaults(html)).toEqual([])
  })

  it('names two places, and what a circle is around, in the heading and the chip', async () => {
    const either = await ask('casa o depa en merida o guadalajara')
    expect(either.address).toContain('place=Mérida o Guadalajara&')
    expect(textOf(either.html)).toContain('Propiedades en Mérida o Guadalajara')
    expect(textOf(either.html)).toContain('3 propiedades')
    const near = await ask('casa cerca de guadalajara')
    expect(textOf(near.html)).toContain('Casas cerca de Guadalajara')
    expect(textOf(near.html)).toContain('A 15 km de Guadalajara')
    expect(near.html).toMatch(/class="badge badge-primary badge-sm">2</)
    const { html } = await ask('house near guadalajara', '', '/en/propiedades')
    expect(textOf(html)).toContain('Houses near Guadalajara')
  })

  it('shows a place as it was typed, whatever the word means elsewhere', async () => {
    const { html } = await visit(exchange, '/propiedades?place=constructor')
    expect(textOf(html)).toContain('Propiedades en constructor')
    expect(textOf(html)).not.toContain('native code')
  })

  it('puts listings with exactly that many bedrooms first', async () => {
    const { html } = await ask('departamento 2 recámaras')
    expect(html.indexOf('Departamento de dos')).toBeLessThan(html.indexOf('Departamento de tres'))
  })

  it('prefers the typed words over the form’s selections', async () => {
    const { address } = await ask('casa en renta', '&operation=sale&state=')
    expect(address).toBe('/propiedades?operation=rental&type=house&asked=casa en renta')
  })

  it('says which word it corrected', async () => {
    const { html } = await ask('guadalajra')
    expect(textOf(html)).toContain('Resultados para «guadalajara»; escribiste «guadalajra».')
    expect(attributes(html, 'href')).toContain('/propiedades?q=guadalajra')
    expect(textOf(html)).toContain('1 propiedad')
  })

  it('says which words it ignored rather than showing nothing', async () => {
    const { html } = await ask('casa guadalajara submarino', '', '/en/propiedades')
    expect(textOf(html)).toContain('No listings with these filters mention “submarino”')
    expect(textOf(html)).toContain('1 property')
  })

  it('shows on the map, offers to follow and keeps as filters what the list shows, without the ignored words', async () => {
    const { html } = await ask('casa guadalajara submarino')
    const [points = ''] = attributes(html, 'data-points')
    const [picture = ''] = attributes(html, 'src').filter(src => src.startsWith('/mapa.svg'))
    for (const address of [points, picture]) expect(address).not.toContain('q=')
    const { body } = await exchange.app.inject({ url: points })
    expect(JSON.parse(body).marks).toHaveLength(1)
    const links = attributes(html, 'href')
    expect(links.find(href => href.startsWith('/avisos?'))).toBe('/avisos?type=house&place=Guadalajara')
    expect(attributes(html, 'aria-label').filter(label => label.startsWith('Quitar'))).toEqual([
      'Quitar Casa',
      'Quitar Guadalajara',
    ])
    expect(links).toContain('/propiedades?place=Guadalajara')
    expect(/<form class="search-form".*?<\/form>/s.exec(html)?.[0]).not.toMatch(/submarino/)
  })

  it('does not claim to have understood anything when all words were ignored', async () => {
    const { html } = await ask('submarino')
    expect(textOf(html)).toContain('menciona «submarino»')
    expect(textOf(html)).toContain('3 propiedades')
    expect(textOf(html)).not.toContain('Entendimos')
  })

  it('counts the options of the form without the ignored words', async () => {
    const { body } = await exchange.app.inject({ url: '/filtros.json?ask=casa+guadalajara+submarino' })
    const { total, counts } = JSON.parse(body)
    expect([total, counts.operation.sale]).toEqual([1, 1])
  })

  it('compares a budget in dollars with prices in pesos too, also when its form sends empty fields', async () => {
    const form = 'ask=casa+de+200+mil+d%C3%B3lares&currency=&min_price=&max_price='
    const { headers } = await visit(exchange, `/propiedades?${form}`)
    const query = new URL(String(headers.location), 'https://lonja.example').searchParams
    expect([query.get('price_in'), query.get('currency'), query.get('max_price')]).toEqual([
      'USD',
      null,
      '200000',
    ])
  })

  it('names the place that it found instead of the narrower one that it ignored', async () => {
    const { html } = await ask('departamento en guadalajara, yucatan')
    expect(html).toContain('<h1 id="resultados">Departamentos en Yucatán</h1>')
  })

  it.each([
    ['gdl', 'Guadalajara'],
    ['depa mty', 'Monterrey'],
    ['pvr', 'Puerto Vallarta'],
    ['casa en tuxtla', 'Tuxtla Gutiérrez'],
    ['zmg', 'Zona Metropolitana de Guadalajara'],
    ['los cabos', 'Los Cabos'],
  ])('calls the place that is typed in “%s” by its usual name', async (typed, name) => {
    const { html } = await ask(typed)
    expect(/<title>(.*?) \| Lonja/.exec(html)?.[1]).toMatch(new RegExp(` en ${name}$`))
    expect(/<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1]).toMatch(new RegExp(` en ${name}$`))
    expect(attributes(html, 'aria-label')).toContain(`Quitar ${name}`)
  })

  it('searches for as many words as fit', async () => {
    const { status, html } = await ask(`casa ${'guadalajarense '.repeat(19)}`)
    expect(status).toBe(200)
    expect(textOf(html)).toContain('1 propiedad')
  })

  it('keeps the remaining text when another filter changes', async () => {
    const { headers } = await visit(exchange, '/propiedades?ask=terreno&q=terreno&type=house&city=')
    expect(headers.location).toBe('/propiedades?q=terreno&type=house')
  })

  it('forgets the words when the box is cleared', async () => {
    const { headers } = await visit(exchange, '/propiedades?ask=&q=terreno&type=house')
    expect(headers.location).toBe('/propiedades?type=house')
  })

  it('escapes what was typed', async () => {
    const { html } = await ask('"><script>alert(1)</script> casa')
    expect(html).not.toContain('<script>alert')
    expect(htmlFaults(html)).toEqual([])
  })
})

describe('the completions of the site', () => {
  const suggest = async (query: string) => {
    const { statusCode, body } = await exchange.app.inject({ url: `/sugerencias.json?${query}` })
    return { status: statusCode, body }
  }

  it('are those of the API, without a key', async () => {
    const { status, body } = await suggest('q=depa+en+mer&lang=es')
    expect(status).toBe(200)
    expect(JSON.parse(body).content).toEqual([
      expect.objectContaining({ kind: 'place', text: 'depa en Mérida, Yucatán', count: 2 }),
    ])
  })

  it('refuse what the API refuses, and are limited by address', async () => {
    expect((await suggest(`q=${'a'.repeat(201)}`)).status).toBe(422)
    const statuses = new Set<number>()
    for (let i = 0; i < 1_210; i++) statuses.add((await suggest('')).status)
    expect([...statuses]).toEqual([200, 429])
  })
})
