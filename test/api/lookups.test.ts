import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchParameters } from '../../src/search/parameters.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { stock } from '../support/inventory.ts'

const exchange = useExchange()
let viewer: TestAgent

beforeAll(async () => {
  viewer = await exchange.agent({
    name: 'Luis Ramos',
    agency: 'Casas del Valle',
    phone: '33 1234 5678',
    licenseNumber: 'JAL-0042',
    licenseState: 'Jalisco',
  })
})

describe('GET /meta', () => {
  const LISTS = 'property_types statuses states amenities currencies operations rent_periods sorts'.split(' ')

  describe('200', () => {
    it.each([
      ['without a key', undefined],
      ['with an invalid key', 'svc_nonsense'],
      ['with a well-formed key nobody has', `svc_AAAAAAAA_${'0'.repeat(48)}`],
    ])('answers %s', async (_how, key) => {
      const { status, body } = await exchange.get('/meta', key)
      expect(status).toBe(200)
      expect(body.currencies).toEqual(['MXN', 'USD'])
    })

    it('answers a partner key', async () => {
      expect((await exchange.get('/meta', await exchange.key(viewer.email, 'partner'))).status).toBe(200)
    })

    it('gives every list as plain values without repetition', async () => {
      const { body } = await exchange.get('/meta')
      for (const list of LISTS) {
        expect(body[list].length, list).toBeGreaterThan(1)
        expect(new Set(body[list]).size, list).toBe(body[list].length)
        for (const value of body[list]) expect(value).toBeTypeOf('string')
      }
    })

    it('names exactly the values the API knows', async () => {
      const { body } = await exchange.get('/meta')
      expect(body.property_types).toEqual(
        'house apartment land office commercial warehouse ranch building other'.split(' '),
      )
      expect(body.statuses).toEqual('draft published withdrawn sold rented expired suspended'.split(' '))
      expect(body.operations).toEqual(['sale', 'rental'])
      expect(body.rent_periods).toEqual(['monthly', 'weekly', 'daily', 'yearly'])
      expect(body.sorts).toEqual(['newest', 'price_asc', 'price_desc', 'updated', 'relevance', 'distance'])
      expect(body.sorts).toEqual(searchParameters.sort.schema.enum)
      expect(body.states).toHaveLength(32)
      expect(body.states).toContain('Ciudad de México')
      expect(body.amenities).toContain('Alberca')
    })

    it('has a label for each value of a list, and for no other', async () => {
      const { body } = await exchange.get('/meta')
      for (const [list, labels] of Object.entries(body.labels)) {
        expect(Object.keys(labels as object), list).toEqual(body[list])
      }
      expect(body.labels.property_types.house).toEqual({ es: 'Casa', en: 'House' })
      expect(body.labels.states['Ciudad de México'].code).toBe('MX-CMX')
      expect(body.labels.amenities.Alberca).toEqual({ en: 'Swimming pool', category: 'Recreación' })
      const setBy = Object.entries(body.labels.statuses as Record<string, { set_by: string }>)
        .filter(([, label]) => label.set_by === 'api')
        .map(([status]) => status)
      expect(setBy).toEqual(['draft', 'published', 'withdrawn'])
    })

    it('tells the limits', async () => {
      const { limits } = (await exchange.get('/meta')).body
      expect(limits).toMatchObject({
        page_size_default: 24,
        page_size_max: 100,
        images_per_call: 60,
        batch_items: 100,
        my_properties: 500,
        leads: 500,
        agents: 1000,
        agencies: 1000,
        locations: 200,
        body_bytes: 2_097_152,
        title_min: 5,
      })
    })

    it('may be kept for an hour, unlike what a key reads', async () => {
      expect((await exchange.get('/meta')).headers['cache-control']).toBe('public, max-age=3600')
      expect((await exchange.get('/me', viewer.key)).headers['cache-control']).toBe('private, no-store')
    })

    it('lists values that a listing and a search accept', async () => {
      const { body } = await exchange.get('/meta')
      for (const property_type of body.property_types) await exchange.listing(viewer, { property_type })
      const everything = new URLSearchParams(body.amenities.map((label: string) => ['features', label]))
      expect((await exchange.get(`/properties?${everything}`, viewer.key)).status).toBe(200)
      for (const state of body.states) {
        const query = new URLSearchParams({ state })
        expect((await exchange.get(`/properties?${query}`, viewer.key)).status, state).toBe(200)
      }
    })
  })

  describe('401', () => {
    it('refuses a key in the URL here too', async () => {
      expect((await exchange.get('/meta?api_key=x')).status).toBe(401)
    })
  })
})

