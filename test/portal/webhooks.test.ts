import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeStatus } from '../../src/listings/service.ts'
import type { Running } from '../../src/webhooks/dispatch/dispatcher.ts'
import { useExchange } from '../support/exchange.ts'
import { loopbackNetwork, Receiver, until } from '../support/receiver.ts'
import { PASSWORD, signedInAgent, urlencoded, type Visitor } from '../support/visitor.ts'
import { dispatch, subscribe } from '../support/webhooks.ts'

const exchange = useExchange({ network: loopbackNetwork() })
const receiver = new Receiver()
let dispatcher: Running
beforeAll(async () => {
  await receiver.listen()
  dispatcher = await dispatch(exchange)
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer = (_request, response) => void response.writeHead(200).end()
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
})

async function add(visitor: Visitor, fields: Record<string, string | string[]> = {}) {
  await visitor.open('/portal/webhooks')
  await visitor.submit('/portal/webhooks', { url: receiver.url(), password: PASSWORD, ...fields })
  const id = /\/portal\/webhooks\/([0-9a-f-]{36})/.exec(visitor.html)?.[1] as string
  return { id, secret: /whsec_[\w-]{43}/.exec(visitor.html)?.[0] as string, path: `/portal/webhooks/${id}` }
}

describe('a new webhook', () => {
  it('shows its secret once, which signs what it sends', async () => {
    const { visitor } = await signedInAgent(exchange)
    const { secret, path } = await add(visitor)
    expect(visitor.headers['cache-control']).toBe('no-store')
    await visitor.open(path)
    expect(visitor.html).not.toContain(secret)
    await visitor.submit(`${path}/test`)
    expect(visitor.text).toMatch(/Prueba enviada: ok \(200\) · \d+ ms/)
    const [sent] = receiver.received
    const signature = createHmac('sha256', secret)
      .update(sent?.body as Buffer)
      .digest('hex')
    expect(sent?.headers['x-svc-signature']).toBe(`sha256=${signature}`)
    expect(JSON.parse(String(sent?.body)).event).toBe('lead.created')
  })

  it.each([
    ['a wrong password', { password: 'a guess' }, 'No es correcta'],
    ['plain http', { url: 'http://hook.example/x' }, 'Debe empezar con https://'],
    ['a private address', { url: 'https://10.0.0.1/x' }, 'Debe ser la dirección de un servidor público'],
    ['our own address', { url: 'https://lonja.example/x' }, 'No puede ser una dirección de este servicio'],
    ['no event', { events: [] }, 'Corrige lo que está marcado'],
  ])('is rejected for %s', async (_name, fields, message) => {
    const { visitor } = await signedInAgent(exchange)
    await add(visitor, fields)
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain(message)
  })

  it('is rejected for a URL the agent already has', async () => {
    const { visitor } = await signedInAgent(exchange)
    await add(visitor)
    await add(visitor)
    expect(visitor.text).toContain('Ya tienes un webhook con esa dirección.')
  })

  it('has its URL checked while it is typed', async () => {
    const { visitor } = await signedInAgent(exchange)
    const check = (url: string) =>
      visitor.request('GET', `/portal/webhooks/check?url=${encodeURIComponent(url)}`)
    expect((await check('http://x')).text).toContain('debe empezar con https://')
    expect((await check(receiver.url())).text).toContain('Dirección correcta')
  })
})

