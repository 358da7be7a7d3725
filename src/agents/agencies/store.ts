import { sql } from 'kysely'
import type { Sql } from '../../db/database.ts'

export function findAgencyByName(db: Sql, nameFold: string) {
  return db.selectFrom('agencies').select('id').where('name_fold', '=', nameFold).executeTakeFirst()
}

export async function isSlugFree(db: Sql, slug: string): Promise<boolean> {
  const found = await db.selectFrom('agencies').select('id').where('slug', '=', slug).executeTakeFirst()
  return found === undefined
}

export function insertAgency(
  db: Sql,
  agency: { name: string; name_fold: string; slug: string; logo_url: string | null; active: boolean },
) {
  return db.insertInto('agencies').values(agency).returning('id').executeTakeFirstOrThrow()
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
    left join agents a on a.agency_id = g.id and is_public(a) and a.in_directory
    where is_public(g)
    group by g.id
    order by g.name_fold, g.id
    limit ${limit}`.execute(db)
  return rows
}

export function listAllAgencies(db: Sql) {
  return db
    .selectFrom('agencies as g')
    .leftJoin('agents as a', 'a.agency_id', 'g.id')
    .select([
      'g.id',
      'g.name',
      'g.slug',
      'g.active',
      'g.created_at',
      eb => eb.fn.count<number>('a.id').as('agents'),
    ])
    .groupBy('g.id')
    .orderBy('g.name_fold')
    .limit(2_000)
    .execute()
}

export function findAgency(db: Sql, id: string) {
  return db
    .selectFrom('agencies')
    .select(['id', 'name', 'slug', 'logo_url', 'active', 'phone', 'website', 'about'])
    .where(sql`id::text`, '=', id)
    .executeTakeFirst()
}

export function listColleagues(db: Sql, agencyId: string) {
  return db
    .selectFrom('agents')
    .select(['id', 'name', 'email', 'photo', 'verified_at', 'is_agency_admin'])
    .where('agency_id', '=', agencyId)
    .orderBy('name_fold')
    .limit(200)
    .execute()
}

export async function updateAgency(
  db: Sql,
  id: string,
  columns: {
    name?: string
    name_fold?: string
    active?: boolean
    logo_url?: string
    phone?: string | null
    website?: string | null
    about?: string | null
  },
): Promise<void> {
  await db.updateTable('agencies').set(columns).where('id', '=', id).execute()
}
