import fc from 'fast-check'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { Counts } from '../../src/search/counts.ts'
import type { Criteria, Place } from '../../src/search/criteria.ts'
import { cursorOf, readCursor } from '../../src/search/cursor.ts'
import { uuidOf } from '../../src/search/engine/ids.ts'
import { MemorySearch } from '../../src/search/memory.ts'
import type { Search } from '../../src/search/service.ts'
import { Asking } from '../../src/search/sql/asking.ts'
import { findPage } from '../../src/search/sql/pages.ts'
import { SqlSearch } from '../../src/search/sql/service.ts'
import { openSnapshots } from '../../src/search/sql/snapshot.ts'
import { useExchange } from '../support/exchange.ts'
import {
  edit,
  insertSome,
  marketAgents,
  someCriteria,
  someEdit,
  someListing,
  someMarketCriteria,
} from '../support/random-market.ts'
import {
  countCities,
  shareOf as countShare,
  type SearchResult,
  searchListings,
  wantedOf,
} from '../support/search-oracle.ts'

const exchange = useExchange()
/** Each time another market; `npm run test:thorough` goes on for longer. */
const ROUNDS = process.env.THOROUGH === '1' ? 120 : 25
const QUESTIONS = 50
/** One in so many is also asked of the engine by SQL, which takes longer. */
const SQL_EVERY = 6

type Ask = (
  criteria: Criteria,
  viewer: string | null,
  reach?: 'all' | 'market',
) => Promise<{ found: SearchResult; last: Place | undefined }>

const fromMemory =
  ({ state }: MemorySearch): Ask =>
  async (criteria, viewer, reach) => {
    const engine = state?.engine
    if (!engine) throw new Error('not loaded')
    const { slots, total, last } = engine.search(
      criteria,
      viewer,
      await wantedOf(exchange.db, criteria.q),
      reach,
    )
    return { found: { ids: slots.map(slot => engine.ids.text(slot)), total }, last }
  }

/** As SqlSearch asks. */
function bySql(revision: number): Ask {
  const [atOnce, asking] = [openSnapshots(exchange.db), new Asking()]
  return async (criteria, viewer, reach = 'all') => {
    const wanted = await wantedOf(exchange.db, criteria.q)
    return atOnce(async tx => {
      const asked = await asking.of(tx, { filters: criteria, wanted, viewer, reach }, revision)
      const { ids, total, last } = await findPage(tx, criteria, asked, wanted, reach)
      return { found: { ids, total }, last }
    })
  }
}

async function expectCounts(search: Search, agents: readonly { id: string }[]) {
  const counts = new Counts(search)
  const changeOf = await counts.changesByCity()
  const cities = (await counts.cities()).map(city => ({ ...city, latest: changeOf(city) }))
  expect(cities).toEqual(await countCities(exchange.db))
  expect(await counts.listings()).toBe(cities.reduce((sum, { count }) => sum + count, 0))
  const shareOf = await counts.sharesOf(agents.map(({ id }) => id))
  for (const { id } of agents) {
    const share = shareOf(id)
    expect({ ...share, latest: share.latest ?? null }).toEqual(await countShare(exchange.db, id))
  }
}

/** Who sees a listing that is not public, and the owner's view of one that is. */
async function expectOwners({ state }: MemorySearch, agents: readonly { id: string }[]) {
  const engine = state?.engine
  const listings = await exchange.db
    .selectFrom('listings')
    .select(['id', 'agent_id'])
    .where('imported', '=', false)
    .execute()
  for (const agent of agents) {
    const isIndexed = ({ id }: { id: string }) => {
      const slot = engine?.ids.find(uuidOf(id))
      return slot !== undefined && (engine?.slotsOf(agent.id)?.has(slot) ?? false)
    }
    const own = listings.filter(({ agent_id }) => agent_id === agent.id)
    expect(listings.filter(isIndexed)).toEqual(own)
  }
}

/** The same order of the first page, without most filters: many questions of random ones find nothing. */
const broad = ({ sort, limit, operation, near, priceIn }: Criteria): Criteria => ({
  ...{ sort, limit, page: 1 },
  ...(operation && { operation }),
  ...(near && { near }),
  ...(priceIn && { priceIn }),
})

/** As a client gets and sends it back. */
function after(criteria: Criteria, last: Place): Criteria {
  const next = readCursor(criteria, cursorOf(criteria, last))
  if (!next) throw new Error('a cursor of ours was not understood')
  return { ...next, page: 1 }
}

