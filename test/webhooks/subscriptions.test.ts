import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { issue } from '../../src/lib/issue.ts'
import { EVENTS } from '../../src/outbox/store.ts'
import { FAILURES_TO_NOTIFY } from '../../src/webhooks/rules.ts'
import { openSecretBox, secretBox } from '../../src/webhooks/secrets.ts'
import { sender } from '../../src/webhooks/sender/sender.ts'
import { isSignedBy } from '../../src/webhooks/sender/signature.ts'
import {
  listDeliveries,
  listWebhooks,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  testWebhook,
} from '../../src/webhooks/service.ts'
import { deleteOldDeliveries } from '../../src/webhooks/store.ts'
import { useExchange } from '../support/exchange.ts'
import { sentences } from '../support/issues.ts'
import { loopbackNetwork, Receiver } from '../support/receiver.ts'
import { POLICY, subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
let receiver: Receiver

beforeEach(async () => {
  receiver = await new Receiver().listen()
})
afterEach(() => receiver.close())

const test = async (agentId: string, id: string) => {
  const box = await openSecretBox(exchange.db, undefined)
  const send = sender({ network: loopbackNetwork(), policy: POLICY, deadlineMs: 2_000 })
  return testWebhook({ db: exchange.db, box, send }, agentId, id)
}

describe('adding a webhook', () => {
  it('shows a secret that nothing tells again, and that is stored sealed', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, 'https://crm.example.com/hook')
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    expect(JSON.stringify(await listWebhooks(exchange.db, agent.id))).not.toMatch(/secret|whsec/)
    const { secret } = await exchange.db
      .selectFrom('webhooks')
      .select('secret')
      .where('id', '=', webhook.id)
      .executeTakeFirstOrThrow()
    expect(secret.toString('latin1')).not.toContain(webhook.secret.slice(6))
    expect((await openSecretBox(exchange.db, undefined)).open(secret, webhook.id)).toBe(webhook.secret)
  })

  it('lists it active, without a status, in one spelling', async () => {
    const agent = await exchange.agent()
    await subscribe(exchange, agent, 'HTTPS://CRM.example.com:443', ['listing.updated', 'lead.created'])
    expect(await listWebhooks(exchange.db, agent.id)).toMatchObject([
      {
        url: 'https://crm.example.com/',
        events: ['lead.created', 'listing.updated'],
        active: true,
        last_status: null,
        last_code: null,
        last_at: null,
      },
    ])
  })

  it('refuses the same address twice, however it is written, but lets another agent have it', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    await subscribe(exchange, agent, 'https://crm.example.com/hook')
    await expect(subscribe(exchange, agent, 'https://CRM.example.com:443/hook')).rejects.toMatchObject({
      kind: 'conflict',
    })
    await subscribe(exchange, other, 'https://crm.example.com/hook')
  })

  it('refuses the eleventh, also when many are added at once', async () => {
    const agent = await exchange.agent()
    const added = await Promise.allSettled(
      Array.from({ length: 14 }, (_, i) => subscribe(exchange, agent, `https://crm.example.com/${i}`)),
    )
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await listWebhooks(exchange.db, agent.id)).toHaveLength(10)
    for (const result of added) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'conflict' })
    }
  })

  it('says the same of a private address, a private name, an unknown name and a silent DNS', async () => {
    const agent = await exchange.agent()
    const refusal = (url: string, network = loopbackNetwork()) =>
      subscribe(exchange, agent, url, undefined, network).then(
        () => 'taken',
        error => sentences(error.details.issues),
      )
    const network = loopbackNetwork()
    const answers = [
      await refusal('https://10.0.0.1/'),
      await refusal('https://intranet.local/'),
      await refusal('https://crm.example.com/', { ...network, resolve: async () => ['10.0.0.1'] }),
      await refusal('https://crm.example.com/', {
        ...network,
        resolve: async () => ['127.0.0.1', '10.0.0.1'],
      }),
      await refusal('https://crm.example.com/', { ...network, resolve: async () => [] }),
      await refusal('https://crm.example.com/', {
        ...network,
        resolve: () => Promise.reject(new Error('SERVFAIL')),
      }),
    ]
    expect(new Set(answers.map(errors => JSON.stringify(errors))).size).toBe(1)
    expect(answers[0]).toEqual(['url must be the address of a public server that can be reached'])
  })

  it.each([[[]], [['lead.deleted']], [['lead.created', 'nonsense']]])(
    'refuses the events %j',
    async events => {
      const agent = await exchange.agent()
      await expect(subscribe(exchange, agent, 'https://crm.example.com/', events)).rejects.toMatchObject({
        details: { issues: [issue('events', 'unknown_events', { allowed: EVENTS })] },
      })
    },
  )
})

