import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { SLICE_MS } from '../../src/lib/slices.ts'
import type { Criteria } from '../../src/search/criteria.ts'
import { Feed } from '../../src/search/feed/feed.ts'
import type { Position } from '../../src/search/feed/history.ts'
import { expectFew, expectMany, openReader, readMoment } from '../../src/search/feed/store.ts'
import { Watch } from '../../src/search/feed/watch.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { contentOf } from '../support/index-content.ts'
import { edit, insertSome, marketAgents, someEdit, someListing } from '../support/random-market.ts'
import { searchListings } from '../support/search-oracle.ts'

const exchange = useExchange()
const ALL: Criteria = { sort: 'newest', page: 1, limit: 100 }
const logger = pino({ level: 'silent' })
let agent: TestAgent
const opened: Feed[] = []

beforeAll(async () => {
  agent = await exchange.agent()
  await exchange.search.refresh()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(feed => feed.close()))
})

const urlOf = () => exchange.pool.options.connectionString as string

async function follow(): Promise<Feed> {
  const feed = new Feed({ url: urlOf(), logger })
  opened.push(feed)
  await feed.refresh()
  return feed
}

const engineOf = (feed: Feed) => {
  if (!feed.engine) throw new Error('not loaded')
  return feed.engine
}
const totalOf = (feed: Feed, criteria: Criteria = ALL) =>
  engineOf(feed).search(criteria, null, { groups: [] }).total
const shows = (feed: Feed, id: string) =>
  contentOf(engineOf(feed)).listings.some(listing => listing.id === id && listing.shown)

async function secondsUntil(holds: () => boolean): Promise<number> {
  const started = performance.now()
  while (!holds()) {
    if (performance.now() - started > 5000) throw new Error('it did not happen within five seconds')
    await sleep(5)
  }
  return (performance.now() - started) / 1000
}

const cutFeeds = () =>
  exchange.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'lonja search' and datname = current_database()`,
  )

describe('a process sees its own writes in its next search', () => {
  it('create, publish, edit, unpublish: each is there when the answer is', async () => {
    // Straight through the application: exchange.get would refresh by itself.
    const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
      exchange.app.inject({
        method,
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' },
        ...(body ? { payload: JSON.stringify(body) } : {}),
      })
    const found = async (query: string) => (await call('GET', `/properties?${query}`)).json().content
    for (let i = 0; i < 15; i++) {
      const title = `Quinta número ${i} junto al río`
      const fields = { title, city: 'Tepic', state: 'Nayarit', sale_price: 1_000_000 + i }
      const { id } = (await call('POST', '/properties', fields)).json()
      const named = `min_price=${1_000_000 + i}&max_price=${1_000_000 + i}&city=tepic`
      expect(await found(named)).toMatchObject([{ id, status: 'draft' }])
      await call('POST', `/properties/${id}/publish`)
      expect(await found(named)).toMatchObject([{ id, status: 'published' }])
      await call('PUT', `/properties/${id}`, { title: `Mirador ${i} junto al río` })
      expect(await found(`${named}&q=mirador`)).toMatchObject([{ id, title: `Mirador ${i} junto al río` }])
      expect(await found(`${named}&q=quinta`)).toEqual([])
      await call('POST', `/properties/${id}/images`, { urls: [`https://images.example/${i}.jpg`] })
      expect((await found(named))[0].images).toHaveLength(1)
    }
  })
})

it('receives every notification of an event, also while it reads changes', async () => {
  const feed = await follow()
  const received = new Set<string>()
  feed.onEvent = payload => void received.add(payload ?? '')
  let isOver = false
  const reading = (async () => {
    while (!isOver) await feed.refresh()
  })()
  const sent = Array.from({ length: 400 }, (_, i) => `event ${i}`)
  for (const payload of sent) await exchange.pool.query(`select pg_notify('events', $1)`, [payload])
  isOver = true
  await reading
  await expect.poll(() => sent.filter(payload => !received.has(payload))).toEqual([])
})

