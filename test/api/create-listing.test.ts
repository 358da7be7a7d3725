import { beforeAll, describe, expect, it } from 'vitest'
import { propertyTypes } from '../../src/lookups/catalog.ts'
import { HOUSE, PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent({ phone: '33 1234 5678', agency: 'Casas del Valle' })
})

const create = (fields: Record<string, unknown> = {}) =>
  exchange.post('/properties', agent.key, { ...HOUSE, ...fields })
const listings = () => exchange.db.selectFrom('listings').select('id').execute()

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const EMOJI = '🏡'
const NEXT_DECADE = new Date().getUTCFullYear() + 10

const EVERYTHING = {
  title: 'Casa con alberca en Chapalita',
  description: 'Dos plantas.\n\tJardín <b>amplio</b> & luminoso',
  title_en: 'House with a pool',
  description_en: 'Two floors',
  property_type: 'house',
  bedrooms: 3,
  bathrooms: 2.5,
  half_bathrooms: 1,
  parking: 2,
  construction_m2: 210.25,
  lot_m2: 300,
  year_built: 1998,
  floors: 2,
  features: ['Alberca', 'Jardín'],
  video_url: 'https://video.example/watch?v=1',
  virtual_tour_url: 'http://tour.example/1',
  exclusive: true,
  internal_id: 'CARPETA-7',
  idx_opt_out: true,
  show_exact_address: false,
}
const PLACE = {
  neighborhood: 'Chapalita',
  city: 'Guadalajara',
  municipality: 'Guadalajara',
  state: 'Jalisco',
  postal_code: '04500',
}

