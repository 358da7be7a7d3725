import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import type { PublicAgency } from './agencies/store.ts'
import type { PublicAgent } from './store.ts'

/** Selects who is public; the records decide what is shown. */

const AGENT = sql`
  a.id, a.name, a.slug, a.phone, a.in_directory as listed,
  g.name as agency_name, g.slug as agency_slug, g.logo_url as agency_logo_url`

/** `listed`: shown in directories. The page that listings link to exists either way. */
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

export async function listDirectory(
  db: Sql,
  limit: number,
): Promise<Omit<PublicAgent, 'states' | 'listings'>[]> {
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
    select ${AGENT}, '{}'::text[] as states,
           (select count(*) from listings l where l.agent_id = a.id and is_public(l, a)) as listings
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
  slug: string
  updatedAt: Date
}

/** Listed agents and active agencies, with the time of their listings' last change. */
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
    where is_public(g)
    group by g.id order by g.slug`.execute(db)
  return { agents: agents.rows, agencies: agencies.rows }
}
