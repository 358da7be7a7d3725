import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { toLocal } from '../../src/lib/time.ts'
import type { Running } from '../../src/webhooks/dispatch/dispatcher.ts'
import { isSignedBy } from '../../src/webhooks/sender/signature.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { loopbackNetwork, Receiver } from '../support/receiver.ts'
import { PASSWORD, signedInAgent, urlencoded, type Visitor } from '../support/visitor.ts'
import { dispatch, settled, subscribe } from '../support/webhooks.ts'

const exchange = useExchange({ network: loopbackNetwork() })
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

const answer = (code: number, text = '') => {
  receiver.answer = (_request, response) => void response.writeHead(code).end(text)
}
async function withWebhook() {
  const { agent, visitor } = await signedInAgent(exchange)
  const { id, secret } = await subscribe(exchange, agent, receiver.url(`/${agent.id}`))
  return { agent, visitor, id, secret, path: `/portal/webhooks/${id}` }
}
async function deliver(agent: TestAgent, fields = {}) {
  const listing = await exchange.published(agent, fields)
  await settled(exchange.db)
  return listing
}
const linksIn = (visitor: Visitor) => [
  ...new Set(
    [...visitor.html.matchAll(/\/portal\/webhooks\/[0-9a-f-]+\/deliveries\/[0-9a-f-]{36}/g)].map(String),
  ),
]
const today = () => toLocal(new Date()).slice(0, 10)

describe('the log of a webhook', () => {
  it('shows status, code, time, headers, body and the answer, as text', async () => {
    const { agent, visitor, path, secret } = await withWebhook()
    answer(422, '<script>alert("é")</script>\u0000\u001b[31m')
    await deliver(agent, { title: 'Casa <i>A</i> & "B"' })
    await visitor.open(path)
    expect(visitor.text).toMatch(/http 4xx\s+422\s+listing\.published/)
    await visitor.open(linksIn(visitor)[0] as string)
    expect(visitor.status).toBe(200)
    const [got] = receiver.received
    expect(visitor.text).toContain(`X-SVC-Signature: ${got?.headers['x-svc-signature']}`)
    expect(visitor.text).toContain(`X-SVC-Delivery: ${got?.headers['x-svc-delivery']}`)
    expect(visitor.text).toContain(got?.body.toString())
    expect(visitor.text).toContain('<script>alert("é")</script>\uFFFD\uFFFD[31m')
    expect(visitor.html).not.toContain('<script>alert')
    expect(visitor.html).not.toContain('\u0000')
    expect(visitor.html).not.toContain(secret.slice(6))
  })

  it('can be narrowed to what failed, and turned page by page', async () => {
    const { agent, visitor, path } = await withWebhook()
    answer(200)
    for (let i = 0; i < 2; i++) await deliver(agent)
    answer(500)
    await deliver(agent)
    expect(linksIn(await visitor.open(path))).toHaveLength(3)
    expect(linksIn(await visitor.open(`${path}?show=failed`))).toHaveLength(1)
    await exchange.pool.query(
      `insert into webhook_deliveries (webhook_id, outbox_id, event, subject_id, attempted_at, finished_at, status, code)
       select webhook_id, outbox_id, event, subject_id, attempted_at, finished_at, status, code
       from webhook_deliveries, generate_series(1, 30) where webhook_id = $1 and code = 500`,
      [path.split('/').at(-1)],
    )
    expect(linksIn(await visitor.open(`${path}?show=failed`))).toHaveLength(25)
    expect(visitor.html).toContain('show=failed&amp;page=2')
    expect(linksIn(await visitor.open(`${path}?show=failed&page=2`))).toHaveLength(6)
    for (const query of ['page=-1', 'page=99999999999', 'show=%27', 'page=1&page=2'])
      expect((await visitor.open(`${path}?${query}`)).status).toBe(200)
  })

  it('sends one again with the same bytes', async () => {
    const { agent, visitor, path } = await withWebhook()
    answer(500)
    await deliver(agent, { title: 'Casa «Ñ» 1.0' })
    await visitor.open(path)
    const [link] = linksIn(visitor)
    await visitor.open(link as string)
    answer(200)
    await visitor.submit(`${link}/resend`)
    expect(visitor.text).toContain('La estamos reenviando.')
    await settled(exchange.db)
    const [first, second] = receiver.received
    expect(second?.body.equals(first?.body as Buffer)).toBe(true)
    expect((await visitor.open(path)).text).toMatch(/ok 200 .* http 5xx 500/)
  })

  it('sends all again that failed between two dates', async () => {
    const { agent, visitor, path } = await withWebhook()
    answer(500)
    const [one, two] = [await deliver(agent), await deliver(agent)]
    answer(200)
    await visitor.open(path)
    await visitor.submit(`${path}/resend`, { from: today(), to: today() })
    expect(visitor.text).toContain('Entregas por reenviar: 2.')
    await settled(exchange.db)
    expect(receiver.ids()).toEqual([one.id, two.id, one.id, two.id])
    await visitor.submit(`${path}/resend`, { from: '2020-01-01', to: today() })
    expect(visitor.text).toContain('nada falló en esas fechas')
  })

  it.each([
    ['no dates', { from: '', to: '' }],
    ['the later first', { from: '2026-02-02', to: '2026-02-01' }],
    ['no such day', { from: '2026-02-30', to: '2026-03-01' }],
    ['text', { from: "'; drop table webhooks", to: '\u0000' }],
  ])('refuses a period of %s', async (_what, dates) => {
    const { agent, visitor, path } = await withWebhook()
    answer(500)
    await deliver(agent)
    await visitor.open(path)
    await visitor.submit(`${path}/resend`, dates)
    expect([400, 422]).toContain(visitor.status)
    expect(receiver.received).toHaveLength(1)
  })

  it('sends again ten times in ten minutes, and not what is paused', async () => {
    const { agent, visitor, path, id } = await withWebhook()
    answer(200)
    await deliver(agent)
    const [link] = linksIn(await visitor.open(path))
    await exchange.db.updateTable('webhooks').set({ active: false }).where('id', '=', id).execute()
    const again = () => visitor.request('POST', `${link}/resend`, urlencoded([['_token', visitor.token]]))
    await again()
    await visitor.open(String(visitor.headers.location))
    expect(visitor.text).toContain('El webhook está en pausa')
    for (let i = 0; i < 10; i++) {
      await again()
      await visitor.open(String(visitor.headers.location))
    }
    expect(visitor.text).toContain('Demasiados intentos')
    expect(receiver.received).toHaveLength(1)
  })

  it('does not exist for another agent, and sends nothing for one who is no longer verified', async () => {
    const { agent, visitor, path } = await withWebhook()
    answer(500)
    await deliver(agent)
    const [link] = linksIn(await visitor.open(path))
    const other = await signedInAgent(exchange)
    expect((await other.visitor.open(link as string)).status).toBe(404)
    await other.visitor.open('/portal')
    const fields: [string, string][] = [
      ['_token', other.visitor.token],
      ['from', today()],
      ['to', today()],
      ['password', PASSWORD],
    ]
    for (const action of [`${link}/resend`, `${path}/resend`, `${path}/secret/end`, `${path}/delivery`]) {
      await other.visitor.request('POST', action, urlencoded(fields))
      expect([action, other.visitor.status]).toEqual([action, 404])
    }
    await setVerified(exchange.db, agent.email, false)
    await visitor.request('POST', `${link}/resend`, urlencoded([['_token', visitor.token]]))
    expect(visitor.status).toBe(303)
    await settled(exchange.db)
    expect(receiver.received).toHaveLength(1)
  })
})

