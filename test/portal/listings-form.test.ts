import { describe, expect, it } from 'vitest'
import { HOUSE, useExchange } from '../support/exchange.ts'
import { signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const LEAST = {
  title: 'Casa con jardín en Providencia',
  city: 'Guadalajara',
  state: 'Jalisco',
  sale_price: '4,500,000',
}

const create = async (visitor: Visitor, fields: Record<string, string | string[]> = {}) => {
  await visitor.open('/portal/listings/new')
  return visitor.submit('/portal/listings/new', { ...LEAST, ...fields })
}

const idIn = (visitor: Visitor) => /listings\/([0-9a-f-]{36})/.exec(visitor.path)?.[1] as string

/** The text next to a field. */
const messageAt = (visitor: Visitor, field: string) =>
  new RegExp(`id="${field}-error"[^>]*>([^<]*)<`).exec(visitor.html)?.[1]

const rowOf = (id: string) =>
  exchange.db.selectFrom('listings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a new listing', () => {
  it('is a draft of the agent, continues with its photos and creates no event', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await create(visitor)
    expect(visitor.path).toMatch(/\/photos$/)
    const row = await rowOf(idIn(visitor))
    expect(row).toMatchObject({
      agent_id: agent.id,
      status: 'draft',
      title: LEAST.title,
      sale_price: 4_500_000,
      sale_currency: 'MXN',
      rent_price: null,
      rent_period: null,
    })
    expect(await exchange.events(row.id)).toEqual([])
  })

  it('stores every writable field exactly as the API would', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const form: Record<string, string | string[]> = {
      title: 'Casa de prueba con todo',
      description: 'Primera línea.\nSegunda línea.',
      title_en: 'House with everything',
      description_en: 'First line.',
      property_type: 'apartment',
      sale_price: '$1,250,000.50',
      sale_currency: 'USD',
      rent_price: '28,000',
      rent_currency: 'MXN',
      rent_period: 'weekly',
      bedrooms: '3',
      bathrooms: '2.5',
      half_bathrooms: '1',
      parking: '2',
      construction_m2: '1,240.5',
      lot_m2: '310.25',
      year_built: '1998',
      floors: '2',
      features: ['Alberca', 'Jardín'],
      address: 'Calle Falsa 123',
      neighborhood: 'Providencia',
      city: 'Guadalajara',
      municipality: 'Guadalajara',
      state: 'Jalisco',
      postal_code: '04630',
      lat: '20.6911',
      lng: '-103.3782',
      show_exact_address: 'on',
      idx_opt_out: 'on',
      exclusive: 'on',
      video_url: 'https://video.example/1',
      virtual_tour_url: 'https://tour.example/1',
      shared_commission: '3 %',
      internal_id: 'INT-1',
      external_id: 'EXT-1',
    }
    await create(visitor, form)
    const byForm = await rowOf(idIn(visitor))
    const { sale_price, rent_price, ...same } = form
    const numbers =
      'bedrooms bathrooms half_bathrooms parking construction_m2 lot_m2 year_built floors lat lng'
    const json = {
      ...same,
      sale_price,
      rent_price,
      ...Object.fromEntries(
        numbers.split(' ').map(name => [name, Number(String(form[name]).replace(',', ''))]),
      ),
      show_exact_address: true,
      idx_opt_out: true,
      exclusive: true,
      external_id: 'EXT-2',
    }
    const created = await exchange.post('/properties', agent.key, json)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const byApi = await rowOf(created.body.id)
    for (const name of Object.keys(form).filter(one => one !== 'external_id')) {
      expect([name, byForm[name as 'title']]).toEqual([name, byApi[name as 'title']])
    }
    expect(byForm.external_id).toBe('EXT-1')

    await visitor.open(`/portal/listings/${byForm.id}/edit`)
    const shown = Object.fromEntries(visitor.forms().find(one => one.action.endsWith('/edit'))?.fields ?? [])
    expect(shown).toMatchObject({
      title: form.title,
      description: form.description,
      sale_price: '1,250,000.50',
      sale_currency: 'USD',
      rent_period: 'weekly',
      construction_m2: '1240.5',
      postal_code: '04630',
      show_exact_address: 'on',
      shared_commission: '3 %',
    })
  })

  it.each([
    ['title', { title: 'Casa' }, 'Debe tener al menos 5 caracteres.'],
    ['title', { title: '' }, 'Es obligatorio.'],
    ['city', { city: ' ' }, 'Es obligatorio.'],
    ['state', { state: '' }, 'Es obligatorio.'],
    ['state', { state: 'Texas' }, 'Elige un estado.'],
    ['sale_price', { sale_price: '' }, 'Indica un precio de venta, de renta o ambos.'],
    ['sale_price', { sale_price: '1.250.000' }, 'Escribe una cantidad como 1,250,000 o 1,250,000.50.'],
    ['sale_price', { sale_price: '0' }, 'Debe ser mayor que cero y menor que un billón.'],
    ['sale_price', { sale_price: '5 USD' }, 'El texto dice USD y la moneda elegida es MXN.'],
    ['bedrooms', { bedrooms: 'tres' }, 'Debe ser un número.'],
    ['bedrooms', { bedrooms: '2.5' }, 'Debe ser un número entero.'],
    ['bedrooms', { bedrooms: '-1' }, 'Debe estar entre 0 y 999.'],
    ['postal_code', { postal_code: '4463' }, 'Debe tener cinco dígitos.'],
    ['lat', { lat: '40.4', lng: '-3.7' }, 'Ese punto está fuera de México.'],
    ['lng', { lat: '20.5' }, 'Faltan las dos coordenadas.'],
    ['video_url', { video_url: 'javascript:alert(1)' }, 'Debe ser una dirección que empiece con https://.'],
  ])('shows next to %s what is wrong with %o', async (field, wrong, message) => {
    const { agent, visitor } = await signedInAgent(exchange)
    await create(visitor, { ...wrong, description: 'Lo que ya escribí' })
    expect(visitor.status).toBe(422)
    expect(messageAt(visitor, field)).toBe(message)
    expect(visitor.html).toContain('Lo que ya escribí')
    expect((await exchange.get('/my/properties', agent.key)).body.content).toEqual([])
  })

  it('does so in English for English readers', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/listings/new')
    await visitor.submit('/portal/preferences', { lang: 'en' })
    await create(visitor, { sale_price: '', title: 'Casa' })
    expect(messageAt(visitor, 'sale_price')).toBe('Enter a sale price, a rent, or both.')
    expect(messageAt(visitor, 'title')).toBe('Must be at least 5 characters.')
  })

  it('accepts the link of a map service in place of coordinates', async () => {
    const { visitor } = await signedInAgent(exchange)
    await create(visitor, { lat: 'https://www.google.com/maps/@20.6911,-103.3782,17z' })
    expect(await rowOf(idIn(visitor))).toMatchObject({ lat: 20.6911, lng: -103.3782 })
  })

  it('can start as a copy of another of the agent, without its code, and of no one else’s', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const first = await exchange.published(agent, {
      external_id: 'A-1',
      bedrooms: 4,
      property_type: 'office',
    })
    await visitor.open(`/portal/listings/${first.id}`)
    expect(visitor.html).toContain(`href="/portal/listings/new?from=${first.id}"`)
    await visitor.open(`/portal/listings/new?from=${first.id}`)
    expect(visitor.html).toMatch(/name="bedrooms"[^>]*value="4"/)
    expect(visitor.html).toMatch(/value="office" selected/)
    expect(visitor.html).not.toContain('A-1')
    const other = await exchange.published(await exchange.agent())
    for (const id of [other.id, 'x', `${first.id}'`]) {
      await visitor.open(`/portal/listings/new?from=${id}`)
      expect(visitor.status).toBe(404)
    }
  })

  it.each(['lat', 'lng'])('accepts coordinates pasted as one text into %s', async field => {
    const { visitor } = await signedInAgent(exchange)
    await create(visitor, { [field]: '20.6911, -103.3782' })
    expect(await rowOf(idIn(visitor))).toMatchObject({ lat: 20.6911, lng: -103.3782 })
  })

  it('reports an identifier that another listing has', async () => {
    const { visitor } = await signedInAgent(exchange)
    await create(visitor, { external_id: 'A-1' })
    await create(visitor, { external_id: 'A-1' })
    expect(visitor.status).toBe(422)
    expect(messageAt(visitor, 'external_id')).toBe('Ya lo tiene otra de tus propiedades.')
  })

  it('can be prepared before the license is verified', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await exchange.db.updateTable('agents').set({ verified_at: null }).where('id', '=', agent.id).execute()
    await create(visitor)
    expect((await rowOf(idIn(visitor))).status).toBe('draft')
  })
})

