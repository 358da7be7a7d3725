import type { Static } from 'typebox'
import type { Db } from '../db/database.ts'
import { NotReady } from '../lib/problem.ts'
import { listingRecord } from '../listings/record.ts'
import type { ListingRecord } from '../listings/schema.ts'
import { listByIds } from '../listings/service.ts'
import type { Criteria } from '../search/criteria.ts'
import type { Search } from '../search/service.ts'
import { type Bounds, MEXICO, widened } from './base-map.ts'
import { type Inventory, listInventory, listPublicIds } from './store.ts'
import type { Listing } from './words.ts'

export interface SiteDeps {
  db: Db
  search: Search | undefined
  publicUrl: string
  tilesUrl?: string | undefined
  now: () => number
}

const INVENTORY_MS = 60_000

/** What the public sees of the market. Pages are made of records alone, never of rows. */
export class Market {
  readonly #deps: SiteDeps
  #inventory: { at: number; value: Promise<Inventory> } | undefined

  constructor(deps: SiteDeps) {
    this.#deps = deps
  }

  async find(criteria: Partial<Criteria>) {
    const { search } = this.#deps
    if (!search) throw new NotReady('there is no search')
    const { records, pagination } = await search.page(
      { sort: 'newest', page: 1, limit: 24, ...criteria },
      null,
    )
    return { listings: records.map(record => JSON.parse(record.toString()) as Listing), pagination }
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

  /** In the order of the ids; one that has meanwhile disappeared is left out. */
  async records(ids: string[]): Promise<Listing[]> {
    const { db, publicUrl } = this.#deps
    if (ids.length === 0) return []
    const rows = new Map((await listByIds(db, ids)).map(row => [row.id, row]))
    // Asked after the rows were read: what was hidden in between is not shown.
    const shown = await listPublicIds(db, ids)
    return ids.flatMap((id): Static<typeof ListingRecord>[] => {
      const row = rows.get(id)
      return row && shown.has(id) ? [listingRecord(row, null, publicUrl)] : []
    })
  }

  /** Others like it: the same kind and price in the same city if there are, else farther around. */
  async similarTo(like: Likeness, wanted: number): Promise<Listing[]> {
    const { property_type, state, city, price, slug } = like
    const kind = { types: [property_type], state, limit: wanted + 1 }
    const near = price
      ? { operation: price.type, minPrice: price.amount * 0.5, maxPrice: price.amount * 1.8 }
      : {}
    const found = new Map<string, Listing>()
    for (const criteria of [
      { ...kind, city, ...near },
      { ...kind, city },
      kind,
      { state, limit: wanted + 1 },
    ]) {
      const { listings } = await this.find(criteria)
      for (const listing of listings) if (listing.slug !== slug) found.set(listing.slug, listing)
      if (found.size >= wanted) break
    }
    return [...found.values()].slice(0, wanted)
  }

  /** Counting a large market takes a while: pages may show numbers of up to a minute ago. */
  async inventory(): Promise<Inventory> {
    const { db, now } = this.#deps
    if (!this.#inventory || now() - this.#inventory.at > INVENTORY_MS) {
      const value = listInventory(db)
      const previous = this.#inventory?.value
      const fresh = { at: now(), value }
      this.#inventory = fresh
      value.catch(() => {
        if (this.#inventory === fresh) this.#inventory = undefined
      })
      // Whoever comes first after the minute does not wait either.
      if (previous) return previous.catch(() => value)
    }
    return this.#inventory.value
  }
}

export interface Likeness {
  slug: string
  property_type: Listing['property_type']
  state: string
  /** Folded. */
  city: string
  price?: Listing['operations'][number] | undefined
}
