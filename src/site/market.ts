import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import type { CountShown } from '../figures/service.ts'
import type { BaseMap } from '../http/base-map.ts'
import type { OpenLimit } from '../http/rate-limit.ts'
import type { VisitorDeps } from '../leads/visitors/service.ts'
import { groupBy } from '../lib/groups.ts'
import { NotReady } from '../lib/problem.ts'
import type { SealedBox } from '../lib/sealed-box.ts'
import { DAY_MS } from '../lib/time.ts'
import { Counts } from '../search/counts.ts'
import type { Criteria, Filters } from '../search/criteria.ts'
import { countOffers, type OfferCounts, siteOffers } from '../search/offers.ts'
import type { Search } from '../search/service.ts'
import { type Alike, likeOf } from '../search/similar.ts'
import type { Understood } from '../search/understand/understand.ts'
import type { LiveSettings } from '../settings/service.ts'
import { type City, citiesOf, type Inventory, inventoryOf } from './inventory.ts'
import { type Bounds, MEXICO, widened } from './map/base-map.ts'
import { Remembered, RememberedEach } from './remembered.ts'
import type { Listing, Mark } from './words.ts'

export interface MarketDeps {
  db: Db
  search: Search | undefined
  now: () => number
}

export interface SiteDeps extends MarketDeps {
  /** For what a page shows: it may be some seconds old, except for those who changed it. */
  readerFor(request: FastifyRequest): Db
  publicUrl: string
  baseMap: BaseMap
  visitors: VisitorDeps
  /** Encrypts visitors' identifications. Undefined where showings are not offered. */
  identities: SealedBox | undefined
  idRetentionDays: number
  privacyContact: string | undefined
  settings: LiveSettings
  openLimit: OpenLimit
  /** Counts listings for their agents' figures. */
  countShown: CountShown
}

const COUNTS_MS = 60_000
/** How long a lower price is news. */
const LOWERED_DAYS = 30

const filtersOf = ({
  sort: _sort,
  page: _page,
  limit: _limit,
  after: _after,
  ...filters
}: Criteria): Filters => filters

/** The public market. Pages are built from records, never from rows. */
export class Market {
  readonly #deps: MarketDeps
  readonly #inventory: Remembered<Inventory>
  readonly counts: Counts

  constructor(deps: MarketDeps) {
    this.#deps = deps
    this.counts = new Counts(deps.search)
    this.#inventory = this.remembered(async () => inventoryOf(await this.counts.cities()))
  }

  /** A cached value that is derived from public listings and the same for everyone. */
  remembered<T>(load: () => Promise<T>, changedMs?: number): Remembered<T> {
    const { now, search } = this.#deps
    return new Remembered(load, {
      now,
      forMs: COUNTS_MS,
      version: () => search?.revision,
      ...(changedMs === undefined ? {} : { changedMs }),
    })
  }

  /** The same by key, and never outdated. */
  rememberedEach<T>(entries: number): RememberedEach<string, T> {
    return new RememberedEach(entries, load => this.remembered(load, 0))
  }

  async find(criteria: Partial<Criteria>) {
    const { search } = this.#deps
    if (!search) throw new NotReady('there is no search')
    const { body } = await search.page({ sort: 'newest', page: 1, limit: 24, ...criteria }, null)
    const { content, pagination } = JSON.parse(body.toString()) as {
      content: Listing[]
      pagination: { page: number; pages: number; total: number; limit: number }
    }
    return { listings: await this.marked(content), pagination }
  }

  /** With what pages say about them beside their records. */
  async marked(listings: Listing[]): Promise<Listing[]> {
    const { search, now } = this.#deps
    const standings = await search?.standingsOf(listings.map(({ id }) => id))
    return listings.map(listing => {
      const { isFeatured, publishedAt = 0, loweredAt = 0 } = standings?.get(listing.id) ?? {}
      const marks: Mark[] = isFeatured ? ['featured'] : []
      // A price that was lowered before it was published was never asked.
      if (loweredAt > publishedAt && now() - loweredAt < LOWERED_DAYS * DAY_MS) marks.push('lowered')
      return { ...listing, marks }
    })
  }

  /** What each value of the search form would find. */
  countOffers(criteria: Criteria): Promise<OfferCounts> {
    const { search } = this.#deps
    if (!search) throw new NotReady('there is no search')
    const filters = filtersOf(criteria)
    return countOffers(search, filters.q, siteOffers(filters), null, 'all')
  }

  /** How many each of these searches finds. */
  async countEach(searches: readonly Criteria[]): Promise<number[]> {
    const { search } = this.#deps
    if (!search) throw new NotReady('there is no search')
    const counts = new Map<Criteria, number>()
    // Those with the same words and ids can be counted together.
    for (const alike of groupBy(searches, ({ q, ids }) => JSON.stringify([q, ids])).values()) {
      const choices = alike.map(one => ({ rest: filtersOf(one), options: [{}] }))
      const counted = await search.countOptions(choices, alike[0]?.q, null, 'all')
      for (const [i, one] of alike.entries()) counts.set(one, counted[i]?.[0] ?? 0)
    }
    return searches.map(one => counts.get(one) ?? 0)
  }

  /** Parses typed text into search parameters. */
  understand(typed: string): Promise<Understood> {
    const { search } = this.#deps
    if (!search) throw new NotReady('there is no search')
    return search.understand(typed)
  }

  async marks(criteria: Criteria, view: Bounds | undefined, across: number) {
    const { search } = this.#deps
    if (!search) throw new NotReady('there is no search')
    const { squares, bounds } = await search.map(criteria, null, view, across)
    const marks = squares.map(({ record, ...square }) => ({
      ...square,
      listing: record && (JSON.parse(record.toString()) as Listing),
    }))
    return { marks, bounds: bounds ? widened(bounds) : MEXICO }
  }

  /** The listings most like one, which may be gone from the market. */
  async similarTo(listing: Alike, wanted: number): Promise<Listing[]> {
    const { search } = this.#deps
    if (!search) throw new NotReady('there is no search')
    const records = await search.similar(likeOf(listing), null, wanted)
    return this.marked(records.map(record => JSON.parse(record.toString()) as Listing))
  }

  /** Includes a city whose first listing is newer than the inventory. */
  async findCity(state: string, slug: string): Promise<City | undefined> {
    const known = (await this.inventory()).get(state)?.find(city => city.slug === slug)
    return known ?? citiesOf(await this.counts.cities(state)).find(city => city.slug === slug)
  }

  /** Of all states: pages may show counts that are a few seconds old. */
  inventory(): Promise<Inventory> {
    return this.#inventory.get()
  }
}
