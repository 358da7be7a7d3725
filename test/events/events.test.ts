import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '../../src/keys/service.ts'
import { appendEvent } from '../../src/outbox/store.ts'
import { deleteOldDeliveries } from '../../src/webhooks/store.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { Receiver } from '../support/receiver.ts'
import { dispatch, settled, subscribe } from '../support/webhooks.ts'

let ahead = 0
const exchange = useExchange({ now: () => Date.now() + ahead })
const receiver = new Receiver()
beforeAll(() => receiver.listen())
afterEach(() => {
  ahead = 0
})
afterAll(() => receiver.close())

interface Event {
  event: string
  created_at: string
  data: { id: string; title?: string }
  delivery?: { status: string; at: string }
}
interface Page {
  content: Event[]
  cursor: string
  more: boolean
}

const ask = (agent: TestAgent, query = '') => exchange.get(`/events?${query}`, agent.key)
async function page(agent: TestAgent, query = ''): Promise<Page> {
  const { status, body } = await ask(agent, query)
  expect([status, body.message]).toEqual([200, undefined])
  return body
}
/** Everything after a cursor, page by page. */
async function follow(agent: TestAgent, cursor = '', limit = 100) {
  const found: Event[] = []
  for (;;) {
    const next = await page(agent, `cursor=${cursor}&limit=${limit}`)
    found.push(...next.content)
    cursor = next.cursor
    if (!next.more) return { found, cursor }
  }
}
const numbers = (events: Event[]) => events.map(({ data }) => Number(data.title))

let stamp = Date.parse('2026-11-01T00:00:00Z')
const append = (tx: Parameters<typeof appendEvent>[0], agent: TestAgent, n: number) =>
  appendEvent(tx, {
    agentId: agent.id,
    event: 'listing.updated',
    data: { id: agent.id, slug: 'casa', title: String(n), status: 'published' },
    createdAt: new Date(stamp++),
    channels: ['webhook'],
  })
const appendNow = (agent: TestAgent, n: number) =>
  exchange.db.transaction().execute(tx => append(tx, agent, n))