describe('the settings of a webhook', () => {
  it('retry and add the headers of Standard Webhooks only when they are chosen', async () => {
    const { agent, visitor, path } = await withWebhook()
    answer(200)
    await visitor.open(path)
    await visitor.submit(`${path}/delivery`, { retries: 'on', standard_headers: 'on' })
    await deliver(agent)
    expect(receiver.received.at(-1)?.headers).toHaveProperty('webhook-signature')
    // The form keeps what was chosen.
    await visitor.submit(`${path}/delivery`)
    const chosen = () =>
      exchange.db
        .selectFrom('webhooks')
        .select(['retries', 'standard_headers'])
        .where('agent_id', '=', agent.id)
    expect(await chosen().execute()).toEqual([{ retries: true, standard_headers: true }])
    await visitor.submit(`${path}/delivery`, { retries: [], standard_headers: [] })
    expect(await chosen().execute()).toEqual([{ retries: false, standard_headers: false }])
  })

  it('rotate the secret with an overlap, which can be ended, and show it once', async () => {
    const { agent, visitor, path, secret: old } = await withWebhook()
    answer(200)
    await visitor.open(path)
    await visitor.submit(`${path}/secret`, { password: PASSWORD, overlap: 'on' })
    const secret = /whsec_[\w-]{43}/.exec(visitor.html)?.[0] as string
    await deliver(agent)
    const signed = () => {
      const { headers, body } = receiver.received.at(-1) as (typeof receiver.received)[number]
      return [old, secret].map(one =>
        ['x-svc-signature', 'x-svc-signature-next'].filter(name =>
          isSignedBy(body, headers[name] as string, one),
        ),
      )
    }
    expect(signed()).toEqual([['x-svc-signature'], ['x-svc-signature-next']])
    await visitor.open(path)
    expect(visitor.text).toContain('El secreto anterior también firma hasta')
    await visitor.submit(`${path}/secret`, { password: PASSWORD, overlap: 'on' })
    expect([visitor.status, visitor.text.includes('todavía es válido')]).toEqual([422, true])
    await visitor.submit(`${path}/secret/end`)
    await deliver(agent)
    expect(signed()).toEqual([[], ['x-svc-signature']])
    for (const page of [path, '/portal/webhooks', ...linksIn(await visitor.open(path))]) {
      await visitor.open(page)
      for (const one of [old, secret]) expect(visitor.html).not.toContain(one.slice(6, 20))
    }
    expect(exchange.log.join('')).not.toContain('whsec_')
  })
})
