import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { setFlags } from '../../src/listings/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

type Trigger = 'publish' | 'unpublish' | 'DELETE'
const TRIGGERS: { by: Trigger; to: string; event: string }[] = [
  { by: 'publish', to: 'published', event: 'listing.published' },
  { by: 'unpublish', to: 'draft', event: 'listing.unpublished' },
  { by: 'DELETE', to: 'withdrawn', event: 'listing.unpublished' },
]
const OPEN_STATUSES = ['draft', 'published', 'withdrawn', 'sold', 'rented', 'expired']
const EVERY_CHANGE = OPEN_STATUSES.flatMap(from => TRIGGERS.map(trigger => ({ from, ...trigger })))

const trigger = (by: Trigger, id: string, key: string | undefined = agent.key, call = {}) =>
  by === 'DELETE'
    ? exchange.delete(`/properties/${id}`, key, call)
    : exchange.post(`/properties/${id}/${by}`, key, undefined, call)
const read = async (id: string) => (await exchange.get(`/properties/${id}`, agent.key)).body

async function listingIn(status: string) {
  const listing = await exchange.listing(agent, { address: 'Calle Secreta 1', shared_commission: 'half' })
  await exchange.setStatus(listing.id, status)
  return listing
}

const stampsOf = async (id: string) => (await exchange.events(id)).map(event => event.created_at.getTime())
const isStrictlyIncreasing = (stamps: number[]) =>
  stamps.every((stamp, i) => i === 0 || stamp > (stamps[i - 1] ?? 0))

