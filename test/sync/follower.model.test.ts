import fc from 'fast-check'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { Criteria } from '../../src/search/criteria.ts'
import { MemorySearch } from '../../src/search/memory.ts'
import type { Search } from '../../src/search/service.ts'
import { type Answer, PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'
import { Follower } from '../support/follower.ts'
import { edit, insertSome, someEdit, someListing } from '../support/random-market.ts'
import { searchListings } from '../support/search-oracle.ts'

const exchange = useExchange()
const ROUNDS = process.env.THOROUGH === '1' ? 60 : 15
const ALL: Criteria = { sort: 'newest', page: 1, limit: 1_000_000 }
/** What is followed, and the same for the oracle. */
const PARTS: [query: string, criteria: Partial<Criteria>][] = [
  ['', {}],
  ['state=Jalisco', { state: 'Jalisco' }],
  ['min_bedrooms=3&operation=sale', { minBedrooms: 3, operation: 'sale' }],
  ['q=alberca', { q: 'alberca' }],
]

/** Two processes on one database. */
const processes: { app: Awaited<ReturnType<typeof buildApp>>; search: Search }[] = []
beforeAll(async () => {
  const { db, pool, app, search } = exchange
  const logger = pino({ level: 'silent' })
  const url = pool.options.connectionString as string
  const second = new MemorySearch({ db, url, publicUrl: PUBLIC_URL, logger })
  const other = await buildApp({
    loop: { delayMs: 0 },
    db,
    search: second,
    logger,
    publicUrl: PUBLIC_URL,
    rateLimit: 1e6,
    trustProxy: [],
  })
  // An index that still loads answers 503.
  await second.refresh()
  processes.push({ app, search }, { app: other, search: second })
})
afterAll(async () => {
  await processes[1]?.app.close()
  await processes[1]?.search.close()
})

async function get(path: string, key: string, which: number): Promise<Answer> {
  const { app } = processes[which % processes.length] as (typeof processes)[number]
  const response = await app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

interface Followed {
  agent: TestAgent
  criteria: Partial<Criteria> | undefined
  follower: Follower
  /** Which process answers next. */
  at: number
  old: string[]
}

/** What an agent's key may show, by SQL. */
async function truthOf({ agent, criteria }: Followed): Promise<string[]> {
  const { db } = exchange
  if (criteria) return (await searchListings(db, { ...ALL, ...criteria }, agent.id)).ids
  const own = db.selectFrom('listings').select('id').where('agent_id', '=', agent.id)
  return (await own.where('imported', '=', false).execute()).map(({ id }) => id)
}

const isVerified = async (agent: TestAgent) =>
  (await exchange.db.selectFrom('agents').select('verified_at').where('id', '=', agent.id).executeTakeFirst())
    ?.verified_at != null

/** One step of a follower: a page of any size, of either process, sometimes from an old cursor. */
async function step(
  one: Followed,
  { limit, which, isOld }: { limit: number; which: number; isOld: boolean },
) {
  one.at = which
  const { follower, old } = one
  const cursor = isOld && old.length > 0 ? old[which % old.length] : follower.cursor
  const { status, body } = await follower.ask({ cursor, limit })
  if (status === 401) return
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.content.length).toBeLessThanOrEqual(limit)
  expect(new Set(body.content.map(({ id }: { id: string }) => id)).size).toBe(body.content.length)
  follower.apply(body)
  old.push(body.cursor)
}

async function checkQuiet(all: Followed[]) {
  await Promise.all(processes.map(({ search }) => search.refresh()))
  for (const one of all) {
    if (!(await isVerified(one.agent))) continue
    const { follower, agent } = one
    await follower.follow()
    expect([...follower.copy.keys()].sort()).toEqual((await truthOf(one)).sort())
    for (one.at = 0; one.at < processes.length; one.at++)
      expect(await follower.proof()).toEqual(follower.digest())
    for (const [id, listing] of [...follower.copy].slice(0, 3)) {
      expect((await get(`/properties/${id}`, agent.key, 0)).body).toEqual(listing)
    }
  }
}

it(`through ${ROUNDS} rounds of random changes every copy equals the truth at every quiet moment, and no draft of others is named`, async () => {
  const { db } = exchange
  const agents: TestAgent[] = []
  for (const name of ['Ana', 'Beto', 'Carla', 'Dora'])
    agents.push(await exchange.agent({ name, agency: 'Casas del Sur' }))
  const ids = await insertSome(db, agents, fc.sample(someListing, 40))
  const all: Followed[] = agents.flatMap(agent =>
    [...PARTS, ['scope=own', undefined] as const].map(([query, criteria]) => {
      const one: Followed = { agent, criteria, at: 0, old: [], follower: undefined as never }
      one.follower = new Follower(path => get(path, agent.key, one.at), query)
      return one
    }),
  )
  const everPublic = new Set<string>()
  const everOwn = new Map(agents.map(({ id }) => [id, new Set<string>()]))
  const note = async () => {
    const { rows } = await exchange.pool.query(
      'select l.id, l.agent_id, is_public(l, a) as shown from listings l join agents a on a.id = l.agent_id',
    )
    for (const { id, agent_id, shown } of rows) {
      if (shown) everPublic.add(id)
      everOwn.get(agent_id)?.add(id)
    }
  }
  // Before the first change, which may hide a listing: those who have begun by then are told that it is gone.
  await note()
  const stepping = fc.record({
    who: fc.nat(all.length - 1),
    limit: fc.constantFrom(1, 2, 5, 30, 1000),
    which: fc.nat(),
    isOld: fc.constantFrom(false, false, false, true),
  })
  const change = fc.oneof(
    { weight: 6, arbitrary: someEdit },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('rename', 'transfer', 'cut'), which: fc.nat() }),
    },
  )
  const property = fc.asyncProperty(
    fc.array(fc.tuple(change, fc.array(stepping, { maxLength: 4 })), { minLength: 5, maxLength: 15 }),
    async script => {
      for (const [what, steps] of script) {
        const agent = agents[what.which % agents.length] as TestAgent
        if (what.kind === 'rename') {
          await db
            .updateTable('agents')
            .set({ name: `Nombre ${what.which}` })
            .where('id', '=', agent.id)
            .execute()
          await db
            .updateTable('agencies')
            .set({ name: `Agencia ${what.which}` })
            .execute()
        } else if (what.kind === 'transfer') {
          const id = ids[what.which % Math.max(1, ids.length)]
          if (id) await db.updateTable('listings').set({ agent_id: agent.id }).where('id', '=', id).execute()
        } else if (what.kind === 'cut') {
          await exchange.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'lonja search' and datname = current_database()`)
        } else await edit(db, agents, ids, what as never)
        await note()
        for (const { who, ...how } of steps) await step(all[who] as Followed, how)
      }
      await checkQuiet(all)
    },
  )
  await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true })
  for (const { agent, follower } of all) {
    const strangers = [...follower.ids].filter(id => !everPublic.has(id) && !everOwn.get(agent.id)?.has(id))
    expect(strangers).toEqual([])
  }
  expect(everPublic.size).toBeGreaterThan(10)
}, 600_000)
