import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { setFlags } from '../../src/listings/service.ts'
import { listingStatuses } from '../../src/lookups/catalog.ts'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

const put = (id: string, fields: unknown, headers: Record<string, string> = {}) =>
  exchange.put(`/properties/${id}`, agent.key, fields, { headers })
const read = (id: string) => exchange.get(`/properties/${id}`, agent.key)

async function untilSomeoneWaits() {
  await vi.waitFor(async () => {
    const { rows } = await exchange.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    expect(rows).not.toEqual([])
  }, 5_000)
}

const FULL = {
  description: 'Dos plantas',
  title_en: 'House',
  description_en: 'Two floors',
  bedrooms: 3,
  bathrooms: 2.5,
  half_bathrooms: 1,
  parking: 2,
  construction_m2: 210.25,
  lot_m2: 300,
  year_built: 1998,
  floors: 2,
  features: ['Alberca', 'Jardín'],
  video_url: 'https://video.example/1',
  virtual_tour_url: 'https://tour.example/1',
  exclusive: true,
  idx_opt_out: true,
  show_exact_address: true,
  internal_id: 'CARPETA-7',
}
const PLACE = { address: 'Av. 1', neighborhood: 'Centro', municipality: 'Guadalajara', postal_code: '44100' }

describe('200', () => {
  it('changes the fields sent and no other', async () => {
    const before = await exchange.listing(agent, { ...FULL, ...PLACE, external_id: 'P-1' })
    const { status, body, headers } = await put(before.id, { bedrooms: 4, neighborhood: 'Chapalita' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      bedrooms: 4,
      location: { ...before.location, neighborhood: 'Chapalita' },
      updated_at: body.updated_at,
      version: body.version,
    })
    expect(body.version).not.toBe(before.version)
    expect(body.updated_at > before.updated_at).toBe(true)
    expect((await read(before.id)).body).toEqual(body)
    expect(headers.etag).toBe((await read(before.id)).headers.etag)
  })

  it('changes the city alone, the state stays', async () => {
    const { id } = await exchange.listing(agent)
    const { body } = await put(id, { city: 'Zapopan' })
    expect(body.location).toMatchObject({ city: 'Zapopan', state: 'Jalisco' })
  })

  it.each([
    ...Object.keys(FULL).map(name => [
      name,
      name === 'features' ? [] : typeof FULL[name as 'bedrooms'] === 'boolean' ? false : null,
    ]),
    ['external_id', null],
  ] as [string, unknown][])('clears %s by null', async (name, cleared) => {
    const listing = await exchange.listing(agent, { ...FULL, external_id: randomUUID() })
    const { status, body } = await put(listing.id, { [name]: null })
    expect(status).toBe(200)
    expect(body[name === 'external_id' ? 'source_id' : name]).toEqual(cleared)
  })

  it.each(Object.keys(PLACE))('clears %s by null', async name => {
    const { id } = await exchange.listing(agent, { ...PLACE, show_exact_address: true })
    expect((await put(id, { [name]: null })).body.location[name]).toBeNull()
  })

  it('clears the coordinates by two nulls', async () => {
    const { id } = await exchange.listing(agent)
    const { body } = await put(id, { lat: null, lng: null })
    expect(body.location).toMatchObject({ lat: null, lng: null, exact: false })
  })

  it.each([
    ['an empty body', () => ({})],
    ['the values it has', () => ({ ...HOUSE, ...FULL, ...PLACE, images: ['https://photos.example/1.jpg'] })],
    ['the whole record as it was read', (record: object) => record],
    ['unknown fields only', () => ({ status: 'published', nonsense: 1 })],
  ])('leaves the record and updated_at as they are on %s', async (_what, bodyOf) => {
    const images = ['https://photos.example/1.jpg']
    const before = await exchange.listing(agent, { ...FULL, ...PLACE, images, exclusive: true })
    // A record gives images as objects; a client that sends it back sends its own list of addresses.
    const { images: _images, ...record } = before
    const sent = bodyOf(record)
    const { status, body } = await put(before.id, sent)
    expect(status).toBe(200)
    expect(body).toEqual('nonsense' in sent ? { ...before, warnings: ['nonsense is not a field'] } : before)
    expect((await read(before.id)).body).toEqual(before)
  })

  it('moves updated_at forward at each change, however fast they come', async () => {
    const { id } = await exchange.listing(agent)
    const stamps: string[] = []
    for (let i = 1; i <= 15; i++) stamps.push((await put(id, { bedrooms: i })).body.updated_at)
    expect(stamps).toEqual([...new Set(stamps)].sort())
  })

  it('moves updated_at forward even when the clock went back', async () => {
    const { id } = await exchange.listing(agent)
    const future = new Date(Date.now() + 3_600_000)
    await exchange.db.updateTable('listings').set({ updated_at: future }).where('id', '=', id).execute()
    const { body } = await put(id, { bedrooms: 7 })
    expect(body.updated_at).toBe(new Date(future.getTime() + 1).toISOString())
  })

  it.each(listingStatuses)(
    'edits a %s listing without changing its status or sending an event',
    async status => {
      const { id } = await exchange.listing(agent)
      await exchange.setStatus(id, status)
      const answer = await put(id, { title: 'Otro título', status: 'published' })
      expect([answer.status, answer.body.status, answer.body.title]).toEqual([200, status, 'Otro título'])
      expect(await exchange.events(id)).toEqual([])
    },
  )

  it('keeps the slug when the title changes', async () => {
    const before = await exchange.listing(agent)
    const { body } = await put(before.slug, { title: 'Departamento en Polanco' })
    expect(body).toMatchObject({ id: before.id, slug: before.slug, url: before.url })
  })

  it('finds the listing by its UUID in capitals', async () => {
    const { id } = await exchange.listing(agent)
    expect((await put(id.toUpperCase(), { bedrooms: 2 })).body).toMatchObject({ id, bedrooms: 2 })
  })

  it('ignores fields that are not the writer’s', async () => {
    const other = await exchange.agent()
    const before = await exchange.listing(agent)
    const raw = `{"__proto__":{"bedrooms":9},"id":"${randomUUID()}","slug":"x","agent_id":"${other.id}","featured":true,
      "imported":true,"status":"published","published_at":"2020-01-01T00:00:00.000Z","operations":[],"location":{"city":"X"}}`
    const headers = { 'content-type': 'application/json' }
    const { body } = await exchange.call('PUT', `/properties/${before.id}`, { key: agent.key, raw, headers })
    const warnings = [
      '__proto__ is not a field',
      'agent_id is not a field',
      'featured is not a field; did you mean features?',
      'imported is not a field',
    ]
    expect(body).toEqual({ ...before, warnings })
    expect((await exchange.get(`/properties/${before.id}`, other.key)).status).toBe(404)
  })

  it('answers nothing of the shared commission', async () => {
    const { id } = await exchange.listing(agent)
    const { status, body } = await put(id, { shared_commission: '47/53 del 6.1257 %' })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(/commission|47\/53|6\.1257/)
  })

  it('accepts the external_id the listing has, another one, and one set free', async () => {
    const one = await exchange.listing(agent, { external_id: 'F-1' })
    const two = await exchange.listing(agent)
    expect((await put(one.id, { external_id: 'F-1' })).body.updated_at).toBe(one.updated_at)
    expect((await put(one.id, { external_id: 'F-2' })).body.source_id).toBe('F-2')
    expect((await put(two.id, { external_id: 'F-1' })).body.source_id).toBe('F-1')
  })

  it('keeps both of two simultaneous changes of different fields', async () => {
    const { id } = await exchange.listing(agent)
    await Promise.all([put(id, { bedrooms: 5 }), put(id, { parking: 4 }), put(id, { title_en: 'Both' })])
    expect((await read(id)).body).toMatchObject({ bedrooms: 5, parking: 4, title_en: 'Both' })
  })

  it('answers a change of nothing with the images of the same moment, though it had to wait for them', async () => {
    const { id } = await exchange.listing(agent)
    const url = 'https://photos.example/late.jpg'
    const { waiting } = await exchange.db.transaction().execute(async tx => {
      await tx.selectFrom('listings').select('id').where('id', '=', id).forUpdate().execute()
      const answer = put(id, {})
      await untilSomeoneWaits()
      await tx.insertInto('listing_images').values({ listing_id: id, position: 0, url, thumb: url }).execute()
      return { waiting: answer }
    })
    expect((await waiting).body.images).toEqual([{ id: expect.any(String), url, thumb: url }])
  })

  describe('of the location', () => {
    it('keeps the public point while the true one stays in its cell, and takes one coordinate alone', async () => {
      const { id, location } = await exchange.listing(agent, { lat: 20.6911, lng: -103.3782 })
      expect((await put(id, { lat: 20.6921 })).body.location).toEqual(location)
      const moved = (await put(id, { lat: 20.6951 })).body.location
      expect(moved.lng).toBe(location.lng)
      expect(moved.lat - location.lat).toBeCloseTo(0.003, 9)
    })

    it('shows the exact point while the agent wants it, and the same approximate one as before after', async () => {
      const before = await exchange.listing(agent, {
        address: 'Calle Secreta 1',
        lat: 20.691177,
        lng: -103.378277,
      })
      const shown = (await put(before.id, { show_exact_address: true })).body.location
      expect(shown).toMatchObject({
        lat: 20.691177,
        lng: -103.378277,
        exact: true,
        address: 'Calle Secreta 1',
      })
      const hidden = await put(before.id, { show_exact_address: false })
      expect(hidden.body.location).toEqual(before.location)
    })
  })

  it.each([
    ['the ETag that was read', (etag: string) => etag],
    ['any version', () => '*'],
    ['a list with the ETag', (etag: string) => `"older", ${etag}`],
  ])('writes when If-Match names %s', async (_what, headerOf) => {
    const { id } = await exchange.listing(agent)
    const etag = String((await read(id)).headers.etag)
    expect((await put(id, { bedrooms: 2 }, { 'if-match': headerOf(etag) })).status).toBe(200)
  })
})

