import { beforeAll, describe, expect, it } from 'vitest'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
let id: string

beforeAll(async () => {
  agent = await exchange.agent()
  ;({ id } = await exchange.published(agent))
})

const read = (path: string) => exchange.get(path, agent.key)

describe('a parameter that does not exist', () => {
  it('is ignored and named, with what was probably meant', async () => {
    const plain = await read('/properties')
    const { status, body, headers } = await read('/properties?operacion=venta')
    expect(status).toBe(200)
    expect(body).toEqual({
      ...plain.body,
      warnings: ['operacion is not a parameter; did you mean operation?'],
    })
    expect(headers['x-warnings']).toBe('1')
  })

  it.each([
    ['minPrice', '; did you mean min_price?'],
    ['type[]', '; did you mean type?'],
    ['Operation', '; did you mean operation?'],
    ['max_bedroms', '; did you mean max_bedrooms?'],
    ['recamaras', ''],
    ['zz', ''],
    ['constructor', ''],
    ['__proto__', ''],
  ])('%s', async (name, hint) => {
    const { body } = await read(`/properties?${encodeURIComponent(name)}=1`)
    expect(body.warnings).toEqual([`${name} is not a parameter${hint}`])
  })

  it.each([
    '/properties/ID',
    '/my/properties',
    '/leads',
    '/me',
    '/meta',
    '/agents',
    '/agencies',
    '/locations',
    '/changes',
    '/digest',
    '/openapi.json',
  ])('is named by %s', async path => {
    const { status, body } = await read(`${path.replace('ID', id)}?utm_source=x`)
    expect([status, body.warnings]).toEqual([200, ['utm_source is not a parameter']])
  })

  it('is named by writes', async () => {
    const { body } = await exchange.post('/properties?publish=true', agent.key, HOUSE)
    expect(body).toMatchObject({ status: 'draft', warnings: ['publish is not a parameter'] })
    const published = await exchange.post(`/properties/${body.id}/publish?at=noon`, agent.key)
    expect(published.body).toEqual({ ok: true, status: 'published', warnings: ['at is not a parameter'] })
  })

  it('is named in Spanish to those who ask so', async () => {
    const spanish = ['operacion no es un parámetro; ¿quisiste decir operation?']
    expect((await read('/properties?operacion=venta&lang=es')).body.warnings).toEqual(spanish)
    const headers = { 'accept-language': 'es-MX' }
    expect((await exchange.get('/properties?operacion=v', agent.key, { headers })).body.warnings).toEqual(
      spanish,
    )
  })

  it('is named along with a selection of fields', async () => {
    const { body } = await read(`/properties/${id}?fields=slug&feilds=x`)
    expect(Object.keys(body)).toEqual(['id', 'slug', 'warnings'])
  })

  it('is named once however often it comes, cut to 40 characters, and at most twenty are', async () => {
    expect((await read(`/meta?x=1&x=2&${'ñ'.repeat(300)}=1`)).body.warnings).toEqual([
      'x is not a parameter',
      `${'ñ'.repeat(40)}… is not a parameter`,
    ])
    const many = Array.from({ length: 200 }, (_, i) => `unknown${i}=1`).join('&')
    const { body, headers } = await read(`/properties?${many}`)
    expect(body.warnings).toHaveLength(21)
    expect(body.warnings[20]).toBe('and 180 more')
    expect(headers['x-warnings']).toBe('21')
  })

  it('changes nothing in errors', async () => {
    const { status, body, headers } = await read('/properties?operacion=venta&type=castle')
    expect([status, body.warnings, headers['x-warnings']]).toEqual([422, undefined, undefined])
  })

  it('has an ETag of its own', async () => {
    const { headers } = await read('/properties?x=1')
    const known = { headers: { 'if-none-match': String(headers.etag) } }
    expect((await exchange.get('/properties?x=1', agent.key, known)).status).toBe(304)
    expect((await exchange.get('/properties', agent.key, known)).status).toBe(200)
  })
})

describe('a body field that does not exist', () => {
  it('is ignored and named', async () => {
    const { status, body, headers } = await exchange.post('/properties', agent.key, {
      ...HOUSE,
      tittle: 'Otra',
      bedroms: 3,
    })
    expect([status, headers['x-warnings']]).toEqual([201, '2'])
    expect(body.warnings).toEqual([
      'tittle is not a field; did you mean title?',
      'bedroms is not a field; did you mean bedrooms?',
    ])
    const lead = await exchange.post('/leads', agent.key, { name: 'Ana', correo: 'ana@example.com' })
    expect(lead.body.warnings).toEqual(['correo is not a field'])
    const images = { urls: ['https://images.lonja.example/1.jpg'], url: 'x' }
    expect((await exchange.post(`/properties/${id}/images`, agent.key, images)).body.warnings).toEqual([
      'url is not a field; did you mean urls?',
    ])
  })

  it('is named by the item of a batch that has it', async () => {
    const { body: record } = await read(`/properties/${id}`)
    const items = [
      { external_id: 'W-1', set: { ...HOUSE, tittle: 'Otra' }, estatus: 'published' },
      { external_id: 'W-2', set: { ...record, ...HOUSE } },
      { external_id: 'W-3', set: [] },
    ]
    const { status, body } = await exchange.post('/my/properties/batch', agent.key, { items, itmes: 1 })
    expect([status, body.warnings]).toEqual([200, ['itmes is not a field; did you mean items?']])
    expect(body.content.map((one: { warnings?: string[] }) => one.warnings)).toEqual([
      ['estatus is not a field; did you mean status?', 'tittle is not a field; did you mean title?'],
      undefined,
      undefined,
    ])
  })

  it('but a record may be sent back as it was read', async () => {
    const { body: record } = await read(`/properties/${id}`)
    const { status, body } = await exchange.put(`/properties/${id}`, agent.key, record)
    expect([status, body.warnings]).toEqual([200, undefined])
  })

  it('costs little, however many there are', async () => {
    const body = {
      name: 'Ana',
      ...Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`f${i}`, 1])),
    }
    const { status, body: answer } = await exchange.post('/leads', agent.key, body)
    expect([status, answer.warnings.length, answer.warnings[20]]).toEqual([201, 21, 'and 89980 more'])
  })

  it('may have any name', async () => {
    const raw = '{"name": "Ana", "__proto__": 1, "\\ud800": 2, "a\\u0000b": 3, "": 4}'
    const { status, body } = await exchange.call('POST', '/leads', {
      key: agent.key,
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect([status, body.warnings.length]).toEqual([201, 4])
  })

  it('of a body that is ignored is not looked at', async () => {
    const { body } = await exchange.post(`/properties/${id}/publish`, agent.key, { when: 'now' })
    expect(body).toEqual({ ok: true, status: 'published' })
  })
})