describe('201', () => {
  it('answers the least a listing needs as a draft in which every other field is null, empty or false', async () => {
    const { title, city, state, sale_price } = HOUSE
    const { status, body, headers } = await exchange.post('/properties', agent.key, {
      title,
      city,
      state,
      sale_price,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      slug: expect.stringMatching(/^casa-con-jardin-en-providencia-[a-z0-9]{6}$/),
      url: `${PUBLIC_URL}/propiedades/${body.slug}`,
      title,
      description: null,
      title_en: null,
      description_en: null,
      property_type: 'other',
      status: 'draft',
      operations: [{ type: 'sale', amount: 4_500_000, currency: 'MXN', formatted_amount: '$4,500,000 MXN' }],
      rent_period: null,
      bedrooms: null,
      bathrooms: null,
      half_bathrooms: null,
      parking: null,
      construction_m2: null,
      lot_m2: null,
      year_built: null,
      floors: null,
      features: [],
      location: {
        address: null,
        neighborhood: null,
        city,
        municipality: null,
        state,
        postal_code: null,
        lat: null,
        lng: null,
        exact: false,
      },
      images: [],
      video_url: null,
      virtual_tour_url: null,
      exclusive: false,
      agent: {
        name: 'Ana Torres',
        slug: agent.slug,
        phone: '+523312345678',
        url: `${PUBLIC_URL}/agentes/${agent.slug}`,
      },
      agency: {
        name: 'Casas del Valle',
        slug: 'casas-del-valle',
        url: `${PUBLIC_URL}/inmobiliarias/casas-del-valle`,
        logo_url: null,
      },
      source_id: null,
      internal_id: null,
      idx_opt_out: false,
      show_exact_address: false,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
      published_at: null,
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    expect(headers.location).toBe(`${PUBLIC_URL}/api/v1/properties/${body.id}`)
    expect(headers.etag).toMatch(/^"[^"]+"$/)
  })

  it('returns to its writer every field as it was sent, and reads the same afterwards', async () => {
    const { status, body } = await create({ ...EVERYTHING, ...PLACE, external_id: 'X-1' })
    expect(status).toBe(201)
    expect(body).toMatchObject(EVERYTHING)
    expect(body.location).toMatchObject(PLACE)
    expect(body.source_id).toBe('X-1')
    expect((await exchange.get(`/properties/${body.id}`, agent.key)).body).toEqual(body)
  })

  it('sends no event', async () => {
    expect(await exchange.events((await create()).body.id)).toEqual([])
  })

  it.each(propertyTypes)('takes the property type %s', async property_type => {
    expect((await create({ property_type })).body.property_type).toBe(property_type)
  })

  it.each([
    ['bedrooms', 0],
    ['bedrooms', 999],
    ['parking', 999],
    ['half_bathrooms', 0],
    ['floors', 999],
    ['bathrooms', 0],
    ['bathrooms', 1.25],
    ['bathrooms', 999],
    ['construction_m2', 0.01],
    ['lot_m2', 100_000_000],
    ['year_built', 1500],
    ['year_built', NEXT_DECADE],
  ])('takes %s %d, the edge of what is allowed', async (name, value) => {
    expect((await create({ [name]: value })).body[name]).toBe(value)
  })

  it.each([
    ['five characters', 'abcde', 'abcde'],
    ['five emoji', EMOJI.repeat(5), EMOJI.repeat(5)],
    ['surrounding space', '  Casa en venta \n', 'Casa en venta'],
    ['200 code points of four bytes', EMOJI.repeat(200), EMOJI.repeat(200)],
    ['200 composed letters sent decomposed', 'e\u0301'.repeat(200), '\u00e9'.repeat(200)],
    ['control characters', 'Ca\u0001sa\u001b en\r\n\tventa\u007f', 'Casa en\n\tventa'],
    ['markup', '<script>alert("1")</script>', '<script>alert("1")</script>'],
  ])('stores a title of %s', async (_what, title, stored) => {
    const { status, body } = await create({ title })
    expect([status, body.title]).toEqual([201, stored])
  })

  it.each([
    ['description', 20_000],
    ['description_en', 20_000],
    ['title_en', 200],
    ['internal_id', 100],
  ])('takes %s up to %i characters', async (name, max) => {
    expect((await create({ [name]: 'ñ'.repeat(max) })).body[name]).toBe('ñ'.repeat(max))
  })

  it.each(['description', 'title_en', 'internal_id', 'video_url'])(
    'takes an empty %s for none',
    async name => {
      expect((await create({ [name]: '' })).body[name]).toBeNull()
    },
  )

  it.each([
    ['CDMX', 'Ciudad de México'],
    ['distrito federal', 'Ciudad de México'],
    ['México', 'Estado de México'],
    ['MICHOACAN', 'Michoacán'],
    ['Coahuila de Zaragoza', 'Coahuila'],
  ])('stores the state %s as %s', async (state, name) => {
    expect((await create({ state })).body.location.state).toBe(name)
  })

  it('stores features under their listed labels, each once, in the order given', async () => {
    const { body } = await create({ features: ['jardin', 'PISCINA', 'Alberca', 'Jardín'] })
    expect(body.features).toEqual(['Jardín', 'Alberca'])
  })

  it('takes a city no list knows', async () => {
    expect((await create({ city: '  Rancho Nuevo del Edén ' })).body.location.city).toBe(
      'Rancho Nuevo del Edén',
    )
  })

  it.each([
    ['an emoji-only title', EMOJI.repeat(6), /^propiedad-[a-z0-9]{6}$/],
    ['a very long title', 'Casa '.repeat(40), /^[a-z0-9-]{70,80}$/],
    ['a title shaped like a UUID', '123e4567-e89b-12d3-a456-426614174000', /-426614174000-[a-z0-9]{6}$/],
  ])('gives %s a slug usable in paths', async (_what, title, shape) => {
    const { body } = await create({ title })
    expect(body.slug).toMatch(shape)
    expect((await exchange.get(`/properties/${body.slug}`, agent.key)).body.id).toBe(body.id)
  })

  it('gives two listings of one title two slugs', async () => {
    expect((await create()).body.slug).not.toBe((await create()).body.slug)
  })

  it('makes the slug of the title alone, never of the address', async () => {
    const title = 'Casa luminosa'
    const { body } = await create({ title, address: 'Calle Secreta 123', neighborhood: 'Zapopan Centro' })
    expect(body.slug).toMatch(/^casa-luminosa-[a-z0-9]+$/)
    expect(body.url).toContain(body.slug)
    expect(`${body.slug}${body.url}`).not.toMatch(/secreta|zapopan/i)
  })

  it.each([0, 50, 2.6475, 100, '50/50 sobre el 5 %', null])(
    'takes a shared commission of %j and answers nothing of it, not even to its owner',
    async shared_commission => {
      const { status, body } = await create({ shared_commission })
      expect(status).toBe(201)
      expect(JSON.stringify(body)).not.toMatch(/commission|50\/50|2\.6475/)
      const row = await exchange.db
        .selectFrom('listings')
        .select('shared_commission')
        .where('id', '=', body.id)
        .executeTakeFirst()
      expect(row?.shared_commission).toBe(shared_commission === null ? null : String(shared_commission))
    },
  )

  it('ignores fields that are not the writer’s, inherited ones too', async () => {
    const other = await exchange.agent()
    const raw = JSON.stringify({
      ...HOUSE,
      id: '00000000-0000-4000-8000-000000000000',
      slug: 'mine',
      status: 'published',
      featured: true,
      imported: true,
      agent_id: other.id,
      agent: { name: 'Otra' },
      origin: 'mls',
      published_at: '2020-01-01T00:00:00.000Z',
      created_at: '2020-01-01T00:00:00.000Z',
      public_lat: 1,
      unknown: { deep: [1] },
    }).replace(
      '{',
      '{"__proto__":{"bedrooms":9,"status":"published"},"constructor":{"prototype":{"floors":9}},',
    )
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await exchange.call('POST', '/properties', { key: agent.key, raw, headers })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'draft', published_at: null, bedrooms: null, floors: null })
    expect(body.agent.slug).toBe(agent.slug)
    expect(body.slug).not.toBe('mine')
    expect(body.id).not.toMatch(/^0{8}/)
    expect(body.created_at > '2024').toBe(true)
    const row = await exchange.db
      .selectFrom('listings')
      .select(['featured', 'imported', 'agent_id'])
      .where('id', '=', body.id)
      .executeTakeFirst()
    expect(row).toEqual({ featured: false, imported: false, agent_id: agent.id })
  })

  it('takes an external_id another agent uses, and tells apart upper and lower case', async () => {
    const other = await exchange.agent()
    await exchange.listing(other, { external_id: 'shared' })
    expect((await create({ external_id: ' shared ' })).body.source_id).toBe('shared')
    expect((await create({ external_id: 'SHARED' })).body.source_id).toBe('SHARED')
  })

  it.each(['', '   ', null])('takes the external_id %j for none, any number of times', async external_id => {
    expect((await create({ external_id })).body.source_id).toBeNull()
    expect((await create({ external_id })).status).toBe(201)
  })

  describe('with coordinates', () => {
    const exact = { lat: 20.691234567, lng: -103.378765432 }

    it('shows a point of the same cell instead of the exact one, also to the owner', async () => {
      const { body } = await create({ ...exact, address: 'Calle Secreta 123' })
      const { lat, lng, address } = body.location
      expect(body.location.exact).toBe(false)
      expect(address).toBeNull()
      expect(Math.floor(lat / 0.003)).toBe(Math.floor(exact.lat / 0.003))
      expect(Math.floor(lng / 0.003)).toBe(Math.floor(exact.lng / 0.003))
      expect(JSON.stringify(body)).not.toMatch(/"lat":20\.69123\d*,"lng":-103\.37876|Secreta/)
    })

    it('shows two listings of one point at two points', async () => {
      const [a, b] = [await create(exact), await create(exact)]
      expect(a.body.location).not.toEqual(b.body.location)
    })

    it('shows the exact point to six decimals, and the address, if the agent chose so', async () => {
      const { body } = await create({ ...exact, address: 'Av. Vallarta 1', show_exact_address: true })
      expect(body.location).toMatchObject({
        lat: 20.691235,
        lng: -103.378765,
        exact: true,
        address: 'Av. Vallarta 1',
      })
    })

    it('without them shows the address if the agent chose so, and calls nothing exact', async () => {
      const { body } = await create({
        lat: null,
        lng: null,
        address: 'Av. Vallarta 1',
        show_exact_address: true,
      })
      expect(body.location).toMatchObject({ lat: null, lng: null, exact: false, address: 'Av. Vallarta 1' })
    })
  })
})

describe('400, 413, 415', () => {
  it.each([
    [400, '{"title":', 'application/json'],
    [415, 'title=Casa', 'application/x-www-form-urlencoded'],
    [413, `{"description":"${'x'.repeat(2_097_152)}"}`, 'application/json'],
  ])('answers %i and stores nothing', async (status, raw, type) => {
    const before = await listings()
    const headers = { 'content-type': type }
    expect((await exchange.call('POST', '/properties', { key: agent.key, raw, headers })).status).toBe(status)
    expect(await listings()).toHaveLength(before.length)
  })
})

describe('401, 403', () => {
  it('refuses a missing key, a read-only key and a partner key, whatever the body', async () => {
    expect((await exchange.post('/properties', undefined, HOUSE)).status).toBe(401)
    for (const scopes of ['read', 'partner']) {
      const key = await exchange.key(agent.email, scopes)
      expect(await exchange.post('/properties', key, {})).toMatchObject({
        status: 403,
        body: { error: 'forbidden' },
      })
    }
  })
})
