import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Running } from '../../src/webhooks/dispatch/dispatcher.ts'
import { failAbandoned } from '../../src/webhooks/outcomes.ts'
import { secretBox } from '../../src/webhooks/secrets.ts'
import { isSignedBy } from '../../src/webhooks/sender/signature.ts'
import { pauseWebhook, removeWebhook, resumeWebhook } from '../../src/webhooks/service.ts'
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
  await Promise.all(running.map(dispatcher => dispatcher.stop()))
  await exchange.db.deleteFrom('webhooks').execute()
  await receiver.close()
})

const start = async (options = {}) => void running.push(await dispatch(exchange, options))
const deliveries = (webhookId: string) =>
  exchange.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .execute()
const webhookRow = (id: string) =>
  exchange.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a change', () => {
  it('reaches the subscription at once, with the event as it was stored', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    const listing = await exchange.listing(agent)
    await start()
    const before = Date.now()
    await exchange.post(`/properties/${listing.id}/publish`, agent.key)
    await until(() => receiver.received.length === 1)
    expect((receiver.received[0]?.at ?? 0) - before).toBeLessThan(900)

    const { updated_at } = (await exchange.get(`/properties/${listing.id}`, agent.key)).body
    expect(receiver.received[0]?.body.toString()).toBe(
      JSON.stringify({
        event: 'listing.published',
        created_at: updated_at,
        data: { id: listing.id, slug: listing.slug, title: listing.title, status: 'published' },
      }),
    )
    await settled(exchange.db)
    expect(await webhookRow(webhook.id)).toMatchObject({ last_status: 'ok', last_code: 200, failures: 0 })
    expect(await deliveries(webhook.id)).toMatchObject([
      { status: 'ok', code: 200, event: 'listing.published' },
    ])
  })

  it('gives every subscription the same bytes, each signed with its own secret', async () => {
    const agent = await exchange.agent()
    const webhooks = [
      await subscribe(exchange, agent, receiver.url('/a')),
      await subscribe(exchange, agent, receiver.url('/b')),
    ]
    expect(webhooks[0]?.secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    await start()
    await exchange.published(agent)
    await settled(exchange.db)
    const [first, second] = [...receiver.received].sort((x, y) => x.path.localeCompare(y.path))
    expect(first?.body.equals(second?.body as Buffer)).toBe(true)
    expect(first?.headers['x-svc-delivery']).not.toBe(second?.headers['x-svc-delivery'])
    const isSigned = (got: typeof first, secret = '') =>
      isSignedBy(got?.body as Buffer, String(got?.headers['x-svc-signature']), secret)
    expect(isSigned(first, webhooks[0]?.secret)).toBe(true)
    expect(isSigned(second, webhooks[1]?.secret)).toBe(true)
    expect(isSigned(first, webhooks[1]?.secret)).toBe(false)
  })

  it('is told only to its own agent, and only for chosen events', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    await subscribe(exchange, agent, receiver.url('/unpublished'), ['listing.unpublished'])
    await subscribe(exchange, other, receiver.url('/other'))
    await start()
    const listing = await exchange.published(agent)
    await exchange.post(`/properties/${listing.id}/unpublish`, agent.key)
    await settled(exchange.db)
    await sleep(50)
    expect(receiver.received.map(({ path, headers }) => [path, headers['x-svc-event']])).toEqual([
      ['/unpublished', 'listing.unpublished'],
    ])
  })

  it('that is rolled back after its event was appended leaves no event and is not delivered', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    const listing = await exchange.listing(agent)
    const publish = () => exchange.post(`/properties/${listing.id}/publish`, agent.key)
    const events = async () =>
      (await exchange.pool.query('select event from outbox where subject_id = $1', [listing.id])).rows
    await start()
    // At commit, and only if the transaction holds both the change and its event.
    await exchange.pool.query(`
      create function refuse_commit() returns trigger language plpgsql as $$ begin
        if exists (select from outbox where subject_id = new.id) then raise 'refused at commit'; end if;
        return null;
      end $$;
      create constraint trigger refuse_commit after update on listings
        deferrable initially deferred for each row execute function refuse_commit()`)
    try {
      expect((await publish()).status).toBe(500)
    } finally {
      await exchange.pool.query('drop function refuse_commit cascade')
    }
    expect(exchange.log.join('')).toContain('refused at commit')
    expect((await exchange.get(`/properties/${listing.id}`, agent.key)).body.status).toBe('draft')
    expect([await events(), await deliveries(webhook.id)]).toEqual([[], []])

    // What is delivered next is the next change, not the one that never happened.
    expect((await publish()).status).toBe(200)
    await settled(exchange.db)
    expect([await events(), receiver.ids()]).toEqual([[{ event: 'listing.published' }], [listing.id]])
  })

  it('made while no worker runs waits, and is sent when one starts', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    const listing = await exchange.published(agent)
    await sleep(50)
    expect(await deliveries(webhook.id)).toMatchObject([{ attempted_at: null }])
    await start()
    await settled(exchange.db)
    expect(receiver.ids()).toEqual([listing.id])
  })
})

