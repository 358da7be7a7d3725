import { beforeAll, describe, expect, it } from 'vitest'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'
import { quoteOf } from '../support/issues.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

const create = (fields: Record<string, unknown> = {}) =>
  exchange.post('/properties', agent.key, { ...HOUSE, ...fields })
const countListings = async () => (await exchange.db.selectFrom('listings').select('id').execute()).length

const EMOJI = '🏡'
const NEXT_DECADE = new Date().getUTCFullYear() + 10
const URL_2049 = `https://a.example/${'x'.repeat(2049 - 18)}`
const COUNT = 'must be between 0 and 999'
const WHOLE = 'must be a whole number'
const AREA = 'must be greater than 0 and at most 100000000'
const STATE = 'must be a Mexican state as listed by GET /meta'
const WEB_URL = 'must be an http or https URL of at most 2048 characters'
const UNSTORABLE = 'contains characters that cannot be stored'
const BOOLEAN = 'must be true or false'

describe('422', () => {
  const refused: [name: string, value: unknown, what: unknown][] = [
    ['title', 'abcd', 'must be at least 5 characters'],
    ['title', '  abcd  ', 'must be at least 5 characters'],
    ['title', '     ', 'must be at least 5 characters'],
    ['title', 'ab\u0001\u0002\u0003cd', 'must be at least 5 characters'],
    ['title', EMOJI.repeat(4), 'must be at least 5 characters'],
    ['title', 'e\u0301e\u0301e\u0301', 'must be at least 5 characters'],
    ['title', 'x'.repeat(201), 'must be at most 200 characters'],
    ['title', 12345, 'must be text'],
    ['title', ['Casa en venta'], 'must be text'],
    ['title', null, 'cannot be null'],
    ['title', 'Casa\u0000 en venta', UNSTORABLE],
    ['title', 'Casa \ud83c en venta', UNSTORABLE],
    ['description', 'x'.repeat(20_001), 'must be at most 20000 characters'],
    ['description', '\udfe1', UNSTORABLE],
    ['description_en', 'x'.repeat(20_001), 'must be at most 20000 characters'],
    ['title_en', 'x'.repeat(201), 'must be at most 200 characters'],
    ['address', 'x'.repeat(201), 'must be at most 200 characters'],
    ['neighborhood', 'x'.repeat(201), 'must be at most 200 characters'],
    ['municipality', 'x'.repeat(201), 'must be at most 200 characters'],
    ['municipality', false, 'must be text'],
    ['city', 'x'.repeat(201), 'must be at most 200 characters'],
    ['city', '  ', 'must not be empty'],
    ['city', null, 'cannot be null'],
    ['state', null, 'cannot be null'],
    ['state', '', 'must not be empty'],
    ['state', 9, 'must be text'],
    ['state', 'Texas', STATE],
    ['state', 'Baja', STATE],
    ['state', '__proto__', STATE],
    ['property_type', null, 'cannot be null'],
    ['property_type', 'House', expect.stringContaining('must be one of: house, apartment')],
    ['property_type', 'constructor', expect.stringContaining('must be one of')],
    ['bedrooms', -1, COUNT],
    ['bedrooms', 1000, COUNT],
    ['bedrooms', 2.5, WHOLE],
    ['bedrooms', '3', 'must be a number'],
    ['bedrooms', true, 'must be a number'],
    ['parking', -1, COUNT],
    ['half_bathrooms', 0.5, WHOLE],
    ['floors', 1000, COUNT],
    ['bathrooms', -0.5, COUNT],
    ['bathrooms', 1000, COUNT],
    ['bathrooms', 1.125, 'must have at most 2 decimals'],
    ['bathrooms', '2', 'must be a number'],
    ['construction_m2', 0, AREA],
    ['construction_m2', -5, AREA],
    ['construction_m2', 120.005, 'must have at most 2 decimals'],
    ['lot_m2', 100_000_001, AREA],
    ['lot_m2', '300', 'must be a number'],
    ['year_built', 1499, `must be between 1500 and ${NEXT_DECADE}`],
    ['year_built', NEXT_DECADE + 1, `must be between 1500 and ${NEXT_DECADE}`],
    ['year_built', 1998.5, WHOLE],
    ['features', 'Alberca', 'must be a list'],
    ['features', Array(101).fill('Alberca'), 'must have at most 100 items, 101 were sent'],
    ['postal_code', '4450', 'must be five digits'],
    ['postal_code', '44500-1', 'must be five digits'],
    ['postal_code', '４４５００', 'must be five digits'],
    ['postal_code', 44500, 'must be text'],
    ['lat', 90.1, 'must be between -90 and 90'],
    ['lat', '20.69', 'must be a number'],
    ['lng', -180.5, 'must be between -180 and 180'],
    ['show_exact_address', 'true', BOOLEAN],
    ['idx_opt_out', 1, BOOLEAN],
    ['exclusive', 'false', BOOLEAN],
    ['video_url', 'javascript:alert(1)', WEB_URL],
    ['video_url', 'data:text/html,x', WEB_URL],
    ['video_url', 'video.example/1', WEB_URL],
    ['video_url', 'https://video.example/\ud800', WEB_URL],
    ['virtual_tour_url', 'ftp://tour.example', WEB_URL],
    ['virtual_tour_url', URL_2049, WEB_URL],
    ['virtual_tour_url', 'https://', WEB_URL],
    ['virtual_tour_url', 7, WEB_URL],
    ['shared_commission', -1, 'must be between 0 and 100'],
    ['shared_commission', 100.5, 'must be between 0 and 100'],
    ['shared_commission', 'x'.repeat(101), 'must be at most 100 characters'],
    ['shared_commission', true, 'must be a number between 0 and 100 or text'],
    ['internal_id', 'x'.repeat(101), 'must be at most 100 characters'],
    ['internal_id', 7, 'must be text'],
    ['external_id', 7, 'must be text'],
    ['external_id', 'x'.repeat(101), 'must be at most 100 characters'],
    ['external_id', 'a\u0000b', UNSTORABLE],
  ]
  const named = refused.map(row => [row[0], (JSON.stringify(row[1]) ?? '').slice(0, 40), row] as const)

  it.each(named)('refuses %s %s', async (_name, _shown, [name, value, what]) => {
    const { status, body } = await create({ [name]: value })
    expect(status).toBe(422)
    expect(body).toMatchObject({ error: 'validation', message: expect.any(String) })
    expect(body.errors).toEqual([typeof what === 'string' ? `${name} ${what}${quoteOf(value)}` : what])
  })

  it('names each feature it does not know', async () => {
    const { status, body } = await create({ features: ['Alberca', 'Helipuerto lunar', 4] })
    expect(status).toBe(422)
    expect(body.errors).toEqual([
      'features[1] "Helipuerto lunar" is not an amenity listed by GET /meta',
      'features[2] must be text (sent: 4)',
    ])
  })

  it.each([
    [{ lat: null }, 'lat is required when lng is given'],
    [{ lng: null }, 'lng is required when lat is given'],
    [{ lat: 0, lng: 0 }, 'lat and lng 0, 0 is not a place; leave both out if unknown'],
    [{ lat: 40.7, lng: -74 }, 'lat and lng are outside Mexico'],
    [{ lat: 13.99, lng: -92 }, 'lat and lng are outside Mexico'],
    [{ lat: 33.51, lng: -115 }, 'lat and lng are outside Mexico'],
    [{ lat: 20, lng: -85.9 }, 'lat and lng are outside Mexico'],
    [{ lat: 20, lng: -119.1 }, 'lat and lng are outside Mexico'],
    [{ lat: -103.3782, lng: 20.6911 }, 'lat must be between -90 and 90 (sent: -103.3782)'],
    [
      { lat: 23.634501, lng: -102.552788 },
      'lat and lng are the center of the country, not a property; leave both out if unknown',
    ],
  ])('refuses the coordinates %j', async (point, error) => {
    const { status, body } = await create(point)
    expect([status, body.errors]).toEqual([422, [error]])
  })

  it('names everything that is missing at once', async () => {
    const { status, body } = await exchange.post('/properties', agent.key, {})
    expect(status).toBe(422)
    expect(body.errors).toEqual([
      'title is required',
      'city is required',
      'state is required',
      'sale_price or rent_price is required',
    ])
  })

  it('names everything that is wrong at once, one sentence each', async () => {
    const { body } = await create({
      title: 'x',
      bedrooms: -1,
      sale_price: 'mucho',
      state: 'Texas',
      images: [1],
    })
    expect(body.errors.map((error: string) => error.split(/[ []/)[0]).sort()).toEqual([
      'bedrooms',
      'images',
      'sale_price',
      'state',
      'title',
    ])
  })

  it.each(['[]', '"x"', 'null', '7', 'true'])('refuses the body %s', async raw => {
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await exchange.call('POST', '/properties', { key: agent.key, raw, headers })
    expect([status, body.errors]).toEqual([422, ['body must be a JSON object']])
  })

  it('refuses a request without a body', async () => {
    expect((await exchange.post('/properties', agent.key)).body.errors).toEqual([
      'body must be a JSON object',
    ])
  })

  it('stores nothing of what it refuses', async () => {
    const before = await countListings()
    await create({ images: ['https://photos.example/1.jpg', 'nonsense'] })
    expect(await countListings()).toBe(before)
  })

  it('says what is wrong before it says what is taken', async () => {
    await create({ external_id: 'taken-422' })
    expect((await create({ external_id: 'taken-422', bedrooms: -1 })).status).toBe(422)
  })
})

describe('409', () => {
  it('refuses an external_id the caller already uses, with the id to PUT to', async () => {
    const { body: first } = await create({ external_id: 'A-1' })
    const { status, body } = await create({ external_id: 'A-1', title: 'Otra casa' })
    expect(status).toBe(409)
    expect(body).toEqual({
      error: 'conflict',
      message: expect.stringContaining('external_id'),
      id: first.id,
      slug: first.slug,
      status: 'draft',
    })
  })

  it('compares external_ids trimmed and composed, as they are stored', async () => {
    const { body: first } = await create({ external_id: 'caf\u00e9' })
    expect((await create({ external_id: ' cafe\u0301 ' })).body.id).toBe(first.id)
  })

  it('keeps the external_id of a withdrawn listing taken', async () => {
    const { body: first } = await create({ external_id: 'A-2' })
    await exchange.delete(`/properties/${first.id}`, agent.key)
    const { status, body } = await create({ external_id: 'A-2' })
    expect(status).toBe(409)
    expect(body).toMatchObject({ id: first.id, status: 'withdrawn' })
  })

  it('says why the id of a listing marked as a licensed import cannot be used', async () => {
    const { body: first } = await create({ external_id: 'IMP-1' })
    await exchange.db.updateTable('listings').set({ imported: true }).where('id', '=', first.id).execute()
    const { status, body } = await create({ external_id: 'IMP-1' })
    expect(status).toBe(409)
    expect(body).toMatchObject({ id: first.id, message: expect.stringContaining('ask the operator') })
    expect(body).not.toHaveProperty('imported')
  })

  it('lets one of fifty simultaneous creates win and tells the others its id', async () => {
    const external_id = 'race'
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        create({ external_id, bedrooms: i, images: [`https://p.example/${i}`] }),
      ),
    )
    const winners = answers.filter(answer => answer.status === 201)
    expect(winners).toHaveLength(1)
    const losers = answers.filter(answer => answer.status === 409)
    expect(losers).toHaveLength(49)
    expect(new Set(losers.map(answer => answer.body.id))).toEqual(new Set([winners[0]?.body.id]))
    const stored = await exchange.db
      .selectFrom('listings')
      .select('id')
      .where('external_id', '=', external_id)
      .execute()
    expect(stored).toEqual([{ id: winners[0]?.body.id }])
  })
})
