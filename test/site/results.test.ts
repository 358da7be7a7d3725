import { beforeAll, describe, expect, it } from 'vitest'
import { searchParameters } from '../../src/search/parameters.ts'
import { PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { stock } from '../support/inventory.ts'
import { attributes, decoded, textOf, visit } from '../support/site.ts'

const exchange = useExchange()
let agent: TestAgent

beforeAll(async () => {
  agent = await exchange.agent()
  for (let i = 0; i < 30; i++) {
    await stock(exchange, agent, {
      title: `Casa número ${i + 1} en Guadalajara`,
      sale_price: 1_000_000 + i * 100_000,
      bedrooms: 1 + (i % 4),
      ...(i % 3 === 0 ? { features: ['Alberca'] } : {}),
    })
  }
  await stock(exchange, agent, {
    title: 'Departamento en Mérida con terraza',
    property_type: 'apartment',
    city: 'Mérida',
    state: 'Yucatán',
    sale_price: null,
    rent_price: 15_000,
    rent_period: 'monthly',
    lat: 20.967412,
    lng: -89.592633,
  })
})

const titles = (html: string) =>
  [...html.matchAll(/<article[^>]*>.*?<h2><a [^>]*>(.*?)<\/a>/gs)].map(match => decoded(match[1] as string))
const total = (html: string) => /role="status">([^<]+)</.exec(html)?.[1]

describe('200', () => {
  it('shows what the API finds for the public, newest first, 24 per page', async () => {
    const { status, html } = await visit(exchange, '/propiedades')
    expect(status).toBe(200)
    expect(total(html)).toBe('31 propiedades')
    expect(titles(html)).toHaveLength(24)
    expect(titles(html)[0]).toBe('Departamento en Mérida con terraza')
    expect(htmlFaults(html)).toEqual([])
  })

  it.each([
    ['operation=rental', '1 propiedad'],
    ['type=house&type=apartment', '31 propiedades'],
    ['state=Yucatán&city=merida', '1 propiedad'],
    ['min_price=1,500,000&max_price=$2,000,000', '6 propiedades'],
    ['min_price=1.5 mdp&max_price=2 millones', '6 propiedades'],
    ['min_price=3m', '10 propiedades'],
    ['min_price=800+mil&max_price=1,2 M', '3 propiedades'],
    ['max_price=2m usd', '0 propiedades'],
    ['max_price=2m usd&currency=MXN', '12 propiedades'],
    ['min_bedrooms=4', '7 propiedades'],
    ['features=Alberca', '10 propiedades'],
    ['features=piscina', '10 propiedades'],
    ['q=departamento+terraza', '1 propiedad'],
    ['lat=20.97&lng=-89.59&radius_km=10', '1 propiedad'],
    ['sw_lat=20.5&sw_lng=-104&ne_lat=20.9&ne_lng=-103', '30 propiedades'],
    ['updated_since=2020-01-01', '31 propiedades'],
  ])('filters by %s', async (query, expected) => {
    // A price with commas or signs costs one redirect to the plain URL.
    let page = await visit(exchange, `/propiedades?${query}`)
    if (page.status === 302) page = await visit(exchange, String(page.headers.location))
    expect(page.status).toBe(200)
    expect(total(page.html)).toBe(expected)
  })

  it('keeps every filter in the form, the sorting, the pagination and the other language', async () => {
    const query = 'operation=sale&type=house&city=Guadalajara&min_bedrooms=1&sort=price_asc'
    const { html } = await visit(exchange, `/propiedades?${query}`)
    expect(titles(html)[0]).toBe('Casa número 1 en Guadalajara')
    const links = attributes(html, 'href')
    const next = links.find(href => href.includes('page=2')) as string
    for (const part of query.split('&')) expect(next).toContain(part)
    expect(links.some(href => href.startsWith('/en/propiedades?') && href.includes('min_bedrooms=1'))).toBe(
      true,
    )
    expect(html).toContain('<option value="sale" selected>')
    expect(html).toMatch(/<input class="input w-full" name="city"[^>]*value="Guadalajara"/)
    expect(html).toMatch(/value="house" checked/)
    const second = await visit(exchange, next)
    expect(titles(second.html)).toHaveLength(6)
  })

  it('stays small however many values are sent', async () => {
    const many = Array.from({ length: 1_700 }, (_, i) => `type=${i.toString(16)}`).join('&')
    const { html } = await visit(exchange, `/propiedades?${many}`)
    expect(html.length).toBeLessThan(200_000)
  })

  it('has a field for every parameter of the search', async () => {
    const all =
      'q=casa&sw_lat=14&sw_lng=-118&ne_lat=33&ne_lng=-86&lat=20.7&lng=-103.4&radius_km=100&sort=updated'
    const drawn = 'bbox=-118,14,-86,33&polygon=14,-118;33,-118;33,-86&exclude_features=Elevador'
    const [{ html }, { html: onMap }] = [
      await visit(exchange, `/propiedades?${all}`),
      await visit(exchange, `/propiedades?${drawn}`),
    ]
    const fields = new Set([...attributes(html, 'name'), ...attributes(onMap, 'name')])
    // Pages are links; ids and fields are for programs. Everything else is in the form.
    const missing = Object.keys(searchParameters).filter(
      name => !['ids', 'fields', 'page', 'cursor'].includes(name) && !fields.has(name),
    )
    expect(missing).toEqual([])
  })

  /** What an empty page offers instead, with the number it promises and what is found there. */
  const offered = async (query: string) => {
    const { status, html } = await visit(exchange, `/propiedades?${query}`)
    expect([status, total(html)]).toEqual([200, '0 propiedades'])
    expect(textOf(html)).toContain('No encontramos propiedades con esa búsqueda')
    expect(html).toContain('noindex')
    expect(htmlFaults(html)).toEqual([])
    const links = [
      ...html.slice(html.indexOf('class="nothing"')).matchAll(/<a [^>]*href="([^"]+)"[^>]*>(.*?)<\/a>/gs),
    ]
    const counted = links.flatMap(([, href = '', text = '']) => {
      const [, words, promised] = /^(.*) \((\d+)\)$/.exec(decoded(text)) ?? []
      return words ? [{ href: decoded(href), words, promised: Number(promised) }] : []
    })
    for (const { href, promised } of counted)
      expect(total((await visit(exchange, href)).html)).toMatch(new RegExp(`^${promised} propiedad`))
    return counted.map(({ words, promised }) => `${words}: ${promised}`)
  }

  it.each([
    ['type=house&min_bedrooms=9&features=Alberca', ['sin 9 recámaras o más: 10']],
    ['type=apartment&state=Jalisco', ['sin Departamento: 30', 'sin Jalisco: 1']],
    ['q=submarino&state=Jalisco', ['sin “submarino”: 30']],
    ['operation=rental&city=Guadalajara&polygon=20,-104;21,-104;21,-103;20,-103', ['sin Renta: 30']],
    ['currency=USD&max_price=1000&state=Yucatán', ['Ver todo en Yucatán: 1']],
  ])('offers instead of nothing, for %s, only searches that find something', async (query, expected) => {
    expect(await offered(query)).toEqual(expected)
  })

  it('offers the whole place when no single filter is to blame, and the whole market when there is no place', async () => {
    expect(await offered('q=submarino&place=Mérida&min_bedrooms=9')).toEqual(['Ver todo en Mérida: 1'])
    expect(await offered('q=submarino&place=Atlantis,+gdl&min_bedrooms=9')).toEqual([
      'Ver todo en Guadalajara: 30',
    ])
    expect(await offered('q=submarino&min_bedrooms=9')).toEqual([])
    const { html } = await visit(exchange, '/propiedades?q=submarino&min_bedrooms=9')
    expect(textOf(html)).toContain('Ver todas las propiedades')
    expect(textOf(html)).not.toContain('Prueba con menos filtros')
  })

  it('links back from a page that no longer exists', async () => {
    const { status, html } = await visit(exchange, '/propiedades?page=99')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('Ir a la última página')
    expect(attributes(html, 'href')).toContain('/propiedades?page=2')
  })

  it('is in English under /en', async () => {
    const { html } = await visit(exchange, '/en/propiedades?operation=rental')
    expect(html).toContain('<html lang="en">')
    expect(textOf(html)).toContain('Properties for rent in Mexico')
    expect(textOf(html)).toContain('1 property')
    expect(html).toContain(`<link rel="canonical" href="${PUBLIC_URL}/en/propiedades?operation=rental"/>`)
  })

  it('shows 31 at once, if requested, in less than 100 KB', async () => {
    const { html } = await visit(exchange, '/propiedades?limit=100')
    expect(titles(html)).toHaveLength(31)
    expect(html.length).toBeLessThan(100_000)
  })
})