describe('GET /me', () => {
  describe('200', () => {
    it('tells the owner of the key and what the key may do', async () => {
      const { body } = await exchange.get('/me', viewer.key)
      const agency = {
        name: 'Casas del Valle',
        slug: 'casas-del-valle',
        url: 'https://lonja.example/inmobiliarias/casas-del-valle',
        logo_url: null,
      }
      expect(body).toEqual({
        name: 'Luis Ramos',
        scopes: ['read', 'write'],
        agent: {
          id: viewer.id,
          name: 'Luis Ramos',
          slug: viewer.slug,
          url: `https://lonja.example/agentes/${viewer.slug}`,
          phone: '+523312345678',
          email: viewer.email,
          license: { number: 'JAL-0042', state: 'Jalisco', verified_at: expect.any(String) },
        },
        agency,
        key: { label: 'test', prefix: viewer.key.slice(4, 12), created_at: expect.any(String) },
        test: false,
      })
      expect(body.agent.license.verified_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(JSON.stringify(body)).not.toContain(viewer.key)
    })

    it('tells a key that only reads', async () => {
      const key = await exchange.key(viewer.email, 'read')
      expect((await exchange.get('/me', key)).body.scopes).toEqual(['read'])
    })

    it('tells a test account, and an agent without agency, phone or license', async () => {
      const bare = { phone: undefined, licenseNumber: undefined, licenseState: undefined }
      const { body } = await exchange.get('/me', (await exchange.agent({ ...bare, test: true })).key)
      expect(body).toMatchObject({ test: true, agency: null })
      expect(body.agent).toMatchObject({ phone: null, license: { number: null, state: null } })
    })
  })
})

describe('GET /agents', () => {
  let listed: Record<string, unknown>[]

  beforeAll(async () => {
    const beatriz = await exchange.agent({ name: 'beatriz Águila', agency: 'Casas del Valle' })
    const alvaro = await exchange.agent({ name: 'Álvaro Núñez' })
    await exchange.agent({ name: 'Ana Zavala', phone: '55 5555 1234' })
    await exchange.agent({ name: 'Nadie Verificado', verified: false })
    await exchange.agent({ name: 'Nadie Prueba', test: true })
    const discreet = await exchange.agent({ name: 'Nadie Discreta', agency: 'Casas del Valle' })
    await exchange.db
      .updateTable('agents')
      .set({ in_directory: false })
      .where('id', '=', discreet.id)
      .execute()
    await stock(exchange, beatriz, { state: 'Yucatán' })
    await stock(exchange, beatriz, { state: 'Colima' })
    await stock(exchange, beatriz, { state: 'Colima' })
    await stock(exchange, beatriz, { state: 'Sonora' }, { status: 'sold' })
    await stock(exchange, alvaro, { state: 'Puebla', idx_opt_out: true })
    listed = (await exchange.get('/agents', viewer.key)).body.content
  })

  describe('200', () => {
    it('lists the verified and public by name, whatever the accents and the case', () => {
      expect(listed.map(({ name }) => name)).toEqual([
        'Álvaro Núñez',
        'Ana Zavala',
        'beatriz Águila',
        'Luis Ramos',
      ])
    })

    it('tells of each agent who it is and what it shows', () => {
      expect(listed[2]).toEqual({
        id: expect.any(String),
        name: 'beatriz Águila',
        slug: 'beatriz-aguila',
        url: 'https://lonja.example/agentes/beatriz-aguila',
        phone: null,
        agency: expect.objectContaining({ name: 'Casas del Valle' }),
        states: ['Colima', 'Yucatán'],
        listings: 3,
      })
      expect(listed[0]).toMatchObject({ agency: null, states: [], listings: 0 })
      expect(listed[1]).toMatchObject({ phone: '+525555551234' })
    })

    it('holds no email, no license and no sign of who may sign in', () => {
      const text = JSON.stringify(listed)
      expect(text).not.toMatch(/@|JAL-0042|LIC-1|licen|password|verified|is_test/i)
    })

    it('leaves out the agency that is no longer active', async () => {
      await exchange.agent({ name: 'Zoe Zea', agency: 'Cerrada' })
      await exchange.db.updateTable('agencies').set({ active: false }).where('name', '=', 'Cerrada').execute()
      const { body } = await exchange.get('/agents', viewer.key)
      expect(body.content.at(-1)).toMatchObject({ name: 'Zoe Zea', agency: null })
    })
  })
})

describe('GET /agencies', () => {
  describe('200', () => {
    it('lists the active ones by name, with the agents everybody may see', async () => {
      // Nobody but a test account belongs to it.
      await exchange.agent({ name: 'Tere', agency: 'Ágora Bienes', test: true })
      await exchange.agent({ name: 'Uma', agency: 'bienes Raíces' })
      await exchange.agent({ name: 'Vera', agency: 'Inactiva' })
      await exchange.db
        .updateTable('agencies')
        .set({ active: false })
        .where('name', '=', 'Inactiva')
        .execute()
      const { body } = await exchange.get('/agencies', viewer.key)
      const counts = body.content.map(({ name, agents }: Record<string, unknown>) => [name, agents])
      expect(counts).toEqual([
        ['bienes Raíces', 1],
        ['Casas del Valle', 2],
      ])
      expect(body.content[1]).toEqual({
        id: expect.any(String),
        name: 'Casas del Valle',
        slug: 'casas-del-valle',
        url: 'https://lonja.example/inmobiliarias/casas-del-valle',
        logo_url: null,
        agents: 2,
      })
    })
  })
})

describe('GET /locations', () => {
  describe('200', () => {
    it('counts cities, most listings first, then by state and city', async () => {
      const agent = await exchange.agent({ name: 'Wendy' })
      await exchange.db.updateTable('listings').set({ status: 'withdrawn' }).execute()
      const places = [
        ['Benito Juárez', 'Quintana Roo'],
        ['Benito Juárez', 'Ciudad de México'],
        ['Zapopan', 'Jalisco'],
        ['Zapopan', 'Jalisco'],
        ['Tonalá', 'Jalisco'],
      ]
      for (const [city, state] of places) await stock(exchange, agent, { city, state })
      const { body } = await exchange.get('/locations', viewer.key)
      expect(body).toEqual({
        content: [
          { city: 'Zapopan', state: 'Jalisco', count: 2 },
          { city: 'Benito Juárez', state: 'Ciudad de México', count: 1 },
          { city: 'Tonalá', state: 'Jalisco', count: 1 },
          { city: 'Benito Juárez', state: 'Quintana Roo', count: 1 },
        ],
      })
    })
  })
})

describe('limits', () => {
  beforeAll(async () => {
    await sql`insert into agencies (name, name_fold, slug)
      select 'Agencia ' || n, 'agencia ' || n, 'agencia-n-' || n from generate_series(1, 1001) n`.execute(
      exchange.db,
    )
    await sql`insert into agents (email, name, name_fold, slug, verified_at)
      select n || '@many.example', 'Agente ' || n, 'agente ' || n, 'agente-n-' || n, now_ms()
      from generate_series(1, 1001) n`.execute(exchange.db)
    const { id } = await stock(exchange, viewer, { city: 'Pueblo' })
    await sql`insert into listings
      select (jsonb_populate_record(l, jsonb_build_object(
        'id', gen_random_uuid(), 'slug', 'pueblo-' || n, 'city', 'Pueblo ' || n, 'city_fold', 'pueblo ' || n))).*
      from listings l, generate_series(1, 201) n where l.id = ${id}`.execute(exchange.db)
  })

  it.each([
    ['/agents', 1000],
    ['/agencies', 1000],
    ['/locations', 200],
  ])('%s gives at most %d', async (path, limit) => {
    const { body } = await exchange.get(path, viewer.key)
    expect(body.content).toHaveLength(limit)
  })

  it('keeps the places with most listings when some are left out', async () => {
    await stock(exchange, viewer, { city: 'Zzz', state: 'Zacatecas' })
    await stock(exchange, viewer, { city: 'Zzz', state: 'Zacatecas' })
    const { body } = await exchange.get('/locations', viewer.key)
    const counts = body.content.map(({ count }: { count: number }) => count)
    expect(body.content.some(({ city }: { city: string }) => city === 'Zzz')).toBe(true)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
  })
})

describe.each(['/me', '/agents', '/agencies', '/locations'])('GET %s', path => {
  it('401: needs a key that works', async () => {
    expect((await exchange.get(path)).status).toBe(401)
    expect((await exchange.get(path, 'svc_nonsense')).status).toBe(401)
  })

  it('403: is not for partner keys', async () => {
    expect((await exchange.get(path, await exchange.key(viewer.email, 'partner'))).status).toBe(403)
  })

  it('200: is for keys that only read, and ignores parameters', async () => {
    const key = await exchange.key(viewer.email, 'read')
    expect((await exchange.get(`${path}?page=2&limit=1`, key)).body).toEqual({
      ...(await exchange.get(path, key)).body,
      warnings: ['page is not a parameter', 'limit is not a parameter'],
    })
  })
})
