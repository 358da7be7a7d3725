import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { listingStatuses } from '../../src/lookups/catalog.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { stock } from '../support/inventory.ts'

const exchange = useExchange()

// One population, rearranged for each case: verified or not, test or not, and every state a listing can be in.
const AGENTS = 3
const LISTINGS = 10
const CITIES = ['Ameca', 'Batopilas', 'Celaya']
const CASES = 200

interface AgentState {
  verified: boolean
  test: boolean
  listed: boolean
}
interface ListingState {
  owner: number
  city: string
  status: string
  optedOut: boolean
  imported: boolean
  featured: boolean
}
interface Market {
  agents: AgentState[]
  listings: ListingState[]
}

const mostly = (usual: boolean) => fc.boolean().chain(rare => (rare ? fc.boolean() : fc.constant(usual)))
const agentState = fc.record({ verified: mostly(true), test: mostly(false), listed: mostly(true) })
const listingState = fc.record({
  owner: fc.nat(AGENTS - 1),
  city: fc.constantFrom(...CITIES),
  status: fc.oneof(fc.constant('published'), fc.constantFrom<string>(...listingStatuses)),
  optedOut: mostly(false),
  imported: mostly(false),
  featured: fc.boolean(),
})
const market: fc.Arbitrary<Market> = fc.record({
  agents: fc.array(agentState, { minLength: AGENTS, maxLength: AGENTS }),
  listings: fc.array(listingState, { minLength: LISTINGS, maxLength: LISTINGS }),
})

/** The rules in the plainest words there are. */
function isPublic({ agents }: Market, listing: ListingState): boolean {
  const owner = agents[listing.owner] as AgentState
  if (!owner.verified || owner.test) return false
  return listing.status === 'published' && !listing.optedOut && !listing.imported
}
const canSee = (market: Market, viewer: number, listing: ListingState) =>
  isPublic(market, listing) || (listing.owner === viewer && !listing.imported)

let agents: TestAgent[] = []
let listings: { id: string; slug: string }[] = []

beforeAll(async () => {
  agents = []
  for (let i = 0; i < AGENTS; i++) agents.push(await exchange.agent({ name: `Agente ${i}` }))
  listings = []
  for (let i = 0; i < LISTINGS; i++) listings.push(await stock(exchange, agents[0] as TestAgent))
})

async function arrange(market: Market) {
  const column = <T>(pick: (listing: ListingState) => T) => market.listings.map(pick)
  await sql`
    update agents a set is_test = s.test, in_directory = s.listed, verified_at = case when s.verified then now_ms() end
    from unnest(
      ${agents.map(({ id }) => id)}::uuid[], ${market.agents.map(({ test }) => test)}::bool[],
      ${market.agents.map(({ listed }) => listed)}::bool[], ${market.agents.map(({ verified }) => verified)}::bool[]
    ) as s(id, test, listed, verified) where a.id = s.id`.execute(exchange.db)
  await sql`
    update listings l set agent_id = s.owner, city = s.city, city_fold = lower(s.city), status = s.status, idx_opt_out = s.opted_out,
      imported = s.imported, featured = s.featured, updated_at = next_stamp(l.updated_at)
    from unnest(
      ${listings.map(({ id }) => id)}::uuid[], ${column(({ owner }) => agents[owner]?.id)}::uuid[],
      ${column(({ city }) => city)}::text[], ${column(({ status }) => status)}::text[],
      ${column(({ optedOut }) => optedOut)}::bool[], ${column(({ imported }) => imported)}::bool[],
      ${column(({ featured }) => featured)}::bool[]
    ) as s(id, owner, city, status, opted_out, imported, featured) where l.id = s.id`.execute(exchange.db)
}

async function searchAs(key: string) {
  const { status, body } = await exchange.get('/properties?limit=100', key)
  expect(status).toBe(200)
  expect(body.pagination.total).toBe(body.content.length)
  return body.content as { id: string; status: string; idx_opt_out?: boolean }[]
}

async function checkViewer(market: Market, viewer: number, probes: number[]) {
  const { key } = agents[viewer] as TestAgent
  if (!market.agents[viewer]?.verified) {
    expect((await exchange.get('/properties', key)).status).toBe(401)
    return
  }
  const visible = market.listings.map(listing => canSee(market, viewer, listing))
  const found = await searchAs(key)
  const expected = listings.filter((_, i) => visible[i]).map(({ id }) => id)
  expect(found.map(({ id }) => id).sort()).toEqual(expected.sort())
  for (const record of found) {
    const state = market.listings[listings.findIndex(({ id }) => id === record.id)] as ListingState
    expect(record.status).toBe(state.status)
    expect(Object.hasOwn(record, 'idx_opt_out')).toBe(state.owner === viewer)
  }
  for (const probe of probes) {
    const { id, slug } = listings[probe] as { id: string; slug: string }
    const { status } = await exchange.get(`/properties/${probe % 2 ? id : slug}`, key)
    expect(status).toBe(visible[probe] ? 200 : 404)
  }
}

/** The same for every viewer: what only one may see is in no count. */
async function checkCounts(market: Market, key: string) {
  const shown = market.listings.filter(listing => isPublic(market, listing))
  const places = (await exchange.get('/locations', key)).body.content
  const counts = Object.fromEntries(
    places.map(({ city, count }: { city: string; count: number }) => [city, count]),
  )
  const expected = CITIES.map(name => [name, shown.filter(({ city }) => city === name).length] as const)
  expect(counts).toEqual(Object.fromEntries(expected.filter(([, count]) => count > 0)))

  const people = (await exchange.get('/agents', key)).body.content
  const inventories = people.map(({ id, listings: count }: { id: string; listings: number }) => [id, count])
  const expectedPeople = agents.flatMap(({ id }, i) => {
    const { verified, test, listed } = market.agents[i] as AgentState
    return verified && !test && listed ? [[id, shown.filter(({ owner }) => owner === i).length]] : []
  })
  expect(inventories).toEqual(expectedPeople)
}

describe('who sees what, against a model in memory', () => {
  it(`holds in search, single reads and counts for ${CASES} random markets and every viewer`, async () => {
    const probes = fc.uniqueArray(fc.nat(LISTINGS - 1), { minLength: 2, maxLength: 2 })
    const property = fc.asyncProperty(market, probes, async (world, probed) => {
      await arrange(world)
      await Promise.all(agents.map((_, viewer) => checkViewer(world, viewer, probed)))
      const verified = agents.find((_, i) => world.agents[i]?.verified)
      if (verified) await checkCounts(world, verified.key)
    })
    await fc.assert(property, {
      numRuns: CASES,
      interruptAfterTimeLimit: 60_000,
      markInterruptAsFailure: true,
    })
  }, 90_000)
})
