import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DELIVERIES_CHANNEL } from '../../src/outbox/store.ts'
import type { Running } from '../../src/webhooks/dispatch/dispatcher.ts'
import { failAbandoned, finishDeliveries } from '../../src/webhooks/outcomes.ts'
import { afterFailure, MAX_ATTEMPTS } from '../../src/webhooks/retries.ts'
import { waitOf } from '../../src/webhooks/sender/sender.ts'
import { chooseDelivery, pauseWebhook, resumeWebhook } from '../../src/webhooks/service.ts'
import { useExchange } from '../support/exchange.ts'
import { takeMail } from '../support/mail.ts'
import { Receiver, until } from '../support/receiver.ts'
import { dispatch, settled, subscribe } from '../support/webhooks.ts'

const HOUR = 3_600_000
const inMs = (attempt: number, failure = {}, random = () => 0.5) => {
  const verdict = afterFailure(attempt, { code: 500, ...failure }, random)
  return verdict.kind === 'retry' ? verdict.inMs : verdict.kind
}

describe('the schedule', () => {
  it('has eight attempts over about 28 hours, each spread by a tenth', () => {
    const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, i) => inMs(i + 1) as number)
    expect(pauses).toEqual([5_000, 300_000, 1_800_000, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR])
    expect(pauses.reduce((sum, pause) => sum + pause) / HOUR).toBeCloseTo(27.58, 1)
    expect([inMs(4, {}, () => 0), inMs(4, {}, () => 1)]).toEqual([108 * 60_000, 132 * 60_000])
    expect(inMs(MAX_ATTEMPTS)).toBe('given up')
  })

  it('waits as long as the receiver asks, at most a day, and ends with 410', () => {
    expect(inMs(1, { code: 429, retryAfterMs: HOUR })).toBe(HOUR)
    expect(inMs(6, { retryAfterMs: HOUR })).toBe(10 * HOUR)
    expect(inMs(1, { retryAfterMs: 1e15 })).toBe(24 * HOUR)
    expect([inMs(1, { code: 410 }), inMs(8, { code: 410 })]).toEqual(['gone', 'gone'])
  })

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 60_000],
    ['Wed, 21 Oct 2020 07:28:00 GMT', 0],
    ['soon', undefined],
    ['-5', 0],
    ['99999999999999999999', undefined],
    [undefined, undefined],
  ])('reads Retry-After: %s', (header, ms) => {
    const read = waitOf(header, Date.parse('Wed, 21 Oct 2026 07:27:00 GMT'))
    expect(read).toBe(ms)
  })
})

