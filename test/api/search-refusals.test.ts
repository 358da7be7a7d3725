import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let viewer: TestAgent

beforeAll(async () => {
  viewer = await exchange.agent()
})

async function refusal(query: string): Promise<string[]> {
  const { status, body } = await exchange.get(`/properties?${query}`, viewer.key)
  expect(status, `${query} was answered ${JSON.stringify(body)}`).toBe(422)
  expect(body.error).toBe('validation')
  return body.errors
}

/** Each query has exactly one fault, told in one sentence that begins with the parameter's name. */
const refuses = (queries: string[], parameter: string) =>
  it.each(queries)(`${parameter}: %s`, async query => {
    const errors = await refusal(query)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(new RegExp(`^${parameter} `))
  })

describe('422', () => {
  describe('a value that is not on the list', () => {
    refuses(['operation=rent', 'operation=SALE', 'operation=sale,rental', 'operation=%20sale'], 'operation')
    refuses(['type=casa', 'type=house&type=castle', 'type=house,land', 'type=House'], 'type')
    refuses(['currency=EUR', 'currency=mxn'], 'currency')
    refuses(['sort=cheapest', 'sort=-price', 'sort=price', 'sort=newest;drop'], 'sort')
    refuses(['state=Texas', 'state=Baja', 'state=Jal%25', 'state=%20', 'state=Jalisco%00'], 'state')
    refuses(
      ['features=Helipuerto', 'features=Alberca&features=Nada', 'features=Alberca,Jard%C3%ADn'],
      'features',
    )
    refuses(['exclude_features=Helipuerto'], 'exclude_features')
  })

  it('lists longer than there are names, in one short sentence', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `type=${i}`).join('&')
    expect(await refusal(many)).toEqual(['type must have at most 100 items, 1000 were sent (sent: "0")'])
    const names = Array.from({ length: 1_000 }, (_, i) => i).join(',')
    expect(await refusal(`facets=${names}`)).toHaveLength(1)
    const { status } = await exchange.get(`/properties?${'type=house&'.repeat(1_000)}`, viewer.key)
    expect(status).toBe(200)
  })

  it('names the amenity it does not know', async () => {
    expect((await refusal('features=Alberca&features=Helipuerto'))[0]).toContain('Helipuerto')
  })

  describe('a number that is not plainly one', () => {
    for (const name of ['min_price', 'max_price', 'min_bedrooms', 'min_bathrooms', 'min_parking']) {
      refuses(
        [
          'abc',
          '-1',
          '1e3',
          '0x10',
          '1,000',
          '%205',
          '5%20',
          '$5',
          'NaN',
          'Infinity',
          '5.',
          '.5',
          '%2B5',
          '٣',
        ].map(value => `${name}=${value}`),
        name,
      )
    }
    refuses(['min_construction=-0.5', 'min_construction=90m2'], 'min_construction')
    refuses(['min_lot=-1', 'min_lot=all'], 'min_lot')
    refuses(['page=0', 'page=-1', 'page=1.5', 'page=one', `page=${'9'.repeat(400)}`], 'page')
    refuses(['limit=0', 'limit=-1', 'limit=abc', 'limit=24abc', 'limit=10.5', 'limit=0x10'], 'limit')
  })

  describe('a single-valued parameter given twice', () => {
    it.each(
      'q=a operation=sale state=Jalisco city=a neighborhood=a min_price=1 max_price=1 currency=MXN min_bedrooms=1 min_bathrooms=1 min_parking=1 min_construction=1 min_lot=1 updated_since=2026-01-01 sort=newest page=1 limit=1'.split(
        ' ',
      ),
    )('%s, even with the same value', async pair => {
      expect(await refusal(`${pair}&${pair}`)).toEqual([`${pair.split('=')[0]} must be given only once`])
    })

    it.each(['sw_lat', 'sw_lng', 'ne_lat', 'ne_lng', 'lat', 'lng', 'radius_km'])('%s', async name => {
      const whole = 'sw_lat=1&sw_lng=1&ne_lat=1&ne_lng=1&lat=1&lng=1&radius_km=1'
      expect(await refusal(`${whole}&${name}=1`)).toEqual([`${name} must be given only once`])
    })
  })

  it('refuses a least price above the greatest', async () => {
    expect(await refusal('min_price=2&max_price=1')).toEqual(['min_price must not be greater than max_price'])
    expect(await refusal('min_price=0.01&max_price=0')).toHaveLength(1)
  })

  describe('geography that is not whole or not on the globe', () => {
    const box = { sw_lat: '19', sw_lng: '-100', ne_lat: '20', ne_lng: '-99' }
    const circle = { lat: '19.4', lng: '-99.1', radius_km: '5' }
    const query = (values: Record<string, string>) => new URLSearchParams(values).toString()

    it.each(Object.keys(box))('names %s when the rectangle lacks it', async name => {
      const errors = await refusal(query({ ...box, [name]: '' }))
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatch(new RegExp(`^${name} is required`))
    })

    it.each(Object.keys(circle))('names %s when the circle lacks it', async name => {
      const errors = await refusal(query({ ...circle, [name]: '' }))
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatch(new RegExp(`^${name} is required`))
    })

    it('names each of several missing ones', async () => {
      expect(await refusal('radius_km=5')).toHaveLength(2)
      expect(await refusal('ne_lat=20')).toHaveLength(3)
    })

    it.each([
      [{ ...box, sw_lat: '20.5' }, 'sw_lat'],
      [{ ...box, sw_lng: '-98' }, 'sw_lng'],
      [{ ...box, sw_lat: '-90.1' }, 'sw_lat'],
      [{ ...box, ne_lat: '90.1' }, 'ne_lat'],
      [{ ...box, sw_lng: '-180.1' }, 'sw_lng'],
      [{ ...box, ne_lng: '180.1' }, 'ne_lng'],
      [{ ...box, ne_lng: 'east' }, 'ne_lng'],
      [{ ...circle, lat: '91' }, 'lat'],
      [{ ...circle, lng: '-181' }, 'lng'],
      [{ ...circle, radius_km: '0' }, 'radius_km'],
      [{ ...circle, radius_km: '-5' }, 'radius_km'],
      [{ ...circle, radius_km: '200.01' }, 'radius_km'],
      [{ ...circle, radius_km: '5km' }, 'radius_km'],
    ])('refuses %o because of %s', async (values, name) => {
      const errors = await refusal(query(values))
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatch(new RegExp(`^${name} `))
    })
  })

  refuses(
    [
      '1',
      'yesterday',
      '2026-02-30',
      '2026-13-01',
      '2026-01-31T18:00:00',
      '2026-01-31T25:00:00Z',
      '2026-01-31T18:60:00Z',
      '2026-01-31T18:00:00+15:00',
      '2026-01-31T18:00Z',
      '1767225600000',
      '0000-01-01',
      '2026-1-1',
    ].map(time => `updated_since=${encodeURIComponent(time)}`),
    'updated_since',
  )

  refuses([`city=${'a'.repeat(201)}`, 'city=a%00b'], 'city')
  refuses([`neighborhood=${'a'.repeat(201)}`, 'neighborhood=%00'], 'neighborhood')

  it('names every fault at once', async () => {
    const errors = await refusal('type=castle&min_price=x&sort=up&page=0&lat=1&state=Texas')
    const named = errors.map(error => error.split(' ')[0])
    expect(named.sort()).toEqual(['lng', 'min_price', 'page', 'radius_km', 'sort', 'state', 'type'])
  })
})