describe('another agent’s webhook', () => {
  it('is not there, whatever is tried', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    const { id } = await subscribe(exchange, agent, receiver.url())
    const tries = [
      () => pauseWebhook(exchange.db, other.id, id),
      () => resumeWebhook(exchange.db, other.id, id),
      () => removeWebhook(exchange.db, other.id, id),
      () => listDeliveries(exchange.db, other.id, id),
      () => test(other.id, id),
      () => pauseWebhook(exchange.db, agent.id, 'no-uuid'),
    ]
    for (const attempt of tries) {
      await expect((async () => attempt())()).rejects.toMatchObject({ kind: 'not_found' })
    }
    expect(receiver.connections).toBe(0)
    expect(await listWebhooks(exchange.db, agent.id)).toMatchObject([{ active: true }])
  })
})

describe('the test', () => {
  it('sends a signed lead.created about nobody, at once, and stores no lead', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url(), ['listing.published'])
    expect(await test(agent.id, webhook.id)).toMatchObject({ status: 'ok', code: 200 })
    const [got] = receiver.received
    expect(isSignedBy(got?.body as Buffer, String(got?.headers['x-svc-signature']), webhook.secret)).toBe(
      true,
    )
    expect(got?.headers['x-svc-event']).toBe('lead.created')
    const body = JSON.parse(String(got?.body))
    expect(body).toEqual({
      event: 'lead.created',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Prueba / Test',
        email: 'prueba@example.com',
        phone: '+525500000000',
        message: null,
        kind: 'info',
        id_status: null,
        listing: null,
        source: 'test',
      },
    })
    expect((await exchange.get('/leads', agent.key)).body.content).toEqual([])
    expect(await listDeliveries(exchange.db, agent.id, webhook.id)).toMatchObject([
      { id: got?.headers['x-svc-delivery'], event: 'lead.created', status: 'ok', code: 200, test: true },
    ])
  })

  it('works while paused, sets the last status and counts as no failure', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    await pauseWebhook(exchange.db, agent.id, webhook.id)
    receiver.answer = (_request, response) => void response.writeHead(404).end()
    for (let i = 0; i <= FAILURES_TO_NOTIFY; i++) await test(agent.id, webhook.id)
    expect(await listWebhooks(exchange.db, agent.id)).toMatchObject([
      { active: false, last_status: 'http 4xx', last_code: 404, last_at: expect.any(Date) },
    ])
    const { rows } = await exchange.pool.query('select from graphile_worker._private_jobs')
    expect(rows).toEqual([])
  })
})

describe('the log', () => {
  it('holds no personal data and no answer, and forgets after 30 days together with the events', async () => {
    const agent = await exchange.agent()
    const webhook = await subscribe(exchange, agent, receiver.url())
    receiver.answer = (_request, response) => void response.end('their private answer')
    await test(agent.id, webhook.id)
    const { rows } = await exchange.pool.query('select * from webhook_deliveries')
    expect(JSON.stringify(rows)).not.toMatch(/Prueba|example\.com|private answer/)

    await exchange.published(agent)
    const age = (days: number, table: string, more = '') =>
      exchange.pool.query(`update ${table} set created_at = now() - ${days} * interval '1 day' ${more}`)
    await age(29, 'webhook_deliveries', `, attempted_at = now(), finished_at = now(), status = 'ok'`)
    await age(29, 'outbox')
    await deleteOldDeliveries(exchange.db, 30)
    expect(await listDeliveries(exchange.db, agent.id, webhook.id)).toHaveLength(2)
    await age(31, 'webhook_deliveries')
    await age(31, 'outbox')
    await deleteOldDeliveries(exchange.db, 30)
    expect(await listDeliveries(exchange.db, agent.id, webhook.id)).toEqual([])
    expect((await exchange.pool.query('select from outbox')).rowCount).toBe(0)
  })

  it('keeps what still waits, however old', async () => {
    const agent = await exchange.agent()
    await subscribe(exchange, agent, receiver.url())
    await exchange.published(agent)
    await exchange.pool.query(`update webhook_deliveries set created_at = now() - interval '40 days'`)
    await exchange.pool.query(`update outbox set created_at = now() - interval '40 days'`)
    await deleteOldDeliveries(exchange.db, 30)
    expect((await exchange.pool.query('select from webhook_deliveries')).rowCount).toBe(1)
    expect((await exchange.pool.query('select from outbox')).rowCount).toBe(1)
  })
})

describe('a sealed secret', () => {
  it('opens with the same key for the same webhook only, and not after a change', () => {
    const sealed = secretBox('key').seal('whsec_x', 'a')
    expect(secretBox('key').open(sealed, 'a')).toBe('whsec_x')
    expect(() => secretBox('key').open(sealed, 'b')).toThrow()
    expect(() => secretBox('other').open(sealed, 'a')).toThrow()
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
    expect(() => secretBox('key').open(sealed, 'a')).toThrow()
  })
})