describe('an edit', () => {
  const edit = async (visitor: Visitor, id: string, fields: Record<string, string>) => {
    await visitor.open(`/portal/listings/${id}/edit`)
    return visitor.submit(`/portal/listings/${id}/edit`, fields)
  }

  it('of a published listing creates one event, with the time of the change', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.published(agent)
    await edit(visitor, id, { title: 'Casa con jardín y terraza' })
    expect(visitor.text).toContain('Cambios guardados.')
    const events = await exchange.events(id)
    expect(events.map(event => event.event)).toEqual(['listing.published', 'listing.updated'])
    expect(events[1]?.created_at).toEqual((await rowOf(id)).updated_at)
  })

  it('that changes nothing creates no event and no history', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.published(agent, {
      features: ['Terraza', 'Alberca', 'Jardín'],
      sale_price: 1_234_567.89,
      shared_commission: 3,
      description: 'Con\nrenglones  y espacios',
    })
    const before = await rowOf(id)
    await edit(visitor, id, {})
    expect(visitor.text).toContain('Cambios guardados.')
    expect((await rowOf(id)).updated_at).toEqual(before.updated_at)
    expect((await exchange.events(id)).length).toBe(1)
  })

  it('of a draft creates no event', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent)
    await edit(visitor, id, { title: 'Casa con otro título' })
    expect((await rowOf(id)).title).toBe('Casa con otro título')
    expect(await exchange.events(id)).toEqual([])
  })

  it('clears emptied and unchecked fields', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent, { bedrooms: 3, rent_price: 9_000, exclusive: true })
    await visitor.open(`/portal/listings/${id}/edit`)
    await visitor.submit(`/portal/listings/${id}/edit`, { bedrooms: '', rent_price: '', exclusive: [] })
    expect(await rowOf(id)).toMatchObject({
      bedrooms: null,
      rent_price: null,
      rent_currency: null,
      rent_period: null,
      exclusive: false,
      sale_price: HOUSE.sale_price,
    })
  })

  it('does not overwrite what the agent’s own system changed meanwhile', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent)
    await visitor.open(`/portal/listings/${id}/edit`)
    await exchange.put(`/properties/${id}`, agent.key, { sale_price: 5_000_000 })
    await visitor.submit(`/portal/listings/${id}/edit`, { title: 'Casa que llega tarde' })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('La propiedad cambió desde que abriste esta página')
    expect(await rowOf(id)).toMatchObject({ title: HOUSE.title, sale_price: 5_000_000 })
  })

  it('cannot remove the last price of a published listing', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.published(agent)
    await edit(visitor, id, { sale_price: '' })
    expect(visitor.status).toBe(422)
    expect(messageAt(visitor, 'sale_price')).toBe('Indica un precio de venta, de renta o ambos.')
  })
})

