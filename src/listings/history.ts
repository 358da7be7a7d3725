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
type FieldChanges = Record<string, [before: unknown, after: unknown]>

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

export interface HistoryEntry extends Pick<By, 'via'> {
  id: number
  at: Date
  action: HistoryAction
  fields: FieldChanges
  agent_name: string | null
}

/** Newest first. */
export async function listHistory(db: Sql, listingId: string, limit: number): Promise<HistoryEntry[]> {
  const rows = await db
    .selectFrom('listing_changes as c')
    .leftJoin('agents as a', 'a.id', 'c.agent_id')
    .select(['c.id', 'c.at', 'c.via', 'c.action', 'c.fields', 'a.name as agent_name'])
    .where('c.listing_id', '=', listingId)
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute()
  return rows as HistoryEntry[]
}
