import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
let other: TestAgent
let id: string

beforeAll(async () => {
  agent = await exchange.agent({ agency: 'Casas del Valle' })
  other = await exchange.agent()
  ;({ id } = await exchange.published(agent, {
    rent_price: 20_000,
    internal_id: 'I-1',
    features: ['Jardín'],
  }))
})

const read = (path: string, key = agent.key) => exchange.get(path, key)

const PART = {
  title: 'Casa con jardín en Providencia',
  operations: [
    { type: 'sale', amount: 4_500_000, currency: 'MXN', formatted_amount: '$4,500,000 MXN' },
    { type: 'rental', amount: 20_000, currency: 'MXN', formatted_amount: '$20,000 MXN', period: 'monthly' },
  ],
  location: { city: 'Guadalajara' },
}
const ASKED = 'fields=title,operations,location.city'

describe('200', () => {
  it('a listing has only the fields asked for, and its id and ETag', async () => {
    const { body, headers } = await read(`/properties/${id}?${ASKED}`)
    expect(body).toEqual({ id, ...PART })
    expect(headers.etag).toBe((await read(`/properties/${id}`)).headers.etag)
  })

  it('so have the listings of a search, of a question, of the inventory and of changes', async () => {
    expect((await read(`/properties?${ASKED}`)).body).toEqual({
      pagination: { page: 1, pages: 1, total: 1, limit: 24 },
      content: [{ id, ...PART }],
    })
    expect((await read(`/properties?ask=casa&${ASKED}`)).body.content).toEqual([{ id, ...PART }])
    expect((await read(`/my/properties?${ASKED}`)).body).toEqual({ content: [{ id, ...PART }] })
    const [change] = (await read(`/changes?${ASKED}`)).body.content
    expect(change).toEqual({ op: 'put', id, version: expect.any(String), listing: { id, ...PART } })
  })

  it('one search with and without fields, and with others, is answered as each was asked', async () => {
    const whole = (await read('/properties?limit=7')).body.content[0]
    expect((await read('/properties?limit=7&fields=slug')).body.content).toEqual([{ id, slug: whole.slug }])
    expect((await read('/properties?limit=7&fields=title')).body.content).toEqual([
      { id, title: whole.title },
    ])
    expect((await read('/properties?limit=7')).body.content[0]).toEqual(whole)
  })

  it.each([
    ['id', { id: true }],
    ['title,,title, ', { id: true, title: true }],
    [' title , slug', { id: true, title: true, slug: true }],
    [',', { id: true }],
    ['location.city,location', { id: true, location: { exact: true } }],
    ['location,location.city', { id: true, location: { exact: true } }],
    ['agency.name', { id: true, agency: { name: true } }],
  ])('takes %j', async (fields, expected) => {
    const { body } = await read(`/properties/${id}?fields=${encodeURIComponent(fields)}`)
    expect(Object.keys(body).sort()).toEqual(Object.keys(expected).sort())
    for (const [name, parts] of Object.entries(expected)) {
      if (parts !== true) expect(Object.keys(body[name])).toEqual(expect.arrayContaining(Object.keys(parts)))
    }
  })

  it('reaches into lists, and leaves null what is null', async () => {
    const { body } = await read(`/properties/${id}?fields=operations.amount,agency.name`)
    expect(body.operations).toEqual([{ amount: 4_500_000 }, { amount: 20_000 }])
    expect(body.agency).toEqual({ name: 'Casas del Valle' })
    const { id: alone } = await exchange.published(other)
    expect((await read(`/properties/${alone}?fields=agency.name`)).body).toEqual({ id: alone, agency: null })
  })

  it('shows nobody what the whole record hides', async () => {
    expect((await read(`/properties/${id}?fields=internal_id`)).body).toEqual({ id, internal_id: 'I-1' })
    expect((await read(`/properties/${id}?fields=internal_id`, other.key)).body).toEqual({ id })
    expect((await read(`/properties?ids=${id}&fields=internal_id`, other.key)).body.content).toEqual([{ id }])
  })

  it('an empty one is none', async () => {
    expect((await read(`/properties/${id}?fields=`)).body).toEqual((await read(`/properties/${id}`)).body)
  })

  it.each([
    ['/me', 'name,agent.slug', ['name', 'agent']],
    ['/meta', 'currencies', ['currencies']],
    ['/agents', 'name', ['id', 'name']],
    ['/agencies', 'name', ['id', 'name']],
    ['/locations', 'city', ['city']],
  ])('%s?fields=%s', async (path, fields, names) => {
    const { body } = await read(`${path}?fields=${fields}`)
    expect(Object.keys(body.content?.[0] ?? body)).toEqual(names)
  })

  it('the next page keeps the fields', async () => {
    await exchange.published(agent)
    const { headers } = await read('/properties?fields=slug&limit=1')
    const [, next = ''] = /<https:\/\/lonja\.example(.*)>/.exec(String(headers.link)) ?? []
    expect(Object.keys((await read(next)).body.content[0])).toEqual(['id', 'slug'])
  })
})

