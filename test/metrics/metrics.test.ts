import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { noStorage } from '../../src/files/storage.ts'
import { sendError } from '../../src/http/errors.ts'
import { registerLoad } from '../../src/http/load.ts'
import { type Background, startBackground } from '../../src/jobs/background.ts'
import { jobsWaiting } from '../../src/jobs/queue.ts'
import { receiveLead } from '../../src/leads/service.ts'
import { Away } from '../../src/lib/problem.ts'
import { metricsServer } from '../../src/metrics/server.ts'
import { Observer } from '../../src/observer.ts'
import { deliveriesWaiting } from '../../src/webhooks/backlog.ts'
import { PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'
import { samplesOf, sumOf } from '../support/metrics.ts'
import { loopbackNetwork, Receiver } from '../support/receiver.ts'
import { head, listen, speak } from '../support/socket.ts'
import { subscribe } from '../support/webhooks.ts'

const observer = new Observer('0')
const exchange = useExchange({
  observe: (app, readiness) => observer.app(app, readiness),
  openFiles: () => {
    const files = { ...noStorage, exists: async () => true }
    observer.storage(files)
    return files
  },
})
let agent: TestAgent
let port: number

const text = () => observer.registry.metrics()
const poolCounts = () => ({ total: exchange.pool.totalCount, idle: exchange.pool.idleCount })

/** The metrics and the pool's own counts, of a moment in which no background work took or returned a connection. */
async function textAndPool() {
  for (;;) {
    const pool = poolCounts()
    const shown = await text()
    if (isDeepStrictEqual(pool, poolCounts())) return { shown, pool }
  }
}

const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000 })
/** Node's own differ from moment to moment: they name what is open. */
const oursOf = (shown: string) => samplesOf(shown).filter(({ name }) => name.startsWith('lonja_')).length
const count = async (name: string, labels: Record<string, string>) =>
  sumOf(await text(), `lonja_${name}_count`, labels)

beforeAll(async () => {
  observer.search(exchange.search)
  observer.pools({ requests: exchange.pool })
  agent = await exchange.agent()
  await exchange.published(agent)
  port = await listen(exchange)
})

describe('requests', () => {
  const requests = (labels: Record<string, string>) => count('http_request_duration_seconds', labels)

  it('are counted by the pattern of their route, method and status', async () => {
    for (const id of [agent.id, agent.id.replace(/./g, '0')])
      await exchange.get(`/properties/${id}`, agent.key)
    await exchange.get('/properties/x')
    const route = '/api/v1/properties/:id'
    expect(await requests({ route, method: 'GET', status: '404' })).toBe(2)
    expect(await requests({ route, method: 'GET', status: '401' })).toBe(1)
    expect(await requests({ route: '/api/v1/properties', method: 'POST', status: '201' })).toBe(1)
  })

  it('of strangers add no series, whatever their address, method and id', async () => {
    const strange = async (word: string) => {
      for (const method of ['GET', 'PROPFIND', 'PURGE', 'POST'])
        await speak(port, head(`${method} /${word}/${word}?${word}=1 HTTP/1.1`, `X-Request-Id: ${word}`))
      await speak(port, head(`GET /en/propiedades/${word} HTTP/1.1`))
      await speak(port, head(`GET /api/v1/${word} HTTP/1.1`, `Authorization: Bearer ${word}`))
      await speak(
        port,
        head(`GET /api/v1/properties?q=${word} HTTP/1.1`, `Authorization: Bearer ${agent.key}`),
      )
    }
    await strange('alfa9')
    await soon(async () => expect(await requests({ route: 'unknown' })).toBe(5))
    const series = oursOf(await text())
    for (const word of ['beta9', 'gamma9', '%F0%9F%8F%A0']) await strange(word)
    await soon(async () => expect(await requests({ route: 'unknown' })).toBe(20))
    const kinds = await text()
    expect(oursOf(kinds)).toBe(series)
    for (const word of ['alfa9', 'beta9', 'gamma9', agent.key, agent.email, agent.name, agent.id])
      expect(kinds).not.toContain(word)
  })

  it('that were refused because there was too much to do are counted', async () => {
    const shed = new Observer('0')
    const app = Fastify({ routerOptions: { querystringParser: text => new URLSearchParams(text) as never } })
    app.setErrorHandler(sendError)
    shed.app(app, async () => ({ ok: true, checks: {} }))
    registerLoad(app, { running: 1, delayMs: 10 }, { delayMs: 11 })
    for (const url of ['/', '/api/v1/meta']) app.get(url, async () => ({}))
    for (const url of ['/', '/api/v1/meta', '/api/v1/meta'])
      expect((await app.inject(url)).statusCode).toBe(503)
    await app.close()
    const shown = await shed.registry.metrics()
    expect(sumOf(shown, 'lonja_http_shed_total', { area: 'pages' })).toBe(1)
    expect(sumOf(shown, 'lonja_http_shed_total', { area: 'api' })).toBe(2)
  })
})

