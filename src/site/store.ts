import { sql } from 'kysely'
import type { PublicAgency, PublicAgent } from '../agents/service.ts'
import type { Sql } from '../db/database.ts'
import { kebab } from '../lib/slug.ts'
import type { PropertyType } from '../lookups/catalogue.ts'

/** Only what `is_public` lets through is selected here; what is shown of it is decided by the records. */

const SHOWN = sql`from listings l join agents a on a.id = l.agent_id where is_public(l, a)`
const ORDER = sql`order by l.featured desc, coalesce(l.published_at, l.created_at) desc, l.id`

export interface City {
  name: string
  fold: string
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

const cityOf = ({ city, city_fold, count, updated_at }: CityRow): City => ({
  name: city,
  fold: city_fold,
  slug: kebab(city_fold, 'ciudad'),
  count,
  updatedAt: updated_at,
})

/** A city is named as most of its listings name it: accents and case do not make another one. */
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

/** Cities with something on the market, by state, the largest first. */
export async function listInventory(db: Sql): Promise<Inventory> {
  const byState: Inventory = new Map()
  for (const row of await listCities(db)) {
    byState.set(row.state, [...(byState.get(row.state) ?? []), cityOf(row)])
  }
  return byState
}

export const listCitiesOf = async (db: Sql, state: string): Promise<City[]> =>
  (await listCities(db, state)).map(cityOf)

interface Ids {
  ids: string[]
  total: number
}

async function listIds(db: Sql, where: ReturnType<typeof sql>, limit: number, offset: number): Promise<Ids> {
  const { rows } = await sql<{ id: string; total: number }>`
    select l.id, count(*) over () as total ${SHOWN} and ${where} ${ORDER}
    limit ${limit} offset ${offset}`.execute(db)
  return { ids: rows.map(row => row.id), total: rows[0]?.total ?? 0 }
}

export const listIdsInCity = (db: Sql, state: string, cityFold: string, limit: number, offset: number) =>
  listIds(db, sql`l.state = ${state} and l.city_fold = ${cityFold}`, limit, offset)

export const listIdsOfAgent = (db: Sql, agentId: string, limit: number, offset: number) =>
  listIds(db, sql`l.agent_id = ${agentId}`, limit, offset)

export const listIdsOfAgency = (db: Sql, agencyId: string, limit: number, offset: number) =>
  listIds(db, sql`l.agent_id in (select m.id from agents m where m.agency_id = ${agencyId})`, limit, offset)

/** Those of the ids that everybody may still see at this moment. */
export async function listPublicIds(db: Sql, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select l.id ${SHOWN} and l.id = any(${ids}::uuid[])`.execute(db)
  return new Set(rows.map(row => row.id))
}

export interface Gone {
  property_type: PropertyType
  city_fold: string
  state: string
}

/** Once shown to everybody and now withdrawn, sold or rented. What never was public stays unheard of. */
export async function findGone(db: Sql, slug: string): Promise<Gone | undefined> {
  const { rows } = await sql<Gone>`
    select l.property_type, l.city_fold, l.state
    from listings l join agents a on a.id = l.agent_id
    where l.slug = ${slug} and l.status in ('withdrawn', 'sold', 'rented') and l.published_at is not null
      and not l.idx_opt_out and not l.imported and is_public(a)`.execute(db)
  return rows[0]
}

// ---- people ----------------------------------------------------------------------------------------------

const AGENT = sql`
  a.id, a.name, a.slug, a.phone, a.in_directory as listed,
  g.name as agency_name, g.slug as agency_slug, g.logo_url as agency_logo_url`

/** `listed`: whether the agent wants to be in directories; the page that listings link to is there anyway. */
export type ShownAgent = PublicAgent & { listed: boolean }

export async function findAgent(db: Sql, slug: string): Promise<ShownAgent | undefined> {
  const { rows } = await sql<ShownAgent>`
    select ${AGENT},
           array(select distinct l.state from listings l where l.agent_id = a.id and is_public(l, a) order by 1) as states,
           (select count(*) from listings l where l.agent_id = a.id and is_public(l, a)) as listings
    from agents a
    left join agencies g on g.id = a.agency_id and g.active
    where a.slug = ${slug} and is_public(a)`.execute(db)
  return rows[0]
}

export async function listAgentsOfAgency(db: Sql, agencyId: string, limit: number): Promise<PublicAgent[]> {
  const { rows } = await sql<PublicAgent>`
    select ${AGENT}, '{}'::text[] as states,
           (select count(*) from listings l where l.agent_id = a.id and is_public(l, a)) as listings
    from agents a
    join agencies g on g.id = a.agency_id and g.active
    where a.agency_id = ${agencyId} and is_public(a) and a.in_directory
    order by a.name_fold, a.id
    limit ${limit}`.execute(db)
  return rows
}

export async function findAgency(db: Sql, slug: string): Promise<PublicAgency | undefined> {
  const { rows } = await sql<PublicAgency>`
    select g.id, g.name, g.slug, g.logo_url,
           (select count(*) from agents a where a.agency_id = g.id and is_public(a) and a.in_directory) as agents
    from agencies g where g.slug = ${slug} and g.active`.execute(db)
  return rows[0]
}

// ---- sitemaps --------------------------------------------------------------------------------------------

export interface Address {
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

/** Listed agents and active agencies; changed when one of their listings last did. */
export async function listPeopleAddresses(db: Sql): Promise<{ agents: Address[]; agencies: Address[] }> {
  const agents = await sql<Address>`
    select a.slug, coalesce(max(l.updated_at), a.created_at) as "updatedAt"
    from agents a left join listings l on l.agent_id = a.id and is_public(l, a)
    where is_public(a) and a.in_directory
    group by a.id order by a.slug`.execute(db)
  const agencies = await sql<Address>`
    select g.slug, coalesce(max(l.updated_at), g.created_at) as "updatedAt"
    from agencies g
    left join agents a on a.agency_id = g.id
    left join listings l on l.agent_id = a.id and is_public(l, a)
    where g.active
    group by g.id order by g.slug`.execute(db)
  return { agents: agents.rows, agencies: agencies.rows }
}
