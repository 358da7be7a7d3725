import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { stock } from '../support/inventory.ts'

const exchange = useExchange()
let viewer: TestAgent
let ana: TestAgent
let agencySlug: string

beforeAll(async () => {
  viewer = await exchange.agent({ name: 'Vera Viñas' })
  ana = await exchange.agent({ name: 'Ana Torres', agency: 'Torres Inmuebles' })
  const beto = await exchange.agent({ name: 'Beto Luna', agency: 'Torres Inmuebles' })
  const carla = await exchange.agent({ name: 'Carla Mora' })
  const exact = { show_exact_address: true, city: 'Guadalajara', state: 'Jalisco' }
  const markets: [TestAgent, string, Record<string, unknown>][] = [
    [ana, 'near', { lat: 20.68, lng: -103.35, year_built: 2020, floors: 2, half_bathrooms: 1, bedrooms: 3 }],
    [ana, 'far', { lat: 20.8, lng: -103.35, year_built: 1980, floors: 1, bedrooms: 2 }],
    [beto, 'farther', { lat: 21.9, lng: -102.3, property_type: 'apartment', sale_price: 900_000 }],
    [carla, 'nowhere', { lat: null, lng: null, show_exact_address: false, property_type: 'land' }],
  ]
  for (const [agent, name, fields] of markets)
    await stock(exchange, agent, { ...exact, property_type: 'house', ...fields, external_id: name })
  await stock(
    exchange,
    viewer,
    { ...exact, lat: 20.67, lng: -103.35, external_id: 'own' },
    { status: 'draft' },
  )
  const { body } = await exchange.get('/agencies', viewer.key)
  agencySlug = body.content[0].slug
})

const get = (query: string) => exchange.get(`/properties?${query}`, viewer.key)

