import { describe, expect, it } from 'vitest'
import { expireUnconfirmed } from '../../src/listings/reconfirmation.ts'
import { suspendListing } from '../../src/listings/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { signedInAgent, urlencoded, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const statusOf = async (id: string) =>
  (await exchange.db.selectFrom('listings').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status

const eventsOf = async (id: string) =>
  (await exchange.events(id)).map(({ event, data }) => [event, (data as { status: string }).status])

/** Like the page's button. */
const change = async (visitor: Visitor, id: string, action: string) => {
  const path = `/portal/listings/${id}/status`
  await visitor.open(`/portal/listings/${id}`)
  return visitor.request(
    'POST',
    path,
    urlencoded([
      ['_token', visitor.token],
      ['action', action],
    ]),
  )
}

const bulk = async (visitor: Visitor, ids: string[], action: string) => {
  await visitor.open('/portal/listings')
  return visitor.submit('/portal/listings/bulk', { id: ids, action })
}

describe('the status of a listing', () => {
  it.each([
    ['draft', 'publish', 'published', 'listing.published'],
    ['published', 'publish', 'published', 'listing.published'],
    ['published', 'unpublish', 'draft', 'listing.unpublished'],
    ['published', 'withdraw', 'withdrawn', 'listing.unpublished'],
    ['published', 'sell', 'sold', 'listing.unpublished'],
    ['published', 'rent', 'rented', 'listing.unpublished'],
    ['sold', 'publish', 'published', 'listing.published'],
    ['rented', 'publish', 'published', 'listing.published'],
    ['expired', 'publish', 'published', 'listing.published'],
    ['withdrawn', 'unpublish', 'draft', 'listing.unpublished'],
  ])('goes from %s by %s to %s and creates %s', async (from, action, to, event) => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent)
    await exchange.setStatus(id, from)
    await change(visitor, id, action)
    expect(visitor.status).toBe(303)
    expect(await statusOf(id)).toBe(to)
    expect(await eventsOf(id)).toEqual([[event, to]])
  })

  it('stays suspended, and the agent sees why', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.published(agent)
    await suspendListing(exchange.db, id, { reason: 'Fotos de otra casa <b>' })
    await change(visitor, id, 'publish')
    expect(await statusOf(id)).toBe('suspended')
    await visitor.open(`/portal/listings/${id}`)
    expect(visitor.text).toContain('Fotos de otra casa <b>')
    expect(visitor.html).not.toContain('casa <b>')
  })

  it('is not published without a price', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent)
    await exchange.put(`/properties/${id}`, agent.key, { sale_price: null })
    await change(visitor, id, 'publish')
    await visitor.open(`/portal/listings/${id}`)
    expect(visitor.text).toContain('Para publicarla le falta un precio.')
    expect(await statusOf(id)).toBe('draft')
  })

  it.each(['suspend', 'delete', '', '__proto__'])('has no action %j', async action => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent)
    await change(visitor, id, action)
    expect(visitor.status).toBe(400)
    expect(await statusOf(id)).toBe('draft')
  })

  it('is found by search as soon as the page responds', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const other = await exchange.agent()
    const { id } = await exchange.listing(agent, { title: 'Casa zarzamora única' })
    await exchange.search.refresh()
    await change(visitor, id, 'publish')
    const found = await exchange.app.inject({
      url: '/api/v1/properties?q=zarzamora',
      headers: { authorization: `Bearer ${other.key}` },
    })
    expect(found.json().content.map((one: { id: string }) => one.id)).toEqual([id])
  })
})

describe('bulk changes', () => {
  const three = async (agent: TestAgent) => [
    (await exchange.listing(agent, { title: 'Casa uno en venta' })).id,
    (await exchange.listing(agent, { title: 'Casa dos en venta' })).id,
    (await exchange.published(agent, { title: 'Casa tres en venta' })).id,
  ]

  it.each([
    ['publish', ['published', 'published', 'published']],
    ['unpublish', ['draft', 'draft', 'draft']],
    ['withdraw', ['withdrawn', 'withdrawn', 'withdrawn']],
    ['reconfirm', ['draft', 'draft', 'published']],
  ])('%s', async (action, statuses) => {
    const { agent, visitor } = await signedInAgent(exchange)
    const ids = await three(agent)
    await bulk(visitor, ids, action)
    expect(visitor.path).toBe('/portal/listings')
    expect(await Promise.all(ids.map(statusOf))).toEqual(statuses)
  })

  it('apply where possible and say how many failed', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const [one = '', two = ''] = await three(agent)
    await exchange.put(`/properties/${one}`, agent.key, { sale_price: null })
    await bulk(visitor, [one, two], 'publish')
    expect(visitor.text).toContain('Listo: 1. Sin cambio: 1')
    expect([await statusOf(one), await statusOf(two)]).toEqual(['draft', 'published'])
  })

  it('ask to select some first', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await three(agent)
    await bulk(visitor, [], 'withdraw')
    expect(visitor.text).toContain('Selecciona al menos una propiedad.')
  })

  it('leave another agent’s listing unchanged', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const other = await exchange.agent()
    const theirs = await exchange.published(other)
    const [mine = ''] = await three(agent)
    await bulk(visitor, [theirs.id, mine, 'not-an-id'], 'withdraw')
    expect([await statusOf(theirs.id), await statusOf(mine)]).toEqual(['published', 'withdrawn'])
  })
})

