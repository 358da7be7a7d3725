import { describe, expect, it } from 'vitest'
import { createCollection } from '../../src/collections/service.ts'
import { useExchange } from '../support/exchange.ts'
import { newFeed, readFeed } from '../support/feeds.ts'
import { signedInAgent } from '../support/visitor.ts'

const exchange = useExchange()

const addressIn = (html: string) => /https:\/\/lonja\.example(\/feeds\/[\w-]+\.\w+)/.exec(html)?.[1] as string

describe('the screen of feeds', () => {
  it('creates a feed, shows its address and last reader, renews it and revokes it', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await exchange.published(agent)
    await visitor.open('/portal/feeds')
    expect(visitor.text).toContain('Aún no tienes feeds')
    expect(visitor.text).not.toContain('Las de mi inmobiliaria')
    await visitor.submit('/portal/feeds', { name: 'Portal <grande>', listings: 'own', format: 'csv' })
    const { path } = visitor
    expect(path).toMatch(/^\/portal\/feeds\/[0-9a-f-]{36}$/)
    expect(visitor.text).toContain('Portal <grande>')
    expect(visitor.text).toContain('Aún sin lecturas')
    const first = addressIn(visitor.html)
    expect((await readFeed(exchange, first)).statusCode).toBe(200)
    await visitor.open(path)
    expect(visitor.text).toContain('Portal-Bot/2.1')
    expect(visitor.text).toContain('203.0.113.0/24')
    await visitor.submit(`${path}/renew`)
    const second = addressIn(visitor.html)
    expect(visitor.text).not.toContain('Portal-Bot/2.1')
    expect((await readFeed(exchange, first)).statusCode).toBe(404)
    expect((await readFeed(exchange, second)).statusCode).toBe(200)
    await visitor.submit(`${path}/revoke`)
    expect(visitor.path).toBe('/portal/feeds')
    expect(visitor.text).toContain('Aún no tienes feeds')
    expect((await readFeed(exchange, second)).statusCode).toBe(404)
  })

  it('changes the name, the listings and the format; the next read has them, at the address it now shows', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.published(agent)
    const collection = await createCollection(exchange.db, agent.id, {
      value: { title: 'Vacía' },
      issues: [],
    })
    const feed = await newFeed(exchange, agent, { format: 'ndjson' })
    expect((await readFeed(exchange, feed.path)).body).toContain(id)
    const path = `/portal/feeds/${feed.id}`
    await visitor.open(path)
    await visitor.submit(`${path}/edit`, { name: 'Otro nombre', listings: collection, format: 'ndjson' })
    expect([visitor.path, visitor.text.includes('Otro nombre')]).toEqual([path, true])
    expect(addressIn(visitor.html)).toBe(feed.path)
    expect((await readFeed(exchange, feed.path)).body).not.toContain(id)
    await visitor.submit(`${path}/edit`, { name: 'Otro nombre', listings: 'own', format: 'csv' })
    expect((await readFeed(exchange, feed.path)).statusCode).toBe(404)
    expect(addressIn(visitor.html)).toBe(feed.path.replace('ndjson', 'csv'))
    expect((await readFeed(exchange, addressIn(visitor.html))).body).toContain(id)
    await visitor.submit(`${path}/edit`, { name: '', listings: 'own', format: 'csv' })
    expect([visitor.status, visitor.text.includes('Es obligatorio.')]).toEqual([422, true])
  })

  it.each([
    ['without a name', { name: '' }, 'Es obligatorio.'],
    ['in an unknown format', { format: 'pdf' }, 'Debe ser uno de:'],
    ['of an agency the agent has not', { listings: 'agency' }, 'No perteneces a una inmobiliaria.'],
    ['of nothing known', { listings: "'; drop table feeds" }, 'No es una de tus colecciones.'],
  ])('refuses a feed %s, and keeps what was typed', async (_what, fields, message) => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/feeds')
    await visitor.submit('/portal/feeds', { name: 'Mío', listings: 'own', format: 'json', ...fields })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain(message)
  })

  it('refuses another agent’s collection, and hides another agent’s feed', async () => {
    const owner = await exchange.agent()
    const { visitor } = await signedInAgent(exchange)
    const collection = await createCollection(exchange.db, owner.id, { value: { title: 'Suya' }, issues: [] })
    const feed = await newFeed(exchange, owner, { listings: collection })
    await visitor.open('/portal/feeds')
    await visitor.submit('/portal/feeds', { name: 'Mío', listings: collection, format: 'json' })
    expect(visitor.status).toBe(422)
    expect((await visitor.open(`/portal/feeds/${feed.id}`)).status).toBe(404)
    expect((await readFeed(exchange, feed.path)).statusCode).toBe(200)
  })
})