describe('a change that was announced', () => {
  const countReads = () => {
    let reads = 0
    let position: Position | undefined
    const watch: Watch = new Watch({
      url: urlOf(),
      logger,
      read: async client => {
        reads++
        position = await watch.positionAt(client, await readMoment(client, undefined))
      },
      position: () => position,
    })
    return { watch, reads: () => reads }
  }

  // Without announcements, each would look about once in 400 ms.
  const TIMES = 10
  const several = async (work: () => Promise<unknown>) => {
    for (let i = 0; i < TIMES; i++) {
      await work()
      await sleep(40)
    }
  }

  it('is not read again by the process that made it and has read it, but by others', async () => {
    const { id } = await exchange.published(agent)
    const [own, other] = [countReads(), countReads()]
    try {
      await Promise.all([own.watch.refresh(), other.watch.refresh()])
      const before = [own.reads(), other.reads()] as const
      await several(async () => {
        await exchange.pool.query(`update listings set sale_price = sale_price + 1 where id = '${id}'`)
        await own.watch.refresh()
      })
      expect(own.reads() - before[0]).toBeLessThanOrEqual(TIMES + 3)
      expect(other.reads() - before[1]).toBeGreaterThanOrEqual(TIMES / 2)
    } finally {
      await Promise.all([own.watch.close(), other.watch.close()])
    }
  })

  it('is read if its announcement does not name its transaction, as before an upgrade', async () => {
    const { watch, reads } = countReads()
    try {
      await watch.refresh()
      const before = reads()
      await several(() => exchange.pool.query('notify listing_changes'))
      expect(reads() - before).toBeGreaterThanOrEqual(TIMES / 2)
    } finally {
      await watch.close()
    }
  })
})

describe('another process sees a change within a second', () => {
  it.each([
    ['by the wake-up', async () => {}],
    ['when its connection was cut just before', () => cutFeeds()],
  ])('%s', async (_how, before) => {
    const feed = await follow()
    for (let i = 0; i < 5; i++) {
      await before()
      const { id } = await exchange.published(agent)
      expect(await secondsUntil(() => shows(feed, id))).toBeLessThan(1)
    }
  })

  it('when the wake-up is lost', async () => {
    const feed = await follow()
    const { id } = await exchange.listing(agent)
    await exchange.pool.query(`begin; set local session_replication_role = replica;
      update listings set status = 'published', change_xid = pg_current_xact_id() where id = '${id}'; commit`)
    expect(await secondsUntil(() => shows(feed, id))).toBeLessThan(1)
  })
})

