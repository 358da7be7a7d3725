import { tmpdir } from 'node:os'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULTS } from '../../src/config.ts'
import { addSource, openImportBox, readDueSources, readSource } from '../../src/imports/connections.ts'
import { checkImages } from '../../src/imports/image-check.ts'
import { confirmImport, findOwn, listImports, listRows, undoImport } from '../../src/imports/service.ts'
import { EASYBROKER } from '../../src/imports/sources/easybroker.ts'
import { workOn } from '../../src/imports/work.ts'
import { startBackground } from '../../src/jobs/background.ts'
import { sharedKey } from '../../src/webhooks/secrets.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { newFeed, readFeed } from '../support/feeds.ts'
import { loopbackNetwork, Receiver, until } from '../support/receiver.ts'

const exchange = useExchange()
const box = openImportBox('the key of a test')
const policy = { allowPrivate: false, publicUrl: 'https://lonja.example' }
const reach = { network: loopbackNetwork(), policy }
const receiver = new Receiver()
let agent: TestAgent

beforeAll(() => receiver.listen())
afterAll(() => receiver.close())
beforeEach(async () => {
  agent = await exchange.agent()
})

const work = (id: string) => {
  const easyBroker = { ...EASYBROKER, url: receiver.url('/v1'), perSecond: 2_000 }
  const sources = { reach, openBox: async () => box, easyBroker }
  return workOn({ db: exchange.db, files: exchange.files, sources, sliceMs: 600_000 }, id)
}
const connect = (kind: 'feed' | 'easybroker', address: string) =>
  addSource(exchange.db, { box, policy }, agent.id, { kind, name: 'Mi sistema', address })

async function read(source: string) {
  const id = await readSource(exchange.db, agent.id, source, new Date())
  await work(id)
  return findOwn(exchange.db, agent.id, id)
}

async function confirm(id: string, unpublishes = true) {
  await confirmImport(exchange.db, agent.id, id, { publishes: true, unpublishes })
  await work(id)
  return findOwn(exchange.db, agent.id, id)
}

const serve = (body: string | Buffer, code = 200) => {
  receiver.answer = (_request, response) => void response.writeHead(code).end(body)
}
const own = async () =>
  (await exchange.get('/my/properties?limit=500', agent.key)).body.content as Record<string, unknown>[]
const statuses = async () =>
  Object.fromEntries((await own()).map(({ source_id, status }) => [source_id as string, status]))

describe('a feed of another Lonja', () => {
  let other: TestAgent
  let house: Record<string, unknown>
  beforeAll(async () => {
    other = await exchange.agent()
    const { id } = await exchange.published(other, {
      title: 'Casa "única", con jardín y <patio>',
      description: 'Amplia y luminosa.\nCon vista; y más, mucho más que decir de ella.',
      rent_price: 25_000,
      sale_currency: 'MXN',
      bedrooms: 3,
      bathrooms: 2.5,
      parking: 2,
      construction_m2: 210,
      lot_m2: 300,
      year_built: 2015,
      features: ['Alberca', 'Jardín'],
      neighborhood: 'Providencia',
      images: ['https://fotos.example/1.jpg', 'https://fotos.example/2.jpg'],
    })
    await exchange.published(other, {
      title: 'Oficina en renta',
      property_type: 'office',
      sale_price: null,
      rent_price: 9_000,
    })
    house = (await exchange.get(`/properties/${id}`, other.key)).body
  })

  it.each(['json', 'ndjson', 'csv', 'trovit'] as const)(
    'is read as %s, with everything the format holds',
    async format => {
      const feed = await newFeed(exchange, other, { format })
      serve((await readFeed(exchange, feed.path)).rawPayload)
      const first = await read(await connect('feed', receiver.url('/feed')))
      expect([first.phase, first.counts, first.issues]).toEqual(['ready', { created: 2 }, []])
      await confirm(first.id)
      const copy = (await own()).find(({ source_id }) => source_id === house.id)
      const { body } = await exchange.get(`/properties/${copy?.id}`, agent.key)
      const same = [
        'title',
        'property_type',
        'bedrooms',
        'bathrooms',
        'parking',
        'construction_m2',
        'lot_m2',
        'year_built',
        'operations',
        'rent_period',
      ]
      expect(body).toMatchObject(Object.fromEntries(same.map(name => [name, house[name]])))
      expect(body.location).toMatchObject({
        neighborhood: 'Providencia',
        city: 'Guadalajara',
        state: 'Jalisco',
      })
      expect(body.images.map(({ url }: { url: string }) => url)).toEqual([
        'https://fotos.example/1.jpg',
        'https://fotos.example/2.jpg',
      ])
      // The layout of Trovit has no place for amenities.
      if (format !== 'trovit')
        expect(body).toMatchObject({ features: house.features, description: house.description })
      expect(body.status).toBe('published')
    },
  )
})