describe('412', () => {
  it('refuses to write over a version the caller has not seen', async () => {
    const { id } = await exchange.listing(agent)
    const etag = String((await read(id)).headers.etag)
    await put(id, { bedrooms: 1 })
    const { status, body } = await put(id, { bedrooms: 2 }, { 'if-match': etag })
    expect([status, body.error]).toEqual([412, 'precondition_failed'])
    expect((await read(id)).body.bedrooms).toBe(1)
  })

  it('lets one of ten simultaneous writers of one version win', async () => {
    const { id } = await exchange.listing(agent)
    const etag = String((await read(id)).headers.etag)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => put(id, { bedrooms: i + 1 }, { 'if-match': etag })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(9).fill(412)])
    const winner = answers.find(answer => answer.status === 200)
    expect((await read(id)).body).toEqual(winner?.body)
  })
})

describe('401, 403, 404', () => {
  it.each(['draft', 'published', 'suspended'])(
    'forbids another agent’s %s listing, before it looks at the body',
    async status => {
      const { id, title } = await exchange.listing(await exchange.agent())
      await exchange.setStatus(id, status)
      expect(await put(id, { title: 'x' })).toMatchObject({ status: 403, body: { error: 'forbidden' } })
      const row = await exchange.db
        .selectFrom('listings')
        .select('title')
        .where('id', '=', id)
        .executeTakeFirst()
      expect(row?.title).toBe(title)
    },
  )

  it('forbids a read-only key and refuses no key', async () => {
    const { id } = await exchange.listing(agent)
    const key = await exchange.key(agent.email, 'read')
    expect((await exchange.put(`/properties/${id}`, key, { bedrooms: 1 })).status).toBe(403)
    expect((await exchange.put(`/properties/${id}`, undefined, { bedrooms: 1 })).status).toBe(401)
  })

  it.each([randomUUID(), 'casa-que-no-existe-abcdef', '%00', 'a%00b', "' or 1=1 --", '%F0%9F%8F%A1'])(
    'finds nothing at %s, before it looks at the body',
    async id => {
      expect(await put(encodeURI(id).replaceAll('%25', '%'), { title: 'x' })).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
    },
  )

  it('finds nothing at a licensed import of the caller’s own', async () => {
    const { id } = await exchange.listing(agent)
    await setFlags(exchange.db, id, { imported: true })
    expect((await put(id, { bedrooms: 1 })).status).toBe(404)
  })
})