describe('nothing is missed', () => {
  it('of a transaction that began before others and commits after them', async () => {
    const feed = await follow()
    const { id } = await exchange.listing(agent)
    const late = await exchange.pool.connect()
    await late.query('begin')
    await late.query(`update listings set status = 'published' where id = $1`, [id])
    for (let i = 0; i < 3; i++) {
      await exchange.published(agent)
      await feed.refresh()
      expect(shows(feed, id)).toBe(false)
    }
    await late.query('commit')
    late.release()
    await feed.refresh()
    expect(shows(feed, id)).toBe(true)
  })

  it('of a listing that is made while its agent is being hidden, whichever commits first', async () => {
    for (const isListingFirst of [true, false]) {
      const hidden = await exchange.agent()
      const feed = await follow()
      const [making, hiding] = await Promise.all([exchange.pool.connect(), exchange.pool.connect()])
      const make = () =>
        making.query(
          `insert into listings (agent_id, slug, status, title, city, state, city_fold, title_fold, search)
           values ($1, gen_random_uuid(), 'published', 'Casa', 'León', 'Guanajuato', 'leon', 'casa', '') returning id`,
          [hidden.id],
        )
      const hide = () => hiding.query('update agents set verified_at = null where id = $1', [hidden.id])
      await Promise.all([making.query('begin'), hiding.query('begin')])
      let id: string
      if (isListingFirst) {
        id = (await make()).rows[0].id
        const waiting = hide()
        await sleep(50)
        await making.query('commit')
        await feed.refresh()
        await waiting
        await hiding.query('commit')
      } else {
        await hide()
        const waiting = make()
        await sleep(50)
        await hiding.query('commit')
        id = (await waiting).rows[0].id
        await making.query('commit')
      }
      making.release()
      hiding.release()
      await feed.refresh()
      expect(shows(feed, id)).toBe(false)
    }
  })

  it('of what agents and agencies show: records change with them', async () => {
    const told = await exchange.agent({ agency: 'Faro Norte', phone: '3312345678' })
    const { id } = await exchange.published(told, { city: 'Sayula' })
    const record = async () => (await exchange.get('/properties?city=sayula', agent.key)).body.content[0]
    expect(await record()).toMatchObject({ id, agency: { name: 'Faro Norte' } })
    await exchange.pool.query(`update agencies set name = 'Faro Sur' where name = 'Faro Norte'`)
    expect(await record()).toMatchObject({ id, agency: { name: 'Faro Sur' } })
    await exchange.pool.query(`update agents set phone = '+523387654321' where id = $1`, [told.id])
    expect((await record()).agent.phone).toBe('+523387654321')
    await exchange.pool.query(`update agencies set active = false where name = 'Faro Sur'`)
    expect((await record()).agency).toBeNull()
  })

  it('after tables were restored from a server with a longer history', async () => {
    const { id } = await exchange.published(agent)
    await exchange.pool.query(`begin; set local session_replication_role = replica;
      update listings set change_xid = '900000000000'; commit`)
    const feed = await follow()
    await exchange.setStatus(id, 'sold')
    await feed.refresh()
    expect(shows(feed, id)).toBe(false)
    const { rows } = await exchange.pool.query(
      `select count(*) from listings where change_xid >= pg_snapshot_xmax(pg_current_snapshot())`,
    )
    expect(rows[0].count).toBe(0)
  })
})

describe('two processes on one database', () => {
  it('hold the same as a third that starts afresh, through random changes and cut connections', async () => {
    const { db } = exchange
    const feeds = [await follow(), await follow()]
    const agents = await marketAgents(db)
    const ids = await insertSome(db, agents, fc.sample(someListing, 60))
    await fc.assert(
      fc.asyncProperty(
        fc.array(someEdit, { minLength: 5, maxLength: 20 }),
        fc.boolean(),
        async (edits, isCut) => {
          for (const [i, change] of edits.entries()) {
            await edit(db, agents, ids, change)
            if (isCut && i % 7 === 3) await cutFeeds()
          }
          const fresh = await follow()
          const expected = contentOf(engineOf(fresh))
          for (const feed of feeds) {
            await feed.refresh()
            expect(contentOf(engineOf(feed))).toEqual(expected)
            expect(totalOf(feed)).toBe((await searchListings(db, ALL, null)).total)
          }
          await opened.pop()?.close()
        },
      ),
      { numRuns: 25, endOnFailure: true },
    )
  }, 60_000)
})

describe('a connection that breaks while the records of a search are read', () => {
  it('is replaced, and the search answers', async () => {
    const { id } = await exchange.published(agent, { title: 'Cabaña de la conexión rota' })
    await exchange.search.refresh()
    const lock = await exchange.pool.connect()
    await lock.query('begin; lock table listings in access exclusive mode')
    const asked = exchange.app.inject({
      url: '/api/v1/properties?q=caba%C3%B1a',
      headers: { authorization: `Bearer ${agent.key}` },
    })
    const breakReader = async () => {
      const { rowCount } = await exchange.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%listings_by_id%'`,
      )
      return rowCount === 1
    }
    while (!(await breakReader())) await sleep(5)
    await lock.query('rollback')
    lock.release()
    const answer = await asked
    expect([answer.statusCode, answer.json().content]).toMatchObject([200, [{ id }]])
  })
})