describe('a cursor of changes', () => {
  it('is good for the same fields in any order, and gone with others', async () => {
    const { cursor } = (await read('/changes?fields=title,slug')).body
    expect((await read(`/changes?fields=slug,title,id&cursor=${cursor}`)).status).toBe(200)
    expect((await read(`/changes?fields=slug&cursor=${cursor}`)).status).toBe(410)
    expect((await read(`/changes?cursor=${cursor}`)).status).toBe(410)
    const proof = (await read('/digest?fields=title,slug')).body
    expect((await read(`/changes?fields=title,slug&cursor=${proof.cursor}`)).status).toBe(200)
  })
})

describe('422', () => {
  it.each([
    '/properties',
    '/properties/ID',
    '/my/properties',
    '/changes',
    '/me',
    '/meta',
    '/agents',
    '/agencies',
    '/locations',
  ])('%s names each field it does not have', async path => {
    const { status, body } = await read(`${path.replace('ID', id)}?fields=nam,shared_commission,__proto__`)
    expect(status).toBe(422)
    expect(body.details.map((one: { field: string; code: string }) => [one.field, one.code])).toEqual(
      Array(3).fill(['fields', 'unknown_field']),
    )
    expect(body.errors[1]).toBe('fields "shared_commission" is not a field')
  })

  it('says what was probably meant, in Spanish too, with everything else that is wrong', async () => {
    expect((await read('/properties?fields=titel&limit=x')).body.errors).toEqual([
      'limit must be a whole number (sent: "x")',
      'fields "titel" is not a field; did you mean title?',
    ])
    expect((await read('/properties?fields=Location.City&lang=es')).body.errors).toEqual([
      'fields "Location.City" no es un campo; ¿quisiste decir location.city?',
    ])
  })

  it.each([
    ['a part of what has none', 'title.length'],
    ['a private column', 'agent_id'],
    ['a name of every object', 'constructor'],
    ['a dot', '.'],
    ['half a name', 'location.'],
    ['a list entry', 'operations.0'],
    ['NUL', '%00'],
    ['a star', '*'],
  ])('%s', async (_what, fields) => {
    expect((await read(`/properties?fields=${fields}`)).status).toBe(422)
  })

  it('more text than any list of names needs, and a thousand names quickly', async () => {
    expect((await read(`/properties?fields=${'x'.repeat(2_001)}`)).body.details[0].code).toBe('too_long')
    const since = performance.now()
    expect((await read(`/properties?fields=${'a,bc'.repeat(499)}`)).status).toBe(422)
    expect(performance.now() - since).toBeLessThan(1_000)
  })

  it('fields given twice', async () => {
    expect((await read('/properties?fields=title&fields=slug')).body.errors).toEqual([
      'fields must be given only once',
    ])
  })

  it('a listing that is not there stays 404', async () => {
    expect((await read('/properties/nothing?fields=nothing')).status).toBe(404)
  })
})