describe('GET /events', () => {
  it('returns what the webhook got: the same bytes, in the same order, with the result of each delivery', async () => {
    const agent = await exchange.agent()
    await subscribe(exchange, agent, receiver.url())
    const dispatcher = await dispatch(exchange)
    const listing = await exchange.listing(agent, { title: 'Casa "A" \u2028 é 1.0' })
    for (const verb of ['publish', 'unpublish', 'publish'])
      await exchange.post(`/properties/${listing.id}/${verb}`, agent.key)
    await settled(exchange.db)
    receiver.answer = (_request, response) => void response.writeHead(503).end()
    await exchange.delete(`/properties/${listing.id}`, agent.key)
    await settled(exchange.db)
    await dispatcher.stop()

    const { payload } = await exchange.app.inject({
      url: '/api/v1/events',
      headers: { authorization: `Bearer ${agent.key}` },
    })
    const sent = receiver.received.map(({ body }) => body.toString().slice(0, -1))
    expect(sent).toHaveLength(4)
    const delivery = /,"delivery":\{"status":"(?:ok|http 5xx)","at":"[^"]+"\}/g
    expect(payload.replace(delivery, '')).toContain(`{"content":[${sent.map(text => `${text}}`).join(',')}]`)
    const { content } = await page(agent)
    expect(content.map(one => one.delivery?.status)).toEqual(['ok', 'ok', 'ok', 'http 5xx'])
  })

  it('needs no webhook, and returns neither other agents’ events nor what no webhook would get', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    const { id } = await exchange.published(agent)
    await exchange.published(other)
    await exchange.post('/leads', agent.key, { name: 'Eva' })
    const { content, more } = await page(agent)
    expect(content.map(({ event, data, delivery }) => [event, data.id, delivery])).toEqual([
      ['listing.published', id, undefined],
    ])
    expect(more).toBe(false)
  })

  it('names the webhook whose last attempt failed, if there are several', async () => {
    const agent = await exchange.agent()
    const webhooks = [
      await subscribe(exchange, agent, receiver.url('/a')),
      await subscribe(exchange, agent, receiver.url('/b')),
    ]
    await appendNow(agent, 1)
    const finish = (status: string, webhook = webhooks[0]) =>
      exchange.pool.query(
        `update webhook_deliveries set attempted_at = now(), finished_at = now(), status = $1 where webhook_id = $2`,
        [status, webhook?.id],
      )
    await finish('http 4xx')
    await finish('ok', webhooks[1])
    expect((await page(agent)).content[0]?.delivery?.status).toBe('http 4xx')
    await finish('ok')
    expect((await page(agent)).content[0]?.delivery?.status).toBe('ok')
  })

  it('pages through all events once, including new ones, and repeats a page unchanged', async () => {
    const agent = await exchange.agent()
    for (let n = 0; n < 7; n++) await appendNow(agent, n)
    const first = await page(agent, 'limit=3')
    expect([numbers(first.content), first.more]).toEqual([[0, 1, 2], true])
    await appendNow(agent, 7)
    const second = await page(agent, `limit=3&cursor=${first.cursor}`)
    expect(numbers((await page(agent, `limit=3&cursor=${first.cursor}`)).content)).toEqual([3, 4, 5])
    expect(numbers(second.content)).toEqual([3, 4, 5])
    const { found, cursor } = await follow(agent, second.cursor, 3)
    expect(numbers(found)).toEqual([6, 7])
    expect((await page(agent, `cursor=${cursor}`)).content).toEqual([])
  })

  it('misses nothing when transactions commit in a different order than they began', async () => {
    const agent = await exchange.agent()
    let commit = () => {}
    const held = new Promise<void>(resolve => {
      commit = resolve
    })
    let appended = () => {}
    const isAppended = new Promise<void>(resolve => {
      appended = resolve
    })
    const slow = exchange.db.transaction().execute(async tx => {
      await append(tx, agent, 1)
      appended()
      await held
    })
    await isAppended
    await appendNow(agent, 2)
    const before = await page(agent)
    expect(numbers(before.content)).toEqual([2])
    await appendNow(agent, 3)
    commit()
    await slow
    const after = await page(agent, `cursor=${before.cursor}`)
    expect(numbers(after.content)).toEqual([1, 3])
    expect((await page(agent, `cursor=${after.cursor}`)).content).toEqual([])
  })

  it('gives readers every event exactly once while writers commit at random', async () => {
    const agent = await exchange.agent()
    const total = 60
    const reader = (async () => {
      const found: Event[] = []
      let cursor = ''
      while (found.length < total) {
        const next = await follow(agent, cursor, 4)
        found.push(...next.found)
        cursor = next.cursor
      }
      return numbers(found)
    })()
    const write = async (from: number) => {
      for (let n = from; n < total; n += 3) {
        await exchange.db.transaction().execute(async tx => {
          await append(tx, agent, n)
          await sleep(15 * Math.random())
        })
      }
    }
    await Promise.all([write(0), write(1), write(2)])
    expect((await reader).sort((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: total }, (_, n) => n))
  })

  it('keeps events for the configured time, with or without a delivery', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url('/kept'))
    await appendNow(agent, 1)
    await exchange.pool.query(
      `update webhook_deliveries set created_at = now() - interval '31 days', attempted_at = now(), finished_at = now(),
        status = 'ok' where webhook_id = $1`,
      [webhook.id],
    )
    await appendNow(agent, 2)
    await exchange.pool.query(
      `update outbox set created_at = now() - make_interval(days => case data->>'title' when '1' then 31 else 29 end) where agent_id = $1`,
      [agent.id],
    )
    await deleteOldDeliveries(exchange.db, 30)
    expect(numbers((await page(agent)).content)).toEqual([2])
  })
})