describe('409', () => {
  it('refuses the external_id of another listing of the caller, with that listing’s id', async () => {
    const taken = await exchange.listing(agent, { external_id: 'T-1' })
    await exchange.delete(`/properties/${taken.id}`, agent.key)
    const { id } = await exchange.listing(agent, { bedrooms: 1 })
    const { status, body } = await put(id, { external_id: 'T-1', bedrooms: 2 })
    expect(status).toBe(409)
    expect(body).toMatchObject({ error: 'conflict', id: taken.id, slug: taken.slug, status: 'withdrawn' })
    expect((await read(id)).body).toMatchObject({ source_id: null, bedrooms: 1 })
  })

  it('lets one of two simultaneous changes to one external_id win', async () => {
    for (let round = 0; round < 5; round++) {
      const external_id = `race-${round}`
      const ids = [(await exchange.listing(agent)).id, (await exchange.listing(agent)).id]
      const answers = await Promise.all(ids.map(id => put(id, { external_id })))
      const winner = answers.find(answer => answer.status === 200)
      const loser = answers.find(answer => answer.status === 409)
      expect(winner?.body.source_id).toBe(external_id)
      expect(loser?.body.id).toBe(winner?.body.id)
    }
  })
})

describe('422', () => {
  it.each(['title', 'city', 'state', 'property_type'])('refuses to clear %s', async name => {
    const before = await exchange.listing(agent)
    const { status, body } = await put(before.id, { [name]: null, bedrooms: 9 })
    expect([status, body.errors]).toEqual([422, [`${name} cannot be null`]])
    expect((await read(before.id)).body).toEqual(before)
  })

  it.each([
    [{ title: 'Casa' }, 'title must be at least 5 characters (sent: "Casa")'],
    [{ city: ' ' }, 'city must not be empty'],
    [{ bedrooms: '3' }, 'bedrooms must be a number (sent: "3")'],
    [{ lat: null }, 'lat is required when lng is given'],
    [{ lng: -70 }, 'lat and lng are outside Mexico'],
    [{ external_id: 5 }, 'external_id must be text (sent: 5)'],
    [{ description: 'a\u0000' }, 'description contains characters that cannot be stored (sent: "a\\u0000")'],
  ])('refuses %j and writes nothing', async (fields, error) => {
    const before = await exchange.listing(agent)
    const { status, body } = await put(before.id, { parking: 9, ...fields })
    expect([status, body.errors]).toEqual([422, [error]])
    expect((await read(before.id)).body).toEqual(before)
  })

  it.each([[[]], ['x'], [null], [7]])('refuses the body %j', async body => {
    const { id } = await exchange.listing(agent)
    expect((await put(id, body)).body.errors).toEqual(['body must be a JSON object'])
  })
})