describe('several processes', () => {
  it('share the work: each event arrives once', async () => {
    const agent = await exchange.agent()
    await subscribe(exchange, agent, receiver.url())
    const listings = await Promise.all(Array.from({ length: 12 }, () => exchange.listing(agent)))
    await Promise.all([start(), start(), start()])
    for (const { id } of listings) await exchange.post(`/properties/${id}/publish`, agent.key)
    await settled(exchange.db)
    expect(receiver.ids().sort()).toEqual(listings.map(({ id }) => id).sort())
  })

  it('keep at most five deliveries of a subscription in flight between them', async () => {
    const agent = await exchange.agent()
    await subscribe(exchange, agent, receiver.url())
    let [open, most] = [0, 0]
    receiver.answer = (_request, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        response.end()
      }, 150)
    }
    for (let i = 0; i < 20; i++) await exchange.published(agent)
    await Promise.all([start(), start()])
    await settled(exchange.db)
    expect(receiver.received).toHaveLength(20)
    expect(most).toBe(5)
  })
})

describe('order', () => {
  it('of the events of one listing is kept: one in flight at a time', async () => {
    const agent = await exchange.agent()
    await subscribe(exchange, agent, receiver.url())
    const listing = await exchange.listing(agent)
    receiver.answer = (_request, response) => void setTimeout(() => response.end(), 20 * Math.random())
    await Promise.all([start(), start()])
    for (let i = 0; i < 6; i++) {
      await exchange.post(`/properties/${listing.id}/${i % 2 ? 'unpublish' : 'publish'}`, agent.key)
    }
    await settled(exchange.db)
    const events = receiver.received.map(({ headers }) => headers['x-svc-event'])
    expect(events).toEqual(
      Array.from({ length: 6 }, (_, i) => (i % 2 ? 'listing.unpublished' : 'listing.published')),
    )
    const times = receiver.received.map(({ body }) => JSON.parse(body.toString()).created_at)
    expect(times).toEqual([...new Set(times)].sort())
  })
})

describe('a failed delivery', () => {
  it('is not sent again and shows as last status until the next one', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    receiver.answer = (_request, response) => void response.writeHead(503).end('secret body')
    await start()
    const listing = await exchange.published(agent)
    await settled(exchange.db)
    await sleep(100)
    expect(receiver.received).toHaveLength(1)
    expect(await webhookRow(webhook.id)).toMatchObject({
      last_status: 'http 5xx',
      last_code: 503,
      failures: 1,
    })
    receiver.answer = (_request, response) => void response.end()
    await exchange.post(`/properties/${listing.id}/unpublish`, agent.key)
    await settled(exchange.db)
    expect(await webhookRow(webhook.id)).toMatchObject({ last_status: 'ok', last_code: 200, failures: 0 })
    expect(exchange.log.join('')).not.toMatch(/secret body|whsec_|hook\.example/)
  })

  it('tells the agent by mail at the fifth in a row, once', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    receiver.answer = (_request, response) => void response.writeHead(400).end()
    await start()
    for (let i = 0; i < 7; i++) await exchange.published(agent)
    await settled(exchange.db)
    const { rows } = await exchange.pool.query(
      `select j.payload from graphile_worker._private_jobs j where j.payload->>'kind' = 'webhook'`,
    )
    expect(rows.map(row => row.payload)).toEqual([{ kind: 'webhook', agentId: agent.id, ids: [webhook.id] }])
  })

  it('is one whose process died after claiming it: never sent, called failed', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    await exchange.published(agent)
    await exchange.db
      .updateTable('webhook_deliveries')
      .set({ attempted_at: new Date(Date.now() - 60_000) })
      .execute()
    expect(await failAbandoned(exchange.db, 120_000)).toBe(0)
    await start()
    await settled(exchange.db)
    expect(receiver.connections).toBe(0)
    expect(await deliveries(webhook.id)).toMatchObject([{ status: 'error: delivery failed', code: null }])
    expect(await webhookRow(webhook.id)).toMatchObject({ last_status: 'error: delivery failed' })
  })

  it('is one whose secret cannot be read any more', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    const sealed = secretBox('another key').seal('whsec_x', webhook.id)
    await exchange.db.updateTable('webhooks').set({ secret: sealed }).execute()
    await start()
    await exchange.published(agent)
    await settled(exchange.db)
    expect(receiver.connections).toBe(0)
    expect(await webhookRow(webhook.id)).toMatchObject({ last_status: 'error: delivery failed' })
    expect(exchange.log.join('')).toContain('LONJA_SECRET')
  })

  it('is one to a name that leads to a private address since', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    await start({ network: { ...loopbackNetwork(), resolve: async () => ['10.0.0.1'] } })
    await exchange.published(agent)
    await settled(exchange.db)
    expect(receiver.connections).toBe(0)
    expect(await webhookRow(webhook.id)).toMatchObject({
      last_status: 'error: delivery failed',
      last_code: null,
    })
  })
})

describe('what waits is dropped', () => {
  it('when its subscription is paused, and does not come after it is resumed', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    await exchange.published(agent)
    await pauseWebhook(exchange.db, agent.id, webhook.id)
    await exchange.published(agent)
    await resumeWebhook(exchange.db, agent.id, webhook.id)
    const told = await exchange.published(agent)
    await start()
    await settled(exchange.db)
    expect(receiver.ids()).toEqual([told.id])
  })

  it('when its subscription is removed', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    await exchange.published(agent)
    await removeWebhook(exchange.db, agent.id, webhook.id)
    await start()
    await sleep(100)
    expect(receiver.connections).toBe(0)
  })

  it('when its agent is not verified any more', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    await exchange.published(agent)
    await exchange.db.updateTable('agents').set({ verified_at: null }).where('id', '=', agent.id).execute()
    await start()
    await until(async () => (await deliveries(webhook.id)).length === 0)
    expect(receiver.connections).toBe(0)
  })
})
