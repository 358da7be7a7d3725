import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import type { Currency } from '../lib/money.ts'
import { kebab } from '../lib/slug.ts'
import { startPattern } from '../lib/text.ts'
import type { PropertyType } from '../lookups/catalog.ts'

/** Selects only what `is_public` allows; the records decide what is shown. */
const SHOWN = sql`from listings l join agents a on a.id = l.agent_id where is_public(l, a)`

/** Cities of a state with the same slug are one city. */
export interface City {
  name: string
  folds: string[]
  slug: string
  count: number
  updatedAt: Date
}

interface CityRow {
  state: string
  city: string
  city_fold: string
  count: number
  updated_at: Date
}

/** Cities of one state, most listings first. */
function citiesOf(rows: readonly CityRow[]): City[] {
  const bySlug = new Map<string, City>()
  for (const { city, city_fold, count, updated_at } of rows) {
    const slug = kebab(city_fold, 'ciudad')
    const known = bySlug.get(slug)
    if (!known) {
      bySlug.set(slug, { name: city, folds: [city_fold], slug, count, updatedAt: updated_at })
      continue
    }
    known.folds.push(city_fold)
    known.count += count
    if (updated_at > known.updatedAt) known.updatedAt = updated_at
  }
  return [...bySlug.values()]
}

/** A city takes its most common spelling; accents and case do not make a different city. */
async function listCities(db: Sql, state?: string): Promise<CityRow[]> {
  const { rows } = await sql<CityRow>`
    select l.state, l.city_fold, mode() within group (order by l.city) as city, count(*) as count,
           max(l.updated_at) as updated_at
    ${SHOWN} ${state === undefined ? sql`` : sql`and l.state = ${state}`}
    group by l.state, l.city_fold
    order by count(*) desc, l.city_fold`.execute(db)
  return rows
}

export type Inventory = Map<string, City[]>

/** Cities with listings on the market, by state, largest first. */
export async function listInventory(db: Sql): Promise<Inventory> {
  const byState = new Map<string, CityRow[]>()
  for (const row of await listCities(db)) {
    const rows = byState.get(row.state)
    if (rows) rows.push(row)
    else byState.set(row.state, [row])
  }
  return new Map([...byState].map(([state, rows]) => [state, citiesOf(rows)]))
}

export const listCitiesOf = async (db: Sql, state: string): Promise<City[]> =>
  citiesOf(await listCities(db, state))

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

/** An agent's listings on the market. */
export interface Share {
  states: string[]
  listings: number
}

export async function listShares(db: Sql): Promise<Map<string, Share>> {
  const { rows } = await sql<Share & { agent_id: string }>`
    select l.agent_id, array_agg(distinct l.state order by l.state) as states, count(*) as listings
    ${SHOWN} group by l.agent_id`.execute(db)
  return new Map(rows.map(({ agent_id, states, listings }) => [agent_id, { states, listings }]))
}

interface LocationCount {
  city: string
  state: string
  count: number
}

/**
 * Counts public listings only: a count must not reveal hidden ones. Spellings of a city that differ in case or
 * accents are one city, under the most common spelling.
 */
export async function listLocations(db: Sql, limit: number): Promise<LocationCount[]> {
  const { rows } = await sql<LocationCount>`
    select mode() within group (order by l.city) as city, l.state, count(*) as count
    ${SHOWN}
    group by l.state, l.city_fold
    order by count(*) desc, l.state, l.city_fold
    limit ${limit}`.execute(db)
  return rows
}

// ---- sitemaps --------------------------------------------------------------------------------------------

interface Address {
  slug: string
  updatedAt: Date
}

export async function countPublicListings(db: Sql): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count ${SHOWN}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function listListingAddresses(db: Sql, limit: number, offset: number): Promise<Address[]> {
  const { rows } = await sql<Address>`
    select l.slug, l.updated_at as "updatedAt" ${SHOWN} order by l.id limit ${limit} offset ${offset}`.execute(
    db,
  )
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
