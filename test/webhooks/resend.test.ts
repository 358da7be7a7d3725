import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eraseFromEvents } from '../../src/outbox/store.ts'
import type { Running } from '../../src/webhooks/dispatch/dispatcher.ts'
import { findSent, listDeliveries, pauseWebhook, resend, resendFailed } from '../../src/webhooks/service.ts'
import { useExchange } from '../support/exchange.ts'
import { loopbackNetwork, Receiver, until } from '../support/receiver.ts'
import { dispatch, settled, subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
let receiver: Receiver
let running: Running[]
beforeEach(async () => {
  receiver = await new Receiver().listen()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map(one => one.stop()))
  await exchange.pool.query('delete from webhooks')
  await receiver.close()
})

const start = async (options = {}) => void running.push(await dispatch(exchange, options))
const answer = (code: number, text = '') => {
  receiver.answer = (_request, response) => void response.writeHead(code).end(text)
}
async function subscribed() {
  const agent = await exchange.agent()
  const { id, secret } = await subscribe(exchange, agent, receiver.url())
  const log = () => listDeliveries(exchange.db, agent.id, id)
  const sent = async (uid: string) => findSent(exchange.db, agent.id, id, uid)
  return { agent, id, secret, log, sent }
}
const day = 24 * 3_600_000
const lastDay = () => ({ from: new Date(Date.now() - day), to: new Date(Date.now() + day) })

describe('the log', () => {
  it('has what was sent and how the answer began, at most 1 KB of it', async () => {
    const { agent, log, sent } = await subscribed()
    answer(500, `é<b>\u0000${'x'.repeat(5000)}`)
    await start()
    await exchange.published(agent)
    await settled(exchange.db)
    const [entry] = await log()
    const found = await sent(entry?.id as string)
    const [got] = receiver.received
    expect(found.body).toBe(got?.body.toString())
    expect(
      Object.fromEntries((found.sent_headers ?? []).map(([name, value]) => [name.toLowerCase(), value])),
    ).toEqual(got?.headers)
    expect(found.answer?.subarray(0, 6)).toEqual(Buffer.from('é<b>\u0000'))
    expect(found.answer).toHaveLength(1024)
  })

  it('has no answer of a server that is not public, though it was allowed', async () => {
    const { agent, log, sent } = await subscribed()
    answer(500, 'the page of a router')
    await start({ network: { ...loopbackNetwork(), isPublic: () => false } })
    await exchange.published(agent)
    await settled(exchange.db)
    const [entry] = await log()
    expect(await sent(entry?.id as string)).toMatchObject({ code: 500, answer: null })
    expect(
      JSON.stringify(await exchange.db.selectFrom('webhook_deliveries').selectAll().execute()),
    ).not.toContain(Buffer.from('router').toString('hex'))
  })

  it('forgets what was answered about a person who is erased', async () => {
    const { agent, id } = await subscribed()
    answer(200, 'Hello Eva')
    await start()
    const { id: subject } = await exchange.published(agent)
    await settled(exchange.db)
    await exchange.pool.query(
      `update outbox set event = 'lead.created', data = '{"id":"x","name":"Eva"}' where subject_id = $1`,
      [subject],
    )
    await exchange.db.transaction().execute(tx => eraseFromEvents(tx, subject, 'Erased'))
    const { rows } = await exchange.pool.query(
      'select answer from webhook_deliveries where webhook_id = $1',
      [id],
    )
    expect(rows).toEqual([{ answer: null }])
  })
})

describe('send again', () => {
  it('sends the very same bytes, once, however often it is pressed', async () => {
    const { agent, id, log } = await subscribed()
    answer(500)
    await start()
    await exchange.published(agent, { title: 'Casa «Ñ» "1.0" é' })
    await settled(exchange.db)
    const [failed] = await log()
    await Promise.all(running.map(one => one.stop()))
    await Promise.all(
      Array.from({ length: 4 }, () => resend(exchange.db, agent.id, id, failed?.id as string)),
    )
    answer(200)
    await Promise.all([start(), start(), start()])
    await settled(exchange.db)
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[1]?.body.equals(receiver.received[0]?.body as Buffer)).toBe(true)
    expect((await log()).map(({ status }) => status)).toEqual(['ok', 'http 5xx'])
  })

  it('of all that failed in a period leaves out what arrived, what waits and what is older, and keeps their order', async () => {
    const { agent, id, log } = await subscribed()
    await start()
    answer(500)
    const listings = []
    for (let i = 0; i < 4; i++) {
      listings.push(await exchange.published(agent))
      await settled(exchange.db)
    }
    answer(200)
    listings.push(await exchange.published(agent))
    await settled(exchange.db)
    const failed = (await log()).filter(({ status }) => status !== 'ok').reverse()
    // The first arrived since, the second is older.
    await resend(exchange.db, agent.id, id, failed[0]?.id as string)
    await settled(exchange.db)
    await exchange.pool.query(
      `update webhook_deliveries set attempted_at = now() - interval '3 days' where uid = $1`,
      [failed[1]?.id],
    )
    receiver.received.length = 0
    const [first, again] = await Promise.all([
      resendFailed(exchange.db, agent.id, id, lastDay()),
      resendFailed(exchange.db, agent.id, id, lastDay()),
    ])
    expect([first, again].sort()).not.toEqual([0, 0])
    await settled(exchange.db)
    expect(receiver.ids()).toEqual([listings[2].id, listings[3].id])
    expect(await resendFailed(exchange.db, agent.id, id, lastDay())).toBe(0)
    expect(await resendFailed(exchange.db, agent.id, id, { from: new Date(0), to: new Date() })).toBe(1)
  })

  it('is refused while the webhook is paused, and unknown to other agents', async () => {
    const { agent, id, log } = await subscribed()
    await start()
    await exchange.published(agent)
    await settled(exchange.db)
    const [entry] = await log()
    const other = await exchange.agent()
    await expect(resend(exchange.db, other.id, id, entry?.id as string)).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expect(resendFailed(exchange.db, other.id, id, lastDay())).rejects.toMatchObject({
      kind: 'not_found',
    })
    for (const uid of ['', 'x', "' or 1=1", crypto.randomUUID()])
      await expect(resend(exchange.db, agent.id, id, uid)).rejects.toMatchObject({ kind: 'not_found' })
    await pauseWebhook(exchange.db, agent.id, id)
    await expect(resend(exchange.db, agent.id, id, entry?.id as string)).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect(receiver.received).toHaveLength(1)
  })

  it('leaves alone what is being sent', async () => {
    const { agent, id, log } = await subscribed()
    receiver.answer = () => {}
    await start({ deadlineMs: 800 })
    await exchange.published(agent)
    await until(() => receiver.received.length === 1)
    const [entry] = await log()
    await resend(exchange.db, agent.id, id, entry?.id as string)
    await settled(exchange.db)
    expect(receiver.received).toHaveLength(1)
  })
})