describe('302', () => {
  it('a form with empty fields redirects to the URL without them', async () => {
    const { status, headers } = await visit(
      exchange,
      '/propiedades?q=&operation=sale&city=&utm_source=x&sort=newest',
    )
    expect([status, headers.location]).toEqual([302, '/propiedades?operation=sale'])
  })

  it('never redirects to another host', async () => {
    const { headers } = await visit(exchange, '/en/propiedades?q=%0d%0aX-Evil:1&city=')
    expect(headers['x-evil']).toBeUndefined()
    expect(String(headers.location)).toMatch(/^\/en\/propiedades\?q=/)
  })
})

describe('422', () => {
  const WRONG: [query: string, words: string][] = [
    ['min_price=mucho', 'Precio desde: escribe un número válido.'],
    ['min_price=5&max_price=3', 'Precio desde: el valor menor debe ir primero.'],
    ['state=Texas', 'Estado: no conocemos ese estado.'],
    ['features=Helipuerto', 'Amenidades: «Helipuerto» no está en la lista.'],
    ['sw_lat=20', 'Zona del mapa: falta una parte.'],
    ['sort=cheapest', 'Orden: no entendimos ese valor.'],
    ['operation=sale&operation=rental', 'Operación: elige un solo valor.'],
    ['page=0', 'Página: debe ser 1 o más.'],
    ['lat=20&lng=-99&radius_km=500', 'Distancia (km): debe ser mayor que 0 y de 200 como máximo.'],
    ['updated_since=ayer', 'Actualizadas desde: no entendimos ese valor.'],
  ]

  it.each(WRONG)('%s is explained, with a suggestion', async (query, words) => {
    const { status, html } = await visit(exchange, `/propiedades?${query}`)
    expect(status).toBe(422)
    expect(textOf(html)).toContain(words)
    expect(textOf(html)).toContain('Quitar este filtro')
    expect(titles(html)).toEqual([])
    expect(htmlFaults(html)).toEqual([])
  })

  /** The page's error and suggestion, without markup. */
  const mistakesAt = async (path: string) => {
    const { html } = await visit(exchange, path)
    const [, alert = ''] = /<div class="mistakes" role="alert">(.*?)<\/div>/s.exec(html) ?? []
    return [...alert.matchAll(/>([^<]+)</g)].map(match => decoded(match[1] as string).trim()).filter(Boolean)
  }

  it.each(WRONG)(
    '%s is explained in English only to English readers, and in Spanish to Spanish ones',
    async (query, words) => {
      const spanish = await mistakesAt(`/propiedades?${query}`)
      const english = await mistakesAt(`/en/propiedades?${query}`)
      expect(spanish.join(' ')).toContain(words)
      expect(english).toHaveLength(spanish.length)
      // An untranslated text would be on both pages.
      expect(spanish.filter(text => english.includes(text))).toEqual([])
    },
  )

  it('names the field and the remedy in English', async () => {
    expect(await mistakesAt('/en/propiedades?min_price=x')).toContain('Price from: enter a valid number.')
  })

  it('hostile values are escaped', async () => {
    const hostile = encodeURIComponent('"><script>alert(1)</script>')
    // `ask` redirects to another URL: test/site/asking.test.ts.
    for (const name of Object.keys(searchParameters).filter(name => name !== 'ask')) {
      const { status, html } = await visit(exchange, `/propiedades?${name}=${hostile}`)
      expect([200, 422], name).toContain(status)
      expect(html, name).not.toContain('<script>alert')
      expect(htmlFaults(html), name).toEqual([])
    }
  })
})

