import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { setFlags } from '../../src/listings/service.ts'
import { HOUSE, PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

const path = (externalId: string) => `/my/properties/${encodeURIComponent(externalId)}`
const put = (externalId: string, fields: unknown, query = '') =>
  exchange.put(`${path(externalId)}${query}`, agent.key, fields)
const read = (externalId: string) => exchange.get(path(externalId), agent.key)

async function traces(id: string) {
  const changes = await exchange.db
    .selectFrom('listing_changes')
    .select('action')
    .where('listing_id', '=', id)
    .execute()
  return { changes: changes.length, events: (await exchange.events(id)).length }
}

const countOwn = async (key = agent.key) =>
  Number((await exchange.get('/my/properties', key)).headers['x-total-count'])

describe('PUT /my/properties/{external_id}', () => {
  it('creates a draft as POST does, and says where', async () => {
    const { status, body, headers } = await put('NEW-1', HOUSE)
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'draft', source_id: 'NEW-1', title: HOUSE.title })
    expect(headers).toMatchObject({
      etag: `"${body.version}"`,
      location: `${PUBLIC_URL}/api/v1/properties/${body.id}`,
    })
    expect((await read('NEW-1')).body).toEqual(body)
    expect((await exchange.get(`/properties/${body.id}`, agent.key)).body).toEqual(body)
  })

  it('changes nothing the second time: no version, no updated_at, no history, no event', async () => {
    const fields = {
      ...HOUSE,
      sale_price: '$4,500,000.50 MXN',
      features: ['Piscina', 'Jardín'],
      images: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
      shared_commission: 3.5,
      external_id: 'SAME',
    }
    const first = await put('SAME', fields)
    await exchange.post(`${path('SAME')}/publish`, agent.key)
    const published = await read('SAME')
    const before = await traces(first.body.id)
    for (let i = 0; i < 2; i++) {
      const again = await put('SAME', fields)
      expect([again.status, again.body, again.headers.etag]).toEqual([
        200,
        published.body,
        published.headers.etag,
      ])
    }
    expect(await traces(first.body.id)).toEqual(before)
  })

  it('changes only the fields sent of a listing that is there, and sends no event', async () => {
    const { body } = await put('PART', HOUSE)
    const changed = await put('PART', { bedrooms: 4 })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      ...body,
      bedrooms: 4,
      version: changed.body.version,
      updated_at: changed.body.updated_at,
    })
    expect(await exchange.events(body.id)).toEqual([])
  })

  it('makes one listing of twenty calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => put('RACE', HOUSE)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    expect(new Set(answers.map(({ body }) => `${body.id} ${body.version}`)).size).toBe(1)
  })

  it('gives each agent names of their own', async () => {
    const other = await exchange.agent()
    const mine = await put('OURS', HOUSE)
    const theirs = await exchange.put(path('OURS'), other.key, HOUSE)
    expect([theirs.status, theirs.body.id === mine.body.id]).toEqual([201, false])
  })

  it('names everything that is wrong, in Spanish if asked, and creates nothing', async () => {
    const before = await countOwn()
    const { status, body } = await put('BAD', { title: 'x', external_id: 'OTHER', bedrooms: -1 }, '?lang=es')
    expect(status).toBe(422)
    expect(body.details.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['title', 'too_short'],
      ['bedrooms', 'out_of_range'],
      ['external_id', 'id_mismatch'],
      ['city', 'required'],
      ['state', 'required'],
      ['sale_price', 'price_required'],
    ])
    expect(body.errors[2]).toBe('external_id debe ser el mismo que identifica la propiedad, u omitirse')
    expect((await put('BAD', [])).body.errors).toEqual(['body must be a JSON object'])
    expect((await put('BAD', { ...HOUSE, external_id: null })).status).toBe(422)
    expect(await countOwn()).toBe(before)
  })

  it('creates nothing with If-Match: there is no version to match', async () => {
    for (const ifMatch of ['*', '"0000000000000000"']) {
      const answer = await exchange.put(path('ABSENT'), agent.key, HOUSE, {
        headers: { 'if-match': ifMatch },
      })
      expect([answer.status, answer.body.error, answer.headers.etag]).toEqual([
        412,
        'precondition_failed',
        undefined,
      ])
    }
    expect((await read('ABSENT')).status).toBe(404)
  })

  it('answers 409 for a name that a licensed import has, which the API does not show', async () => {
    const { body } = await put('IMPORT', HOUSE)
    await setFlags(exchange.db, body.id, { imported: true })
    expect(await put('IMPORT', HOUSE)).toMatchObject({ status: 409, body: { id: body.id } })
    expect((await read('IMPORT')).status).toBe(404)
    expect((await exchange.delete(path('IMPORT'), agent.key)).status).toBe(404)
  })
})