it('a listing is its owner’s alone, however often the slots of a small market are used again', async () => {
  const { db, pool } = exchange
  const memory = new MemorySearch({
    db,
    url: pool.options.connectionString as string,
    publicUrl: 'https://lonja.example',
    logger: pino({ level: 'silent' }),
    limits: { few: 2, retired: 0, slice: 1_000 },
  })
  const agents = await marketAgents(db)
  const ids = await insertSome(db, agents, fc.sample(someListing, 20))
  for (const change of fc.sample(someEdit, 10 * ROUNDS)) {
    await edit(db, agents, ids, change)
    await memory.refresh()
    await expectOwners(memory, agents)
  }
  await memory.close()
}, 120_000)

describe('the engines', () => {
  // The second one walks, splits and sweeps where the first, in so small a market, sorts and waits. SQL answers with the first.
  it.each([
    ['with the limits of the product, and by SQL', undefined],
    ['with limits so low that every way is walked', { few: 2, retired: 5, slice: 40 }],
  ])(
    `find what plain SQL finds, in the same order with the same total, by page and by cursor, %s (${ROUNDS * QUESTIONS} cases)`,
    async (_how, limits) => {
      const { db, pool } = exchange
      const options = {
        db,
        url: pool.options.connectionString as string,
        publicUrl: 'https://lonja.example',
        logger: pino({ level: 'silent' }),
      }
      const memory = new MemorySearch({ ...options, ...(limits ? { limits } : {}) })
      const other = limits ? undefined : new SqlSearch(options)
      const agents = await marketAgents(db)
      const viewers = [null, ...agents.map(({ id }) => id), '00000000-0000-4000-8000-000000000000']
      const ids = await insertSome(db, agents, fc.sample(someListing, 150))
      let [found, foundOnMarket, round] = [0, 0, 0]
      await fc.assert(
        fc.asyncProperty(
          fc.array(someEdit, { minLength: 1, maxLength: 12 }),
          fc.array(fc.tuple(someCriteria, fc.nat(), someMarketCriteria), {
            minLength: QUESTIONS,
            maxLength: QUESTIONS,
          }),
          async (edits, questions) => {
            for (const change of edits) await edit(db, agents, ids, change)
            for (const search of [memory, other]) {
              await search?.refresh()
              if (search) await expectCounts(search, agents)
            }
            await expectOwners(memory, agents)
            const [inMemory, inTables] = [fromMemory(memory), other && bySql(round++)]
            for (const [n, [drawn, which, ofMarket]] of questions.entries()) {
              const engines = inTables && n % SQL_EVERY === 0 ? [inMemory, inTables] : [inMemory]
              const named = ids.filter((_, i) => (which >>> (i % 16)) & 1).slice(0, 20)
              const criteria =
                which % 16 === 3 ? { ...drawn, ids: named } : which % 8 === 4 ? broad(drawn) : drawn
              const viewer = viewers[which % viewers.length] ?? null
              const answer = await searchListings(db, criteria, viewer)
              const lasts: (Place | undefined)[] = []
              for (const ask of engines) {
                const { found: hits, last } = await ask(criteria, viewer)
                expect(hits).toEqual(answer)
                lasts.push(last)
              }
              const [last, ofTables] = lasts
              if (engines.length > 1) expect(ofTables).toEqual(last)
              if (answer.ids.length > 0) found++
              // One in four, as agents look: all that is on the market, some of them left out.
              if (which % 4 === 1) {
                const without = which % 8 === 1 ? { notAgents: [agents[0]?.id as string] } : {}
                const wish = { ...criteria, page: 1, ...ofMarket, ...without }
                const onMarket = await searchListings(db, wish, viewer, 'market')
                for (const ask of engines) expect((await ask(wish, viewer, 'market')).found).toEqual(onMarket)
                if (onMarket.ids.length > 0) foundOnMarket++
              }
              // One in four: each costs another SQL search.
              if (which % 4 > 0) continue
              const next = await searchListings(db, { ...criteria, page: criteria.page + 1 }, viewer)
              expect(last !== undefined).toBe(next.ids.length > 0)
              for (const ask of engines)
                if (last) expect((await ask(after(criteria, last), viewer)).found).toEqual(next)
            }
          },
        ),
        // The market goes on from round to round: a smaller example would start from another one.
        { numRuns: ROUNDS, endOnFailure: true },
      )
      await memory.close()
      await other?.close()
      expect(foundOnMarket, 'of the market').toBeGreaterThan((ROUNDS * QUESTIONS) / 32)
      expect(found, 'questions with an answer').toBeGreaterThan((ROUNDS * QUESTIONS) / 4)
    },
    120_000,
  )
})
