import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Running } from '../../src/webhooks/dispatch/dispatcher.ts'
import { openSecretBox } from '../../src/webhooks/secrets.ts'
import { standardSecret } from '../../src/webhooks/sender/message.ts'
import { isSignedBy } from '../../src/webhooks/sender/signature.ts'
import { chooseDelivery, endOverlap, renewSecret } from '../../src/webhooks/service.ts'
import { deleteExpiredSecrets } from '../../src/webhooks/store.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { Receiver } from '../support/receiver.ts'
import { dispatch, settled, subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
const receiver = new Receiver()
let dispatcher: Running
beforeAll(async () => {
  await receiver.listen()
  dispatcher = await dispatch(exchange)
})
beforeEach(() => {
  receiver.received.length = 0
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
})

async function subscribed(standardHeaders = true) {
  const agent = await exchange.agent()
  const webhook = await subscribe(exchange, agent, receiver.url(`/${agent.id}`))
  await chooseDelivery(exchange.db, agent.id, webhook.id, { retries: false, standardHeaders })
  return { agent, id: webhook.id, secret: webhook.secret }
}
async function deliver(agent: TestAgent) {
  await exchange.published(agent)
  await settled(exchange.db)
  const got = receiver.received.at(-1)
  if (!got) throw new Error('nothing arrived')
  return { headers: got.headers as Record<string, string>, body: got.body }
}
const rotate = async (agent: TestAgent, id: string, options = {}) =>
  renewSecret({ db: exchange.db, box: await openSecretBox(exchange.db, undefined) }, agent.id, id, options)
type Got = Awaited<ReturnType<typeof deliver>>
const verifies = ({ headers, body }: Got, secret: string) => {
  try {
    return new Webhook(standardSecret(secret)).verify(body, headers) !== undefined
  } catch {
    return false
  }
}
/** As a receiver reads them that knows one secret. */
const isGenuine = ({ headers, body }: Got, secret: string) =>
  ['x-svc-signature', 'x-svc-signature-next'].some(name => isSignedBy(body, headers[name], secret))

describe('Standard Webhooks', () => {
  it('headers are verified by the public library, for these bytes and this secret only', async () => {
    const { agent, secret } = await subscribed()
    const got = await deliver(agent)
    expect(new Webhook(standardSecret(secret)).verify(got.body, got.headers)).toEqual(
      JSON.parse(got.body.toString()),
    )
    // As docs/webhooks.md makes it.
    const documented = `whsec_${secret.slice(6).replaceAll('-', '+').replaceAll('_', '/')}=`
    expect(documented).toBe(standardSecret(secret))
    expect(verifies({ ...got, body: Buffer.from(`${got.body} `) }, secret)).toBe(false)
    expect(verifies({ ...got, headers: { ...got.headers, 'webhook-id': 'msg_other' } }, secret)).toBe(false)
    expect(isSignedBy(got.body, got.headers['x-svc-signature'], secret)).toBe(true)
  })

  it('headers are sent only to those who ask for them', async () => {
    const { agent } = await subscribed(false)
    const { headers } = await deliver(agent)
    expect(Object.keys(headers).filter(name => /^webhook-|next/.test(name))).toEqual([])
  })
})

describe('a rotation with an overlap', () => {
  it('misses no signature: both secrets verify every delivery for 24 hours, then only the new one', async () => {
    const { agent, id, secret: old } = await subscribed()
    const secret = await rotate(agent, id, { overlap: true })
    const during = await deliver(agent)
    // A receiver that knows nothing of rotations goes on as before.
    expect(isSignedBy(during.body, during.headers['x-svc-signature'], old)).toBe(true)
    for (const one of [old, secret])
      expect([isGenuine(during, one), verifies(during, one)]).toEqual([true, true])

    const { rows } = await exchange.pool.query(
      `select extract(epoch from overlap_until - now()) / 3600 as hours from webhooks where id = $1`,
      [id],
    )
    expect(Number(rows[0].hours)).toBeCloseTo(24, 1)
    await exchange.pool.query(
      `update webhooks set overlap_until = now() - interval '1 second' where id = $1`,
      [id],
    )
    const after = await deliver(agent)
    expect([isGenuine(after, old), verifies(after, old)]).toEqual([false, false])
    expect(isSignedBy(after.body, after.headers['x-svc-signature'], secret)).toBe(true)
    expect([isGenuine(after, secret), verifies(after, secret)]).toEqual([true, true])
    await deleteExpiredSecrets(exchange.db)
    const kept = await exchange.pool.query('select old_secret from webhooks where id = $1', [id])
    expect(kept.rows[0].old_secret).toBeNull()
  })

  it('can be ended early, and is not begun twice: the receiver may have either secret', async () => {
    const { agent, id, secret: old } = await subscribed()
    const secret = await rotate(agent, id, { overlap: true })
    await expect(rotate(agent, id, { overlap: true })).rejects.toMatchObject({ kind: 'conflict' })
    await endOverlap(exchange.db, agent.id, id)
    const got = await deliver(agent)
    expect([isGenuine(got, old), isGenuine(got, secret)]).toEqual([false, true])
  })

  it('without an overlap ends the old secret, and one that overlapped, at once', async () => {
    const { agent, id, secret: first } = await subscribed()
    const second = await rotate(agent, id, { overlap: true })
    const third = await rotate(agent, id)
    const got = await deliver(agent)
    expect([first, second, third].map(one => isGenuine(got, one))).toEqual([false, false, true])
  })

  it('writes no secret to the log', async () => {
    const { agent, id } = await subscribed()
    await rotate(agent, id, { overlap: true })
    await deliver(agent)
    expect(exchange.log.join('')).not.toMatch(/whsec_/)
  })
})
