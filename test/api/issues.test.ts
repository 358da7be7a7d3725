import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent

beforeAll(async () => {
  agent = await exchange.agent()
})

const BODY = {
  title: 'Casa',
  city: 'Coyoacán',
  state: 'Texas',
  sale_price: 1,
  features: ['Alberca', 'Helipuerto'],
}

describe('the details of a 422', () => {
  it('tell field, code and entry of each problem in the order of errors', async () => {
    const { status, body } = await exchange.post('/properties', agent.key, BODY)
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'validation',
      message: 'Some values cannot be used; "errors" names each.',
      errors: [
        'title must be at least 5 characters',
        'features[1] "Helipuerto" is not an amenity listed by GET /meta',
        'state must be a Mexican state as listed by GET /meta',
      ],
      details: [
        { field: 'title', code: 'too_short', message: 'title must be at least 5 characters' },
        {
          field: 'features',
          index: 1,
          code: 'unknown_amenity',
          message: 'features[1] "Helipuerto" is not an amenity listed by GET /meta',
        },
        {
          field: 'state',
          code: 'unknown_state',
          message: 'state must be a Mexican state as listed by GET /meta',
        },
      ],
    })
  })

  it('come with everything that refuses with sentences', async () => {
    const { body: draft } = await exchange.post('/properties', agent.key, {
      ...BODY,
      title: 'Casa de prueba',
      state: 'Jalisco',
      features: [],
    })
    const refused = await Promise.all([
      exchange.get('/properties?radius_km=500', agent.key),
      exchange.get('/my/properties?status=gone', agent.key),
      exchange.post('/leads', agent.key, { email: 'x' }),
      exchange.put(`/properties/${draft.id}`, agent.key, { lat: 0, lng: 0 }),
      exchange.post(`/properties/${draft.id}/images`, agent.key, {}),
    ])
    expect(
      refused.map(({ body }) =>
        body.details.map(({ field, code }: { field: string; code: string }) => [field, code]),
      ),
    ).toEqual([
      [
        ['radius_km', 'out_of_range'],
        ['lat', 'required_with'],
        ['lng', 'required_with'],
      ],
      [['status', 'unknown_value']],
      [
        ['email', 'not_an_email'],
        ['name', 'required'],
      ],
      [['lat', 'not_a_place']],
      [['urls', 'required']],
    ])
    for (const { body } of refused) {
      expect(body.details.map(({ message }: { message: string }) => message)).toEqual(body.errors)
    }
  })
})

describe('the language of a 422', () => {
  const SPANISH = 'radius_km debe ser mayor que 0 y de 200 como máximo'
  const ENGLISH = 'radius_km must be greater than 0 and at most 200'

  it.each([
    ['', undefined, ENGLISH],
    ['&lang=es', undefined, SPANISH],
    ['&lang=en', 'es', ENGLISH],
    ['&lang=es', 'en', SPANISH],
    ['&lang=fr', 'es', SPANISH],
    ['&lang=', 'es', SPANISH],
    ['', 'es', SPANISH],
    ['', 'es-MX,es;q=0.9,en;q=0.8', SPANISH],
    ['', 'ES-mx', SPANISH],
    ['', 'en-US,en;q=0.9,es;q=0.8', ENGLISH],
    ['', 'en;q=0.5, es;q=0.7', SPANISH],
    ['', 'fr, de;q=0.9, es;q=0.1', SPANISH],
    ['', 'es;q=0', ENGLISH],
    ['', 'fr', ENGLISH],
    ['', '*', ENGLISH],
    ['', ';;,;q=,es;q=x', ENGLISH],
  ])('asked for by "%s" and Accept-Language "%s" is that of every sentence', async (query, header, words) => {
    const { body } = await exchange.get(`/properties?lat=20&lng=-99&radius_km=500${query}`, agent.key, {
      headers: header === undefined ? {} : { 'accept-language': header },
    })
    expect(body.errors).toEqual([words])
    expect(body.details).toEqual([{ field: 'radius_km', code: 'out_of_range', message: words }])
    expect(body.message).toMatch(words === SPANISH ? /^Algunos valores/ : /^Some values/)
  })

  it('changes nothing else: other errors stay English, and codes stay what they are', async () => {
    const { status, body } = await exchange.get('/properties/nothing?lang=es', agent.key)
    expect([status, body.message]).toEqual([404, 'Nothing here, or nothing this key can see.'])
  })
})
