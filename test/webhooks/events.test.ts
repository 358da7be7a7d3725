import { beforeAll, describe, expect, it } from 'vitest'
import { leadFields } from '../../src/leads/schema.ts'
import { changeStage, markIdentified, receiveLead } from '../../src/leads/service.ts'
import { readBody } from '../../src/lib/fields.ts'
import { writableFields } from '../../src/listings/fields.ts'
import { expireUnconfirmed, remindUnconfirmed } from '../../src/listings/reconfirmation.ts'
import { changeStatus, suspendListing, updateListing } from '../../src/listings/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
let agent: TestAgent
let webhookId: string

beforeAll(async () => {
  agent = await exchange.agent()
  webhookId = (await subscribe(exchange, agent, 'https://crm.example.com/')).id
})

const deliveriesOf = async (subjectId: string) =>
  (
    await exchange.db
      .selectFrom('webhook_deliveries')
      .select('event')
      .where('webhook_id', '=', webhookId)
      .where('subject_id', '=', subjectId)
      .orderBy('id')
      .execute()
  ).map(({ event }) => event)
const eventsOf = (id: string) => exchange.events(id)
const noticesOf = async (id: string) => {
  const { rows } = await exchange.pool.query(
    `select payload->>'kind' as kind from graphile_worker._private_jobs where payload->'ids'->>0 = $1 order by id`,
    [id],
  )
  return rows.map(({ kind }) => kind)
}
const asked = (fields: Record<string, unknown>) => readBody(leadFields, fields)

describe('lead.created', () => {
  it('is sent for a lead from the site, with every documented field in order, and mailed', async () => {
    const listing = await exchange.published(agent)
    const lead = await receiveLead(
      exchange.db,
      agent.id,
      asked({
        name: 'María',
        email: 'maria@example.com',
        phone: '3312345678',
        message: '¿Sigue?',
        property_id: listing.slug,
      }),
      { source: 'site', lang: 'en' },
    )
    const [event] = await eventsOf(lead.id)
    expect(event).toMatchObject({
      event: 'lead.created',
      channels: ['webhook', 'notice'],
      created_at: lead.created_at,
    })
    expect(JSON.stringify(event?.data)).toBe(
      JSON.stringify({
        id: lead.id,
        name: 'María',
        email: 'maria@example.com',
        phone: '3312345678',
        message: '¿Sigue?',
        kind: 'info',
        id_status: null,
        listing: { id: listing.id, slug: listing.slug, title: listing.title },
        source: 'site',
      }),
    )
    expect(await deliveriesOf(lead.id)).toEqual(['lead.created'])
    expect(await noticesOf(lead.id)).toEqual(['lead'])
  })

  it('has a null listing when there is none', async () => {
    const lead = await receiveLead(exchange.db, agent.id, asked({ name: 'Luis' }), { source: 'widget:7' })
    expect((await eventsOf(lead.id))[0]?.data).toMatchObject({ listing: null, source: 'widget:7' })
  })

  it('is not sent for a lead made with POST /leads, which is only mailed', async () => {
    const { body } = await exchange.post('/leads', agent.key, { name: 'Luis' })
    expect(await deliveriesOf(body.id)).toEqual([])
    expect(await noticesOf(body.id)).toEqual(['lead'])
  })

  it('is sent for a showing request once the buyer is identified, not before and not twice; the agent is mailed at once', async () => {
    const lead = await receiveLead(exchange.db, agent.id, asked({ name: 'Eva' }), {
      source: 'site',
      tour: { at: new Date('2030-01-01T16:00:00Z') },
    })
    expect(lead).toMatchObject({
      kind: 'tour',
      id_status: 'pending',
      awaiting_id: true,
      tour_status: 'requested',
    })
    expect(await deliveriesOf(lead.id)).toEqual([])
    expect(await noticesOf(lead.id)).toEqual(['showing-requested'])
    const { content } = (await exchange.get('/leads', agent.key)).body
    expect(content.find(({ id }: { id: string }) => id === lead.id)).toMatchObject({ awaiting_id: true })

    const identified = await markIdentified(exchange.db, lead.id)
    await markIdentified(exchange.db, lead.id)
    expect(identified).toMatchObject({ id_status: 'verified', awaiting_id: false })
    expect(await deliveriesOf(lead.id)).toEqual(['lead.created'])
    expect(await noticesOf(lead.id)).toEqual(['showing-requested', 'lead'])
    const [event] = await eventsOf(lead.id)
    expect(event?.data).toMatchObject({ kind: 'tour', id_status: 'verified' })
    expect(event?.created_at).toEqual(identified.updated_at)
  })
})

describe('lead.updated', () => {
  it('is sent when the stage changes, with id and status only', async () => {
    const { body } = await exchange.post('/leads', agent.key, { name: 'Luis' })
    await changeStage(exchange.db, agent.id, body.id, 'contacted')
    await changeStage(exchange.db, agent.id, body.id, 'contacted')
    await changeStage(exchange.db, agent.id, body.id, 'won')
    expect(await deliveriesOf(body.id)).toEqual(['lead.updated', 'lead.updated'])
    const updates = (await eventsOf(body.id)).filter(({ event }) => event === 'lead.updated')
    expect(updates.map(({ data }) => data)).toEqual([
      { id: body.id, status: 'contacted' },
      { id: body.id, status: 'won' },
    ])
  })

  it('is refused for another agent’s lead', async () => {
    const other = await exchange.agent()
    const { body } = await exchange.post('/leads', agent.key, { name: 'Luis' })
    await expect(changeStage(exchange.db, other.id, body.id, 'lost')).rejects.toMatchObject({
      kind: 'not_found',
    })
    expect(await deliveriesOf(body.id)).toEqual([])
  })
})

