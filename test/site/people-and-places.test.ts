import { beforeAll, describe, expect, it } from 'vitest'
import { idsOf, partsOf } from '../../src/site/pages/sitemaps.ts'
import { PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { stock } from '../support/inventory.ts'
import { attributes, decoded, linkedData, locations, textOf, visit } from '../support/site.ts'

const exchange = useExchange()
let marta: TestAgent
let shy: TestAgent

beforeAll(async () => {
  marta = await exchange.agent({
    name: 'Marta Ruiz',
    email: 'secreto@example.mx',
    phone: '3312345678',
    agency: 'Casa Clara',
    licenseNumber: 'LIC-9911',
  })
  shy = await exchange.agent({ name: 'Hugo Discreto', agency: 'Casa Clara' })
  await exchange.db.updateTable('agents').set({ in_directory: false }).where('id', '=', shy.id).execute()
  for (let i = 0; i < 26; i++) await stock(exchange, marta, { title: `Casa de Marta ${i + 1}` })
  await stock(exchange, shy, { title: 'Casa de Hugo', city: 'San Juan del Río', state: 'Querétaro' })
  await stock(exchange, shy, { title: 'Otra casa de Hugo', city: 'guadalajara' })
  await stock(exchange, shy, { title: 'Casa escondida de Hugo' }, { status: 'draft' })
})

const get = (path: string) => visit(exchange, path)

describe('agents', () => {
  it('have a page with their phone, agency and published listings, with pagination', async () => {
    const { status, html } = await get(`/agentes/${marta.slug}`)
    expect(status).toBe(200)
    const text = textOf(html)
    for (const part of ['Marta Ruiz', 'Casa Clara', '(26)', 'Jalisco']) expect(text).toContain(part)
    expect(html.match(/<article/g)).toHaveLength(24)
    expect((await get(`/agentes/${marta.slug}?page=2`)).html.match(/<article/g)).toHaveLength(2)
    expect(linkedData(html)[0]).toMatchObject({
      '@type': 'RealEstateAgent',
      name: 'Marta Ruiz',
      telephone: '+523312345678',
      url: `${PUBLIC_URL}/agentes/${marta.slug}`,
      parentOrganization: { name: 'Casa Clara' },
    })
    for (const secret of ['secreto@example.mx', 'LIC-9911', marta.id]) expect(html).not.toContain(secret)
    expect(htmlFaults(html)).toEqual([])
  })

  it('are shown with their photo on our pages, and with initials without one; records of the API have none', async () => {
    const photoOf = async (path: string) =>
      attributes((await get(path)).html, 'src').filter(src => src.includes('cara'))
    expect(await photoOf(`/agentes/${marta.slug}`)).toEqual([])
    await exchange.db.updateTable('agents').set({ photo: 'cara.webp' }).where('id', '=', marta.id).execute()
    for (const path of [`/agentes/${marta.slug}`, '/agentes', '/inmobiliarias/casa-clara'])
      expect(await photoOf(path)).toEqual(['/media/cara.webp'])
    expect(JSON.stringify((await exchange.get('/agents', marta.key)).body)).not.toContain('cara.webp')
    await exchange.db.updateTable('agents').set({ photo: null }).where('id', '=', marta.id).execute()
  })

  it('who opt out of directories have a page that their listings link to, hidden from search engines', async () => {
    const { status, html } = await get(`/agentes/${shy.slug}`)
    expect(status).toBe(200)
    expect(html).toContain('noindex')
    expect(html).not.toContain('Casa escondida')
    expect(textOf((await get('/agentes')).html)).not.toContain('Hugo Discreto')
    expect((await get('/sitemaps/agentes.xml')).html).not.toContain(shy.slug)
    expect(textOf((await get('/inmobiliarias/casa-clara')).html)).not.toContain('Hugo Discreto Casa Clara')
  })

  it('are found by name, agency and state', async () => {
    for (const wanted of ['marta', 'casa clara', 'JALISCO']) {
      expect(textOf((await get(`/agentes?q=${encodeURIComponent(wanted)}`)).html)).toContain('Marta Ruiz')
    }
    expect(textOf((await get('/agentes?q=nadie')).html)).toContain('Sin resultados')
  })

  it('404 when unverified, for testing, or unknown', async () => {
    const unverified = await exchange.agent({ name: 'Sin Licencia', verified: false })
    const test = await exchange.agent({ name: 'De Prueba', test: true })
    for (const slug of [unverified.slug, test.slug, 'nadie', '%00', marta.id]) {
      expect((await get(`/agentes/${slug}`)).status, slug).toBe(404)
      expect((await get(`/en/agentes/${slug}`)).html).toContain('Page not found')
    }
  })
})

describe('agencies', () => {
  it('have a page with their listed agents and all their published listings', async () => {
    const { status, html } = await get('/inmobiliarias/casa-clara')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('28 propiedades')
    expect(htmlFaults(html)).toEqual([])
    expect(textOf((await get('/inmobiliarias')).html)).toContain('Casa Clara')
  })

  it('404 when inactive or unknown', async () => {
    await exchange.agent({ name: 'Otra Persona', agency: 'Ya Cerrada' })
    await exchange.db
      .updateTable('agencies')
      .set({ active: false })
      .where('slug', '=', 'ya-cerrada')
      .execute()
    expect((await get('/inmobiliarias/ya-cerrada')).status).toBe(404)
    expect((await get('/inmobiliarias/nunca')).status).toBe(404)
    expect((await get('/inmobiliarias')).html).not.toContain('Ya Cerrada')
  })
})

describe('places', () => {
  it('a city shows its inventory, however its name is spelled', async () => {
    const { status, html } = await get('/mx/jalisco/guadalajara')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('Propiedades en Guadalajara, Jalisco')
    expect(textOf(html)).toContain('27 propiedades')
    expect((await get('/mx/jalisco/guadalajara?page=2')).html.match(/<article/g)).toHaveLength(3)
    expect(attributes(html, 'href')).toContain('/mx/jalisco/guadalajara/rss.xml')
    expect(htmlFaults(html)).toEqual([])
  })

  it('a state and the country link to the cities', async () => {
    expect(attributes((await get('/mx/queretaro')).html, 'href')).toContain('/mx/queretaro/san-juan-del-rio')
    const { html } = await get('/en/mx')
    expect(attributes(html, 'href')).toContain('/en/mx/queretaro/san-juan-del-rio')
    expect(html.match(/<path class="shade-/g)).toHaveLength(32)
    expect(htmlFaults(html)).toEqual([])
  })

  it('a state without listings has a page, hidden from search engines', async () => {
    const { status, html } = await get('/mx/colima')
    expect(status).toBe(200)
    expect(html).toContain('noindex')
  })

  it.each([
    '/mx/texas',
    '/mx/jalisco/gotham',
    '/mx/jalisco/%00',
    '/mx/jalisco/gotham/rss.xml',
    '/mx/texas/x',
  ])('404 for %s', async path => {
    expect((await get(path)).status).toBe(404)
  })

  it('have a feed of the newest listings, with all text escaped', async () => {
    const hostile = `Casa ]]> <b>&amp; "x" \u0001 en Colima`
    await stock(exchange, marta, { title: hostile.replace('\u0001', ''), city: 'Colima', state: 'Colima' })
    const { status, html, headers } = await get('/mx/colima/colima/rss.xml')
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('application/rss+xml')
    expect(decoded(/<item><title>(.*?)<\/title>/.exec(html)?.[1] ?? '')).toContain('<b>&amp;')
    expect(html).not.toContain('<b>')
    expect(html.match(/<item>/g)).toHaveLength(1)
  })
})

describe('the front page', () => {
  it('counts the market and shows the newest listings in both languages', async () => {
    const { status, html } = await get('/')
    expect(status).toBe(200)
    expect(html.match(/<article/g)).toHaveLength(8)
    expect(htmlFaults(html)).toEqual([])
    expect(linkedData(html)[0]).toMatchObject({ '@type': 'WebSite', url: `${PUBLIC_URL}/` })
    const english = await get('/en')
    expect(textOf(english.html)).toContain('Find your place in Mexico')
    expect(english.html).toContain(`<link rel="canonical" href="${PUBLIC_URL}/en"/>`)
  })
})

describe('sitemaps', () => {
  it('contain exactly what is public, in both languages, with the time of the last change', async () => {
    const files = locations((await get('/sitemap.xml')).html)
    expect(files).toEqual(
      ['lugares', 'agentes', 'propiedades-1'].map(name => `${PUBLIC_URL}/sitemaps/${name}.xml`),
    )
    const { html } = await get('/sitemaps/propiedades-1.xml')
    const { rows } = await exchange.pool.query(
      'select l.slug from listings l join agents a on a.id = l.agent_id where is_public(l, a)',
    )
    const expected = rows.flatMap(({ slug }) => [`/propiedades/${slug}`, `/en/propiedades/${slug}`])
    expect(locations(html).sort()).toEqual(expected.map(path => PUBLIC_URL + path).sort())
    expect(html.match(/<lastmod>\d{4}-\d\d-\d\dT/g)).toHaveLength(expected.length)
  })

  it('hold each listing once, in as many parts as the market needs', () => {
    expect([0, 1, 1000, 1001, 4000, 1_000_000].map(partsOf)).toEqual([1, 1, 1, 2, 4, 1024])
    for (const parts of [1, 2, 16, 1024]) {
      const ranges = Array.from({ length: parts }, (_, i) => idsOf(i + 1, parts))
      expect(ranges[0]?.first).toBe('00000000-0000-0000-0000-000000000000')
      expect(ranges.at(-1)?.last).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff')
      for (const [i, { first }] of ranges.entries()) {
        const before = ranges[i - 1]
        const numberOf = (id: string) => BigInt(`0x${id.replaceAll('-', '')}`)
        if (before) expect(numberOf(first)).toBe(numberOf(before.last) + 1n)
      }
    }
  })

  it('of an older or newer division are there too, each with its own listings', async () => {
    const slugsIn = async (name: string) =>
      locations((await get(`/sitemaps/${name}.xml`)).html).filter(url => !url.includes('/en/'))
    const { rows } = await exchange.pool.query(
      `select l.slug, l.id >= '80000000-0000-0000-0000-000000000000' as is_second
       from listings l join agents a on a.id = l.agent_id where is_public(l, a) order by l.id`,
    )
    for (const isSecond of [false, true]) {
      const expected = rows.filter(row => row.is_second === isSecond)
      expect(await slugsIn(`propiedades-${isSecond ? 2 : 1}-de-2`)).toEqual(
        expected.map(({ slug }) => `${PUBLIC_URL}/propiedades/${slug}`),
      )
    }
    for (const name of [
      'propiedades-3-de-2',
      'propiedades-1-de-4',
      'propiedades-1-de-3',
      'propiedades-1-de-1024',
    ])
      expect((await get(`/sitemaps/${name}.xml`)).status, name).toBe(404)
  })

  it('drop a listing at once when it is withdrawn', async () => {
    const listing = await stock(exchange, marta, { title: 'Casa que se va' })
    expect((await get('/sitemaps/propiedades-1.xml')).html).toContain(listing.slug)
    await exchange.setStatus(listing.id, 'withdrawn')
    expect((await get('/sitemaps/propiedades-1.xml')).html).not.toContain(listing.slug)
  })

  it.each(['/sitemaps/propiedades-2.xml', '/sitemaps/propiedades-0.xml', '/sitemaps/otros.xml'])(
    '404 for %s',
    async path => {
      expect((await get(path)).status).toBe(404)
    },
  )

  it('are listed in robots.txt, which keeps robots out of the portal', async () => {
    const { html } = await get('/robots.txt')
    expect(html).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`)
    expect(html).toContain('Disallow: /portal')
  })
})

describe('unknown URLs', () => {
  it('get a page for people and JSON for programs', async () => {
    const page = await get('/no/such/place')
    expect(page.status).toBe(404)
    expect(textOf(page.html)).toContain('No encontramos esta página')
    expect(htmlFaults(page.html)).toEqual([])
    const program = await exchange.app.inject('/no/such/place')
    expect([program.statusCode, program.json().error]).toEqual([404, 'not_found'])
    const api = await get('/api/v1/nothing')
    expect(JSON.parse(api.html).error).toBe('not_found')
  })

  it('get no page for a wrong method', async () => {
    const answer = await exchange.app.inject({
      method: 'POST',
      url: '/propiedades',
      headers: { accept: 'text/html' },
    })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toContain('GET')
  })
})

describe('demo pictures', () => {
  it('are always the same, and nothing else is served there', async () => {
    const one = await exchange.app.inject('/demo/pictures/house/12/0.svg')
    expect(one.headers['content-type']).toContain('image/svg+xml')
    expect((await exchange.app.inject('/demo/pictures/house/12/0.svg')).body).toBe(one.body)
    expect((await exchange.app.inject('/demo/pictures/house/13/0.svg')).body).not.toBe(one.body)
    for (const path of [
      '/demo/pictures/castle/1/0.svg',
      '/demo/pictures/house/x/0.svg',
      '/demo/pictures/house/1/0.png',
    ]) {
      expect((await exchange.app.inject(path)).statusCode, path).toBe(404)
    }
  })
})
