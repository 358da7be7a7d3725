import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Db, openDatabase, openPool } from '../../src/db/database.ts'
import { deleteOldAnswers } from '../../src/idempotency/service.ts'
import { erasePerson } from '../../src/leads/service.ts'
import { HOUSE, PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
/** A second instance of the application on the same database. */
let twin: FastifyInstance
let twinDb: Db
beforeAll(async () => {
  agent = await exchange.agent()
  twinDb = openDatabase(openPool(String(exchange.pool.options.connectionString), 6))
  const logger = pino({ level: 'silent' })
  twin = await buildApp({
    loop: { delayMs: 0 },
    db: twinDb,
    logger,
    publicUrl: PUBLIC_URL,
    rateLimit: 1_000_000,
    trustProxy: [],
  })
})
afterAll(async () => {
  await twin.close()
  await twinDb.destroy()
})

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const post = (path: string, key: string, body?: unknown, caller = agent.key) =>
  exchange.post(path, caller, body, keyed(key))
const isReplay = ({ headers }: { headers: Record<string, unknown> }) =>
  headers['idempotent-replayed'] === 'true'
const countListings = async (caller: TestAgent) =>
  Number((await exchange.get('/my/properties', caller.key)).headers['x-total-count'])

/** The whole of the answer as text. */
const inject = (app: FastifyInstance, url: string, key: string, body?: unknown, headers = {}) =>
  app.inject({
    method: 'POST',
    url: `/api/v1${url}`,
    headers: {
      authorization: `Bearer ${agent.key}`,
      'idempotency-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })

/** A request to every POST of the API; a new one must be entered here. */
const POSTS: Record<string, () => Promise<{ path: string; body?: unknown }>> = {
  'POST /properties': async () => ({ path: '/properties', body: HOUSE }),
  'POST /properties/{id}/images': async () => ({
    path: `/properties/${(await exchange.listing(agent)).id}/images`,
    body: { urls: ['https://a.example/1.jpg'] },
  }),
  'POST /properties/{id}/publish': async () => ({
    path: `/properties/${(await exchange.listing(agent)).id}/publish`,
  }),
  'POST /properties/{id}/unpublish': async () => ({
    path: `/properties/${(await exchange.listing(agent)).id}/unpublish`,
  }),
  'POST /my/properties/{external_id}/publish': async () => {
    const { source_id } = await exchange.listing(agent, { external_id: randomUUID() })
    return { path: `/my/properties/${source_id}/publish` }
  },
  'POST /my/properties/{external_id}/unpublish': async () => {
    const { source_id } = await exchange.listing(agent, { external_id: randomUUID() })
    return { path: `/my/properties/${source_id}/unpublish` }
  },
  'POST /my/properties/batch': async () => ({
    path: '/my/properties/batch',
    body: { items: [{ external_id: randomUUID(), set: HOUSE, status: 'published' }, {}] },
  }),
  'POST /leads': async () => ({ path: '/leads', body: { name: 'María López', phone: '33 1234 5678' } }),
}

async function countWrites() {
  const { rows } = await exchange.pool.query(
    'select (select count(*) from listing_changes) + (select count(*) from outbox) + (select count(*) from leads) as n',
  )
  return Number(rows[0].n)
}

it('is taken by every POST there is', () => {
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked, not modelled
  const { paths } = exchange.app.swagger() as any
  const posts = Object.entries<object>(paths).filter(([, methods]) => 'post' in methods)
  expect(posts.map(([path]) => `POST ${path}`).sort()).toEqual(Object.keys(POSTS).sort())
})

describe.each(Object.entries(POSTS))('Idempotency-Key on %s', (_route, prepare) => {
  it('gives the same answer, byte for byte, from another process too, and does nothing again', async () => {
    const { path, body } = await prepare()
    const key = randomUUID()
    const first = await inject(exchange.app, path, key, body)
    expect(first.statusCode, first.body).toBeLessThan(300)
    expect(isReplay(first)).toBe(false)
    const writes = await countWrites()
    for (const app of [exchange.app, twin]) {
      const again = await inject(app, path, key, body)
      expect(isReplay(again)).toBe(true)
      expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
      for (const name of ['etag', 'location', 'content-type'])
        expect(again.headers[name]).toBe(first.headers[name])
    }
    expect(await countWrites()).toBe(writes)
  })

  it('is refused with 422 for another body, another path or another version', async () => {
    const { path, body } = await prepare()
    const key = randomUUID()
    await inject(exchange.app, path, key, body)
    const writes = await countWrites()
    for (const other of [
      await inject(exchange.app, path, key, { name: 'Otro', urls: [], items: [] }),
      await inject(exchange.app, `${path}?x=1`, key, body),
      await inject(exchange.app, path, key, body, { 'if-match': '*' }),
    ]) {
      expect([other.statusCode, other.json().details[0].code]).toEqual([422, 'key_reused'])
    }
    expect(await countWrites()).toBe(writes)
  })
})

it('makes one listing of fifty equal requests at once to two processes', async () => {
  const someone = await exchange.agent()
  const key = randomUUID()
  const headers = { authorization: `Bearer ${someone.key}` }
  const attempt = (i: number) => inject(i % 2 ? exchange.app : twin, '/properties', key, HOUSE, headers)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => attempt(i)))
  const done = answers.filter(({ statusCode }) => statusCode === 201)
  expect(done.filter(answer => !isReplay(answer))).toHaveLength(1)
  expect(new Set(done.map(({ body }) => body)).size).toBe(1)
  const busy = answers.filter(({ statusCode }) => statusCode !== 201)
  expect(busy.map(({ statusCode }) => statusCode)).toEqual(busy.map(() => 409))
  expect((await attempt(0)).body).toBe(done[0]?.body)
  expect(await countListings(someone)).toBe(1)
})

it('answers 409 while the first is running, and its answer after that', async () => {
  const { id } = await exchange.listing(agent)
  const key = randomUUID()
  let running: Promise<unknown> = Promise.resolve()
  await exchange.db.transaction().execute(async tx => {
    await tx.selectFrom('listings').select('id').where('id', '=', id).forUpdate().execute()
    running = post(`/properties/${id}/publish`, key)
    await vi.waitFor(async () => {
      const { rows } = await exchange.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(rows).toHaveLength(1)
    }, 10_000)
    const { status, body } = await post(`/properties/${id}/publish`, key)
    expect([status, body.error, body.message]).toEqual([
      409,
      'conflict',
      'A request with this Idempotency-Key is still running: retry in a second.',
    ])
  })
  expect(await running).toMatchObject({ status: 200 })
  expect(isReplay(await post(`/properties/${id}/publish`, key))).toBe(true)
  expect(await exchange.events(id)).toHaveLength(1)
})

describe('what is kept', () => {
  it('is a refusal too: the same one is answered although the request would work by now', async () => {
    const { id } = await exchange.listing(agent, { external_id: 'HELD' })
    const create = () => post('/properties', 'refused', { ...HOUSE, external_id: 'HELD' })
    const first = await create()
    expect([first.status, first.body.id]).toEqual([409, id])
    await exchange.put(`/properties/${id}`, agent.key, { external_id: null })
    const again = await create()
    expect([again.status, again.body, isReplay(again)]).toEqual([409, first.body, true])
  })

  it('is a 412 with its ETag, and a dry run with its header', async () => {
    const { id, version } = await exchange.listing(agent)
    const publish = () =>
      exchange.post(`/properties/${id}/publish`, agent.key, undefined, {
        headers: { 'idempotency-key': 'stale', 'if-match': '"0000000000000000"' },
      })
    await publish()
    const stale = await publish()
    expect([stale.status, stale.headers.etag, isReplay(stale)]).toEqual([412, `"${version}"`, true])
    await post('/properties?dry_run=true', 'dry', HOUSE)
    const dry = await post('/properties?dry_run=true', 'dry', HOUSE)
    expect([dry.status, dry.headers['x-dry-run'], isReplay(dry)]).toEqual([201, 'true', true])
    expect((await exchange.get(`/properties/${dry.body.id}`, agent.key)).status).toBe(404)
  })

  it('is what was ignored, too: the warnings are the same', async () => {
    const send = () => inject(exchange.app, '/properties?dryrun=1', 'warned', { ...HOUSE, titulo: 'x' })
    const first = await send()
    expect(first.json().warnings).toHaveLength(2)
    const again = await send()
    expect([again.body, again.headers['x-warnings'], isReplay(again)]).toEqual([first.body, '2', true])
  })

  it('is not a fault of the server: the same request can then be done', async () => {
    const { id } = await exchange.listing(agent)
    await exchange.pool.query(`
      create function fail() returns trigger language plpgsql as 'begin raise exception ''no''; end';
      create trigger fail before insert on outbox for each row execute function fail()`)
    const failed = await post(`/properties/${id}/publish`, 'fault')
    await exchange.pool.query('drop trigger fail on outbox')
    expect(failed.status).toBe(500)
    const again = await post(`/properties/${id}/publish`, 'fault')
    expect([again.status, isReplay(again)]).toEqual([200, false])
  })

  it('belongs to the agent: any of their keys gets it, and another agent’s request is their own', async () => {
    const first = await post('/properties', 'mine', HOUSE)
    const secondKey = await exchange.key(agent.email)
    expect((await post('/properties', 'mine', HOUSE, secondKey)).body).toEqual(first.body)
    const other = await exchange.agent()
    const theirs = await post('/properties', 'mine', HOUSE, other.key)
    expect([theirs.status, isReplay(theirs), theirs.body.id === first.body.id]).toEqual([201, false, false])
  })

  it('is forgotten after 24 hours, and deleted by the daily job', async () => {
    const first = await post('/properties', 'old', HOUSE)
    const age = (hours: number) =>
      exchange.pool.query(`update kept_answers set at = now() - interval '1 hour' * $1`, [hours])
    const count = async () => (await exchange.db.selectFrom('kept_answers').select('key').execute()).length
    await age(23.9)
    expect((await post('/properties', 'old', HOUSE)).body.id).toBe(first.body.id)
    await age(24.1)
    const later = await post('/properties', 'old', HOUSE)
    expect([later.status, isReplay(later), later.body.id === first.body.id]).toEqual([201, false, false])
    expect((await post('/properties', 'old', HOUSE)).body).toEqual(later.body)
    expect(await count()).toBeGreaterThan(1)
    await deleteOldAnswers(exchange.db)
    expect(await count()).toBe(1)
  })

  it('names nobody any more once a lead was erased', async () => {
    const lead = {
      name: 'Beatriz Solís',
      email: 'beatriz@example.com',
      phone: '33 1234 5678',
      message: '¿Sigue?',
    }
    const first = await post('/leads', 'lead', lead)
    await erasePerson(exchange.db, agent.id, first.body.id)
    const again = await post('/leads', 'lead', lead)
    expect([again.status, isReplay(again)]).toEqual([201, true])
    const [now] = (await exchange.get('/leads', agent.key)).body.content
    const { id, name, email, phone, message } = again.body
    expect({ id, name, email, phone, message }).toEqual({
      id: first.body.id,
      name: now.name,
      email: null,
      phone: null,
      message: null,
    })
    expect(JSON.stringify(again.body)).not.toMatch(/Beatriz|beatriz|1234 ?5678/)
  })
})

describe('a key', () => {
  it.each([
    ['empty', ''],
    ['256 characters', 'x'.repeat(256)],
    ['with a space', 'a b'],
    ['not ASCII', 'clavé'],
    ['given twice', 'a, b'],
  ])('that is %s is refused, and nothing is done', async (_what, key) => {
    const before = await countListings(agent)
    const { statusCode, body } = await inject(exchange.app, '/properties?lang=es', key, HOUSE)
    expect([statusCode, JSON.parse(body).errors]).toEqual([
      422,
      ['Idempotency-Key debe tener de 1 a 255 caracteres ASCII visibles'],
    ])
    expect(await countListings(agent)).toBe(before)
  })

  it('may be any 255 visible characters', async () => {
    const key = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i))
      .join('')
      .padEnd(255, '~')
    const first = await post('/properties', key, HOUSE)
    expect((await post('/properties', key, HOUSE)).body).toEqual(first.body)
  })

  it('is not looked at before the key of the caller and the budget', async () => {
    const readOnly = await exchange.key(agent.email, 'read')
    expect((await post('/properties', 'scoped', HOUSE, readOnly)).status).toBe(403)
    expect((await post('/properties', 'scoped', HOUSE)).status).toBe(201)
  })
})