describe('a listing', () => {
  it('tells publish, unpublish and DELETE by API, and neither its creation nor a PUT', async () => {
    const { id } = await exchange.listing(agent)
    await exchange.put(`/properties/${id}`, agent.key, { title: 'Otro título' })
    expect(await deliveriesOf(id)).toEqual([])
    await exchange.post(`/properties/${id}/publish`, agent.key)
    await exchange.put(`/properties/${id}`, agent.key, { title: 'Y otro título' })
    await exchange.post(`/properties/${id}/images`, agent.key, { urls: ['https://img.example.com/1.jpg'] })
    await exchange.post(`/properties/${id}/unpublish`, agent.key)
    await exchange.delete(`/properties/${id}`, agent.key)
    expect(await deliveriesOf(id)).toEqual([
      'listing.published',
      'listing.unpublished',
      'listing.unpublished',
    ])
  })

  it('tells an edit in the portal while published, and none while a draft', async () => {
    const { id } = await exchange.listing(agent)
    const edit = (title: string) =>
      updateListing(exchange.db, agent.id, id, { sent: readBody(writableFields, { title }), via: 'portal' })
    await edit('Primer título')
    await exchange.post(`/properties/${id}/publish`, agent.key)
    await edit('Segundo título')
    await edit('Segundo título')
    expect(await deliveriesOf(id)).toEqual(['listing.published', 'listing.updated'])
    expect((await eventsOf(id)).at(-1)?.data).toMatchObject({ title: 'Segundo título', status: 'published' })
  })

  it.each([
    ['sell', 'sold'],
    ['rent', 'rented'],
  ] as const)('marked with «%s» becomes %s and tells it once', async (by, status) => {
    const { id } = await exchange.published(agent)
    await changeStatus(exchange.db, agent.id, id, by)
    await changeStatus(exchange.db, agent.id, id, by)
    expect(await deliveriesOf(id)).toEqual(['listing.published', 'listing.unpublished'])
    expect((await eventsOf(id)).at(-1)?.data).toMatchObject({ id, status })
  })

  it('suspended by the operator tells it', async () => {
    const { id } = await exchange.published(agent)
    await suspendListing(exchange.db, id)
    expect(await deliveriesOf(id)).toEqual(['listing.published', 'listing.unpublished'])
    expect((await eventsOf(id)).at(-1)?.data).toMatchObject({ status: 'suspended' })
  })
})

describe('reconfirmation', () => {
  const confirmedAgo = (id: string, days: number) =>
    exchange.pool.query(`update listings set confirmed_at = now() - $2 * interval '1 day' where id = $1`, [
      id,
      days,
    ])
  const statusOf = async (id: string) => (await exchange.get(`/properties/${id}`, agent.key)).body.status

  it('hides what was not confirmed for 60 days as expired and tells it; publishing again confirms', async () => {
    const [old, fresh, draft] = [
      await exchange.published(agent),
      await exchange.published(agent),
      await exchange.listing(agent),
    ]
    await confirmedAgo(old.id, 60.01)
    await confirmedAgo(fresh.id, 59.9)
    await confirmedAgo(draft.id, 100)
    expect(await expireUnconfirmed(exchange.db, 60)).toBe(1)
    expect(await expireUnconfirmed(exchange.db, 60)).toBe(0)
    expect([await statusOf(old.id), await statusOf(fresh.id), await statusOf(draft.id)]).toEqual([
      'expired',
      'published',
      'draft',
    ])
    expect((await eventsOf(old.id)).at(-1)).toMatchObject({
      event: 'listing.unpublished',
      data: { id: old.id, slug: old.slug, status: 'expired' },
    })
    await confirmedAgo(fresh.id, 61)
    await exchange.post(`/properties/${fresh.id}/publish`, agent.key)
    expect(await expireUnconfirmed(exchange.db, 60)).toBe(0)
    expect(await deliveriesOf(fresh.id)).toEqual(['listing.published', 'listing.published'])
  })

  it('reminds the agent a week before, once for each confirmation, in one mail', async () => {
    const owner = await exchange.agent()
    const [a, b, later] = [
      await exchange.published(owner),
      await exchange.published(owner),
      await exchange.published(owner),
    ]
    await confirmedAgo(a.id, 53.1)
    await confirmedAgo(b.id, 55)
    await confirmedAgo(later.id, 52.9)
    expect(await remindUnconfirmed(exchange.db, 60)).toBe(1)
    expect(await remindUnconfirmed(exchange.db, 60)).toBe(0)
    const mails = async () =>
      (
        await exchange.pool.query(
          `select payload->'ids' as ids from graphile_worker._private_jobs
           where payload->>'kind' = 'reconfirm' and payload->>'agentId' = $1 order by id`,
          [owner.id],
        )
      ).rows.map(({ ids }) => ids.sort())
    expect(await mails()).toEqual([[a.id, b.id].sort()])
    await exchange.post(`/properties/${a.id}/publish`, owner.key)
    await exchange.pool.query(`update listings set reminded_at = now() - interval '60 days' where id = $1`, [
      a.id,
    ])
    await confirmedAgo(a.id, 54)
    expect(await remindUnconfirmed(exchange.db, 60)).toBe(1)
    expect((await mails()).at(-1)).toEqual([a.id])
  })
})