describe('410', () => {
  const message = /without a cursor/
  it.each([
    ['nonsense', () => 'nonsense'],
    ['a truncated cursor', (cursor: string) => cursor.slice(0, -4)],
    [
      'a cursor with one letter changed',
      (cursor: string) => (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1),
    ],
    ['a very long cursor', () => 'A'.repeat(8000)],
    ['a cursor with special characters', () => '%00%ff%22'],
  ])('for %s', async (_what, spoil) => {
    const agent = await exchange.agent()
    const { cursor } = await page(agent)
    const { status, body } = await ask(agent, `cursor=${spoil(cursor)}`)
    expect([status, body.error]).toEqual([410, 'gone'])
    expect(body.message).toMatch(message)
  })

  it('for a cursor of another agent or of GET /changes; another key of the same agent may use it', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    const { cursor } = await page(agent)
    expect((await ask(other, `cursor=${cursor}`)).status).toBe(410)
    const changes = (await exchange.get('/changes', agent.key)).body.cursor
    expect((await ask(agent, `cursor=${changes}`)).status).toBe(410)
    expect((await exchange.get(`/changes?cursor=${cursor}`, agent.key)).status).toBe(410)
    const key = await exchange.key(agent.email, 'read')
    expect((await exchange.get(`/events?cursor=${cursor}`, key)).status).toBe(200)
  })

  it('for a cursor older than the kept events, so that no gap goes unnoticed', async () => {
    const agent = await exchange.agent()
    const { cursor } = await page(agent)
    const day = 24 * 3_600_000
    ahead = 29 * day
    const later = await page(agent, `cursor=${cursor}`)
    ahead = 31 * day
    expect((await ask(agent, `cursor=${cursor}`)).status).toBe(410)
    expect((await ask(agent, `cursor=${later.cursor}`)).status).toBe(200)
  })

  it('after the database was restored into another server', async () => {
    const agent = await exchange.agent()
    const { cursor } = await page(agent)
    await exchange.pool.query(
      `insert into feed_histories (server, run) select 'elsewhere', gen_random_uuid()`,
    )
    expect((await ask(agent, `cursor=${cursor}`)).status).toBe(410)
  })
})

describe('422', () => {
  it('names every problem', async () => {
    const agent = await exchange.agent()
    const { status, body } = await ask(agent, 'limit=1001&wait=31&cursor=a&cursor=b')
    expect(status).toBe(422)
    expect(body.details.map(({ field }: { field: string }) => field)).toEqual(['cursor', 'limit', 'wait'])
    for (const query of ['limit=0', 'limit=1.5', 'limit=ten', 'wait=-1', 'wait=NaN'])
      expect((await ask(agent, query)).status).toBe(422)
  })
})

describe('warnings', () => {
  it('name a parameter that does not exist', async () => {
    const { status, body } = await ask(await exchange.agent(), 'limt=3')
    expect([status, body.content, body.warnings.length]).toEqual([200, [], 1])
  })
})

describe('wait', () => {
  const timed = async <T>(work: Promise<T>) => {
    const started = performance.now()
    const result = await work
    return { result, seconds: (performance.now() - started) / 1000 }
  }

  it('answers as soon as the caller has an event, and ignores those of others', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    const { cursor } = await page(agent)
    const asked = timed(page(agent, `cursor=${cursor}&wait=20`))
    await sleep(200)
    await appendNow(other, 1)
    await sleep(200)
    await appendNow(agent, 2)
    const { result, seconds } = await asked
    expect(numbers(result.content)).toEqual([2])
    expect(seconds).toBeLessThan(5)
    const idle = await timed(page(agent, `cursor=${result.cursor}&wait=0.4`))
    expect(idle.result).toMatchObject({ content: [], more: false })
    expect(idle.seconds).toBeGreaterThanOrEqual(0.4)
  })

  it('holds no connection to the database', async () => {
    const agent = await exchange.agent()
    const { cursor } = await page(agent)
    const asked = Array.from({ length: 20 }, () => page(agent, `cursor=${cursor}&wait=20`))
    await sleep(700)
    const held = () => exchange.pool.totalCount - exchange.pool.idleCount + exchange.pool.waitingCount
    await expect.poll(held).toBe(0)
    await appendNow(agent, 1)
    for (const answer of await Promise.all(asked)) expect(numbers(answer.content)).toEqual([1])
  })

  it('answers 401 when the key is revoked meanwhile', async () => {
    const agent = await exchange.agent()
    const { cursor } = await page(agent)
    const key = await exchange.key(agent.email)
    const asked = exchange.get(`/events?cursor=${cursor}&wait=20`, key)
    await sleep(700)
    await revokeKey(exchange.db, key.slice(4, 12))
    await appendNow(agent, 1)
    expect((await asked).status).toBe(401)
  })
})
