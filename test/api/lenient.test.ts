import { beforeAll, describe, expect, it } from 'vitest'
import { writableFields } from '../../src/listings/fields.ts'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent

beforeAll(async () => {
  agent = await exchange.agent()
})

const create = (fields: Record<string, unknown>, query = '') =>
  exchange.post(`/properties${query}`, agent.key, { ...HOUSE, ...fields })

describe('amenities', () => {
  it('are accepted by the names people use, and stored by ours, once', async () => {
    const features = ['Vigilancia', 'pet friendly', 'PISCINA', 'alberca', 'Mascotas permitidas']
    const { status, body } = await create({ features })
    expect([status, body.features]).toEqual([201, ['Seguridad 24 horas', 'Mascotas permitidas', 'Alberca']])
    expect(body.warnings).toBeUndefined()
    expect((await exchange.get('/properties?features=vigilancia', agent.key)).body.content).toHaveLength(1)
  })

  it('unknown ones are 422 with each named; with unknown_features=skip they are left out and named', async () => {
    const features = ['Helipuerto', 'Jardín', 'Búnker']
    expect((await create({ features })).status).toBe(422)
    const { status, body, headers } = await create({ features }, '?unknown_features=skip')
    expect([status, body.features, headers['x-warnings']]).toEqual([201, ['Jardín'], '2'])
    expect(body.warnings).toEqual([
      'features[0] "Helipuerto" is not an amenity listed by GET /meta; left out',
      'features[2] "Búnker" is not an amenity listed by GET /meta; left out',
    ])
    const put = await exchange.put(`/properties/${body.id}?unknown_features=skip&lang=es`, agent.key, {
      features: ['Terraza', 'x'.repeat(500)],
    })
    expect(put.body.features).toEqual(['Terraza'])
    expect(put.body.warnings).toEqual([
      `features[1] "${'x'.repeat(40)}…" no es una amenidad de las que lista GET /meta; se omitió`,
    ])
    const mine = await exchange.put('/my/properties/L-1?unknown_features=skip', agent.key, {
      ...HOUSE,
      features,
    })
    expect([mine.status, mine.body.features, mine.body.warnings.length]).toEqual([201, ['Jardín'], 2])
  })

  it('skip forgives nothing else', async () => {
    const { body } = await create({ features: ['Helipuerto', 5], bedrooms: 'x' }, '?unknown_features=skip')
    expect(body.details.map((one: { code: string }) => one.code)).toEqual(['not_a_number', 'not_text'])
    expect((await create({ features: 'Jardín' }, '?unknown_features=skip')).status).toBe(422)
    expect((await create({}, '?unknown_features=ignore')).body.errors[0]).toMatch(
      /^unknown_features must be one of: skip/,
    )
    expect(
      (await exchange.get('/properties?features=Helipuerto&unknown_features=skip', agent.key)).status,
    ).toBe(422)
  })
})

describe('an empty text', () => {
  it('is null for every field that may be null, and refused for every other', async () => {
    for (const [name, field] of Object.entries(writableFields)) {
      const { id } = await exchange.listing(agent, { rent_price: 1 })
      const [empty, none] = [
        await exchange.put(`/properties/${id}`, agent.key, { [name]: '' }),
        await exchange.put(`/properties/${id}`, agent.key, { [name]: null }),
      ]
      const { version: _, updated_at: __, ...expected } = none.body
      if (field.nullable) expect(empty.body, name).toMatchObject(expected)
      expect([empty.status, none.status], name).toEqual(
        field.nullable ? [none.status, none.status] : [422, 422],
      )
    }
  })
})
