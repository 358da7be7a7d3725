import { listColleagues, listContacts } from '../agents/service.ts'
import type { Db } from '../db/database.ts'
import { NotReady } from '../lib/problem.ts'
import { listPriceChanges } from '../listings/history.ts'
import { findOnMarket, type ListingRow } from '../listings/service.ts'
import type { Criteria } from '../search/criteria.ts'
import { countOffers, type OfferCounts } from '../search/offers.ts'
import type { Search } from '../search/service.ts'
import { offersOf } from './choices.ts'
import type { Asker } from './parameters.ts'
import { type MarketListing, marketListing } from './record.ts'

export interface MarketDeps {
  db: Db
  search: Search | undefined
  publicUrl: string
  now: () => Date
}

export const askerOf = async ({ db, now }: MarketDeps, id: string): Promise<Asker> => ({
  id,
  colleagues: await listColleagues(db, id),
  now: now(),
})

export interface Found {
  listings: MarketListing[]
  total: number
  counts: OfferCounts
}

export async function findMarket(deps: MarketDeps, asker: Asker, criteria: Criteria): Promise<Found> {
  const { search } = deps
  if (!search) throw new NotReady('there is no search')
  const { sort: _sort, page: _page, limit: _limit, after: _after, ...filters } = criteria
  // What is counted in memory is counted while PostgreSQL reads the listings.
  const [{ listings, total }, counts] = await Promise.all([
    search.market(criteria, asker.id).then(async ({ rows, total }) => ({
      listings: await listingsOf(deps, rows, asker.id),
      total,
    })),
    countOffers(search, criteria.q, offersOf(filters, asker), asker.id, 'market'),
  ])
  return { listings, total, counts }
}

/** Undefined for what is not on the market. */
export async function findListing(deps: MarketDeps, idOrSlug: string, viewer: string) {
  const row = await findOnMarket(deps.db, idOrSlug, viewer)
  return row && (await listingsOf(deps, [row], viewer))[0]
}

/** Those of them that are on the market, in the given order. */
export async function listListings(deps: MarketDeps, ids: string[], viewer: string) {
  const { search } = deps
  if (!search) throw new NotReady('there is no search')
  if (ids.length === 0) return []
  const { rows } = await search.market({ ids, sort: 'newest', page: 1, limit: ids.length }, viewer)
  const place = new Map(ids.map((id, i) => [id, i]))
  rows.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
  return listingsOf(deps, rows, viewer)
}

async function listingsOf(deps: MarketDeps, rows: ListingRow[], viewer: string): Promise<MarketListing[]> {
  if (rows.length === 0) return []
  const { db, publicUrl } = deps
  const [contacts, changes] = await Promise.all([
    listContacts(db, [...new Set(rows.map(row => row.agent_id))]),
    listPriceChanges(
      db,
      rows.map(row => row.id),
    ),
  ])
  const byAgent = new Map(contacts.map(contact => [contact.id, contact]))
  return rows.flatMap(row => {
    const contact = byAgent.get(row.agent_id)
    const priceChanges = changes.get(row.id) ?? []
    return contact ? [marketListing(row, { viewer, publicUrl, now: deps.now(), contact, priceChanges })] : []
  })
}