describe('the list', () => {
  it('filters by status, type and text, and counts each status', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await exchange.published(agent, { title: 'Casa azul en Ajijic', internal_id: 'INT-77' })
    await exchange.listing(agent, { title: 'Oficina verde en el centro', property_type: 'office' })
    const titles = async (query: string) => {
      await visitor.open(`/portal/listings?${query}`)
      return ['Casa azul en Ajijic', 'Oficina verde en el centro'].filter(title =>
        visitor.text.includes(title),
      )
    }
    expect(await titles('')).toHaveLength(2)
    expect(await titles('status=draft')).toEqual(['Oficina verde en el centro'])
    expect(await titles('type=house')).toEqual(['Casa azul en Ajijic'])
    expect(await titles('q=AZUL')).toEqual(['Casa azul en Ajijic'])
    expect(await titles('q=int-77')).toEqual(['Casa azul en Ajijic'])
    expect(await titles('q=100%25')).toEqual([])
    expect(await titles('view=cards&q=oficina')).toEqual(['Oficina verde en el centro'])
    expect(await titles('status=nonsense&type=nonsense&page=-3')).toHaveLength(2)
    expect(visitor.text).toContain('Borrador 1')
  })

  it('shows listings to reconfirm', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const old = await exchange.published(agent, { title: 'Casa sin reconfirmar' })
    await exchange.published(agent, { title: 'Casa recién confirmada' })
    const longAgo = new Date(Date.now() - 58 * 86_400_000)
    await exchange.db
      .updateTable('listings')
      .set({ confirmed_at: longAgo })
      .where('id', '=', old.id)
      .execute()
    await visitor.open('/portal/listings?reconfirm=1')
    expect(visitor.text).toContain('Casa sin reconfirmar')
    expect(visitor.text).toContain('Reconfirma antes del')
    expect(visitor.text).not.toContain('Casa recién confirmada')
  })
})

describe('the history', () => {
  it('says who changed what, when and through which interface', async () => {
    const { agent, visitor } = await signedInAgent(exchange, { name: 'Ana Torres' })
    const { id } = await exchange.published(agent, { bedrooms: 2 })
    await exchange.put(`/properties/${id}`, agent.key, { sale_price: 5_000_000, features: ['Jardín'] })
    await exchange.put(`/properties/${id}`, agent.key, { sale_price: 5_000_000 })
    await visitor.open(`/portal/listings/${id}/edit`)
    await visitor.submit(`/portal/listings/${id}/edit`, { bedrooms: '3' })
    await change(visitor, id, 'publish')
    await exchange.db
      .updateTable('listings')
      .set({ confirmed_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await expireUnconfirmed(exchange.db, 60)
    const entries = await exchange.db
      .selectFrom('listing_changes')
      .select(['via', 'agent_id', 'action', 'fields'])
      .where('listing_id', '=', id)
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { via: 'api', agent_id: agent.id, action: 'create', fields: {} },
      { via: 'api', agent_id: agent.id, action: 'publish', fields: {} },
      {
        via: 'api',
        agent_id: agent.id,
        action: 'edit',
        fields: { sale_price: [4_500_000, 5_000_000], features: [[], ['Jardín']] },
      },
      { via: 'portal', agent_id: agent.id, action: 'edit', fields: { bedrooms: [2, 3] } },
      { via: 'portal', agent_id: agent.id, action: 'reconfirm', fields: {} },
      { via: 'system', agent_id: null, action: 'expire', fields: {} },
    ])
    await visitor.open(`/portal/listings/${id}/history`)
    expect(visitor.text).toContain('Ana Torres · por la API')
    expect(visitor.text).toMatch(/Precio de venta: \$4,500,000 → \$5,000,000/)
    expect(visitor.text).toContain('Recámaras: 2 → 3')
    expect(visitor.text).toContain('Oculta por falta de reconfirmación')
  })

  it('has fifty entries on a page, the newest first, and ends with the creation', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent)
    await exchange.db
      .insertInto('listing_changes')
      .values(
        Array.from({ length: 60 }, (_, n) => ({
          listing_id: id,
          via: 'api',
          agent_id: agent.id,
          action: 'edit',
          fields: JSON.stringify({ bedrooms: [1000 + n, 1001 + n] }),
        })),
      )
      .execute()
    const shown = () =>
      [...visitor.text.matchAll(/Recámaras: 1,?\d+ → 1,?(\d+)/g)].map(([, after]) => Number(after))
    await visitor.open(`/portal/listings/${id}/history`)
    expect(shown()).toEqual(Array.from({ length: 50 }, (_, n) => 60 - n))
    expect(visitor.text).not.toContain('Creada')
    await visitor.open(`/portal/listings/${id}/history?page=2`)
    expect(shown()).toEqual(Array.from({ length: 10 }, (_, n) => 10 - n))
    expect(visitor.text).toContain('Creada')
    await visitor.open(`/portal/listings/${id}/history?page=3`)
    expect(visitor.text).not.toContain('Creada')
    // The screen of the listing names the last four.
    await visitor.open(`/portal/listings/${id}`)
    expect(visitor.text.match(/por la API: Recámaras/g)).toHaveLength(4)
    expect(visitor.text).not.toContain('Creada')
  })

  it('has no entry for what was rejected', async () => {
    const { agent } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent)
    await exchange.put(`/properties/${id}`, agent.key, { sale_price: -1 })
    const entries = await exchange.db
      .selectFrom('listing_changes')
      .select('action')
      .where('listing_id', '=', id)
      .execute()
    expect(entries).toEqual([{ action: 'create' }])
  })
})