describe('a webhook', () => {
  it.each([
    [200, 'ok'],
    [404, 'http 4xx'],
    [503, 'http 5xx'],
    [302, 'error: delivery failed'],
  ])('shows a response of %i as %s', async (code, status) => {
    const { visitor } = await signedInAgent(exchange)
    const { path } = await add(visitor)
    receiver.answer = (_request, response) => void response.writeHead(code, { location: '/x' }).end()
    await visitor.open(path)
    await visitor.submit(`${path}/test`)
    await visitor.open('/portal/webhooks')
    expect(visitor.html).toMatch(new RegExp(`>${status}<`))
  })

  it('logs a delivery and shows the very bytes that were sent', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { path } = await add(visitor)
    const listing = await exchange.listing(agent, { title: 'Casa "A" & <b>' })
    await changeStatus(exchange.db, agent.id, listing.id, 'publish')
    await until(() => receiver.received.length === 1)
    await until(async () => (await visitor.open(path)).text.includes('Qué se envió'))
    const link = new RegExp(`${path}/deliveries/[0-9a-f-]+`).exec(visitor.html)?.[0] as string
    await visitor.open(link)
    const shown = /<code>(\{.*\})<\/code>/s.exec(visitor.html)?.[1] as string
    expect(shown.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')).toBe(
      String(receiver.received[0]?.body),
    )
  })

  it('gets only the selected events', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { path } = await add(visitor)
    await visitor.open(path)
    await visitor.submit(`${path}/events`, { events: ['listing.unpublished'] })
    const listing = await exchange.listing(agent)
    await changeStatus(exchange.db, agent.id, listing.id, 'publish')
    await changeStatus(exchange.db, agent.id, listing.id, 'unpublish')
    await until(() => receiver.received.length === 1)
    expect(receiver.received[0]?.headers['x-svc-event']).toBe('listing.unpublished')
  })

  it('gets nothing while it is paused, and can be resumed and removed', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { path } = await add(visitor)
    await visitor.open(path)
    await visitor.submit(`${path}/pause`)
    expect(visitor.text).toContain('En pausa')
    const listing = await exchange.listing(agent)
    await changeStatus(exchange.db, agent.id, listing.id, 'publish')
    await visitor.submit(`${path}/resume`)
    await changeStatus(exchange.db, agent.id, listing.id, 'withdraw')
    await until(() => receiver.received.length === 1)
    expect(receiver.received[0]?.headers['x-svc-event']).toBe('listing.unpublished')
    await visitor.submit(`${path}/remove`)
    expect(visitor.text).toContain('Aún no tienes webhooks')
  })

  it('signs with a new secret from the moment it is made', async () => {
    const { visitor } = await signedInAgent(exchange)
    const { path, secret: old } = await add(visitor)
    await visitor.open(path)
    await visitor.submit(`${path}/secret`, { password: 'a guess' })
    expect(visitor.status).toBe(422)
    await visitor.submit(`${path}/secret`, { password: PASSWORD })
    const secret = /whsec_[\w-]{43}/.exec(visitor.html)?.[0] as string
    expect(secret).not.toBe(old)
    await visitor.open(path)
    await visitor.submit(`${path}/test`)
    const [sent] = receiver.received
    const signature = createHmac('sha256', secret)
      .update(sent?.body as Buffer)
      .digest('hex')
    expect(sent?.headers['x-svc-signature']).toBe(`sha256=${signature}`)
  })

  it('does not exist for another agent, nor do its deliveries', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { path } = await add(visitor)
    const listing = await exchange.listing(agent)
    await changeStatus(exchange.db, agent.id, listing.id, 'publish')
    await until(async () => (await visitor.open(path)).text.includes('Qué se envió'))
    const link = new RegExp(`${path}/deliveries/[0-9a-f-]+`).exec(visitor.html)?.[0] as string
    expect((await visitor.open(link)).status).toBe(200)
    const other = await signedInAgent(exchange)
    for (const page of [path, link]) expect((await other.visitor.open(page)).status).toBe(404)
  })

  it.each(['test', 'pause', 'resume', 'remove', 'events', 'secret'])(
    'rejects %s from another agent',
    async action => {
      const { visitor } = await signedInAgent(exchange)
      const { path, id } = await add(visitor)
      const other = await signedInAgent(exchange)
      const form = urlencoded([
        ['_token', other.visitor.token],
        ['password', PASSWORD],
        ['events', 'lead.created'],
      ])
      await other.visitor.request('POST', `${path}/${action}`, form)
      expect(other.visitor.status).toBe(404)
      expect((await visitor.open('/portal/webhooks')).html).toContain(id)
      expect(receiver.received).toHaveLength(0)
    },
  )
})

describe('testing and checking a webhook', () => {
  it('is limited to ten times in ten minutes', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await subscribe(exchange, agent, 'https://throttled.example/hook')
    for (let i = 0; i < 11; i++) {
      await visitor.open(`/portal/webhooks/${id}`)
      await visitor.submit(`/portal/webhooks/${id}/test`)
    }
    expect(visitor.text).toContain('Demasiados intentos')
  })
})
