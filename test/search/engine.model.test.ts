import fc from 'fast-check'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { foldText } from '../../src/lib/text.ts'
import { Counts } from '../../src/search/counts.ts'
import type { Criteria, Place } from '../../src/search/criteria.ts'
import { cursorOf, readCursor } from '../../src/search/cursor.ts'
import { Feed } from '../../src/search/feed/feed.ts'
import type { State } from '../../src/search/service.ts'
import { wordGroups } from '../../src/search/text/words.ts'
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
import { countCities, searchListings, shareOf } from '../support/search-oracle.ts'

const exchange = useExchange()
/** Each time another market; `npm run test:thorough` goes on for longer. */
const ROUNDS = process.env.THOROUGH === '1' ? 120 : 25
const QUESTIONS = 50

async function ask(feed: Feed, criteria: Criteria, viewer: string | null, reach: 'all' | 'market' = 'all') {
  const groups = criteria.q === undefined ? [] : await wordGroups(exchange.db, criteria.q)
  const titleStart = criteria.q !== undefined && groups.length === 0 ? foldText(criteria.q) : undefined
  const { engine } = feed
  if (!engine) throw new Error('not loaded')
  const { slots, total, last } = engine.search(criteria, viewer, { groups, titleStart }, reach)
  return { found: { ids: slots.map(slot => engine.ids.text(slot)), total }, last }
}

async function expectCounts(feed: Feed, agents: readonly { id: string }[]) {
  const counts = new Counts({ state: { engine: feed.engine, position: feed.position } as State })
  const changeOf = counts.changesByCity()
  const cities = counts.cities().map(city => ({ ...city, latest: changeOf(city) }))
  expect(cities).toEqual(await countCities(exchange.db))
  expect(counts.listings).toBe(cities.reduce((sum, { count }) => sum + count, 0))
  for (const { id } of agents) {
    const share = { ...counts.shareOf(id), latest: counts.changeOf([id]) ?? null }
    expect(share).toEqual(await shareOf(exchange.db, id))
  }
}

/** As a client gets and sends it back. */
function after(criteria: Criteria, last: Place): Criteria {
  const place = readCursor(criteria, cursorOf(criteria, last))
  if (!place) throw new Error('a cursor of ours was not understood')
  return { ...criteria, page: 1, after: place }
}

describe('the engine', () => {
  // The second one walks, splits and sweeps where the first, in so small a market, sorts and waits.
  it.each([
    ['with the limits of the product', undefined],
    ['with limits so low that every way is walked', { few: 2, retired: 5, slice: 40 }],
  ])(
    `finds what SQL finds, in the same order with the same total, by page and by cursor, %s (${ROUNDS * QUESTIONS} cases)`,
    async (_how, limits) => {
      const { db, pool } = exchange
      const url = pool.options.connectionString as string
      const feed = new Feed({ url, logger: pino({ level: 'silent' }), ...(limits ? { limits } : {}) })
      const agents = await marketAgents(db)
      const viewers = [null, ...agents.map(({ id }) => id), '00000000-0000-4000-8000-000000000000']
      const ids = await insertSome(db, agents, fc.sample(someListing, 150))
      let [found, foundOnMarket] = [0, 0]
      await fc.assert(
        fc.asyncProperty(
          fc.array(someEdit, { minLength: 1, maxLength: 12 }),
          fc.array(fc.tuple(someCriteria, fc.nat(), someMarketCriteria), {
            minLength: QUESTIONS,
            maxLength: QUESTIONS,
          }),
          async (edits, questions) => {
            for (const change of edits) await edit(db, agents, ids, change)
            await feed.refresh()
            await expectCounts(feed, agents)
            for (const [drawn, which, ofMarket] of questions) {
              const named = ids.filter((_, i) => (which >>> (i % 16)) & 1).slice(0, 20)
              const criteria = which % 16 === 3 ? { ...drawn, ids: named } : drawn
              const viewer = viewers[which % viewers.length] ?? null
              const answer = await searchListings(db, criteria, viewer)
              const { found: hits, last } = await ask(feed, criteria, viewer)
              expect(hits).toEqual(answer)
              if (answer.ids.length > 0) found++
              // One in four, as agents look: all that is on the market, some of them left out.
              if (which % 4 === 1) {
                const without = which % 8 === 1 ? { notAgents: [agents[0]?.id as string] } : {}
                const wish = { ...criteria, page: 1, ...ofMarket, ...without }
                const onMarket = await searchListings(db, wish, viewer, 'market')
                expect((await ask(feed, wish, viewer, 'market')).found).toEqual(onMarket)
                if (onMarket.ids.length > 0) foundOnMarket++
              }
              // One in four: each costs another SQL search.
              if (which % 4 > 0) continue
              const next = await searchListings(db, { ...criteria, page: criteria.page + 1 }, viewer)
              expect(last !== undefined).toBe(next.ids.length > 0)
              if (last) expect((await ask(feed, after(criteria, last), viewer)).found).toEqual(next)
            }
          },
        ),
        // The market goes on from round to round: a smaller example would start from another one.
        { numRuns: ROUNDS, endOnFailure: true },
      )
      await feed.close()
      expect(foundOnMarket, 'of the market').toBeGreaterThan((ROUNDS * QUESTIONS) / 32)
      expect(found, 'questions with an answer').toBeGreaterThan((ROUNDS * QUESTIONS) / 4)
    },
    120_000,
  )
})