describe('counts beside the filters', () => {
  const counted = async (query: string) => {
    await exchange.search.refresh()
    return JSON.parse((await exchange.app.inject(`/filtros.json?${query}`)).body)
  }

  it.each(['type=apartment&operation=rental', 'state=Jalisco&min_bedrooms=3&features=Alberca&q=casa'])(
    'are what the page finds with each value: %s',
    async query => {
      const found = await counted(query)
      expect(`${found.total}`).toBe(
        total((await visit(exchange, `/propiedades?${query}`)).html)?.split(' ')[0],
      )
      for (const [name, value] of [
        ['operation', 'sale'],
        ['operation', 'rental'],
        ['currency', 'USD'],
        ['type', 'house'],
        ['type', 'apartment'],
        ['state', 'Jalisco'],
        ['state', 'Yucatán'],
        ['min_bedrooms', '3'],
        ['max_bedrooms', '2'],
        ['features', 'Alberca'],
      ] as const) {
        const next = new URLSearchParams(query)
        if (name !== 'features') next.delete(name)
        next.delete(name, value)
        next.append(name, value)
        const { html } = await visit(exchange, `/propiedades?${next}`)
        expect(`${found.counts[name][value]}`, `${name} ${value}`).toBe(total(html)?.split(' ')[0])
      }
    },
  )

  it('read the form as the page does: empty fields, typed words and prices', async () => {
    expect((await counted('ask=casa+con+alberca&state=&min_price=&max_price=')).total).toBe(10)
    expect((await counted('min_price=3m&page=4&sort=price_asc')).total).toBe(10)
  })

  it('422 what the page would not understand', async () => {
    expect((await exchange.app.inject('/filtros.json?min_price=mucho')).statusCode).toBe(422)
  })
})

