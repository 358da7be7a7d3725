import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import type { Lang } from '../lib/i18n.ts'
import { foldText, likePattern } from '../lib/text.ts'

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
    email_confirmed_at: Date | null
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

export async function isSlugFree(db: Sql, slug: string): Promise<boolean> {
  const found = await db.selectFrom('agents').select('id').where('slug', '=', slug).executeTakeFirst()
  return found === undefined
}

export function updateVerified(db: Sql, agentId: string, verified: boolean) {
  return db
    .updateTable('agents')
    .set({ verified_at: verified ? sql<Date>`now_ms()` : null })
    .where('id', '=', agentId)
    .execute()
}

/** Listings that appear or disappear with their agent count as changed, so incremental sync picks them up. */
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

export function findOwnProfile(db: Sql, agentId: string) {
  return db
    .selectFrom('agents')
    .select([
      'name',
      'slug',
      'email',
      'phone',
      'bio',
      'languages',
      'photo',
      'in_directory',
      'agency_id',
      'agency_wanted',
      'is_agency_admin',
    ])
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()
}

/** How colleagues reach an agent. Only for pages that verified agents open. */
export function listContacts(db: Sql, agentIds: readonly string[]) {
  return db
    .selectFrom('agents')
    .select(['id', 'name', 'phone', 'email'])
    .where('id', 'in', [...agentIds])
    .execute()
}

/** The agent and everyone else of the same agency. */
export async function listColleagues(db: Sql, agentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from agents a join agents c on c.id = a.id or c.agency_id = a.agency_id
    where a.id = ${agentId}`.execute(db)
  return rows.map(row => row.id)
}

/** Those with that slug or id who work for that agency, both as texts of strangers; null is any. */
export async function idsOfAgents(db: Sql, agent: string | null, agency: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from agents a left join agencies g on g.id = a.agency_id and g.active
    where (${agent}::text is null or ${agent} in (a.slug, a.id::text))
      and (${agency}::text is null or ${agency} in (g.slug, g.id::text))`.execute(db)
  return rows.map(row => row.id)
}

/** Recipient and language of an email. */
export function findRecipient(db: Sql, agentId: string) {
  return db
    .selectFrom('agents')
    .select(['name', 'email', 'lang', 'slug', 'verified_at', 'email_confirmed_at'])
    .where('id', '=', agentId)
    .executeTakeFirst()
}

/** Locks the agent until the transaction ends, so per-agent limits hold under concurrency. */
export async function lockAgent(tx: Tx, agentId: string): Promise<void> {
  await sql`select from agents where id = ${agentId} for no key update`.execute(tx)
}

export async function updateLang(db: Sql, agentId: string, lang: Lang): Promise<void> {
  await db.updateTable('agents').set({ lang }).where('id', '=', agentId).execute()
}

// ---- the private address of an agent's calendar ----------------------------------------------------------

export async function findCalendarKey(db: Sql, agentId: string): Promise<string> {
  const row = await db
    .selectFrom('agents')
    .select('calendar_key')
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()
  return row.calendar_key
}

/** The old address stops working. */
export async function renewCalendarKey(db: Sql, agentId: string): Promise<void> {
  await db.updateTable('agents').set({ calendar_key: randomUUID() }).where('id', '=', agentId).execute()
}

/** Undefined for a key that is unknown or whose agent is not verified. */
export function findByCalendarKey(db: Sql, key: string) {
  return db
    .selectFrom('agents')
    .select(['id', 'name', 'lang'])
    .where('calendar_key', '=', key)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
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

/** All agents, verified agents and active agencies. */
export async function countMembers(db: Sql) {
  const { rows } = await sql<{ agents: number; verified: number; agencies: number }>`
    select count(*) as agents, count(verified_at) as verified,
      (select count(*) from agencies where active) as agencies
    from agents`.execute(db)
  return rows[0] as (typeof rows)[number]
}

/** Without the number of listings, which search counts. */
export interface PublicAgent {
  id: string
  name: string
  slug: string
  phone: string | null
  /** For our own pages; records do not have it. */
  photo: string | null
  agency_name: string | null
  agency_slug: string | null
  agency_logo_url: string | null
}

export function findCredentials(db: Sql, email: string) {
  return db
    .selectFrom('agents')
    .select(['id', 'password_hash', 'email_confirmed_at'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

export async function updateAccount(
  db: Sql,
  agentId: string,
  columns: { is_operator?: boolean; password_hash?: string; email_confirmed_at?: Date },
): Promise<void> {
  await db.updateTable('agents').set(columns).where('id', '=', agentId).execute()
}

interface PersonColumns {
  name: string
  name_fold: string
  phone: string
  password_hash: string
  agency_wanted: string | null
  lang: 'es' | 'en'
}

export function insertUnconfirmed(db: Sql, agent: PersonColumns & { email: string; slug: string }) {
  return db.insertInto('agents').values(agent).returning('id').executeTakeFirstOrThrow()
}

/** Unconfirmed sign-ups: no one could sign in to them, so nothing references them. */
export async function deleteUnconfirmed(db: Sql, days: number): Promise<void> {
  await sql`
    delete from agents where email_confirmed_at is null
      and created_at < now() - ${days} * interval '1 day'`.execute(db)
}

export async function updateAgent(
  db: Sql,
  agentId: string,
  columns: Partial<PersonColumns> & {
    bio?: string | null
    languages?: string[]
    photo?: string | null
    in_directory?: boolean
    is_test?: boolean
    agency_id?: string | null
    is_agency_admin?: boolean
    assists_id?: null
    license_state?: string
    license_number?: string
    license_authority?: string
  },
): Promise<void> {
  await db.updateTable('agents').set(columns).where('id', '=', agentId).execute()
}

// ---- the operator's view ---------------------------------------------------------------------------------

interface AgentForOperator {
  id: string
  name: string
  email: string
  phone: string | null
  slug: string
  photo: string | null
  verified_at: Date | null
  email_confirmed_at: Date | null
  is_test: boolean
  is_operator: boolean
  is_agency_admin: boolean
  agency_id: string | null
  agency: string | null
  agency_wanted: string | null
  license_state: string | null
  license_number: string | null
  license_authority: string | null
  created_at: Date
}

const SEEN_BY_OPERATOR = sql`
  a.id, a.name, a.email, a.phone, a.slug, a.photo, a.verified_at, a.email_confirmed_at, a.is_test, a.is_operator,
  a.is_agency_admin, a.agency_id, g.name as agency, a.agency_wanted, a.license_state, a.license_number,
  a.license_authority, a.created_at`

export async function findAgentForOperator(db: Sql, id: string) {
  const { rows } = await sql<AgentForOperator>`
    select ${SEEN_BY_OPERATOR}
    from agents a left join agencies g on g.id = a.agency_id
    where a.id::text = ${id}`.execute(db)
  return rows[0]
}

/** By part of the name or address; `%` and `_` match literally. */
export async function searchAgents(
  db: Sql,
  q: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<AgentForOperator[]> {
  const pattern = likePattern(foldText(q))
  const { rows } = await sql<AgentForOperator>`
    select ${SEEN_BY_OPERATOR}
    from agents a left join agencies g on g.id = a.agency_id
    where a.name_fold like ${pattern} or lower(a.email) like ${pattern}
    order by a.name_fold, a.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}
