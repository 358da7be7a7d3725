import { randomUUID } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { openSecretBox } from '../../src/webhooks/secrets.ts'
import { DEADLINE_MS } from '../../src/webhooks/sender/sender.ts'
import { useExchange } from '../support/exchange.ts'
import { Receiver, until } from '../support/receiver.ts'
import { dispatch, subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
const DEAD = 100
const servers: { close(): unknown }[] = []
afterAll(() => Promise.all(servers.map(server => server.close())))

/** Accepts connections and never responds. */
async function deadReceiver(): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer(socket => {
    socket.on('error', () => {})
    sockets.add(socket)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  servers.push({
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise(done => server.close(done))
    },
  })
  return (server.address() as { port: number }).port
}

describe('a hundred receivers that never answer', () => {
  it('do not delay a working one by more than a second, and are disconnected after ten', async () => {
    const good = await new Receiver().listen()
    servers.push(good)
    const port = await deadReceiver()
    const [slowAgent, goodAgent] = [await exchange.agent(), await exchange.agent()]
    // Bypasses the limit of ten per agent, so that one event reaches them all.
    const box = await openSecretBox(exchange.db, undefined)
    const dead = Array.from({ length: DEAD }, (_, i) => ({
      id: randomUUID(),
      url: `https://hook.example:${port}/${i}`,
    }))
    await exchange.db
      .insertInto('webhooks')
      .values(
        dead.map(({ id, url }) => ({
          id,
          url,
          agent_id: slowAgent.id,
          events: ['listing.published'],
          secret: box.seal('whsec_x', id),
        })),
      )
      .execute()
    await subscribe(exchange, goodAgent, good.url())
    const goodListing = await exchange.listing(goodAgent)
    const dispatcher = await dispatch(exchange, { deadlineMs: DEADLINE_MS })
    onTestFinished(() => dispatcher.stop())

    /** The slowest time from publishing to arrival, of those started within a period. */
    const slowest = async (durationMs: number) => {
      const delays: number[] = []
      for (const end = Date.now() + durationMs; Date.now() < end; await sleep(100)) {
        const before = Date.now()
        const count = good.received.length
        await exchange.post(`/properties/${goodListing.id}/publish`, goodAgent.key)
        await until(() => good.received.length > count)
        delays.push(Date.now() - before)
      }
      return Math.max(...delays)
    }
    const alone = await slowest(2_000)
    for (let i = 0; i < 5; i++) await exchange.published(slowAgent)
    const beside = await slowest(DEADLINE_MS + 2_000)
    expect(beside - alone).toBeLessThan(1_000)
    const cut = await exchange.pool.query(
      `select min(duration_ms) as least, max(duration_ms) as most, count(*) from webhook_deliveries
       where status = 'error: delivery failed'`,
    )
    expect(cut.rows[0].count).toBeGreaterThanOrEqual(DEAD)
    expect(cut.rows[0].least).toBeGreaterThanOrEqual(DEADLINE_MS - 50)
    expect(cut.rows[0].most).toBeLessThan(DEADLINE_MS + 2_000)
    await exchange.db.deleteFrom('webhooks').execute()
  }, 60_000)
})