describe('a webhook that retries', () => {
  const exchange = useExchange()
  let receiver: Receiver
  let running: Running[]
  let clock: number
  beforeEach(async () => {
    receiver = await new Receiver().listen()
    running = []
    clock = Date.now()
  })
  afterEach(async () => {
    await Promise.all(running.map(one => one.stop()))
    await exchange.pool.query('delete from webhooks')
    await exchange.pool.query('delete from graphile_worker._private_jobs')
    await receiver.close()
  })

  const start = async () => void running.push(await dispatch(exchange, { now: () => new Date(clock) }))
  async function subscribed() {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    await chooseDelivery(exchange.db, agent.id, webhook.id, { retries: true, standardHeaders: true })
    return { agent, webhook }
  }
  /** Lets time pass, and what is due be sent. */
  async function pass(ms: number) {
    clock += ms
    await exchange.pool.query(`select pg_notify('${DELIVERIES_CHANNEL}', '')`)
    await sleep(60)
    await settled(exchange.db)
  }
  const answer = (code: number, headers = {}) => {
    receiver.answer = (_request, response) => void response.writeHead(code, headers).end()
  }
  const mails = async () =>
    (
      await exchange.pool.query(
        `select payload->'ids'->>0 as id from graphile_worker._private_jobs where payload->>'kind' = 'webhook'`,
      )
    ).rows.map(({ id }) => id)
  const row = async (id: string) =>
    (await exchange.pool.query('select * from webhooks where id = $1', [id])).rows[0]
  const attempts = async () =>
    (await exchange.pool.query('select attempt, status, due_at from webhook_deliveries order by id')).rows

  it('sends the same bytes again, each time later, until one arrives', async () => {
    const { agent, webhook } = await subscribed()
    answer(503)
    await start()
    await exchange.published(agent)
    await until(async () => (await attempts()).length === 2)
    await pass(4_000)
    expect(receiver.received).toHaveLength(1)
    await pass(2_000)
    expect(receiver.received).toHaveLength(2)
    answer(204)
    await pass(6 * 60_000)
    await pass(24 * HOUR)
    expect(receiver.received).toHaveLength(3)
    const bodies = new Set(receiver.received.map(({ body }) => body.toString()))
    const [ids, uids] = ['webhook-id', 'x-svc-delivery'].map(
      name => new Set(receiver.received.map(({ headers }) => headers[name])),
    )
    expect([bodies.size, ids?.size, uids?.size]).toEqual([1, 1, 3])
    expect(await attempts()).toMatchObject([
      { attempt: 1, status: 'http 5xx' },
      { attempt: 2, status: 'http 5xx' },
      { attempt: 3, status: 'ok', due_at: null },
    ])
    expect(await row(webhook.id)).toMatchObject({ last_status: 'ok', failures: 0, gave_up_at: null })
  })

  it('stops after eight attempts and notifies the agent once, until something arrives again', async () => {
    const { agent, webhook } = await subscribed()
    answer(500)
    await start()
    for (let i = 0; i < 2; i++) await exchange.published(agent)
    await settled(exchange.db)
    for (let i = 0; i < 10; i++) await pass(11 * HOUR)
    expect(receiver.received).toHaveLength(16)
    expect((await attempts()).filter(({ attempt }) => attempt === 8)).toHaveLength(2)
    // One for five failures in a row, one when the last attempt had failed.
    expect(await mails()).toEqual([webhook.id, webhook.id])
    expect((await row(webhook.id)).gave_up_at).not.toBeNull()
    expect((await takeMail(exchange)).at(-1)?.text).toContain('falló 8 veces')
    answer(200)
    await exchange.published(agent)
    await settled(exchange.db)
    expect((await row(webhook.id)).gave_up_at).toBeNull()
  })

  it('waits as long as Retry-After says', async () => {
    const { agent } = await subscribed()
    answer(429, { 'retry-after': '7200' })
    await start()
    await exchange.published(agent)
    await until(async () => (await attempts()).length === 2)
    await pass(1.9 * HOUR)
    expect(receiver.received).toHaveLength(1)
    await pass(0.2 * HOUR)
    expect(receiver.received).toHaveLength(2)
  })

  it('is paused by 410: nothing that waits is sent, and the agent is notified', async () => {
    const { agent, webhook } = await subscribed()
    answer(500)
    await start()
    await exchange.published(agent)
    await until(async () => (await attempts()).length === 2)
    answer(410)
    await exchange.published(agent)
    await settled(exchange.db)
    await pass(24 * HOUR)
    expect(receiver.received).toHaveLength(2)
    expect(await row(webhook.id)).toMatchObject({ active: false, last_code: 410 })
    expect(await mails()).toEqual([webhook.id])
    const [mail] = await takeMail(exchange)
    expect([mail?.subject, mail?.text]).toEqual([
      expect.stringContaining('en pausa'),
      expect.stringContaining('respondió 410'),
    ])
  })

  it('loses its retries when it is paused', async () => {
    const { agent, webhook } = await subscribed()
    answer(500)
    await start()
    await exchange.published(agent)
    await until(async () => (await attempts()).length === 2)
    await pauseWebhook(exchange.db, agent.id, webhook.id)
    await resumeWebhook(exchange.db, agent.id, webhook.id)
    await pass(24 * HOUR)
    expect(receiver.received).toHaveLength(1)
  })

  it('retries an attempt whose process died, and not if that process turns out to have delivered it', async () => {
    const { agent } = await subscribed()
    await exchange.published(agent)
    const claimed = await exchange.pool.query(
      `update webhook_deliveries set attempted_at = now() - interval '1 minute' returning id`,
    )
    expect(await failAbandoned(exchange.db, 15_000, new Date(clock))).toBe(1)
    expect(await attempts()).toMatchObject([{ attempt: 1, status: 'error: delivery failed' }, { attempt: 2 }])
    const late = { id: claimed.rows[0].id, code: 500, durationMs: 1, status: 'http 5xx' as const }
    await finishDeliveries(exchange.db, [late])
    expect(await attempts()).toHaveLength(2)
    await finishDeliveries(exchange.db, [{ ...late, code: 200, status: 'ok' }])
    expect(await attempts()).toMatchObject([{ attempt: 1, status: 'ok' }])
  })

  it('sends each attempt once, however many workers wait for it', async () => {
    const { agent } = await subscribed()
    answer(500)
    await Promise.all([start(), start(), start()])
    for (let i = 0; i < 6; i++) await exchange.published(agent)
    await settled(exchange.db)
    await pass(6_000)
    await pass(6 * 60_000)
    expect(receiver.received).toHaveLength(18)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery'])).size).toBe(18)
    for (const { id } of await exchange.db
      .selectFrom('listings')
      .select('id')
      .where('agent_id', '=', agent.id)
      .execute())
      expect(receiver.ids().filter(one => one === id)).toHaveLength(3)
  })
})