it('searches are timed by their shape', async () => {
  const before = await text()
  const square = 'sw_lat=20&sw_lng=-104&ne_lat=21&ne_lng=-103'
  const asked: Record<string, string[]> = {
    plain: ['?limit=1', '?sort=price_asc'],
    filters: ['?min_bedrooms=2'],
    place: ['?city=Guadalajara', '?state=Jalisco&type=house'],
    text: ['?q=jardín&city=Guadalajara'],
    rectangle: [`?${square}`],
    circle: ['?lat=20.6&lng=-103.3&radius_km=5'],
    facets: ['?facets=type'],
    all: [`/clusters?${square}&zoom=10`],
  }
  for (const query of Object.values(asked).flat()) {
    const answer = await exchange.get(`/properties${query}`, agent.key)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const name = 'lonja_search_duration_seconds_count'
  const after = await text()
  const counted = Object.keys(asked).map(shape => [
    shape,
    (sumOf(after, name, { shape }) ?? 0) - (sumOf(before, name, { shape }) ?? 0),
  ])
  expect(Object.fromEntries(counted)).toEqual(
    Object.fromEntries(Object.entries(asked).map(([shape, queries]) => [shape, queries.length])),
  )
})

it('the index, the connections and the checks of /ready are read when asked', async () => {
  const { shown, pool } = await textAndPool()
  expect(sumOf(shown, 'lonja_search_listings')).toBe(1)
  expect(sumOf(shown, 'lonja_search_lag_seconds')).toBeLessThan(30)
  expect(sumOf(shown, 'lonja_database_connections', { pool: 'requests' })).toBe(pool.total)
  expect(sumOf(shown, 'lonja_database_connections', { state: 'idle' })).toBe(pool.idle)
  expect(sumOf(shown, 'lonja_database_waiting', { pool: 'requests' })).toBe(0)
  expect(sumOf(shown, 'lonja_ready')).toBe(1)
  expect(sumOf(shown, 'lonja_check_ok', { check: 'search' })).toBe(1)
  expect(sumOf(shown, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
})

it('operations of the storage are counted, failures apart', async () => {
  await exchange.files.exists('media', 'a')
  await expect(exchange.files.put('media', 'a', Buffer.of())).rejects.toThrow()
  expect(await count('storage_duration_seconds', { operation: 'exists', outcome: 'ok' })).toBe(1)
  expect(await count('storage_duration_seconds', { operation: 'put', outcome: 'failed' })).toBe(1)
  expect(await count('storage_duration_seconds', { operation: 'remove', outcome: 'failed' })).toBe(0)
})

describe('the background work', () => {
  let receiver: Receiver
  let background: Background | undefined
  let isMailAway = true
  const mailer = {
    async send() {
      if (isMailAway) throw new Away('the mail server is away')
      return 'nowhere'
    },
    close() {},
  }
  const start = async () => {
    background = await startBackground({
      files: noStorage,
      url: String(exchange.pool.options.connectionString),
      config: {
        publicUrl: PUBLIC_URL,
        smtpUrl: undefined,
        mailFrom: 'Lonja <no-reply@lonja.example>',
        mailDir: '/nowhere',
        reconfirmDays: 60,
        idRetentionDays: 30,
        cooperationDays: 7,
        eventRetentionDays: 30,
        webhookAllowPrivate: false,
        secret: undefined,
      },
      logger: exchange.app.log,
      network: loopbackNetwork(),
      mailer,
      observer: observer.background,
    })
    observer.backlogs(background)
  }
  beforeAll(async () => {
    receiver = await new Receiver().listen()
  })
  afterAll(async () => {
    await background?.stop()
    await receiver?.close()
  })

  it('is counted: deliveries, mails and jobs by outcome, and what waits with its age', async () => {
    await subscribe(exchange, agent, receiver.url('/'))
    const lead = { value: { name: 'Eva' }, issues: [] }
    await receiveLead(exchange.db, agent.id, lead, { source: 'site' })
    await sql`update webhook_deliveries set created_at = now() - interval '90 seconds'`.execute(exchange.db)
    const deliveries = await deliveriesWaiting(exchange.db)
    expect(deliveries.count).toBe(1)
    expect(deliveries.oldestSeconds).toBeGreaterThanOrEqual(90)
    expect(deliveries.oldestSeconds).toBeLessThan(900)
    expect(await jobsWaiting(exchange.db)).toMatchObject({ count: 1, oldestSeconds: expect.any(Number) })
    await start()
    await soon(async () => {
      expect(await count('webhook_delivery_duration_seconds', { outcome: 'ok' })).toBe(1)
      expect(await count('mail_duration_seconds', { outcome: 'failed' })).toBe(1)
      expect(sumOf(await text(), 'lonja_jobs_total', { task: 'notice', outcome: 'retried' })).toBe(1)
    })
    isMailAway = false
    await exchange.pool.query('update graphile_worker._private_jobs set run_at = now()')
    await soon(async () => {
      expect(await count('mail_duration_seconds', { outcome: 'ok' })).toBe(1)
      expect(sumOf(await text(), 'lonja_jobs_total', { task: 'notice', outcome: 'done' })).toBe(1)
    })
    for (const queue of ['webhook', 'jobs']) {
      expect(sumOf(await text(), `lonja_${queue}_waiting`)).toBe(0)
      expect(sumOf(await text(), `lonja_${queue}_oldest_waiting_seconds`)).toBe(0)
    }
  })
})

it('requests whose client hangs up are counted and logged once, with the status 499', async () => {
  const requests = (labels: Record<string, string>) =>
    count('http_request_duration_seconds', { route: '/api/v1/leads', ...labels })
  const body = JSON.stringify({ name: 'Hung Up' })
  const post = head(
    'POST /api/v1/leads HTTP/1.1',
    `Authorization: Bearer ${agent.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  )
  const get = head('GET /api/v1/leads HTTP/1.1', `Authorization: Bearer ${agent.key}`)
  const expectAll = async () => {
    for (const [method, times] of Object.entries({ GET: 1, POST: 2 })) {
      expect(await requests({ method, status: '499' })).toBe(times)
      const line = new RegExp(`"method":"${method}","path":"/api/v1/leads","status":499`)
      expect(exchange.log.filter(one => line.test(one))).toHaveLength(times)
    }
  }
  const waitingForLeads = async () => {
    // Other files' tables have the same number: all databases are copies of one.
    const { rows } = await sql`select from pg_locks where relation = 'leads'::regclass and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(exchange.db)
    return rows.length
  }
  await exchange.db.transaction().execute(async tx => {
    await sql`lock table leads in access exclusive mode`.execute(tx)
    // Node.js throws away a body that nobody has begun to read: the whole requests hang up once their handlers wait.
    for (const [words, handlers] of [
      [get, 1],
      [`${post}${body}`, 2],
      [`${post}${body.slice(1)}`, 2],
    ] as const) {
      const socket = connect(port, '127.0.0.1')
      await new Promise(resolve => socket.write(words, resolve))
      await soon(async () => expect(await waitingForLeads()).toBe(handlers))
      socket.destroy()
      await once(socket, 'close')
    }
    await soon(expectAll)
  })
  // Their handlers go on, and answer nobody.
  await soon(async () => {
    const { rows } = await sql`select from leads where name = 'Hung Up'`.execute(exchange.db)
    expect(rows).toHaveLength(1)
  })
  await expectAll()
  expect(await requests({ method: 'POST', status: '201' })).toBeUndefined()
})

it('what cannot be read has no value, is not ready, and hides nothing else', async () => {
  const blind = new Observer('0')
  const away = async () => {
    throw new Away('the database is away')
  }
  blind.backlogs({ pool: exchange.pool, backlogs: away } as unknown as Background)
  blind.readiness(away)
  const shown = await blind.registry.metrics()
  for (const name of ['webhook_waiting', 'jobs_oldest_waiting_seconds', 'check_ok'])
    expect(sumOf(shown, `lonja_${name}`)).toBeUndefined()
  expect(sumOf(shown, 'lonja_ready')).toBe(0)
  expect(sumOf(shown, 'lonja_database_connections', { pool: 'jobs' })).toBe(exchange.pool.totalCount)
})

it('a process that cannot yet know whether it is ready is not', async () => {
  expect(sumOf(await new Observer('0').registry.metrics(), 'lonja_ready')).toBe(0)
})

it('the port answers /metrics and nothing else, and reads once for all who ask at the same time', async () => {
  let readings = 0
  let answer = () => {}
  const server = metricsServer(async () => {
    readings++
    await new Promise<void>(resolve => {
      answer = resolve
    })
    return 'lonja_ready 1\n'
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const ask = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  for (const path of ['/', '/ready', '/metrics/', '/metrics?x=1']) expect((await ask(path)).status).toBe(404)
  const asked = [ask('/metrics'), ask('/metrics')]
  await soon(async () => expect(readings).toBe(1))
  await ask('/')
  answer()
  for (const { status, headers } of await Promise.all(asked)) {
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  }
  expect(readings).toBe(1)
  server.close()
  server.closeAllConnections()
})