describe('200', () => {
  it.each(EVERY_CHANGE)('$by from $from leads to $to and tells $event', async ({ from, by, to, event }) => {
    const before = await listingIn(from)
    const { status, body } = await trigger(by, before.id)
    expect(status).toBe(200)
    expect(body).toEqual({ ok: true, status: to })
    const after = await read(before.id)
    expect(after.status).toBe(to)
    expect(after.updated_at > before.updated_at).toBe(true)
    const events = await exchange.events(before.id)
    expect(events).toEqual([
      {
        event,
        agent_id: agent.id,
        channels: ['webhook'],
        created_at: new Date(after.updated_at),
        data: { id: before.id, slug: before.slug, title: before.title, status: to },
      },
    ])
    expect(Object.keys(events[0]?.data as object)).toEqual(['id', 'slug', 'title', 'status'])
  })

  it.each(TRIGGERS)('$by twice answers and tells twice, the second later', async ({ by, to, event }) => {
    const { id } = await exchange.listing(agent)
    expect((await trigger(by, id)).body).toEqual({ ok: true, status: to })
    expect((await trigger(by, id)).body).toEqual({ ok: true, status: to })
    expect((await exchange.events(id)).map(one => one.event)).toEqual([event, event])
    expect(isStrictlyIncreasing(await stampsOf(id))).toBe(true)
  })

  it('tells a row of changes in their order, each later than the one before', async () => {
    const { id } = await exchange.listing(agent)
    const row: Trigger[] = [
      'publish',
      'unpublish',
      'publish',
      'publish',
      'DELETE',
      'DELETE',
      'publish',
      'unpublish',
    ]
    for (const by of row) await trigger(by, id)
    const events = await exchange.events(id)
    const told = row.map(by => TRIGGERS.find(one => one.by === by))
    expect(events.map(one => one.event)).toEqual(told.map(one => one?.event))
    expect(events.map(one => (one.data as { status: string }).status)).toEqual(told.map(one => one?.to))
    expect(isStrictlyIncreasing(await stampsOf(id))).toBe(true)
  })

  it.each(TRIGGERS)('$by finds the listing by slug and by UUID in capitals', async ({ by, to }) => {
    const { id, slug } = await exchange.listing(agent)
    for (const name of [slug, id.toUpperCase()]) {
      expect((await trigger(by, name)).body).toEqual({ ok: true, status: to })
    }
    expect(await exchange.events(id)).toHaveLength(2)
  })

  it.each(
    TRIGGERS.flatMap(({ by }) =>
      [
        ['', 'application/json'],
        ['{"status":', 'application/json'],
        ['{"status":"sold"}', 'application/json'],
        ['a=b', 'text/plain'],
        ['\u0000', undefined],
      ].map(([raw, type]) => ({ by, raw: raw as string, type })),
    ),
  )('$by ignores the body $raw of type $type', async ({ by, raw, type }) => {
    const { id } = await exchange.listing(agent)
    const headers = type ? { 'content-type': type } : {}
    expect((await trigger(by, id, agent.key, { raw, headers })).status).toBe(200)
    expect((await read(id)).status).toBe(TRIGGERS.find(one => one.by === by)?.to)
  })

  it('publishes a listing that has only a rent', async () => {
    const { id } = await exchange.listing(agent, { sale_price: null, rent_price: 9_000 })
    expect((await trigger('publish', id)).status).toBe(200)
  })

  describe('published_at', () => {
    it('is set by publishing, kept while published and when hidden, and set anew by the next publishing', async () => {
      const { id, published_at } = await exchange.listing(agent)
      expect(published_at).toBeNull()
      await trigger('publish', id)
      const first = await read(id)
      expect(first.published_at).toBe(first.updated_at)
      await trigger('publish', id)
      expect((await read(id)).published_at).toBe(first.published_at)
      for (const by of ['unpublish', 'DELETE'] as const) {
        await trigger(by, id)
        expect((await read(id)).published_at).toBe(first.published_at)
      }
      await trigger('publish', id)
      expect((await read(id)).published_at > first.published_at).toBe(true)
    })
  })

  it('moves the date of confirmation at each publishing, and only then', async () => {
    const { id } = await exchange.listing(agent)
    const confirmedAt = async () =>
      (
        await exchange.db
          .selectFrom('listings')
          .select('confirmed_at')
          .where('id', '=', id)
          .executeTakeFirst()
      )?.confirmed_at
    const dates = []
    for (const by of ['publish', 'publish', 'unpublish'] as const) {
      await trigger(by, id)
      dates.push(Number(await confirmedAt()))
    }
    expect(dates[0]).toBeGreaterThan(0)
    expect(dates[1]).toBeGreaterThan(dates[0] ?? 0)
    expect(dates[2]).toBe(dates[1])
  })

  it('shows a listing to others exactly while it is published', async () => {
    const other = await exchange.agent()
    const { id } = await exchange.listing(agent)
    const seen = async () => (await exchange.get(`/properties/${id}`, other.key)).status
    expect(await seen()).toBe(404)
    for (const [by, status] of [
      ['publish', 200],
      ['unpublish', 404],
      ['publish', 200],
      ['DELETE', 404],
      ['publish', 200],
    ] as const) {
      await trigger(by, id)
      expect([by, await seen()]).toEqual([by, status])
    }
  })

  it('tells one event per change when all come at once, and the last told is the status that stays', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await exchange.listing(agent)
      const row: Trigger[] = [
        'publish',
        'DELETE',
        'publish',
        'unpublish',
        'DELETE',
        'publish',
        'DELETE',
        'unpublish',
      ]
      const answers = await Promise.all(row.map(by => trigger(by, id)))
      expect(answers.map(answer => answer.status)).toEqual(row.map(() => 200))
      const events = await exchange.events(id)
      expect(events.map(one => one.event).sort()).toEqual(
        row.map(by => (by === 'publish' ? 'listing.published' : 'listing.unpublished')).sort(),
      )
      expect(isStrictlyIncreasing(await stampsOf(id))).toBe(true)
      const { status, updated_at } = await read(id)
      expect(events.at(-1)).toMatchObject({ data: { status }, created_at: new Date(updated_at) })
    }
  })

  it('leaves neither change nor event when the event cannot be written', async () => {
    const before = await exchange.listing(agent)
    await exchange.db
      .insertInto('outbox')
      .values({
        agent_id: agent.id,
        event: 'listing.published',
        subject_id: before.id,
        data: '{}',
        channels: ['webhook'],
        created_at: new Date(Date.parse(before.updated_at) + 3_600_001),
      })
      .execute()
    const ahead = new Date(Date.parse(before.updated_at) + 3_600_000)
    await exchange.db.updateTable('listings').set({ updated_at: ahead }).where('id', '=', before.id).execute()
    expect((await trigger('publish', before.id)).status).toBe(500)
    expect(await read(before.id)).toMatchObject({ status: 'draft', published_at: null })
    expect(await exchange.events(before.id)).toHaveLength(1)
  })
})