async function found(query: string): Promise<string[]> {
  const { status, body } = await get(query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.content.map((one: { source_id: string }) => one.source_id)
}

async function codes(query: string): Promise<[string, string][]> {
  const { status, body } = await get(query)
  expect(status, `${query}: ${JSON.stringify(body)}`).toBe(422)
  return body.details.map(({ field, code }: { field: string; code: string }) => [field, code])
}

describe('facets', () => {
  it('count the values of the results, each without its own filter but with all others', async () => {
    const { body } = await get('type=house&exclude_own=true&facets=type,bedrooms&limit=1')
    expect(body.pagination.total).toBe(2)
    expect(body.facets).toEqual({
      type: {
        values: [
          { value: 'house', count: 2 },
          { value: 'apartment', count: 1 },
          { value: 'land', count: 1 },
        ],
        other_values: 0,
      },
      bedrooms: {
        values: [
          { value: 2, count: 1 },
          { value: 3, count: 1 },
        ],
        other_values: 0,
      },
    })
  })

  it('count each amenity by itself, and whole names of cities, of which the filter finds parts', async () => {
    const at = { state: 'Nuevo León', property_type: 'ranch' }
    await stock(exchange, ana, { ...at, city: 'San Pedro', features: ['Alberca', 'Jardín'] })
    await stock(exchange, ana, { ...at, city: 'San Pedro Garza García', features: ['Jardín'] })
    const chosen = await get('state=Nuevo+León&features=Alberca&facets=features,city')
    expect(chosen.body.pagination.total).toBe(1)
    expect(chosen.body.facets.features.values).toEqual([
      { value: 'Jardín', count: 2 },
      { value: 'Alberca', count: 1 },
    ])
    expect(chosen.body.facets.city.values).toEqual([{ value: 'San Pedro', count: 1 }])
    const named = await get('state=Nuevo+León&city=san+pedro&facets=city')
    expect(named.body.pagination.total).toBe(2)
    expect(named.body.facets.city.values.map(({ count }: { count: number }) => count)).toEqual([1, 1])
  })

  it('are absent unless asked for, and come with a question in words too', async () => {
    expect((await get('limit=1')).body.facets).toBeUndefined()
    expect((await get('ask=casa&facets=state')).body.facets.state.values[0].value).toBe('Jalisco')
  })

  it('answer the 50 largest values and how many more there are', async () => {
    for (let i = 0; i < 52; i++) await stock(exchange, ana, { city: `Pueblo ${i}`, state: 'Oaxaca' })
    const { facets } = (await get('state=Oaxaca&facets=city')).body
    expect([facets.city.values.length, facets.city.other_values]).toEqual([50, 2])
  })

  it.each(['facets=colour', 'facets=type,', 'facets=type;city', 'facets=TYPE'])(
    'rejects %s and lists those that exist',
    async query => expect(await codes(query)).toEqual([['facets', 'unknown_value']]),
  )
})

describe('sort=distance', () => {
  it('puts the nearest first and those without a point last, with or without a radius, page by page', async () => {
    const near = 'lat=20.67&lng=-103.35&sort=distance&state=Jalisco'
    expect(await found(near)).toEqual(['own', 'near', 'far', 'farther', 'nowhere'])
    expect(await found(`${near}&radius_km=20`)).toEqual(['own', 'near', 'far'])
    const walked: string[] = []
    for (let path = `/properties?${near}&limit=1`; path; ) {
      const { headers, body } = await exchange.get(path, viewer.key)
      walked.push(...body.content.map((one: { source_id: string }) => one.source_id))
      path = /<.*\/api\/v1(.*)>/.exec(String(headers.link ?? ''))?.[1] ?? ''
    }
    expect(walked).toEqual(['own', 'near', 'far', 'farther', 'nowhere'])
  })

  it('lists featured listings first, the nearest of them before the others', async () => {
    const at = { state: 'Colima', city: 'Colima', show_exact_address: true, lng: -103.7 }
    const places: [string, number, boolean][] = [
      ['here', 19.2, false],
      ['featured and far', 19.4, true],
      ['featured', 19.3, true],
    ]
    for (const [name, lat, featured] of places)
      await stock(exchange, ana, { ...at, lat, external_id: name }, { featured })
    const near = 'lat=19.2&lng=-103.7&sort=distance&state=Colima'
    expect(await found(near)).toEqual(['featured', 'featured and far', 'here'])
  })

  it('needs a point, and says so', async () => {
    expect(await codes('sort=distance')).toEqual([
      ['lat', 'required_by'],
      ['lng', 'required_by'],
    ])
    expect(await codes('sort=distance&lat=20')).toEqual([['lng', 'required_with']])
    expect(await codes('lat=20&lng=-103')).toEqual([['radius_km', 'required_with']])
    expect(await codes('sort=distance&lat=x&lng=-103')).toEqual([['lat', 'not_a_number']])
  })
})

describe('whose listings', () => {
  it('agent and agency take a slug or an id', async () => {
    expect((await found('agent=ana-torres&state=Jalisco')).sort()).toEqual(['far', 'near'])
    expect((await found(`agent=${ana.id}&state=Jalisco`)).sort()).toEqual(['far', 'near'])
    expect((await found(`agency=${agencySlug}&state=Jalisco`)).sort()).toEqual(['far', 'farther', 'near'])
    expect(await found(`agency=${agencySlug}&agent=carla-mora`)).toEqual([])
  })

  it('one that does not exist has none', async () => {
    expect(await found('agent=nobody')).toEqual([])
    expect(await found('agency=%27%3B drop table agents')).toEqual([])
  })

  it('exclude_own leaves out the caller’s own', async () => {
    expect(await found('state=Jalisco')).toContain('own')
    expect(await found('state=Jalisco&exclude_own=false')).toContain('own')
    expect(await found('state=Jalisco&exclude_own=true')).not.toContain('own')
    expect(await codes('exclude_own=yes')).toEqual([['exclude_own', 'not_a_boolean']])
  })

  it('all of them apply to clusters', async () => {
    const { body } = await exchange.get(`/properties/clusters?agency=${agencySlug}&state=Jalisco`, viewer.key)
    expect(body.total).toBe(3)
  })
})

describe('numbers', () => {
  it.each([
    ['min_year_built=2000', ['near']],
    ['max_year_built=2000', ['far']],
    ['min_floors=2', ['near']],
    ['max_floors=1', ['far']],
    ['min_half_bathrooms=1', ['near']],
    ['max_half_bathrooms=1', ['near']],
  ])('%s finds only known values in range', async (query, expected) => {
    expect(await found(`state=Jalisco&${query}`)).toEqual(expected)
  })

  it.each([
    'min_year_built',
    'max_year_built',
    'min_floors',
    'max_floors',
    'min_half_bathrooms',
    'max_half_bathrooms',
  ])('%s must be a number from 0', async name => {
    expect(await codes(`${name}=-1`)).toEqual([[name, 'out_of_range']])
    expect(await codes(`${name}=new`)).toEqual([[name, 'not_a_number']])
  })
})

describe('GET /market', () => {
  const market = (query: string) => exchange.get(`/market?${query}`, viewer.key)

  it('answers count and quartiles of public listings by place and type, not of the caller’s drafts', async () => {
    const { status, body } = await market('state=Jalisco&by=city,type')
    expect(status, JSON.stringify(body)).toBe(200)
    const houses = body.content.find((one: { type: string }) => one.type === 'house')
    expect(houses).toMatchObject({ state: 'Jalisco', city: 'Guadalajara', operation: 'sale', count: 2 })
    expect(houses.price.p25).toBeLessThanOrEqual(houses.price.median)
    const [all] = (await market('state=Jalisco')).body.content
    expect(all.count).toBe(4)
  })

  it('groups by month of publication and says how many groups are left out', async () => {
    const { body } = await market('state=Jalisco&by=month')
    expect(body.other_groups).toBe(0)
    expect(body.content[0].month).toMatch(/^\d{4}-\d\d$/)
  })

  it('counts only rents by the month', async () => {
    const rents = { sale_price: null, city: 'Xalapa', state: 'Veracruz', property_type: 'house' }
    await stock(exchange, ana, { ...rents, rent_price: 10_000 })
    await stock(exchange, ana, { ...rents, rent_price: 900, rent_period: 'daily' })
    const { body } = await market('state=Veracruz')
    expect(body.content).toMatchObject([{ operation: 'rental', count: 1, price: { median: 10_000 } }])
  })

  it.each([
    ['by=color', 'by', 'unknown_value'],
    ['by=', undefined, undefined],
    ['by=city;type', 'by', 'unknown_value'],
    ['min_price=x', 'min_price', 'not_a_number'],
    ['price_in=MXN', 'price_in', 'no_rate'],
  ])('rejects what it cannot use: %s', async (query, field, code) => {
    const { status, body } = await market(query)
    if (field) expect([status, body.details]).toMatchObject([422, [{ field, code }]])
    else expect(status).toBe(200)
  })
})