describe('the map', () => {
  it('clusters all results and names single ones', async () => {
    await exchange.search.refresh()
    const answer = await exchange.app.inject('/mapa.json')
    const { marks, bounds } = answer.json()
    expect(marks.reduce((sum: number, mark: number[]) => sum + (mark[2] as number), 0)).toBe(31)
    const alone = marks.find((mark: unknown[]) => mark[3])
    expect(alone).toMatchObject({ 2: 1, 4: '$15,000 MXN', 5: 'Departamento en Mérida con terraza', 6: 0 })
    expect(bounds.west).toBeLessThan(-103)
    expect(bounds.east).toBeGreaterThan(-90)
  })

  it('shows only what is in view, and never the exact point', async () => {
    const { marks } = (await exchange.app.inject('/mapa.json?view=-104,20,-103,21')).json()
    expect(marks.reduce((sum: number, mark: number[]) => sum + (mark[2] as number), 0)).toBe(30)
    const merida = (await exchange.app.inject('/mapa.json?city=merida')).body
    expect(merida).not.toContain('20.967412')
    expect(merida).not.toContain('89.592633')
  })

  it.each(['view=a,b,c,d', 'view=1,1,0,0', 'view=', 'view=-1e9,0,1,1'])(
    'treats %s as the whole country',
    async view => {
      const answer = await exchange.app.inject(`/mapa.json?${view}`)
      expect(answer.statusCode).toBe(200)
      expect(answer.json().marks.length).toBeGreaterThan(0)
    },
  )

  it('is also an image, for browsers without JavaScript', async () => {
    for (const path of [
      '/mapa.svg',
      '/mapa.svg?city=merida',
      '/mapa.svg?punto=20.9,-89.6',
      '/mapa.svg?state=Texas',
    ]) {
      const answer = await exchange.app.inject(path)
      expect(answer.statusCode, path).toBe(200)
      expect(answer.headers['content-type']).toContain('image/svg+xml')
    }
    expect((await exchange.app.inject('/mapa.svg?punto=1,1')).statusCode).toBe(404)
  })
})

/** Last, because it adds listings. */
describe('a larger market', () => {
  it('shows at most 48 at once, whatever is requested', async () => {
    for (let i = 0; i < 18; i++)
      await stock(exchange, agent, { title: `Casa número ${i + 31} en Guadalajara` })
    const { html } = await visit(exchange, '/propiedades?limit=100')
    expect(total(html)).toBe('49 propiedades')
    expect(titles(html)).toHaveLength(48)
  })
})
