import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import type { ListingFields } from './fields.ts'
import type { Transition } from './rules.ts'

export type HistoryAction = 'create' | 'edit' | 'photos' | 'reconfirm' | 'expire' | 'lift' | Transition

interface By {
  via: 'api' | 'portal' | 'operator' | 'system'
  /** Null when it was not an agent. */
  agentId: string | null
}

/** Each changed field with its old and new value. */
export type FieldChanges = Record<string, [before: unknown, after: unknown]>

/** Requires the transaction of the change, so a change and its record commit together. */
export async function recordChange(
  tx: Tx,
  listingId: string,
  { via, agentId }: By,
  action: HistoryAction,
  fields: FieldChanges = {},
): Promise<void> {
  await tx
    .insertInto('listing_changes')
    .values({ listing_id: listingId, via, agent_id: agentId, action, fields: JSON.stringify(fields) })
    .execute()
}

export function fieldChanges(before: ListingFields, changed: Partial<ListingFields>): FieldChanges {
  const names = Object.keys(changed) as (keyof ListingFields)[]
  return Object.fromEntries(names.map(name => [name, [before[name], changed[name]]]))
}

export interface PriceChange {
  at: Date
  operation: 'sale' | 'rental'
  before: number
  after: number
}

const MAX_PRICE_CHANGES = 10

/**
 * By listing, newest first: what the asking price was since it is on the market, in its currency and period. Publishing
 * again starts over, so no price of a draft is among them.
 */
export async function listPriceChanges(db: Sql, ids: readonly string[]): Promise<Map<string, PriceChange[]>> {
  const { rows } = await sql<PriceChange & { listing_id: string }>`
    select c.* from listings l cross join lateral (
      select h.listing_id, h.at, case f.key when 'sale_price' then 'sale' else 'rental' end as operation,
        (f.value->>0)::float8 as before, (f.value->>1)::float8 as after
      from listing_changes h, jsonb_each(h.fields) f
      where h.listing_id = l.id and h.action = 'edit' and h.at >= l.published_at
        and f.key in ('sale_price', 'rent_price') and f.value->0 <> 'null' and f.value->1 <> 'null'
        and not exists (
          select from listing_changes c
          where c.listing_id = l.id and c.id >= h.id
            and (c.fields ? replace(f.key, 'price', 'currency') or f.key = 'rent_price' and c.fields ? 'rent_period'))
      order by h.id desc limit ${MAX_PRICE_CHANGES}
    ) c where l.id = any(${[...ids]}::uuid[])`.execute(db)
  const byListing = new Map<string, PriceChange[]>()
  for (const { listing_id: id, ...change } of rows) byListing.set(id, [...(byListing.get(id) ?? []), change])
  return byListing
}

export interface HistoryEntry extends Pick<By, 'via'> {
  id: number
  at: Date
  action: HistoryAction
  fields: FieldChanges
  agent_name: string | null
}

/** Newest first. */
export async function listHistory(
  db: Sql,
  listingId: string,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<HistoryEntry[]> {
  const rows = await db
    .selectFrom('listing_changes as c')
    .leftJoin('agents as a', 'a.id', 'c.agent_id')
    .select(['c.id', 'c.at', 'c.via', 'c.action', 'c.fields', 'a.name as agent_name'])
    .where('c.listing_id', '=', listingId)
    .orderBy('c.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows as HistoryEntry[]
}

/** What the operator wrote when they last suspended it. */
export async function findSuspensionReason(db: Sql, listingId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('listing_changes')
    .select('fields')
    .where('listing_id', '=', listingId)
    .where('action', '=', 'suspend')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const reason = (found?.fields as FieldChanges | undefined)?.reason?.[1]
  return reason ? String(reason) : undefined
}
