import { beforeAll, describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { attributes, linkedData, textOf, visit } from '../support/site.ts'

const exchange = useExchange()
let agent: TestAgent

beforeAll(async () => {
  agent = await exchange.agent({ name: 'Marta Ruiz', phone: '+52 33 1234 5678', agency: 'Casa Clara' })
})

const FULL = {
  title: 'Casa con jardín en Providencia',
  title_en: 'House with a garden in Providencia',
  description: 'Primer párrafo.\n\nSegundo párrafo.',
  description_en: 'First paragraph.',
  sale_price: 4_500_000,
  rent_price: 25_000,
  rent_period: 'monthly',
  bedrooms: 3,
  bathrooms: 2.5,
  parking: 2,
  construction_m2: 240,
  lot_m2: 310,
  features: ['Alberca', 'Jardín'],
  neighborhood: 'Providencia',
  lat: 20.691137,
  lng: -103.378241,
  address: 'Calle Escondida 123',
  postal_code: '44630',
  internal_id: 'PRIVADO-77',
  shared_commission: '47.5%',
  images: ['https://images.example.com/1.jpg', 'https://images.example.com/2.jpg'],
  video_url: 'https://video.example.com/1',
}

/** Where no other test has a listing. */
const ELSEWHERE = { city: 'Comala', state: 'Colima' }

const page = async (fields: Record<string, unknown>, prefix = '') => {
  const listing = await exchange.published(agent, { ...FULL, ...fields })
  return { listing, ...(await visit(exchange, `${prefix}/propiedades/${listing.slug}`)) }
}

describe('200', () => {
  it('shows title, each price, facts, features, description, agent and agency in Spanish', async () => {
    const { status, html } = await page({})
    expect(status).toBe(200)
    expect(html).toContain('<html lang="es-MX">')
    const text = textOf(html)
    for (const part of [
      'Casa con jardín en Providencia',
      '$4,500,000 MXN',
      '$25,000 MXN al mes',
      'recámaras',
      '240 m²',
      'Alberca',
      'Primer párrafo. Segundo párrafo.',
      'Marta Ruiz',
      'Casa Clara',
      'Providencia, Guadalajara, Jalisco',
    ]) {
      expect(text).toContain(part)
    }
    expect(html).toContain('href="tel:+523312345678"')
    expect(html).toContain('https://wa.me/523312345678?text=')
  })

  it('counts one of something in the singular', async () => {
    const { html } = await page({ bedrooms: 1, bathrooms: 1, parking: 1 })
    expect(textOf(html)).toMatch(/\b1 recámara 1 baño 1 estacionamiento\b/)
  })

  it('has a bar with WhatsApp, call and visit, which opens the form for a showing; and links to share it', async () => {
    const { html, listing } = await page({})
    const bar = html.slice(html.indexOf('<nav class="contact-bar"'))
    const links = attributes(bar.slice(0, bar.indexOf('</nav>')), 'href')
    expect(links.slice(1)).toEqual(['tel:+523312345678', `/propiedades/${listing.slug}/contacto?kind=tour`])
    expect(textOf(html)).toContain('33 1234 5678')
    const form = await visit(exchange, links[2] as string)
    expect(form.html).toMatch(/<input[^>]*value="tour"[^>]*checked/)
    const shared = `https://wa.me/?text=${encodeURIComponent(`${FULL.title}: ${PUBLIC_URL}/propiedades/${listing.slug}`)}`
    expect(attributes(html, 'href')).toContain(shared)
  })

  it('shows the English texts of the agent under /en', async () => {
    const { html } = await page({}, '/en')
    expect(html).toContain('<html lang="en">')
    const text = textOf(html)
    for (const part of ['House with a garden', 'First paragraph.', '$25,000 MXN per month', 'Swimming pool'])
      expect(text).toContain(part)
    expect(text).not.toContain('Primer párrafo')
  })

  it('falls back to the other language and says which it is', async () => {
    const { html } = await page({ title_en: null, description_en: null }, '/en')
    expect(textOf(html)).toContain('Written by the agent in Spanish.')
    expect(html).toContain('lang="es"')
  })

  it('has one canonical URL for both languages and for search engines', async () => {
    const { html, listing } = await page({}, '/en')
    const path = `/propiedades/${listing.slug}`
    expect(html).toContain(`<link rel="canonical" href="${PUBLIC_URL}/en${path}"/>`)
    expect(html).toContain(`hreflang="es-MX" href="${PUBLIC_URL}${path}"`)
    expect(html).toContain(`hreflang="en" href="${PUBLIC_URL}/en${path}"`)
    expect(html).toContain(`hreflang="x-default" href="${PUBLIC_URL}${path}"`)
    expect(html).toContain('<meta property="og:image" content="https://images.example.com/1.jpg"/>')
  })

  it('gives search engines the facts, and the location only as a circle', async () => {
    const { html, listing } = await page({})
    const [data, crumbs] = linkedData(html)
    expect(data).toMatchObject({
      '@type': 'RealEstateListing',
      url: `${PUBLIC_URL}/propiedades/${listing.slug}`,
      name: FULL.title,
      mainEntity: {
        '@type': 'SingleFamilyResidence',
        numberOfBedrooms: 3,
        numberOfBathroomsTotal: 2.5,
        floorSize: { value: 240, unitCode: 'MTK' },
        address: { addressLocality: 'Guadalajara', addressRegion: 'Jalisco', addressCountry: 'MX' },
        geo: { '@type': 'GeoCircle' },
      },
    })
    expect(data.mainEntity.address).not.toHaveProperty('streetAddress')
    expect(data.offers.map((offer: { price: number }) => offer.price)).toEqual([4_500_000, 25_000])
    expect(data.offers[1].priceSpecification).toMatchObject({ unitCode: 'MON' })
    expect(data.offers[0].offeredBy).toMatchObject({ name: 'Marta Ruiz', telephone: '+523312345678' })
    expect(crumbs.itemListElement.map((step: { name: string }) => step.name)).toEqual([
      'México',
      'Jalisco',
      'Guadalajara',
      'Casa',
    ])
  })

  it('shows the address and the exact point only if the agent does', async () => {
    const hidden = await page({})
    for (const secret of ['Escondida', '44630', 'PRIVADO-77', '47.5%', hidden.listing.id])
      expect(hidden.html).not.toContain(secret)
    // The displayed point is random: one of its coordinates may be the true one by chance.
    const [lat] = attributes(hidden.html, 'data-lat')
    const [lng] = attributes(hidden.html, 'data-lng')
    expect(lat).toMatch(/^20\.\d+$/)
    expect([lat, lng]).not.toEqual(['20.691137', '-103.378241'])
    if (lat !== '20.691137') expect(hidden.html).not.toContain('20.691137')
    if (lng !== '-103.378241') expect(hidden.html).not.toContain('103.378241')
    expect(textOf(hidden.html)).toContain('Ubicación aproximada')
    const shown = await page({ show_exact_address: true })
    expect(textOf(shown.html)).toContain('Calle Escondida 123')
    expect(shown.html).toContain('data-lat="20.691137"')
    expect(linkedData(shown.html)[0].mainEntity.geo).toMatchObject({
      '@type': 'GeoCoordinates',
      latitude: 20.691137,
    })
    for (const secret of ['PRIVADO-77', '47.5%', shown.listing.id]) expect(shown.html).not.toContain(secret)
  })

  it('loads pictures lazily and without a referrer, the first one eagerly', async () => {
    const { html } = await page({})
    const pictures = html.match(/<img [^>]*data-picture[^>]*>/g) ?? []
    expect(pictures.length).toBeGreaterThanOrEqual(4)
    for (const picture of pictures) {
      expect(picture).toContain('referrerpolicy="no-referrer"')
      expect(picture).toMatch(/width="\d+" height="\d+"/)
    }
    expect(pictures[0]).toContain('loading="eager"')
    expect(pictures.slice(1).every(picture => picture.includes('loading="lazy"'))).toBe(true)
  })

  it('links each picture, for browsers without scripts', async () => {
    const { html } = await page({})
    expect(attributes(html, 'href')).toEqual(expect.arrayContaining(FULL.images))
  })

  it('shows a placeholder without pictures', async () => {
    const { html } = await page({ images: [] })
    expect(html).toContain('picture-missing')
  })

  it('suggests similar listings, but not itself', async () => {
    const other = await exchange.published(agent, {
      title: 'Otra casa parecida',
      sale_price: 4_400_000,
      ...ELSEWHERE,
    })
    const { html, listing } = await page(ELSEWHERE)
    const links = attributes(html.slice(html.indexOf('Propiedades parecidas')), 'href')
    expect(links).toContain(`/propiedades/${other.slug}`)
    expect(links).not.toContain(`/propiedades/${listing.slug}`)
  })
})

describe('hostile text', () => {
  const HOSTILE = '<script>alert(1)</script> "\'><img src=x onerror=alert(2)> </script><!-- '

  it('is escaped everywhere', async () => {
    const { html, status } = await page({
      title: HOSTILE,
      title_en: null,
      description: `${HOSTILE}\n\n]]> {{7*7}} \u2028`,
      neighborhood: HOSTILE,
      city: `Ciudad ${HOSTILE}`,
      images: ['https://images.example.com/"onerror="alert(3).jpg'],
    })
    expect(status).toBe(200)
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('<img src=x')
    // Every script element is ours: a file, or data that parses.
    const scripts = html.match(/<script[^>]*>/g) ?? []
    for (const script of scripts) expect(script).toMatch(/src="\/assets\/|application\/ld\+json/)
    expect(linkedData(html)[0].name).toBe(HOSTILE.trim())
    expect(htmlFaults(html)).toEqual([])
    expect(textOf(html)).toContain('<script>alert(1)</script>')
  })

  it('never becomes a link that runs code', async () => {
    const { html, listing } = await page({})
    await exchange.db
      .updateTable('listings')
      .set({ video_url: 'javascript:alert(1)', virtual_tour_url: 'data:text/html,x' })
      .where('id', '=', listing.id)
      .execute()
    const hostile = await visit(exchange, `/propiedades/${listing.slug}`)
    expect(attributes(hostile.html, 'href').filter(href => /^(javascript|data):/i.test(href))).toEqual([])
    expect(html).toContain('https://video.example.com/1')
  })

  it('is blocked by a policy that allows nothing inline', async () => {
    const { headers } = await page({})
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
  })
})

describe('404', () => {
  const missing = async (slug: string) => {
    const { status, html } = await visit(exchange, `/propiedades/${slug}`)
    expect(status).toBe(404)
    expect(textOf(html)).toContain('No encontramos esta página')
    expect(html).toContain('noindex')
    return html
  }

  it.each(['no-such-listing', '%00', "a'b", 'x'.repeat(400), '..%2f..%2fetc', 'ÑANDÚ'])(
    '%s',
    async slug => void (await missing(slug)),
  )

  it('a draft, an expired and a suspended listing, even if once published', async () => {
    const draft = await exchange.listing(agent, FULL)
    await missing(draft.slug)
    const published = await exchange.published(agent, FULL)
    for (const status of ['draft', 'expired', 'suspended']) {
      await exchange.setStatus(published.id, status)
      expect(await missing(published.slug)).not.toContain('Providencia')
    }
  })

  it('a listing that others may not display, an import, and those of unverified and test agents', async () => {
    const optedOut = await exchange.published(agent, { ...FULL, idx_opt_out: true })
    await missing(optedOut.slug)
    const imported = await exchange.published(agent, FULL)
    await exchange.db.updateTable('listings').set({ imported: true }).where('id', '=', imported.id).execute()
    await missing(imported.slug)
    const test = await exchange.agent({ test: true })
    const tested = await exchange.published(test, FULL)
    await missing(tested.slug)
    const unverified = await exchange.agent()
    const unseen = await exchange.published(unverified, FULL)
    await setVerified(exchange.db, unverified.email, false)
    await missing(unseen.slug)
    for (const listing of [optedOut, imported, tested, unseen]) {
      await exchange.setStatus(listing.id, 'sold')
      await missing(listing.slug)
    }
  })

  it('an id instead of a slug', async () => {
    const listing = await exchange.published(agent, FULL)
    await missing(listing.id)
  })
})

describe('410', () => {
  it.each(['withdrawn', 'sold', 'rented'])(
    'a %s listing says so, shows no details and suggests others',
    async status => {
      const other = await exchange.published(agent, { title: 'Casa que sigue en venta', ...ELSEWHERE })
      const listing = await exchange.published(agent, {
        ...FULL,
        ...ELSEWHERE,
        title: 'Casa que ya no está',
        sale_price: 7_654_321,
      })
      await exchange.setStatus(listing.id, status)
      const { status: answered, html } = await visit(exchange, `/propiedades/${listing.slug}`)
      expect(answered).toBe(410)
      expect(html).toContain('noindex')
      expect(textOf(html)).toContain('ya no está disponible')
      for (const secret of ['Casa que ya', 'Escondida', listing.id, '7,654,321'])
        expect(textOf(html)).not.toContain(secret)
      expect(html).toContain(`/propiedades/${other.slug}`)
      expect((await visit(exchange, `/en/propiedades/${listing.slug}`)).html).toContain('no longer available')
    },
  )

  it('except for one that was withdrawn before it was ever public', async () => {
    const listing = await exchange.listing(agent, FULL)
    await exchange.setStatus(listing.id, 'withdrawn')
    expect((await visit(exchange, `/propiedades/${listing.slug}`)).status).toBe(404)
  })
})