describe('200', () => {
  it.each([
    '2026-01-31T18:00:00Z',
    '2026-01-31T18:00:00.123Z',
    '2026-01-31T18:00:00.123456789Z',
    '2026-01-31t18:00:00z',
    '2026-01-31T18:00:00%2B06:00',
    '2026-01-31T18:00:00-06:00',
    '2026-01-31T18:00:00+06:00',
    '2026-01-31',
    '2024-02-29',
    '0001-01-01T00:00:00%2B14:00',
    '9999-12-31T23:59:59-14:00',
  ])('understands updated_since=%s', async time => {
    expect((await exchange.get(`/properties?updated_since=${time}`, viewer.key)).status).toBe(200)
  })

  it.each([`city=${'á'.repeat(200)}`, `neighborhood=${'%F0%9F%8F%A0'.repeat(200)}`])(
    'takes 200 characters as people count them: %#',
    async query => expect((await exchange.get(`/properties?${query}`, viewer.key)).status).toBe(200),
  )
})

describe('401 and 403', () => {
  it('needs a key', async () => {
    expect((await exchange.get('/properties')).status).toBe(401)
  })

  it('tells a caller without a key nothing about its filters', async () => {
    expect((await exchange.get('/properties?sort=wrong')).body.error).toBe('unauthorized')
  })

  it('lets a key that only reads search, and a partner key not', async () => {
    expect((await exchange.get('/properties', await exchange.key(viewer.email, 'read'))).status).toBe(200)
    expect((await exchange.get('/properties', await exchange.key(viewer.email, 'partner'))).status).toBe(403)
  })
})
