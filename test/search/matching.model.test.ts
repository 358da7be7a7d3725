import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { foldText } from '../../src/lib/text.ts'
import type { Criteria } from '../../src/search/criteria.ts'
import { readEverything } from '../../src/search/feed/store.ts'
import { type Candidate, candidateOf, matches, type StoredSearch } from '../../src/search/matching/matches.ts'
import { StoredSearches } from '../../src/search/matching/stored.ts'
import { wordGroups } from '../../src/search/text/words.ts'
import { useExchange } from '../support/exchange.ts'
import {
  insertSome,
  marketAgents,
  someCriteria,
  someListing,
  someMarketCriteria,
} from '../support/random-market.ts'
import { searchListings } from '../support/search-oracle.ts'

const exchange = useExchange()
const seed = Number(process.env.TEST_SEED) || Date.now() % 2 ** 31
const QUESTIONS = process.env.THOROUGH === '1' ? 3_000 : 200

async function readMarket(): Promise<Candidate[]> {
  const client = new pg.Client({ connectionString: exchange.pool.options.connectionString })
  await client.connect()
  const listings: Candidate[] = []
  await readEverything(client, {
    listing: entry => listings.push(candidateOf(entry)),
    removal: () => {},
  })
  await client.end()
  return listings
}

async function stored(criteria: Criteria, reach: StoredSearch['reach']): Promise<StoredSearch> {
  const groups = criteria.q === undefined ? [] : await wordGroups(exchange.db, criteria.q)
  const titleStart = criteria.q !== undefined && groups.length === 0 ? foldText(criteria.q) : undefined
  return { filters: criteria, wanted: { groups, titleStart }, reach }
}

describe('stored searches', () => {
  it(`are satisfied by exactly the listings that each finds as a search in SQL (${QUESTIONS} searches, seed ${seed})`, async () => {
    const agents = await marketAgents(exchange.db)
    const ids = await insertSome(exchange.db, agents, fc.sample(someListing, { numRuns: 200, seed }))
    const listings = await readMarket()
    const index = new StoredSearches<number>()
    const expected = new Map<string, number[]>(listings.map(({ id }) => [id, []]))
    const drawn = fc.sample(fc.tuple(someCriteria, someMarketCriteria, fc.nat(15)), {
      numRuns: QUESTIONS,
      seed,
    })
    let pairs = 0
    for (const [n, [plain, ofMarket, which]] of drawn.entries()) {
      const reach = which % 2 ? 'market' : 'all'
      const criteria: Criteria = {
        ...plain,
        ...(reach === 'market' && which % 4 === 1 ? ofMarket : {}),
        ...(which === 5 ? { ids: ids.slice(0, 90) } : {}),
        ...(which > 12 ? { notAgents: [agents[0]?.id as string] } : {}),
        page: 1,
        limit: 1_000,
      }
      index.set(n, [await stored(criteria, reach)])
      const { ids: found } = await searchListings(exchange.db, criteria, null, reach)
      for (const id of found) expected.get(id)?.push(n)
      pairs += found.length
    }
    for (const listing of listings) {
      expect([...index.matching(listing)].sort((a, b) => a - b)).toEqual(expected.get(listing.id))
    }
    // Searches that find nothing prove little.
    expect(pairs).toBeGreaterThan(QUESTIONS)
  }, 60_000)

  it('with several alternatives are satisfied by any of them, once', async () => {
    const [listing] = (await readMarket()).filter(({ isPublic }) => isPublic)
    if (!listing) throw new Error('the market is empty')
    const search = (filters: StoredSearch['filters']): StoredSearch => ({
      filters,
      wanted: { groups: [] },
      reach: 'all',
    })
    const index = new StoredSearches<string>()
    index.set('one', [search({ state: 'Sonora' }), search({ state: listing.state }), search({})])
    index.set('none', [search({ state: 'Sonora' }), search({ ids: [] })])
    expect([...index.matching(listing)]).toEqual(['one'])
  })

  it('are forgotten when they are deleted or replaced', async () => {
    const [listing] = (await readMarket()).filter(({ isPublic }) => isPublic)
    if (!listing) throw new Error('the market is empty')
    const everything: StoredSearch = { filters: {}, wanted: { groups: [] }, reach: 'all' }
    const elsewhere: StoredSearch = { ...everything, filters: { state: 'Sonora' } }
    const index = new StoredSearches<string>()
    for (const key of ['kept', 'deleted', 'replaced']) index.set(key, [everything])
    index.delete('deleted')
    index.set('replaced', [elsewhere])
    expect([...index.matching(listing)]).toEqual(['kept'])
    expect(index.size).toBe(2)
    expect(matches(elsewhere, { ...listing, state: 'Sonora' })).toBe(true)
  })
})
