import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import type { Currency } from '../lib/money.ts'
import type { ListingStatus, RentPeriod } from '../lookups/catalog.ts'

/** An allow-list: neither the address, commissions nor internal codes. */
export interface AgencyListing {
  id: string
  slug: string
  title: string
  status: ListingStatus
  sale_price: number | null
  sale_currency: Currency | null
  rent_price: number | null
  rent_currency: Currency | null
  rent_period: RentPeriod | null
  neighborhood: string | null
  city: string
  state: string
  updated_at: Date
  agent_name: string
}

/** The inventory of every agent of the agency that this agent owns; none for everyone else. Last changed first. */
export async function listAgencyInventory(
  db: Sql,
  ownerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<AgencyListing[]> {
  // Of each agent as many as could be on the page: an agency may have tens of thousands.
  const latest = sql`
    select l.id, l.slug, l.title, l.status, l.sale_price, l.sale_currency, l.rent_price, l.rent_currency,
      l.rent_period, l.neighborhood, l.city, l.state, l.updated_at
    from listings l where l.agent_id = a.id and not l.imported
    order by l.updated_at desc, l.id limit ${limit + offset}`
  const { rows } = await sql<AgencyListing>`
    select l.*, a.name as agent_name
    from agents o join agents a on a.agency_id = o.agency_id cross join lateral (${latest}) l
    where o.id = ${ownerId} and o.is_agency_admin
    order by l.updated_at desc, l.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}