describe('before it has loaded', () => {
  it('search says so and when to come back, the rest works', async () => {
    const lock = await exchange.pool.connect()
    await lock.query('begin; lock table listings in access exclusive mode')
    const { buildApp } = await import('../../src/app.ts')
    const { MemorySearch } = await import('../../src/search/memory.ts')
    const search = new MemorySearch({
      db: exchange.db,
      url: urlOf(),
      publicUrl: 'https://lonja.example',
      logger,
    })
    const options = { logger, publicUrl: 'https://lonja.example', rateLimit: 600, trustProxy: [] }
    const app = await buildApp({ loop: { delayMs: 0 }, db: exchange.db, search, ...options })
    const headers = { authorization: `Bearer ${agent.key}` }
    const ask = (url: string) => app.inject({ url, headers })
    const unready = await ask('/ready')
    expect(unready.statusCode).toBe(503)
    expect(unready.json()).toMatchObject({ ok: false, checks: { database: 'ok', search: 'loading' } })
    const refused = await ask('/api/v1/properties')
    expect(refused.statusCode).toBe(503)
    expect(refused.json().error).toBe('server_error')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect((await ask('/api/v1/me')).statusCode).toBe(200)
    await lock.query('commit')
    lock.release()
    await search.refresh()
    expect((await ask('/ready')).statusCode).toBe(200)
    expect((await ask('/api/v1/properties')).statusCode).toBe(200)
    await app.close()
    await search.close()
  })

  it('waits for a database that is not there yet', async () => {
    const feed = new Feed({ url: 'postgres://nobody@127.0.0.1:1/none', logger })
    await sleep(300)
    expect(feed.engine).toBeUndefined()
    await feed.close()
  })
})

it('few rows are expected of each read of changes, and many when everything is read, also again', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const feed = await follow()
    await feed.refresh()
    feed.reload()
    await secondsUntil(() => !feed.isDiverged)
    await feed.refresh()
    const asked = query.mock.calls.map(([statement]: unknown[], i) => ({
      client: query.mock.contexts[i],
      text: typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? ''),
    }))
    const client = asked.find(({ text }) => text.startsWith('reset enable_seqscan'))?.client
    const order = asked
      .filter(one => one.client === client)
      .map(({ text }) => /^(set|reset) enable_seqscan|^copy/.exec(text)?.[0])
      .filter(Boolean)
    expect(order.join(' ').replaceAll(' enable_seqscan', '')).toMatch(
      /^set reset copy set( copy)+ reset copy set( copy)+$/,
    )
  } finally {
    query.mockRestore()
  }
})

it('a read of changes reads the agents of what changed, not all, however many changes are expected', async () => {
  await exchange.published(agent)
  const reader = openReader(urlOf(), 'lonja test')
  await reader.connect()
  const plan = async () => {
    const { rows } = await reader.query(
      `explain (costs off) select a.id from listings l join agents a on a.id = l.agent_id where l.change_xid >= '3'`,
    )
    return rows.map(row => row['QUERY PLAN']).join('\n')
  }
  try {
    // Statistics of a large market, undone at the end.
    await reader.query('begin')
    await reader.query(
      `update pg_class set relpages = 1, reltuples = 100000 where oid in ('listings'::regclass, 'agents'::regclass)`,
    )
    await reader.query(
      `delete from pg_statistic where starelid in ('listings'::regclass, 'agents'::regclass)`,
    )
    expect(await plan()).toContain('Hash Join')
    await expectFew(reader)
    const chosen = await plan()
    expect(chosen).toContain('Nested Loop')
    expect(chosen).toContain('Index Cond: (id = l.agent_id)')
    expect(chosen).toContain('Index Cond: (change_xid >=')
    await expectMany(reader)
    expect(await plan()).toContain('Hash Join')
  } finally {
    await reader.end()
  }
})