const record = (id: string, more = {}) => ({
  id,
  title: `Casa ${id} con jardín`,
  property_type: 'house',
  operations: [{ type: 'sale', amount: 2_000_000, currency: 'MXN' }],
  location: { city: 'León', state: 'Guanajuato' },
  images: [],
  ...more,
})
const feedOf = (...ids: string[]) => JSON.stringify({ content: ids.map(id => record(id)) })
const TEN = Array.from({ length: 10 }, (_, i) => `R-${i}`)

describe('a full feed', () => {
  it('unpublishes what is missing, publishes what returns, and leaves alone what its agent took off', async () => {
    const source = await connect('feed', receiver.url('/feed'))
    serve(feedOf(...TEN))
    await confirm((await read(source)).id)
    serve(feedOf(...TEN.slice(2)))
    const second = await read(source)
    expect([second.phase, second.counts]).toEqual(['done', { refused: 0, unchanged: 8, unpublished: 2 }])
    expect(await statuses()).toMatchObject({ 'R-0': 'draft', 'R-1': 'draft', 'R-2': 'published' })
    const taken = (await own()).find(({ source_id }) => source_id === 'R-5')
    await exchange.setStatus(taken?.id as string, 'withdrawn')
    serve(feedOf(...TEN))
    const third = await read(source)
    expect(third.counts).toEqual({ refused: 0, unchanged: 8, changed: 2 })
    expect(await statuses()).toMatchObject({ 'R-0': 'published', 'R-1': 'published', 'R-5': 'withdrawn' })
  })

  it('asks before it unpublishes more than 30 %, and can be undone', async () => {
    const source = await connect('feed', receiver.url('/feed'))
    serve(feedOf(...TEN))
    await confirm((await read(source)).id)
    serve(feedOf(...TEN.slice(4)))
    const asking = await read(source)
    expect([asking.phase, asking.counts]).toEqual(['ready', { unchanged: 6, unpublished: 4 }])
    expect(Object.values(await statuses())).toEqual(TEN.map(() => 'published'))
    const done = await confirm(asking.id)
    expect(Object.values(await statuses()).filter(status => status === 'draft')).toHaveLength(4)
    await undoImport(exchange.db, agent.id, done.id, new Date())
    await work(done.id)
    expect(Object.values(await statuses())).toEqual(TEN.map(() => 'published'))
  })

  it('keeps what is missing if the agent says so', async () => {
    const source = await connect('feed', receiver.url('/feed'))
    serve(feedOf(...TEN))
    await confirm((await read(source)).id)
    serve(feedOf('R-9'))
    await confirm((await read(source)).id, false)
    expect(Object.values(await statuses())).toEqual(TEN.map(() => 'published'))
  })

  it('is read once a day when its first read was confirmed, and never touches other listings of the agent', async () => {
    await exchange.published(agent, { external_id: 'mine' })
    const source = await connect('feed', receiver.url('/feed'))
    serve(feedOf(...TEN))
    const { id } = await read(source)
    const later = new Date(Date.now() + 25 * 3_600_000)
    await confirm(id)
    const unconfirmed = await connect('feed', receiver.url('/another'))
    await readDueSources(exchange.db, new Date())
    expect(await listImports(exchange.db, agent.id, 10)).toHaveLength(1)
    await readDueSources(exchange.db, later)
    await readDueSources(exchange.db, later)
    const [latest, ...others] = await listImports(exchange.db, agent.id, 10)
    expect(others).toHaveLength(1)
    expect(latest?.source_id).not.toBe(unconfirmed)
    serve(feedOf(...TEN.slice(1)))
    await work(latest?.id as string)
    expect(await statuses()).toMatchObject({ mine: 'published', 'R-0': 'draft' })
  })

  it.each<[string, () => void, string]>([
    ['answers with an error', () => serve('no', 500), 'source_answered'],
    ['is a web page', () => serve('<html><body>Hola</body></html>'), 'source_unreadable'],
    ['is empty', () => serve(''), 'source_unreadable'],
    ['is cut off in the middle', () => serve(feedOf(...TEN).slice(0, 700)), 'source_unreadable'],
    [
      'breaks off',
      () => {
        receiver.answer = (_request, response) => {
          response.writeHead(200, { 'content-length': '100000' }).write(feedOf(...TEN).slice(0, 700))
          setTimeout(() => response.destroy(), 50)
        }
      },
      'source_unreachable',
    ],
    ['has no records of listings', () => serve('{"content":[{"a":1}]}'), 'source_unreadable'],
    [
      'defines entities',
      () => serve('<!DOCTYPE trovit [<!ENTITY a "b">]><trovit></trovit>'),
      'not_a_spreadsheet',
    ],
  ])('that %s changes nothing, and says so', async (_what, answer, code) => {
    const source = await connect('feed', receiver.url('/feed'))
    serve(feedOf(...TEN))
    await confirm((await read(source)).id)
    answer()
    const failed = await read(source)
    expect([failed.phase, failed.issues]).toMatchObject(['failed', [{ code }]])
    expect(Object.values(await statuses())).toEqual(TEN.map(() => 'published'))
  })

  it('at a private address is neither accepted nor read', async () => {
    await expect(connect('feed', 'https://10.0.0.8/feed')).rejects.toMatchObject({ kind: 'validation' })
    await expect(connect('feed', 'http://feed.example/x')).rejects.toMatchObject({ kind: 'validation' })
    const source = await connect('feed', receiver.url('/feed'))
    const network = { ...loopbackNetwork(), isAllowed: () => false }
    const before = receiver.received.length
    const id = await readSource(exchange.db, agent.id, source, new Date())
    const sources = { reach: { network, policy }, openBox: async () => box }
    await workOn({ db: exchange.db, files: exchange.files, sources }, id)
    expect((await findOwn(exchange.db, agent.id, id)).issues).toMatchObject([{ code: 'source_unreachable' }])
    expect(receiver.received.length).toBe(before)
  })
})