describe('the preview', () => {
  it('shows the input without storing anything or creating events', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/listings/new')
    const body = new URLSearchParams({ ...LEAST, title: 'Lo que escribo', _token: visitor.token }).toString()
    await visitor.request('POST', '/portal/listings/new/preview', {
      payload: body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(visitor.status).toBe(200)
    expect(visitor.text).toContain('Lo que escribo')
    expect(visitor.text).toContain('$4,500,000 MXN')
    expect(visitor.html).not.toContain('<html')
    expect((await exchange.get('/my/properties', agent.key)).body.content).toEqual([])
  })
})

describe('hostile text', () => {
  const EVIL = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'

  it.each(['', '/edit', '/photos', '/history'])('is escaped on the listing’s page %s', async page => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.published(agent, {
      title: EVIL,
      description: EVIL,
      neighborhood: EVIL,
      internal_id: EVIL,
    })
    await exchange.put(`/properties/${id}`, agent.key, { address: EVIL })
    for (const path of [`/portal/listings/${id}${page}`, '/portal/listings', '/portal/listings?view=cards']) {
      await visitor.open(path)
      expect(visitor.status).toBe(200)
      expect(visitor.html).toContain('&lt;script>')
      expect(visitor.html).not.toContain('<script>alert')
      expect(visitor.html).not.toContain('<img src=x')
    }
  })
})
