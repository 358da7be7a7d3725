import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { stock } from '../support/inventory.ts'

const exchange = useExchange()
let viewer: TestAgent
let owner: TestAgent

/** Named by source_id. Their exact points are public unless said otherwise, so that edges can be hit exactly. */
const MARKET: Record<string, Record<string, unknown>> = {
  casa: {
    property_type: 'house',
    sale_price: 4_500_000,
    neighborhood: 'Providencia',
    city: 'Guadalajara',
    state: 'Jalisco',
    bedrooms: 3,
    bathrooms: 2.5,
    half_bathrooms: 1,
    parking: 2,
    construction_m2: 180.5,
    lot_m2: 250,
    features: ['Alberca', 'Jardín', 'Terraza'],
    lat: 20.69,
    lng: -103.37,
    show_exact_address: true,
  },
  depa: {
    property_type: 'apartment',
    sale_price: null,
    rent_price: 25_000,
    neighborhood: 'Roma Norte',
    city: 'Ciudad de México',
    state: 'Ciudad de México',
    bedrooms: 2,
    bathrooms: 2,
    half_bathrooms: 3,
    parking: 1,
    construction_m2: 90,
    lot_m2: null,
    features: ['Elevador', 'Terraza'],
    lat: 19.417,
    lng: -99.163,
    show_exact_address: true,
  },
  terreno: {
    property_type: 'land',
    sale_price: 200_000,
    sale_currency: 'USD',
    neighborhood: 'Temozón Norte',
    city: 'Mérida',
    state: 'Yucatán',
    lot_m2: 1000,
    lat: 21.07,
    lng: -89.6,
    show_exact_address: true,
  },
  mixta: {
    property_type: 'house',
    sale_price: 3_000_000,
    rent_price: 1_500,
    rent_currency: 'USD',
    neighborhood: null,
    city: 'La Paz',
    state: 'Baja California Sur',
    bedrooms: 4,
    bathrooms: 3,
    parking: 0,
    construction_m2: 220,
    lot_m2: 300,
    features: ['Alberca'],
    lat: null,
    lng: null,
  },
  local: {
    property_type: 'commercial',
    sale_price: null,
    rent_price: 40_000,
    neighborhood: 'Zona Río',
    city: 'Tijuana',
    state: 'Baja California',
    bathrooms: 1,
    construction_m2: 120,
    lat: 32.52,
    lng: -117.02,
    show_exact_address: true,
  },
  rara: {
    property_type: 'office',
    sale_price: 900_000.5,
    neighborhood: 'La 5_ta \\ norte',
    city: '100% Real',
    state: 'Estado de México',
    lat: null,
    lng: null,
  },
}
/** The viewer's own draft, without any price: what only price filters can tell from the others. */
const NO_PRICE = 'sinprecio'
const ALL = [...Object.keys(MARKET), NO_PRICE]

beforeAll(async () => {
  owner = await exchange.agent()
  viewer = await exchange.agent({ name: 'Luis Ramos' })
  for (const [name, fields] of Object.entries(MARKET)) {
    await stock(exchange, owner, { ...fields, external_id: name })
  }
  const draft = await exchange.listing(viewer, {
    external_id: NO_PRICE,
    property_type: 'other',
    city: 'Oaxaca',
    state: 'Oaxaca',
    lat: null,
    lng: null,
  })
  expect((await exchange.put(`/properties/${draft.id}`, viewer.key, { sale_price: null })).status).toBe(200)
})

const names = (body: { content: { source_id: string }[] }) => body.content.map(one => one.source_id)

async function found(query: string, key = viewer.key) {
  const { status, body } = await exchange.get(`/properties?${query}`, key)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.pagination.total).toBe(body.content.length)
  return names(body).sort()
}

const finds = (query: string, expected: string[]) =>
  it(`${query || '(nothing)'} finds ${expected.join(', ') || 'nothing'}`, async () => {
    expect(await found(query)).toEqual([...expected].sort())
  })