/** All of them in CI. */
const PROPERTIES = process.env.THOROUGH ? 1_200 : 120
const property = (i: number) => ({
  public_id: `EB-A${1000 + i}`,
  title: `Casa en venta número ${i}`,
  description: 'Bien ubicada.',
  property_type: i % 2 ? 'Casa' : 'Departamento',
  bedrooms: 3,
  bathrooms: 2,
  half_bathrooms: null,
  parking_spaces: 1,
  lot_size: 0,
  construction_size: 150.5,
  operations: [
    {
      type: i % 3 ? 'sale' : 'rental',
      amount: 2_500_000,
      currency: 'MXN',
      formatted_amount: '$2,500,000',
      unit: 'total',
      commission: { type: 'percentage', value: '5.0' },
    },
  ],
  location: {
    name: 'Providencia, Guadalajara, Jalisco',
    latitude: 20.69,
    longitude: -103.38,
    street: 'Av. Uno',
    postal_code: '44630',
    show_exact_location: false,
  },
  property_images: [{ title: null, url: `https://assets.example/${i}.jpg` }],
  features: [
    { name: 'Alberca', category: 'Exterior' },
    { name: 'Helipuerto', category: 'Exterior' },
  ],
})

/** Answers as its documentation shows: pages of at most 50, details one by one, 429 and a fault in between. */
function easyBroker(key: string) {
  const seen = { details: new Map<string, number>(), tooMany: 0, faults: 0 }
  let requests = 0
  receiver.answer = (request, response) => {
    const send = (code: number, body: unknown, headers = {}) =>
      void response
        .writeHead(code, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body))
    if (request.headers['x-authorization'] !== key) return send(401, { error: 'Your API key is invalid' })
    if (++requests % 25 === 0) {
      seen.tooMany++
      return send(429, { error: 'Too many requests' }, { 'retry-after': '0' })
    }
    const url = new URL(request.url ?? '', 'https://easybroker.example')
    const [, id] = /^\/v1\/properties\/(.+)$/.exec(url.pathname) ?? []
    if (id) {
      const at = Number(id.slice(4)) - 1000
      if (at === PROPERTIES / 2 && seen.faults++ < 2) return send(500, { error: 'Internal server error' })
      seen.details.set(id, (seen.details.get(id) ?? 0) + 1)
      return send(200, property(at))
    }
    const [page, limit] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('limit'))]
    if (limit > 50) return send(400, { error: 'limit' })
    const from = (page - 1) * limit
    const content = Array.from({ length: Math.min(limit, PROPERTIES - from) }, (_, i) => ({
      public_id: property(from + i).public_id,
    }))
    const next =
      from + limit < PROPERTIES ? `https://api.easybroker.com/v1/properties?page=${page + 1}` : null
    return send(200, { pagination: { limit, page, total: PROPERTIES, next_page: next }, content })
  }
  return seen
}

