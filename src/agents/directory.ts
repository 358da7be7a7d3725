import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import type { PublicAgency } from './agencies/store.ts'
import type { PublicAgent } from './store.ts'

/** Selects who is public; the records decide what is shown. */

const AGENT = sql`
  a.id, a.name, a.slug, a.phone, a.photo, a.in_directory as listed,
  g.name as agency_name, g.slug as agency_slug, g.logo_url as agency_logo_url`

/** `listed`: shown in directories. The page that listings link to exists either way. */
type ShownAgent = PublicAgent & { listed: boolean }

export async function findAgent(db: Sql, slug: string): Promise<ShownAgent | undefined> {
  const { rows } = await sql<ShownAgent>`
    select ${AGENT}
    from agents a
    left join agencies g on g.id = a.agency_id and g.active
    where a.slug = ${slug} and is_public(a)`.execute(db)
  return rows[0]
}

export async function listDirectory(db: Sql, limit: number): Promise<PublicAgent[]> {
  const { rows } = await sql<PublicAgent>`
    select ${AGENT}
    from agents a
    left join agencies g on g.id = a.agency_id and g.active
    where is_public(a) and a.in_directory
    order by a.name_fold, a.id
    limit ${limit}`.execute(db)
  return rows
}

export async function listAgentsOfAgency(db: Sql, agencyId: string, limit: number): Promise<PublicAgent[]> {
  const { rows } = await sql<PublicAgent>`
    select ${AGENT}
    from agents a
    join agencies g on g.id = a.agency_id and g.active
    where a.agency_id = ${agencyId} and is_public(a) and a.in_directory
    order by a.name_fold, a.id
    limit ${limit}`.execute(db)
  return rows
}

/** Everyone who publishes for the agency, listed or not. */
export async function listAgentIdsOfAgency(db: Sql, agencyId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from agents a where a.agency_id = ${agencyId} and is_public(a)`.execute(db)
  return rows.map(row => row.id)
}

export async function findAgency(db: Sql, slug: string): Promise<PublicAgency | undefined> {
  const { rows } = await sql<PublicAgency>`
    select g.id, g.name, g.slug, g.logo_url,
           (select count(*) from agents a where a.agency_id = g.id and is_public(a) and a.in_directory) as agents
    from agencies g where g.slug = ${slug} and is_public(g)`.execute(db)
  return rows[0]
}

// ---- sitemaps --------------------------------------------------------------------------------------------

interface Address {
  id: string
  slug: string
  createdAt: Date
}

/** Listed agents, and active agencies with everyone who publishes for them. */
export async function listPeopleAddresses(db: Sql) {
  const agents = await sql<Address>`
    select a.id, a.slug, a.created_at as "createdAt"
    from agents a where is_public(a) and a.in_directory order by a.slug`.execute(db)
  const agencies = await sql<Address & { members: string[] }>`
    select g.id, g.slug, g.created_at as "createdAt",
           array(select a.id from agents a where a.agency_id = g.id and is_public(a)) as members
    from agencies g where is_public(g) order by g.slug`.execute(db)
  return { agents: agents.rows, agencies: agencies.rows }
}