describe('changes that are read together', () => {
  /** Runs the statements, each a transaction; returns for each the turns of the event loop in which its changes were applied. */
  async function turnsOf(statements: string[]): Promise<number[][]> {
    const feed = await follow()
    const engine = engineOf(feed)
    const turns = new Map<number, number[]>()
    const apply = engine.apply.bind(engine)
    engine.apply = entry => {
      turns.set(entry.xid, [...(turns.get(entry.xid) ?? []), turn])
      for (const until = performance.now() + SLICE_MS; performance.now() < until; );
      apply(entry)
    }
    let [turn, isDone] = [0, false]
    const count = () => {
      turn++
      if (!isDone) setImmediate(count)
    }
    count()
    // A read that begins meanwhile ends when all of them are there, and the next one finds the rest: two at most.
    const lock = await exchange.pool.connect()
    await lock.query('begin; lock table feed_histories in access exclusive mode')
    for (const statement of statements) await exchange.pool.query(statement)
    await lock.query('commit')
    lock.release()
    await feed.refresh()
    isDone = true
    return [...turns.values()]
  }
  const setFloors = (...ids: string[]) => `update listings set floors = 41 where id = any('{${ids}}')`
  const publish = async (count: number) => {
    const ids: string[] = []
    while (ids.length < count) ids.push((await exchange.published(agent)).id)
    return ids
  }

  it('appear at once if of one transaction, and others come in between two', async () => {
    const [one = '', two = '', ...others] = await publish(5)
    const turns = await turnsOf([setFloors(one), setFloors(...others), setFloors(two)])
    expect(turns.map(({ length }) => length)).toEqual([1, others.length, 1])
    for (const own of turns) expect(new Set(own).size).toBe(1)
    expect(new Set(turns.flat()).size).toBe(turns.length)
  })

  it('are applied within ten pauses, so that a busy process does not fall behind more and more', async () => {
    const turns = await turnsOf((await publish(40)).map(id => setFloors(id)))
    expect(turns).toHaveLength(40)
    expect(new Set(turns.flat()).size).toBeGreaterThan(4)
    expect(new Set(turns.flat()).size).toBeLessThanOrEqual(22)
  })
})

it('a page, its records and its total are of one state while listings change', async () => {
  const busy = await exchange.agent()
  const city = 'Colima'
  const ids: string[] = []
  for (let i = 0; i < 10; i++) ids.push((await exchange.published(busy, { city, sale_price: 1000 })).id)
  let isDone = false
  const writer = (async () => {
    // Every price changes at once, so that a page that mixes two states shows two prices.
    for (let price = 1001; !isDone; price++) {
      await sql`update listings set sale_price = ${price} where id = any(${ids}::uuid[])`.execute(exchange.db)
    }
  })()
  let answered = 0
  for (let i = 0; i < 60; i++) {
    const answer = await exchange.app.inject({
      url: '/api/v1/properties?city=colima&limit=100',
      headers: { authorization: `Bearer ${agent.key}` },
    })
    if (answer.statusCode === 503) continue
    answered++
    const { content, pagination } = answer.json()
    expect(pagination.total).toBe(10)
    const prices = content.map(
      (listing: { operations: { amount: number }[] }) => listing.operations[0]?.amount,
    )
    expect(new Set(prices).size, prices.join()).toBe(1)
  }
  isDone = true
  await writer
  expect(answered).toBeGreaterThan(30)
}, 60_000)

describe('an index that holds what is not in the tables', () => {
  it('answers 503 with a time to retry, reloads, and then answers what is there', async () => {
    const { id } = await exchange.listing(
      agent,
      { title: 'Casa que se perdió', city: 'Tecate' },
      { publish: true },
    )
    // As after a failover that went unnoticed: the version the index knows never existed here.
    await exchange.db.transaction().execute(async tx => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`update listings set title = 'Casa que quedó', change_xid = '5' where id = ${id}`.execute(tx)
    })
    const find = () => exchange.get('/properties?city=tecate', agent.key)
    const first = await find()
    expect(first.status).toBe(503)
    expect(first.headers['retry-after']).toMatch(/^\d+$/)
    const { checks } = (await exchange.app.inject('/ready')).json()
    expect(checks.search).toMatch(/^(differs from the database and is reloading|ok)$/)
    await expect.poll(async () => (await find()).body.content?.[0]?.title).toBe('Casa que quedó')
    expect(exchange.search.condition).toBe('ok')
    expect(exchange.log.filter(line => line.includes('search differs from the database'))).not.toHaveLength(0)
  })
})