describe('401', () => {
  it.each(TRIGGERS)('refuses $by without a key, and of an agent no longer verified', async ({ by }) => {
    const lapsed = await exchange.agent()
    const { id } = await exchange.listing(lapsed)
    expect((await exchange.call(by === 'DELETE' ? 'DELETE' : 'POST', pathOf(by, id))).status).toBe(401)
    await exchange.db.updateTable('agents').set({ verified_at: null }).where('id', '=', lapsed.id).execute()
    expect((await trigger(by, id, lapsed.key)).status).toBe(401)
    expect(await exchange.events(id)).toEqual([])
  })
})

const pathOf = (by: Trigger, id: string) => `/properties/${id}${by === 'DELETE' ? '' : `/${by}`}`

describe('403', () => {
  it.each(TRIGGERS)('refuses $by on what the operator suspended', async ({ by }) => {
    const { id } = await listingIn('suspended')
    const { status, body } = await trigger(by, id)
    expect([status, body.error]).toEqual([403, 'forbidden'])
    expect((await read(id)).status).toBe('suspended')
    expect(await exchange.events(id)).toEqual([])
  })

  it.each(TRIGGERS)('refuses $by on another agent’s listing, seen or not', async ({ by }) => {
    const other = await exchange.agent()
    for (const listing of [await exchange.listing(other), await exchange.published(other)]) {
      const before = await exchange.events(listing.id)
      expect(await trigger(by, listing.id)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
      expect(await exchange.events(listing.id)).toEqual(before)
    }
  })

  it.each(TRIGGERS)('refuses $by with a read-only key and with a partner key', async ({ by }) => {
    const { id } = await exchange.listing(agent)
    for (const scopes of ['read', 'partner']) {
      expect((await trigger(by, id, await exchange.key(agent.email, scopes))).status).toBe(403)
    }
    expect((await read(id)).status).toBe('draft')
  })
})

describe('404', () => {
  it.each(TRIGGERS)('finds nothing to $by at an unknown id or a licensed import', async ({ by }) => {
    expect((await trigger(by, randomUUID())).status).toBe(404)
    expect((await trigger(by, 'no-such-slug-abcdef')).status).toBe(404)
    const { id } = await exchange.published(agent)
    await setFlags(exchange.db, id, { imported: true })
    expect((await trigger(by, id)).status).toBe(404)
  })
})

describe('413', () => {
  it.each(TRIGGERS)('refuses a body of more than 2 MB on $by', async ({ by }) => {
    const { id } = await exchange.listing(agent)
    const call = { raw: 'x'.repeat(2_097_153), headers: { 'content-type': 'text/plain' } }
    expect((await trigger(by, id, agent.key, call)).status).toBe(413)
    expect((await read(id)).status).toBe('draft')
  })
})

describe('422', () => {
  it.each(['draft', 'withdrawn', 'sold'])('refuses to publish a %s listing without a price', async from => {
    const { id } = await listingIn(from)
    await exchange.put(`/properties/${id}`, agent.key, { sale_price: null })
    const { status, body } = await trigger('publish', id)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      error: 'validation',
      errors: ['sale_price or rent_price is required to publish'],
    })
    expect(await read(id)).toMatchObject({ status: from, published_at: null })
    expect(await exchange.events(id)).toEqual([])
  })

  it('never publishes without a price, though the price goes at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await exchange.listing(agent)
      const answers = await Promise.all([
        trigger('publish', id),
        exchange.put(`/properties/${id}`, agent.key, { sale_price: null }),
      ])
      expect(answers.map(answer => answer.status).sort()).toEqual([200, 422])
      const { status, operations } = await read(id)
      expect([status, operations.length]).toEqual(status === 'published' ? ['published', 1] : ['draft', 0])
    }
  })

  it('unpublishes and withdraws without a price', async () => {
    const { id } = await exchange.listing(agent)
    await exchange.put(`/properties/${id}`, agent.key, { sale_price: null })
    expect((await trigger('unpublish', id)).status).toBe(200)
    expect((await trigger('DELETE', id)).status).toBe(200)
  })
})
