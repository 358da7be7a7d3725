import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'

export function insertAgent(
  db: Sql,
  agent: {
    email: string
    name: string
    name_fold: string
    slug: string
    phone: string | null
    agency_id: string | null
    license_number: string | null
    license_state: string | null
    is_test: boolean
    password_hash: string | null
    verified_at: Date | null
  },
) {
  return db
    .insertInto('agents')
    .values(agent)
    .returning(['id', 'email', 'name', 'slug'])
    .executeTakeFirstOrThrow()
}

export function findAgentByEmail(db: Sql, email: string) {
  return db
    .selectFrom('agents')
    .select(['id', 'email', 'name', 'slug', 'verified_at', 'is_test'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Whether a slug can still be given to an agent or an agency. */
export async function isSlugFree(db: Sql, table: 'agents' | 'agencies', slug: string): Promise<boolean> {
  return (await db.selectFrom(table).select('id').where('slug', '=', slug).executeTakeFirst()) === undefined
}

export function findAgencyByName(db: Sql, nameFold: string) {
  return db.selectFrom('agencies').select('id').where('name_fold', '=', nameFold).executeTakeFirst()
}

export function insertAgency(
  db: Sql,
  agency: { name: string; name_fold: string; slug: string; logo_url: string | null; active: boolean },
) {
  return db.insertInto('agencies').values(agency).returning('id').executeTakeFirstOrThrow()
}

export function updateVerified(db: Sql, agentId: string, verified: boolean) {
  return db
    .updateTable('agents')
    .set({ verified_at: verified ? sql<Date>`now_ms()` : null })
    .where('id', '=', agentId)
    .execute()
}

/** Listings that appear or vanish with their agent count as changed: incremental readers must meet them again. */
export function touchListings(db: Sql, agentId: string) {
  return db
    .updateTable('listings')
    .set({ updated_at: sql<Date>`next_stamp(updated_at)` })
    .where('agent_id', '=', agentId)
    .execute()
}

export function findProfile(db: Sql, agentId: string) {
  return db
    .selectFrom('agents as a')
    .leftJoin('agencies as g', join => join.onRef('g.id', '=', 'a.agency_id').on('g.active', '=', true))
    .select([
      'a.id',
      'a.name',
      'a.slug',
      'a.phone',
      'a.email',
      'a.license_number',
      'a.license_state',
      'a.verified_at',
      'a.is_test',
      'g.name as agency_name',
      'g.slug as agency_slug',
      'g.logo_url as agency_logo_url',
    ])
    .where('a.id', '=', agentId)
    .executeTakeFirstOrThrow()
}

export function listAgents(db: Sql) {
  return db
    .selectFrom('agents as a')
    .leftJoin('agencies as g', 'g.id', 'a.agency_id')
    .select([
      'a.id',
      'a.email',
      'a.name',
      'a.slug',
      'g.name as agency',
      'a.verified_at',
      'a.is_test',
      'a.created_at',
    ])
    .orderBy('a.name_fold')
    .orderBy('a.id')
    .execute()
}

export interface PublicAgent {
  id: string
  name: string
  slug: string
  phone: string | null
  agency_name: string | null
  agency_slug: string | null
  agency_logo_url: string | null
  states: string[]
  listings: number
}

export async function listPublicAgents(db: Sql, limit: number): Promise<PublicAgent[]> {
  const { rows } = await sql<PublicAgent>`
    select a.id, a.name, a.slug, a.phone,
           g.name as agency_name, g.slug as agency_slug, g.logo_url as agency_logo_url,
           coalesce(array_agg(distinct l.state order by l.state) filter (where l.id is not null), '{}') as states,
           count(l.id) as listings
    from agents a
    left join agencies g on g.id = a.agency_id and g.active
    left join listings l on l.agent_id = a.id and is_public(l, a)
    where is_public(a) and a.is_public
    group by a.id, g.id
    order by a.name_fold, a.id
    limit ${limit}`.execute(db)
  return rows
}

export interface PublicAgency {
  id: string
  name: string
  slug: string
  logo_url: string | null
  agents: number
}

export async function listActiveAgencies(db: Sql, limit: number): Promise<PublicAgency[]> {
  const { rows } = await sql<PublicAgency>`
    select g.id, g.name, g.slug, g.logo_url, count(a.id) as agents
    from agencies g
    left join agents a on a.agency_id = g.id and is_public(a) and a.is_public
    where g.active
    group by g.id
    order by g.name_fold, g.id
    limit ${limit}`.execute(db)
  return rows
}
