import { sql } from 'kysely'
import type { Db, Sql } from '../../db/database.ts'
import { countByListing } from '../../leads/service.ts'
import type { Currency } from '../../lib/money.ts'
import { foldText, likePattern } from '../../lib/text.ts'
import type { ListingStatus, PropertyType, RentPeriod } from '../../lookups/catalog.ts'
import { lastConfirmed, toReconfirm } from '../confirmation.ts'
import { findVisible, type ListingRow } from '../service.ts'

/** A row of an agent's inventory. */
export interface InventoryRow {
  id: string
  title: string
  status: ListingStatus
  property_type: PropertyType
  sale_price: number | null
  sale_currency: Currency | null
  rent_price: number | null
  rent_currency: Currency | null
  rent_period: RentPeriod | null
  neighborhood: string | null
  city: string
  state: string
  internal_id: string | null
  updated_at: Date
  /** When the agent last confirmed it. */
  confirmed_at: Date
  cover: string | null
  photos: number
  leads: number
}

export interface InventoryFilter {
  status?: ListingStatus | undefined
  type?: PropertyType | undefined
  /** Matches the title, the place or one of the agent's identifiers. */
  q?: string | undefined
  /** Only listings that are hidden, or soon will be, unless confirmed. */
  reconfirm?: true | undefined
}

export const INVENTORY_PAGE = 24

const own = (agentId: string) => sql`l.agent_id = ${agentId} and not l.imported`

function matching({ type, q, reconfirm }: InventoryFilter, reconfirmDays: number) {
  const text = q ? likePattern(foldText(q)) : undefined
  return sql`true
    ${type ? sql`and l.property_type = ${type}` : sql``}
    ${reconfirm ? sql`and ${toReconfirm(reconfirmDays)}` : sql``}
    ${
      text
        ? sql`and (l.title_fold like ${text} or l.city_fold like ${text} or l.neighborhood_fold like ${text}
            or lower(l.internal_id) like ${text} or lower(l.external_id) like ${text} or l.id::text like ${text})`
        : sql``
    }`
}

/** Last changed first. */
export async function listInventory(
  db: Sql,
  agentId: string,
  { filter, page, reconfirmDays }: { filter: InventoryFilter; page: number; reconfirmDays: number },
): Promise<InventoryRow[]> {
  const { rows } = await sql<Omit<InventoryRow, 'leads'>>`
    select l.id, l.title, l.status, l.property_type, l.sale_price, l.sale_currency, l.rent_price,
      l.rent_currency, l.rent_period, l.neighborhood, l.city, l.state, l.internal_id, l.updated_at,
      ${lastConfirmed} as confirmed_at,
      (select thumb from listing_images i where i.listing_id = l.id order by position limit 1) as cover,
      (select count(*) from listing_images i where i.listing_id = l.id) as photos
    from listings l
    where ${own(agentId)} and ${matching(filter, reconfirmDays)}
      ${filter.status ? sql`and l.status = ${filter.status}` : sql``}
    order by l.updated_at desc, l.id
    limit ${INVENTORY_PAGE} offset ${(page - 1) * INVENTORY_PAGE}`.execute(db)
  const leads = await countByListing(
    db,
    agentId,
    rows.map(row => row.id),
  )
  return rows.map(row => ({ ...row, leads: leads.get(row.id) ?? 0 }))
}

/** Count by status, with the other filters applied. */
export async function countInventory(
  db: Sql,
  agentId: string,
  { filter, reconfirmDays }: { filter: InventoryFilter; reconfirmDays: number },
): Promise<Partial<Record<ListingStatus, number>>> {
  const { rows } = await sql<{ status: ListingStatus; count: number }>`
    select l.status, count(*) as count from listings l
    where ${own(agentId)} and ${matching(filter, reconfirmDays)} group by l.status`.execute(db)
  return Object.fromEntries(rows.map(row => [row.status, row.count]))
}

export interface OwnListing extends ListingRow {
  confirmed_at: Date
  featured: boolean
  leads: number
}

/** The agent's listing; undefined for another agent's. */
export async function findOwn(db: Db, agentId: string, id: string): Promise<OwnListing | undefined> {
  const row = await findVisible(db, id, agentId)
  if (row?.agent_id !== agentId) return undefined
  const { rows } = await sql<Pick<OwnListing, 'confirmed_at' | 'featured'>>`
    select ${lastConfirmed} as confirmed_at, l.featured from listings l where l.id = ${row.id}`.execute(db)
  const leads = await countByListing(db, agentId, [row.id])
  return { ...row, ...(rows[0] as (typeof rows)[number]), leads: leads.get(row.id) ?? 0 }
}
