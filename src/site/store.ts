import { sql } from 'kysely'
import type { PublicAgency, PublicAgent } from '../agents/service.ts'
import type { Sql } from '../db/database.ts'
import { kebab } from '../lib/slug.ts'
import type { PropertyType } from '../lookups/catalogue.ts'

/** Only what `is_public` lets through is selected here; what is shown of it is decided by the records. */
const SHOWN = sql`from listings l join agents a on a.id = l.agent_id where is_public(l, a)`

/** All cities of a state whose names give the same slug are one. */
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

/** Of one state; rows of most listings first. */
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

interface Gone {
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
type ShownAgent = PublicAgent & { listed: boolean }

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

/** What an agent has on the market. */
export interface Share {
  states: string[]
  listings: number
}

export async function listDirectory(db: Sql, limit: number): Promise<Omit<PublicAgent, keyof Share>[]> {
  const { rows } = await sql<PublicAgent>`
    select ${AGENT}
    from agents a
    left join agencies g on g.id = a.agency_id and g.active
    where is_public(a) and a.in_directory
    order by a.name_fold, a.id
    limit ${limit}`.execute(db)
  return rows
}

export async function listShares(db: Sql): Promise<Map<string, Share>> {
  const { rows } = await sql<Share & { agent_id: string }>`
    select l.agent_id, array_agg(distinct l.state order by l.state) as states, count(*) as listings
    ${SHOWN} group by l.agent_id`.execute(db)
  return new Map(rows.map(({ agent_id, states, listings }) => [agent_id, { states, listings }]))
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

/** Whoever publishes for the agency, in directories or not. */
export async function listAgentIdsOfAgency(db: Sql, agencyId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from agents a where a.agency_id = ${agencyId} and is_public(a)`.execute(db)
  return rows.map(row => row.id)
}

export async function findAgency(db: Sql, slug: string): Promise<PublicAgency | undefined> {
  const { rows } = await sql<PublicAgency>`
    select g.id, g.name, g.slug, g.logo_url,
           (select count(*) from agents a where a.agency_id = g.id and is_public(a) and a.in_directory) as agents
    from agencies g where g.slug = ${slug} and g.active`.execute(db)
  return rows[0]
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
