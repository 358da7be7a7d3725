import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resend } from '../../src/webhooks/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { Receiver, until } from '../support/receiver.ts'
import { settled, subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
let receiver: Receiver
let agent: TestAgent
const workers = new Set<ChildProcess>()

beforeEach(async () => {
  receiver = await new Receiver().listen()
  agent = await exchange.agent()
  await subscribe(exchange, agent, receiver.url())
})

afterEach(async () => {
  await Promise.all([...workers].map(kill))
  await exchange.db.deleteFrom('webhooks').execute()
  await receiver.close()
})

async function startWorker(): Promise<ChildProcess> {
  const path = new URL('webhooks-worker.ts', import.meta.url)
  const worker = fork(path, [String(exchange.pool.options.connectionString)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  workers.add(worker)
  await once(worker, 'message')
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  workers.delete(worker)
  if (worker.exitCode !== null || worker.signalCode !== null) return
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}

const deliveries = () => exchange.db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()

/** Each committed event reaches the receiver at most once; missing ones were attempted and are marked failed. */
async function checkHistory() {
  const arrived = new Map<string, number>()
  for (const { headers } of receiver.received) {
    const id = String(headers['x-svc-delivery'])
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
  }
  const rows = await deliveries()
  expect([...arrived.keys()].every(id => rows.some(({ uid }) => uid === id))).toBe(true)
  expect([...arrived.values()].filter(times => times > 1)).toEqual([])
  const missing = rows.filter(({ uid }) => !arrived.has(uid))
  expect(missing.map(({ status }) => status)).toEqual(missing.map(() => 'error: delivery failed'))
  return { rows, missing }
}

describe('kill -9', () => {
  it('between the claim and the response costs only that attempt: nothing twice, nothing lost', async () => {
    receiver.answer = () => {}
    const first = await startWorker()
    const hung = await exchange.published(agent)
    await until(() => receiver.received.length === 1)
    await kill(first)

    const waiting = await exchange.published(agent)
    receiver.answer = (_request, response) => void response.end()
    await startWorker()
    await settled(exchange.db)
    expect(receiver.ids()).toEqual([hung.id, waiting.id])
    expect((await deliveries()).map(({ status }) => status)).toEqual(['error: delivery failed', 'ok'])
  }, 60_000)

  it('during a resend or a retry costs that attempt: the next one is another, and none is sent twice', async () => {
    await exchange.db.updateTable('webhooks').set({ retries: true }).execute()
    receiver.answer = () => {}
    const [first] = await Promise.all([startWorker(), startWorker()])
    const { id } = await exchange.published(agent)
    await until(() => receiver.received.length === 1)
    await kill(first)
    await Promise.all([...workers].map(kill))
    receiver.answer = (_request, response) => void response.end()
    await Promise.all([startWorker(), startWorker()])
    // The attempt is called failed, and its retry is due five seconds later.
    await until(async () => (await deliveries()).length === 2)
    await exchange.db
      .updateTable('webhook_deliveries')
      .set({ due_at: new Date(0) })
      .where('due_at', 'is not', null)
      .execute()
    await until(async () => (await deliveries())[1]?.status === 'ok')
    expect(receiver.ids()).toEqual([id, id])
    const [failed] = await deliveries()
    const webhook = failed?.webhook_id as string
    await Promise.all(
      Array.from({ length: 3 }, () => resend(exchange.db, agent.id, webhook, failed?.uid as string)),
    )
    await until(async () => (await deliveries()).every(({ status }) => status !== null))
    await checkHistory()
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1)
  }, 60_000)

  it('repeatedly, with two workers, under load: every event at most once, none missing unless attempted', async () => {
    const EVENTS = 40
    receiver.answer = (_request, response) => void setTimeout(() => response.end(), 40 * Math.random())
    const listings = []
    for (let i = 0; i < 20; i++) listings.push(await exchange.listing(agent))
    let isDone = false
    const killing = (async () => {
      let kills = 0
      while (!isDone) {
        const [victim] = [await startWorker(), await startWorker()]
        await sleep(100 + 300 * Math.random())
        await kill(victim as ChildProcess)
        kills++
        await Promise.all([...workers].map(kill))
        kills++
      }
      return kills
    })()
    for (let i = 0; i < EVENTS; i++) {
      const { id } = listings[i % listings.length]
      expect((await exchange.post(`/properties/${id}/publish`, agent.key)).status).toBe(200)
      await sleep(60)
    }
    isDone = true
    expect(await killing).toBeGreaterThanOrEqual(2)
    await startWorker()
    await until(async () => (await deliveries()).every(({ finished_at }) => finished_at), 20_000)

    const { rows, missing } = await checkHistory()
    expect(rows).toHaveLength(EVENTS)
    // Most arrive: the run proves nothing if the kills never hit, or always hit, a delivery.
    expect(missing.length).toBeLessThan(EVENTS / 2)
  }, 90_000)
})
