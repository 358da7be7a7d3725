import { sql } from 'kysely'
import type { Sql } from '../../db/database.ts'
import { foldText, likePattern } from '../../lib/text.ts'
import { isUuid } from '../../lib/uuid.ts'

export interface ListingForOperator {
  id: string
  slug: string
  title: string
  city: string
  state: string
  status: string
  featured: boolean
  imported: boolean
  idx_opt_out: boolean
  agent_id: string
  agent: string
  updated_at: Date
}

/** By id, slug or part of the title; all agents, every status, last changed first. */
export async function searchListings(
  db: Sql,
  q: string,
  { status, limit, offset }: { status: string | undefined; limit: number; offset: number },
): Promise<ListingForOperator[]> {
  const pattern = likePattern(foldText(q))
  const wanted = isUuid(q)
    ? sql`l.id = ${q}`
    : q === ''
      ? sql`true`
      : sql`(l.slug = ${q} or l.title_fold like ${pattern})`
  const { rows } = await sql<ListingForOperator>`
    select l.id, l.slug, l.title, l.city, l.state, l.status, l.featured, l.imported, l.idx_opt_out,
           l.agent_id, a.name as agent, l.updated_at
    from listings l join agents a on a.id = l.agent_id
    where ${wanted} and ${status === undefined ? sql`true` : sql`l.status = ${status}`}
    order by l.updated_at desc, l.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}
