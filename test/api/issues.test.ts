import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { signedInAgent } from '../support/visitor.ts'

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
      message: 'Some values are invalid; see "errors".',
      errors: [
        'title must be at least 5 characters (sent: "Casa")',
        'features[1] "Helipuerto" is not an amenity listed by GET /meta',
        'state must be a Mexican state as listed by GET /meta (sent: "Texas")',
      ],
      details: [
        { field: 'title', code: 'too_short', message: 'title must be at least 5 characters (sent: "Casa")' },
        {
          field: 'features',
          index: 1,
          code: 'unknown_amenity',
          message: 'features[1] "Helipuerto" is not an amenity listed by GET /meta',
        },
        {
          field: 'state',
          code: 'unknown_state',
          message: 'state must be a Mexican state as listed by GET /meta (sent: "Texas")',
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
  const SPANISH = 'radius_km debe ser mayor que 0 y de 200 como máximo (se envió: "500")'
  const ENGLISH = 'radius_km must be greater than 0 and at most 200 (sent: "500")'

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
    expect([status, body.message]).toEqual([404, 'Not found, or not visible to this key.'])
  })
})

describe('a message quotes the value it refuses', () => {
  const errorsOf = async (query: string) =>
    (await exchange.get(`/properties?${query}`, agent.key)).body.errors

  it('cut to 40 characters, escaped, each of several with its own', async () => {
    expect(await errorsOf(`min_price=${'9x'.repeat(30)}`)).toEqual([
      `min_price must be a number (sent: "${'9x'.repeat(20)}…")`,
    ])
    expect(await errorsOf(`city=${encodeURIComponent('"\n\u0000')}`)).toEqual([
      'city contains characters that cannot be stored (sent: "\\"\\n\\u0000")',
    ])
    const emoji = '🏠'.repeat(41)
    expect(await errorsOf(`operation=${encodeURIComponent(emoji)}`)).toEqual([
      `operation must be one of: sale, rental (sent: "${'🏠'.repeat(40)}…")`,
    ])
    const types = await errorsOf('type=castle&type=house&type=tower')
    expect(types.map((one: string) => one.split(' (')[1])).toEqual(['sent: "castle")', 'sent: "tower")'])
  })

  it('but not what says nothing: an empty text, a list, an object, a cursor', async () => {
    const { body } = await exchange.post('/properties', agent.key, {
      ...BODY,
      title: ' ',
      city: {},
      state: [],
      features: {},
    })
    expect(body.errors).toEqual([
      'title must be at least 5 characters',
      'features must be a list',
      'city must be text',
      'state must be text',
    ])
    expect((await errorsOf('cursor=eyJ4Ijox'))[0]).not.toContain('sent')
  })

  it('in the portal no message does', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/listings/new')
    await visitor.submit('/portal/listings/new', { title: 'Casa', city: 'León', sale_price: 'barata' })
    expect(visitor.status).toBe(422)
    expect(visitor.html).not.toMatch(/se envió|\(sent/)
  })
})
