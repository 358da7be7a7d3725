import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { Pulse } from '../../src/db/pulse.ts'
import { openRequestPools, type RequestPools } from '../../src/db/request-pools.ts'
import { MemorySearch } from '../../src/search/memory.ts'
import type { Search } from '../../src/search/service.ts'
import { SqlSearch } from '../../src/search/sql/service.ts'
import { HOUSE, PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'
import { Relay } from '../support/relay.ts'
import { until } from '../support/standby.ts'

const exchange = useExchange()
let relay: Relay
let pools: RequestPools
let search: Search
let app: FastifyInstance
let agent: TestAgent

/** Far above what is promised (3 s), far below what the time limits of statements would make of it (10 s). */
const SOON_MS = 8_000

beforeAll(async () => {
  agent = await exchange.agent()
  await exchange.published(agent)
  const direct = exchange.pool.options.connectionString as string
  relay = await Relay.to(direct)
  const url = relay.urlOf(direct)
  const logger = pino({ level: 'silent' })
  pools = openRequestPools(url, 4, { migrated: true })
  search = new MemorySearch({ db: pools.db, url, publicUrl: PUBLIC_URL, logger })
  app = await buildApp({ ...pools, search, logger, publicUrl: PUBLIC_URL, rateLimit: 600, trustProxy: [] })
  await until(async () => (await app.inject('/ready')).statusCode === 200)
})
afterAll(async () => {
  relay.release()
  await app.close()
  await search.close()
  await pools.close()
  await relay.close()
})

const headers = () => ({ authorization: `Bearer ${agent.key}`, accept: 'text/html' })
const find = () => app.inject({ url: '/api/v1/properties?limit=5', headers: headers() })
const create = () =>
  app.inject({ method: 'POST', url: '/api/v1/properties', headers: headers(), payload: HOUSE })

async function timed(work: () => ReturnType<typeof find>) {
  const before = performance.now()
  const { statusCode, headers: sent } = await work()
  return { status: statusCode, retryAfter: sent['retry-after'], ms: performance.now() - before }
}

describe('a database that falls silent on open connections', () => {
  it('is noticed: what needs it answers 503 with a time to retry, known keys still search, and it comes back', async () => {
    expect((await create()).statusCode).toBe(201)
    expect((await find()).statusCode).toBe(200)
    relay.hold()
    const asked = await Promise.all([
      ...[1, 2, 3, 4, 5, 6].map(() => timed(create)),
      timed(() => app.inject({ url: '/agentes/ana-torres', headers: { accept: 'text/html' } })),
      timed(() => app.inject('/ready')),
    ])
    for (const answer of asked) {
      expect(answer).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
      expect(answer.ms).toBeLessThan(SOON_MS)
    }
    console.info(`silent database: 503 after ${Math.round(Math.max(...asked.map(({ ms }) => ms)))} ms`)
    // From now on nobody waits.
    expect((await timed(create)).ms).toBeLessThan(1_000)
    expect((await find()).statusCode).toBe(200)
    relay.release()
    await until(async () => (await app.inject('/ready')).statusCode === 200)
    expect((await create()).statusCode).toBe(201)
  })
})

describe.each([MemorySearch, SqlSearch])('a database whose host vanishes (%o)', Class => {
  it('is found again by search where it is now, and does not keep search from closing', async () => {
    const direct = exchange.pool.options.connectionString as string
    const network = await Relay.to(direct)
    const url = network.urlOf(direct)
    const following = new Class({
      db: pools.db,
      url,
      publicUrl: PUBLIC_URL,
      logger: pino({ level: 'silent' }),
    })
    await following.refresh()
    network.abandon()
    await following.refresh()
    expect(following.condition).toBe('ok')
    network.hold()
    const late = expect(following.refresh()).rejects.toThrow('closed')
    await following.close()
    await late
    await network.close()
  }, 60_000)
})

describe('a table that is locked', () => {
  it('does not stop searches that need only memory, and the feed leaves no backend waiting', async () => {
    await find()
    const locker = await exchange.pool.connect()
    await locker.query('begin; lock table listings in access exclusive mode')
    try {
      const blocked = Array.from({ length: 8 }, create)
      // Longer than a key is trusted without asking, and than two rounds of the feed.
      for (let i = 0; i < 12; i++) {
        const { status, ms } = await timed(find)
        expect(status).toBe(200)
        expect(ms).toBeLessThan(1_000)
        await new Promise(done => setTimeout(done, 1_000))
      }
      const { rows } = await locker.query(
        `select count(*)::int as count from pg_stat_activity
         where application_name = 'lonja search' and datname = current_database() and wait_event_type = 'Lock'`,
      )
      // One of this application, one of the exchange of the test.
      expect(rows[0].count).toBeLessThanOrEqual(2)
      for (const answer of await Promise.all(blocked)) expect(answer.statusCode).toBe(503)
    } finally {
      await locker.query('rollback')
      locker.release()
    }
  })
})

it('a question that fails late leaves the next connection alone', async () => {
  const asked: unknown[] = []
  let fail = (_error: Error) => {}
  const pulse = new Pulse({
    url: String(exchange.pool.options.connectionString),
    onSilence() {},
    onAnswer() {},
    async ask(client) {
      const isFirst = asked.push(client) === 1
      if (isFirst)
        await new Promise((_, reject) => {
          fail = reject
        })
      fail(new Error('late'))
      await client.query('select 1')
    },
  })
  await until(async () => asked.length === 4)
  await pulse.stop()
  expect(new Set(asked).size).toBe(2)
})