describe('linked photos', () => {
  it('that cannot be opened are listed with their row, and the others are not', async () => {
    const photo = (name: string) => receiver.url(`/${name}`)
    const images = ['good', 'gone', 'page', 'moved'].map(name => ({ url: photo(name) }))
    serve(JSON.stringify({ content: [record('R-1', { images }), record('R-2')] }))
    const { id } = await confirm((await read(await connect('feed', receiver.url('/feed')))).id)
    const answers: Record<string, [number, string]> = {
      '/good': [200, 'image/jpeg'],
      '/gone': [404, 'image/jpeg'],
      '/page': [200, 'text/html'],
      '/moved': [301, 'text/html'],
    }
    receiver.answer = ({ url = '' }, response) => {
      const [code, type] = answers[url] as [number, string]
      response.writeHead(code, { 'content-type': type }).end('x'.repeat(10_000))
    }
    await checkImages(exchange.db, reach, { id, after: 0, checked: 0 })
    await checkImages(exchange.db, reach, { id, after: 0, checked: 0 })
    const [row, ...others] = await listRows(exchange.db, id, { broken: true, limit: 10 })
    expect(others).toEqual([])
    const urls = row?.notes.map(({ params }) => (params as { url: string }).url)
    expect(urls?.sort()).toEqual([photo('gone'), photo('page')])
  })
})

describe('the workers', () => {
  it('read a connection, wait for the confirmation, import, and look at the photos', async () => {
    const key = await sharedKey(exchange.db, undefined)
    const images = [{ url: receiver.url('/gone.jpg') }]
    receiver.answer = ({ url }, response) =>
      void (url === '/feed'
        ? response.writeHead(200).end(JSON.stringify({ content: [record('R-1', { images })] }))
        : response.writeHead(404).end())
    const running = await startBackground({
      url: String(exchange.pool.options.connectionString),
      config: {
        ...DEFAULTS,
        ...policy,
        webhookAllowPrivate: false,
        secret: undefined,
        smtpUrl: undefined,
        mailDir: tmpdir(),
        mailFrom: 'lonja@lonja.example',
      },
      logger: pino({ level: 'silent' }),
      files: exchange.files,
      network: loopbackNetwork(),
    })
    try {
      const sent = { kind: 'feed', name: 'Mi sistema', address: receiver.url('/feed') }
      const source = await addSource(exchange.db, { box: openImportBox(key), policy }, agent.id, sent)
      const id = await readSource(exchange.db, agent.id, source, new Date())
      const phase = async () => (await findOwn(exchange.db, agent.id, id)).phase
      await until(async () => (await phase()) === 'ready')
      await confirmImport(exchange.db, agent.id, id, { publishes: true, unpublishes: true })
      await until(async () => (await listRows(exchange.db, id, { broken: true, limit: 1 })).length === 1)
      expect(await phase()).toBe('done')
    } finally {
      await running.stop()
    }
  })
})

describe('EasyBroker', () => {
  it('every property arrives once, in spite of rate limits and a fault in the middle', async () => {
    const seen = easyBroker('eb-secret-key')
    const { id, counts, phase, total } = await read(await connect('easybroker', 'eb-secret-key'))
    expect([phase, total, counts]).toEqual(['ready', PROPERTIES, { created: PROPERTIES }])
    expect(seen.faults).toBeGreaterThan(1)
    expect(seen.tooMany).toBeGreaterThan(0)
    expect(seen.details.size).toBe(PROPERTIES)
    expect([...seen.details.values()].every(times => times === 1)).toBe(true)
    const rows = await listRows(exchange.db, id, { limit: PROPERTIES * 2 })
    expect(new Set(rows.map(row => row.external_id)).size).toBe(PROPERTIES)
    expect(rows[0]).toMatchObject({
      external_id: 'EB-A1000',
      notes: [{ code: 'unknown_amenity', params: { value: 'Helipuerto' } }],
      cells: {
        set: {
          rent_price: 2_500_000,
          city: 'Guadalajara',
          neighborhood: 'Providencia',
          state: 'Jalisco',
          lot_m2: null,
        },
      },
    })
  }, 120_000)

  it('says that the key is refused, and keeps it sealed', async () => {
    easyBroker('another')
    const failed = await read(await connect('easybroker', 'eb-secret-key'))
    expect([failed.phase, failed.issues]).toMatchObject(['failed', [{ code: 'source_key_refused' }]])
    const { rows } = await exchange.pool.query(`select key from import_sources where kind = 'easybroker'`)
    expect(rows.every(({ key }) => !key.toString('latin1').includes('eb-secret'))).toBe(true)
  })
})
