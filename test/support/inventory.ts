import { readBody } from '../../src/lib/fields.ts'
import { writableFields } from '../../src/listings/fields.ts'
import { createListing, type ListingRow } from '../../src/listings/service.ts'
import type { ListingStatus } from '../../src/lookups/catalog.ts'
import { type Exchange, HOUSE } from './exchange.ts'

/** What no client can set: only the clock, the portal and the operator can. */
export interface Circumstances {
  status?: ListingStatus
  featured?: boolean
  imported?: boolean
  created_at?: Date
  updated_at?: Date
  published_at?: Date | null
}

export type Stocked = ListingRow & { featured: boolean; imported: boolean }

/** A listing without going through HTTP, for tests that need many. Published by default. */
export async function stock(
  exchange: Exchange,
  agent: { id: string },
  fields: Record<string, unknown> = {},
  circumstances: Circumstances = {},
): Promise<Stocked> {
  const sent = readBody(writableFields, { ...HOUSE, ...fields })
  const row = await createListing(exchange.db, agent.id, sent)
  const columns = {
    status: 'published' as const,
    published_at: row.created_at,
    featured: false,
    imported: false,
    ...circumstances,
  }
  await exchange.db.updateTable('listings').set(columns).where('id', '=', row.id).execute()
  return { ...row, ...columns }
}

/** Every page in turn, as a client would read them. */
export async function walkPages(exchange: Exchange, key: string, query: string, limit: number) {
  const ids: string[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await exchange.get(`/properties?${query}&page=${page}&limit=${limit}`, key)
    ids.push(...body.content.map((listing: { id: string }) => listing.id))
    pages = body.pagination.pages
  }
  return ids
}
