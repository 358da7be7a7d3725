import { beforeAll, describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { type Circumstances, type Stocked, stock } from '../support/inventory.ts'

const exchange = useExchange()
let viewer: TestAgent
let owner: TestAgent
let tester: TestAgent
let lapsed: TestAgent

interface Case {
  owner: () => TestAgent
  fields?: Record<string, unknown>
  circumstances?: Circumstances
}

/** Everything that hides a listing from others; each is in a city of its own. */
const HIDDEN: Record<string, Case> = {
  draft: { owner: () => owner, circumstances: { status: 'draft', published_at: null } },
  withdrawn: { owner: () => owner, circumstances: { status: 'withdrawn' } },
  sold: { owner: () => owner, circumstances: { status: 'sold' } },
  rented: { owner: () => owner, circumstances: { status: 'rented' } },
  expired: { owner: () => owner, circumstances: { status: 'expired' } },
  suspended: { owner: () => owner, circumstances: { status: 'suspended' } },
  'opted-out': { owner: () => owner, fields: { idx_opt_out: true } },
  imported: { owner: () => owner, circumstances: { imported: true } },
  'featured draft': { owner: () => owner, circumstances: { status: 'draft', featured: true } },
  'test account’s': { owner: () => tester },
  'unverified agent’s': { owner: () => lapsed },
}
const kinds = Object.keys(HIDDEN)
const listings: Record<string, Stocked> = {}
let shown: Stocked

const cityOf = (kind: string) => `Villa ${kind}`
const idsFor = async (key: string, query = '') => {
  const { body } = await exchange.get(`/properties?limit=100&${query}`, key)
  expect(body.pagination.total).toBe(body.content.length)
  return body.content.map((one: { id: string }) => one.id) as string[]
}

beforeAll(async () => {
  owner = await exchange.agent({ name: 'Olga Ortiz' })
  viewer = await exchange.agent({ name: 'Luis Ramos' })
  tester = await exchange.agent({ name: 'Prueba Interna', test: true })
  lapsed = await exchange.agent({ name: 'Sin Licencia' })
  shown = await stock(exchange, owner, { city: 'Villa visible', state: 'Jalisco' })
  for (const [kind, { owner: whose, fields, circumstances }] of Object.entries(HIDDEN)) {
    const place = { city: cityOf(kind), state: 'Sonora', neighborhood: 'Escondida' }
    listings[kind] = await stock(exchange, whose(), { ...place, ...fields }, circumstances)
  }
  await setVerified(exchange.db, lapsed.email, false)
})

describe('200', () => {
  it('shows another agent the one listing that is published, and nothing else', async () => {
    expect(await idsFor(viewer.key)).toEqual([shown.id])
  })

  it.each(['q=escondida', 'state=Sonora', 'city=villa%20d', 'sort=updated', 'updated_since=2020-01-01'])(
    'no filter brings out what is hidden: %s',
    async query => {
      const found = await idsFor(viewer.key, query)
      expect(found.filter(id => id !== shown.id)).toEqual([])
    },
  )

  it('shows the owner all of the owner’s in any status, but no import', async () => {
    const own = kinds.filter(kind => HIDDEN[kind]?.owner() === owner && kind !== 'imported')
    const expected = [shown.id, ...own.map(kind => listings[kind]?.id)]
    expect((await idsFor(owner.key)).sort()).toEqual(expected.sort())
  })

  it.each(kinds.filter(kind => !/imported|test|unverified/.test(kind)))(
    'reads the owner’s own %s one by id and by slug, as it is',
    async kind => {
      const { id, slug, status } = listings[kind] as Stocked
      for (const name of [id, id.toUpperCase(), slug]) {
        const answer = await exchange.get(`/properties/${name}`, owner.key)
        expect(answer.status).toBe(200)
        expect(answer.body).toMatchObject({ id, status })
      }
      expect(await idsFor(owner.key, new URLSearchParams({ city: cityOf(kind) }).toString())).toContain(id)
    },
  )

  it('shows a test account the public set and its own', async () => {
    const own = listings['test account’s']?.id as string
    expect((await idsFor(tester.key)).sort()).toEqual([shown.id, own].sort())
    expect((await exchange.get(`/properties/${own}`, tester.key)).status).toBe(200)
    expect((await exchange.get(`/properties/${shown.id}`, tester.key)).status).toBe(200)
  })

  it('keeps the owner’s private fields for the owner', async () => {
    const own = (await exchange.get(`/properties/${shown.id}`, owner.key)).body
    const others = (await exchange.get(`/properties/${shown.id}`, viewer.key)).body
    const inSearch = (await exchange.get('/properties', viewer.key)).body.content[0]
    expect(own).toHaveProperty('idx_opt_out')
    for (const name of ['idx_opt_out', 'internal_id', 'show_exact_address']) {
      expect(others).not.toHaveProperty(name)
      expect(inSearch).not.toHaveProperty(name)
    }
    expect(inSearch).toEqual(others)
  })

  it.each(['viewer', 'owner', 'tester'] as const)(
    'counts only the public set in /locations, for the %s',
    async who => {
      const { key } = { viewer, owner, tester }[who]
      const { body } = await exchange.get('/locations', key)
      expect(body.content).toEqual([{ city: 'Villa visible', state: 'Jalisco', count: 1 }])
    },
  )

  it.each(['viewer', 'owner', 'tester'] as const)(
    'counts only the public set in /agents, for the %s',
    async who => {
      const { key } = { viewer, owner, tester }[who]
      const { body } = await exchange.get('/agents', key)
      const counts = body.content.map(({ name, states, listings: count }: Record<string, unknown>) => ({
        name,
        states,
        count,
      }))
      expect(counts).toEqual([
        { name: 'Luis Ramos', states: [], count: 0 },
        { name: 'Olga Ortiz', states: ['Jalisco'], count: 1 },
      ])
    },
  )

  it('shows and hides at once with each change of the listing', async () => {
    const { id } = await exchange.listing(owner, { city: 'Villa puerta' })
    const sees = async () => {
      const inSearch = (await idsFor(viewer.key, 'city=puerta')).includes(id)
      const alone = (await exchange.get(`/properties/${id}`, viewer.key)).status === 200
      const places: { city: string }[] = (await exchange.get('/locations', viewer.key)).body.content
      const inPlaces = places.some(({ city }) => city === 'Villa puerta')
      expect(alone).toBe(inSearch)
      expect(inPlaces).toBe(inSearch)
      return inSearch
    }
    expect(await sees()).toBe(false)
    await exchange.post(`/properties/${id}/publish`, owner.key)
    expect(await sees()).toBe(true)
    await exchange.put(`/properties/${id}`, owner.key, { idx_opt_out: true })
    expect(await sees()).toBe(false)
    await exchange.put(`/properties/${id}`, owner.key, { idx_opt_out: false })
    expect(await sees()).toBe(true)
    await exchange.post(`/properties/${id}/unpublish`, owner.key)
    expect(await sees()).toBe(false)
    await exchange.post(`/properties/${id}/publish`, owner.key)
    expect(await sees()).toBe(true)
    await exchange.delete(`/properties/${id}`, owner.key)
    expect(await sees()).toBe(false)
  })

  it('shows and hides all of an agent’s with the agent’s license, and tells incremental readers', async () => {
    const agent = await exchange.agent({ name: 'Va y Viene' })
    const { id } = await exchange.published(agent, { city: 'Villa licencia' })
    const before = (await exchange.get(`/properties/${id}`, viewer.key)).body.updated_at
    await setVerified(exchange.db, agent.email, false)
    expect(await idsFor(viewer.key, 'city=licencia')).toEqual([])
    await setVerified(exchange.db, agent.email, true)
    const since = new Date(Date.parse(before) + 1).toISOString()
    expect(await idsFor(viewer.key, `city=licencia&updated_since=${since}`)).toEqual([id])
    await exchange.setStatus(id, 'withdrawn')
  })

  it('shows the listings of an agent who is not in the public list of agents', async () => {
    const agent = await exchange.agent({ name: 'Discreta' })
    await exchange.db.updateTable('agents').set({ in_directory: false }).where('id', '=', agent.id).execute()
    const { id } = await stock(exchange, agent, { city: 'Villa discreta' })
    expect(await idsFor(viewer.key, 'city=discreta')).toEqual([id])
    await exchange.setStatus(id, 'withdrawn')
  })
})

describe('401', () => {
  it('refuses the key of an agent who is not verified, also for the agent’s own', async () => {
    const own = listings['unverified agent’s']?.id
    expect((await exchange.get('/properties', lapsed.key)).status).toBe(401)
    expect((await exchange.get(`/properties/${own}`, lapsed.key)).status).toBe(401)
  })
})

describe('404', () => {
  it.each(kinds)('does not read another agent’s %s one, by id or by slug', async kind => {
    const { id, slug, agent_id } = listings[kind] as Stocked
    const others = [viewer, owner, tester].filter(one => one.id !== agent_id)
    const nothing = (await exchange.get(`/properties/${crypto.randomUUID()}`, viewer.key)).body
    for (const { key } of others) {
      for (const name of [id, slug]) {
        const { status, body } = await exchange.get(`/properties/${name}`, key)
        expect(status).toBe(404)
        expect(body).toEqual(nothing)
      }
    }
  })

  it('does not read the caller’s own import', async () => {
    const { id, slug } = listings.imported as Stocked
    expect((await exchange.get(`/properties/${id}`, owner.key)).status).toBe(404)
    expect((await exchange.get(`/properties/${slug}`, owner.key)).status).toBe(404)
  })
})
