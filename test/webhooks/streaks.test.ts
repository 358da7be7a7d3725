import { describe, expect, it } from 'vitest'
import { finishDeliveries } from '../../src/webhooks/outcomes.ts'
import { useExchange } from '../support/exchange.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
let port = 5000

/** A subscription with that history, and its deliveries in flight: `t` is a test. */
async function inFlight(kinds: string) {
  const agent = await exchange.agent()
  const webhook = await subscribe(exchange, agent, `https://hook.example:${port++}/`)
  const ids: number[] = []
  for (const kind of kinds) {
    const { rows } = await exchange.pool.query(
      `with event as (
         insert into outbox (agent_id, event, subject_id, data, channels, created_at)
         values ($1, 'lead.created', gen_random_uuid(), '{}', '{webhook}', now()) returning id)
       insert into webhook_deliveries (webhook_id, outbox_id, event, subject_id, attempted_at)
       select $2, case when $3 then null else id end, 'lead.created', gen_random_uuid(), now() from event
       returning id`,
      [agent.id, webhook.id, kind === 't'],
    )
    ids.push(Number(rows[0].id))
  }
  return { agent, webhook, ids }
}

const ok = { status: 'ok', code: 200, durationMs: 5 } as const
const bad = { status: 'http 5xx', code: 503, durationMs: 5 } as const

const stateOf = async (id: string) =>
  (await exchange.pool.query('select failures, last_status, last_code from webhooks where id = $1', [id]))
    .rows[0]
const notices = async (agentId: string) =>
  Number(
    (
      await exchange.pool.query(
        `select count(*) from graphile_worker._private_jobs where payload->>'kind' = 'webhook' and payload->>'agentId' = $1`,
        [agentId],
      )
    ).rows[0].count,
  )

describe('deliveries that end together', () => {
  it.each([
    [
      'failures after the last good one',
      'rrrr',
      [ok, bad, bad, bad],
      { failures: 3, last_status: 'http 5xx', last_code: 503 },
    ],
    [
      'none after a good one at the end',
      'rrr',
      [bad, bad, ok],
      { failures: 0, last_status: 'ok', last_code: 200 },
    ],
    [
      'no test, although it is the last status',
      'rrt',
      [bad, bad, ok],
      { failures: 2, last_status: 'ok', last_code: 200 },
    ],
    ['no test that failed', 'rt', [ok, bad], { failures: 0, last_status: 'http 5xx', last_code: 503 }],
  ])('count %s', async (_what, kinds, outcomes, expected) => {
    const { webhook, ids } = await inFlight(kinds)
    await finishDeliveries(
      exchange.db,
      ids.map((id, i) => ({ id, ...(outcomes[i] as typeof ok) })),
    )
    expect(await stateOf(webhook.id)).toEqual(expected)
  })

  it('tell the agent once, when the streak becomes long enough, however they are put together', async () => {
    const { agent, webhook, ids } = await inFlight('r'.repeat(12))
    const end = (from: number, to: number, outcome: typeof ok | typeof bad) =>
      finishDeliveries(
        exchange.db,
        ids.slice(from, to).map(id => ({ id, ...outcome })),
      )
    await end(0, 3, bad)
    expect(await notices(agent.id)).toBe(0)
    await end(3, 8, bad)
    expect(await notices(agent.id)).toBe(1)
    await end(8, 10, bad)
    expect(await notices(agent.id)).toBe(1)
    expect((await stateOf(webhook.id)).failures).toBe(10)
  })

  it('of several subscriptions are each written to their own', async () => {
    const [one, two] = [await inFlight('r'), await inFlight('r')]
    await finishDeliveries(exchange.db, [
      { id: two.ids[0] as number, ...ok },
      { id: one.ids[0] as number, ...bad },
    ])
    expect(await stateOf(one.webhook.id)).toMatchObject({ failures: 1, last_status: 'http 5xx' })
    expect(await stateOf(two.webhook.id)).toMatchObject({ failures: 0, last_status: 'ok' })
  })

  it('do not stand in the way of a subscription that is being removed', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => inFlight('rrr')))
    const all = many.flatMap(({ ids }) => ids)
    await Promise.all([
      ...many.map(({ webhook }) => exchange.pool.query('delete from webhooks where id = $1', [webhook.id])),
      finishDeliveries(
        exchange.db,
        all.map(id => ({ id, ...ok })),
      ),
      finishDeliveries(
        exchange.db,
        all.toReversed().map(id => ({ id, ...bad })),
      ),
    ])
    const { rows } = await exchange.pool.query(
      'select count(*)::int from webhook_deliveries where id = any ($1)',
      [all],
    )
    expect(rows).toEqual([{ count: 0 }])
  })
})