describe('the verbs', () => {
  it('do what they do by id, with their events', async () => {
    const { body } = await put('VERBS', HOUSE)
    const publish = await exchange.post(`${path('VERBS')}/publish`, agent.key)
    expect([publish.status, publish.body]).toEqual([200, { ok: true, status: 'published' }])
    const unpublish = await exchange.post(`${path('VERBS')}/unpublish`, agent.key)
    expect(unpublish.body).toEqual({ ok: true, status: 'draft' })
    const withdraw = await exchange.delete(path('VERBS'), agent.key)
    expect(withdraw.body).toEqual({ ok: true, status: 'withdrawn' })
    expect((await read('VERBS')).body.status).toBe('withdrawn')
    expect((await exchange.events(body.id)).map(({ event }) => event)).toEqual([
      'listing.published',
      'listing.unpublished',
      'listing.unpublished',
    ])
  })

  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/publish'],
    ['POST', '/unpublish'],
  ])('%s {external_id}%s answers 404 for a name the caller has not given', async (method, verb) => {
    const other = await exchange.agent()
    await exchange.listing(other, { external_id: 'THEIRS' })
    for (const name of ['THEIRS', randomUUID(), '...', "'; drop table listings; --"]) {
      const { status } = await exchange.call(method, `${path(name)}${verb}`, { key: agent.key })
      expect(status, name).toBe(404)
    }
  })
})

describe('any name that can be stored can be used', () => {
  it.each([
    'A/1',
    '../../etc/passwd',
    '...',
    'batch',
    'publish',
    'a b',
    'a%2Fb',
    '100%',
    '?x=1#y',
    'ÑANDÚ ✓',
    '🏠'.repeat(100),
    '\u202eevil',
    '"\\\'<script>',
    '__proto__',
    randomUUID(),
  ])('%s', async name => {
    const { status, body } = await put(name, HOUSE)
    expect([status, body.source_id]).toEqual([201, name])
    expect((await put(name, HOUSE)).body).toEqual(body)
    expect((await read(name)).body.id).toBe(body.id)
    expect((await exchange.post(`${path(name)}/publish`, agent.key)).status).toBe(200)
    expect((await exchange.delete(path(name), agent.key)).body.status).toBe('withdrawn')
  })

  it('is the same name however it is written: composed, and without spaces at its ends', async () => {
    const { body } = await put('Peñón', HOUSE)
    expect((await put(' Pen\u0303o\u0301n\t', HOUSE)).body).toEqual(body)
  })

  it.each([
    ['NUL', 'a%00b', 404, undefined],
    ['only spaces', '%20%20', 422, 'empty'],
    ['101 characters', 'x'.repeat(101), 422, 'too_long'],
    ['501 characters', 'x'.repeat(501), 404, undefined],
    ['half a character', '%ED%A0%80', 404, undefined],
    ['broken escapes', '%zz', 404, undefined],
  ])('but not %s', async (_what, raw, status, code) => {
    for (const [method, verb] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/publish'],
    ] as const) {
      const answer = await exchange.call(method, `/my/properties/${raw}${verb}`, {
        key: agent.key,
        ...(method === 'PUT' ? { body: HOUSE } : {}),
      })
      expect([method, answer.status, answer.body.details?.[0].code]).toEqual([method, status, code])
    }
  })
})

describe('dry_run=true', () => {
  it.each(['POST /properties', 'PUT /my/properties/DRY'])(
    'on %s answers as if, and nothing is there',
    async route => {
      const [method = '', url = ''] = route.split(' ')
      const before = await countOwn()
      const body = { ...HOUSE, external_id: 'DRY', images: ['https://a.example/1.jpg'] }
      const dry = await exchange.call(method, `${url}?dry_run=true`, { key: agent.key, body })
      expect([dry.status, dry.headers['x-dry-run'], dry.body.source_id]).toEqual([201, 'true', 'DRY'])
      expect((await exchange.get(`/properties/${dry.body.id}`, agent.key)).status).toBe(404)
      expect([await countOwn(), (await read('DRY')).status]).toEqual([before, 404])
    },
  )

  it.each(['/properties/{id}', '/my/properties/DRY-2'])('on PUT %s changes nothing', async template => {
    const { body } = await put('DRY-2', HOUSE)
    await exchange.post(`${path('DRY-2')}/publish`, agent.key)
    const before = [(await read('DRY-2')).body, await traces(body.id)]
    const url = `${template.replace('{id}', body.id)}?dry_run=true`
    const dry = await exchange.put(url, agent.key, { bedrooms: 7, images: ['https://a.example/9.jpg'] })
    expect([dry.status, dry.headers['x-dry-run'], dry.body.bedrooms]).toEqual([200, 'true', 7])
    expect([(await read('DRY-2')).body, await traces(body.id)]).toEqual(before)
  })

  it('makes every check', async () => {
    await put('DRY-3', HOUSE)
    const taken = { ...HOUSE, external_id: 'DRY-3' }
    const conflict = await exchange.post('/properties?dry_run=true', agent.key, taken)
    expect([conflict.status, conflict.headers['x-dry-run']]).toEqual([409, 'true'])
    const invalid = await exchange.put(`${path('DRY-3')}?dry_run=true`, agent.key, { title: 'x' })
    expect([invalid.status, invalid.headers['x-dry-run']]).toEqual([422, 'true'])
    const stale = await exchange.put(
      `${path('DRY-3')}?dry_run=true`,
      agent.key,
      {},
      { headers: { 'if-match': '"x"' } },
    )
    expect(stale.status).toBe(412)
  })

  it('is off by false, and refused if it is neither', async () => {
    expect((await put('DRY-4', HOUSE, '?dry_run=false')).headers['x-dry-run']).toBeUndefined()
    expect((await read('DRY-4')).status).toBe(200)
    const { status, body } = await put('DRY-5', HOUSE, '?dry_run=yes')
    expect([status, body.errors]).toEqual([422, ['dry_run must be true or false (sent: "yes")']])
    expect((await read('DRY-5')).status).toBe(404)
  })
})