describe('200', () => {
  describe('without a filter', () => {
    finds('', ALL)
    finds('nonsense=1&type[]=house&city[like]=x&__proto__=y&constructor=z', ALL)
  })

  describe('an empty parameter is an absent one', () => {
    it.each(
      'q operation type state city neighborhood min_price max_price currency min_bedrooms min_bathrooms min_parking min_construction min_lot features sw_lat sw_lng ne_lat ne_lng lat lng radius_km updated_since sort page limit'.split(
        ' ',
      ),
    )('%s=', async name => {
      expect(await found(`${name}=`)).toEqual([...ALL].sort())
      expect(await found(`${name}=&${name}=`)).toEqual([...ALL].sort())
    })
    finds('city=&city=tijuana', ['local'])
    finds('type=&type=land', ['terreno'])
    finds('features=&features=Elevador', ['depa'])
    finds('lat=&lat=20.69&lng=-103.37&radius_km=1', ['casa'])
  })

  describe('operation', () => {
    finds('operation=sale', ['casa', 'terreno', 'mixta', 'rara'])
    finds('operation=rental', ['depa', 'mixta', 'local'])
  })

  describe('type', () => {
    finds('type=house', ['casa', 'mixta'])
    finds('type=house&type=land', ['casa', 'mixta', 'terreno'])
    finds('type=land&type=land', ['terreno'])
    finds('type=warehouse', [])
  })

  describe('state is a whole name in any usual spelling', () => {
    finds('state=Jalisco', ['casa'])
    finds('state=jalisco', ['casa'])
    finds('state=YUCATAN', ['terreno'])
    finds('state=Baja%20California', ['local'])
    finds('state=Baja%20California%20Sur', ['mixta'])
    finds('state=CDMX', ['depa'])
    finds('state=Distrito%20Federal', ['depa'])
    finds('state=M%C3%A9xico', ['rara'])
    finds('state=Zacatecas', [])
  })

  describe('city and neighborhood match a part, whatever the accents and the case', () => {
    finds('city=guadalajara', ['casa'])
    finds('city=DALAJ', ['casa'])
    finds('city=merida', ['terreno'])
    finds('city=M%C3%A9rida', ['terreno'])
    finds('city=Me%CC%81rida', ['terreno'])
    finds('city=%20La%20%20Paz%20', ['mixta'])
    finds('city=xico', ['depa'])
    finds('city=Jalisco', [])
    finds('neighborhood=temozon', ['terreno'])
    finds('neighborhood=NORTE', ['depa', 'terreno', 'rara'])
    finds('neighborhood=rio', ['local'])
    finds('neighborhood=tijuana', [])
  })

  describe('signs that a pattern could hold are taken as they are', () => {
    finds('city=%25', ['rara'])
    finds('city=100%25', ['rara'])
    finds('city=_', [])
    finds('city=G%25a', [])
    finds('neighborhood=_', ['rara'])
    finds('neighborhood=5_ta', ['rara'])
    finds('neighborhood=%5C', ['rara'])
    finds('neighborhood=%5C%25', [])
    finds("neighborhood='%20or%20true%20--", [])
  })

  describe('min_price and max_price compare the price of the operation, else either price', () => {
    finds('min_price=4500000', ['casa'])
    finds('min_price=4500000.01', [])
    finds('max_price=1500', ['mixta'])
    finds('max_price=1499.99', [])
    finds('max_price=0', [])
    finds('min_price=25000&max_price=40000', ['depa', 'local'])
    finds('min_price=900000.5&max_price=900000.5', ['rara'])
    finds('operation=sale&max_price=1500', [])
    finds('operation=sale&max_price=3000000', ['mixta', 'rara', 'terreno'])
    finds('operation=rental&min_price=1500&max_price=25000', ['depa', 'mixta'])
    finds('operation=rental&min_price=3000000', [])
    // Its rent is below and its sale price above: neither is between.
    finds('min_price=1501&max_price=24999', [])
  })

  describe('currency is that of the operation that is asked for', () => {
    finds('currency=USD', ['terreno', 'mixta'])
    finds('currency=MXN', ['casa', 'depa', 'mixta', 'local', 'rara'])
    finds('currency=USD&operation=sale', ['terreno'])
    finds('currency=USD&operation=rental', ['mixta'])
    finds('currency=MXN&operation=rental', ['depa', 'local'])
    // No sale price of one operation with the currency of the other.
    finds('currency=USD&min_price=1000000', [])
    finds('currency=MXN&max_price=1500', [])
    finds('currency=USD&max_price=1500', ['mixta'])
    finds('currency=USD&operation=sale&min_price=200000&max_price=200000', ['terreno'])
  })

  describe('minimums are inclusive and leave out what is not known', () => {
    finds('min_bedrooms=3', ['casa', 'mixta'])
    finds('min_bedrooms=4', ['mixta'])
    finds('min_bedrooms=2.5', ['casa', 'mixta'])
    finds('min_bathrooms=2.5', ['casa', 'mixta'])
    finds('min_bathrooms=2.6', ['mixta'])
    // Two bathrooms and three half ones are two bathrooms.
    finds('min_bathrooms=3', ['mixta'])
    finds('min_parking=1', ['casa', 'depa'])
    finds('min_parking=2', ['casa'])
    finds('min_construction=180.5', ['casa', 'mixta'])
    finds('min_construction=180.51', ['mixta'])
    finds('min_lot=250', ['casa', 'mixta', 'terreno'])
    finds('min_lot=1000.5', [])
  })

  describe('a minimum of 0 asks for nothing', () => {
    it.each(['min_price', 'min_bedrooms', 'min_bathrooms', 'min_parking', 'min_construction', 'min_lot'])(
      '%s=0',
      async name => expect(await found(`${name}=0`)).toEqual([...ALL].sort()),
    )
  })

  describe('features must all be there, by label or alias', () => {
    finds('features=Alberca', ['casa', 'mixta'])
    finds('features=alberca', ['casa', 'mixta'])
    finds('features=Piscina', ['casa', 'mixta'])
    finds('features=Terraza', ['casa', 'depa'])
    finds('features=Alberca&features=Terraza', ['casa'])
    finds('features=Alberca&features=Piscina', ['casa', 'mixta'])
    finds('features=Alberca&features=Elevador', [])
    finds('features=jardin', ['casa'])
  })

  describe('a map rectangle holds its edges and nothing without coordinates', () => {
    finds('sw_lat=-90&sw_lng=-180&ne_lat=90&ne_lng=180', ['casa', 'depa', 'terreno', 'local'])
    finds('sw_lat=20.69&sw_lng=-103.37&ne_lat=20.69&ne_lng=-103.37', ['casa'])
    finds('sw_lat=19&sw_lng=-104&ne_lat=21&ne_lng=-99', ['casa', 'depa'])
    finds('sw_lat=20.690001&sw_lng=-104&ne_lat=21&ne_lng=-99', [])
    finds('sw_lat=19&sw_lng=-103.369999&ne_lat=21&ne_lng=-103', [])
    finds('sw_lat=0&sw_lng=0&ne_lat=0&ne_lng=0', [])
  })

  describe('a circle is measured along the globe', () => {
    finds('lat=20.69&lng=-103.37&radius_km=200', ['casa'])
    finds('lat=20.69&lng=-103.37&radius_km=0.000001', ['casa'])
    // A tenth of a degree: 11.12 km to the north, 10.40 km to the east at this latitude.
    finds('lat=20.79&lng=-103.37&radius_km=11.1', [])
    finds('lat=20.79&lng=-103.37&radius_km=11.14', ['casa'])
    finds('lat=20.69&lng=-103.27&radius_km=10.38', [])
    finds('lat=20.69&lng=-103.27&radius_km=10.42', ['casa'])
    finds('lat=-90&lng=180&radius_km=200', [])
  })

  describe('all filters hold together', () => {
    finds('type=house&features=Alberca&state=Jalisco', ['casa'])
    finds('type=house&state=Yucat%C3%A1n', [])
    finds('operation=sale&currency=MXN&min_bedrooms=3&max_price=4000000&city=paz', ['mixta'])
    finds('sw_lat=19&sw_lng=-104&ne_lat=21&ne_lng=-99&lat=19.4&lng=-99.1&radius_km=50', ['depa'])
    finds('sw_lat=20&sw_lng=-104&ne_lat=21&ne_lng=-99&lat=19.4&lng=-99.1&radius_km=50', [])
    finds('q=casa&type=house&min_lot=300', ['mixta'])
    finds(
      'q=casa&operation=sale&type=house&state=Jalisco&city=guad&neighborhood=prov&min_price=1&max_price=9000000&currency=MXN&min_bedrooms=1&min_bathrooms=1&min_parking=1&min_construction=1&min_lot=1&features=Alberca&sw_lat=20&sw_lng=-104&ne_lat=21&ne_lng=-103&lat=20.69&lng=-103.37&radius_km=5&updated_since=2020-01-01&sort=relevance&page=1&limit=100',
      ['casa'],
    )
  })

  describe('filters apply to the caller’s own listings as well', () => {
    finds('state=Oaxaca', [NO_PRICE])
    finds('currency=MXN&state=Oaxaca', [])
    finds('type=other', [NO_PRICE])
  })

  it('measures from the public point, for the owner too: the true one finds nothing', async () => {
    const exact = { lat: 25.671234, lng: -100.312345 }
    const { id } = await stock(exchange, owner, { ...exact, state: 'Nuevo León', city: 'Monterrey' })
    const { location } = (await exchange.get(`/properties/${id}`, viewer.key)).body
    const at = ({ lat, lng }: { lat: number; lng: number }) => `lat=${lat}&lng=${lng}&radius_km=0.0002`
    const box = ({ lat, lng }: { lat: number; lng: number }) =>
      `sw_lat=${lat}&ne_lat=${lat}&sw_lng=${lng}&ne_lng=${lng}`
    for (const { key } of [viewer, owner]) {
      for (const query of [at(location), box(location)]) {
        const { body } = await exchange.get(`/properties?${query}`, key)
        expect(body.content.map((one: { id: string }) => one.id)).toEqual([id])
        expect(body.content[0].location).toEqual(location)
      }
      for (const query of [at(exact), box(exact)]) {
        expect((await exchange.get(`/properties?${query}`, key)).body.pagination.total).toBe(0)
      }
    }
    await exchange.setStatus(id, 'withdrawn')
  })
})
