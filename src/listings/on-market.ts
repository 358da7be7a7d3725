import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import type { Currency } from '../lib/money.ts'
import { startPattern } from '../lib/text.ts'
import type { PropertyType } from '../lookups/catalog.ts'

/** Selects only what `is_public` allows; the records decide what is shown. */
const SHOWN = sql`from listings l join agents a on a.id = l.agent_id where is_public(l, a)`

export interface Gone {
  id: string
  property_type: PropertyType
  state: string
  public_lat: number | null
  public_lng: number | null
  sale_price: number | null
  sale_currency: Currency | null
  rent_price: number | null
  rent_currency: Currency | null
  construction_m2: number | null
  lot_m2: number | null
}

/** Was public and is now withdrawn, sold or rented. Listings that were never public stay not_found. */
export async function findGone(db: Sql, slug: string): Promise<Gone | undefined> {
  const { rows } = await sql<Gone>`
    select l.id, l.property_type, l.state, l.public_lat, l.public_lng, l.sale_price, l.sale_currency,
      l.rent_price, l.rent_currency, l.construction_m2, l.lot_m2
    from listings l join agents a on a.id = l.agent_id
    where l.slug = ${slug} and l.status in ('withdrawn', 'sold', 'rented') and l.published_at is not null
      and not l.idx_opt_out and not l.imported and is_public(a)`.execute(db)
  return rows[0]
}

// ---- sitemaps --------------------------------------------------------------------------------------------

interface Address {
  slug: string
  updatedAt: Date
}

/** Of the public listings with ids in that range. */
export async function listListingAddresses(
  db: Sql,
  { first, last }: { first: string; last: string },
  limit: number,
): Promise<Address[]> {
  const { rows } = await sql<Address>`
    select l.slug, l.updated_at as "updatedAt" ${SHOWN} and l.id between ${first} and ${last}
    order by l.id limit ${limit}`.execute(db)
  return rows
}

/** Public listings whose `source_id` starts with the text, whatever its case. The conditions are those of the index. */
export async function listByReference(
  db: Sql,
  start: string,
  limit: number,
): Promise<{ id: string; slug: string; title: string; reference: string }[]> {
  const { rows } = await sql<{ id: string; slug: string; title: string; reference: string }>`
    select l.id, l.slug, l.title, l.external_id as reference
    ${SHOWN} and l.external_id is not null and l.status = 'published' and not l.idx_opt_out and not l.imported
      and lower(l.external_id) like ${startPattern(start.toLowerCase())}
    order by lower(l.external_id) using ~<~, l.id
    limit ${limit}`.execute(db)
  return rows
}
