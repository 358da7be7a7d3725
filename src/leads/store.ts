import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'

export interface LeadRow {
  id: string
  agent_id: string
  listing_id: string | null
  listing_title: string | null
  listing_slug: string | null
  name: string
  email: string | null
  phone: string | null
  message: string | null
  source: string
  status: string
  kind: string
  lang: string
  interest: string | null
  budget_min: number | null
  budget_max: number | null
  follow_up_at: Date | null
  tour_at: Date | null
  tour_status: string | null
  showing_at: Date | null
  id_status: string | null
  awaiting_id: boolean
  created_at: Date
  updated_at: Date
}

const ROW = sql`
  d.id, d.agent_id, d.listing_id, l.title as listing_title, l.slug as listing_slug, d.name, d.email, d.phone, d.message,
  d.source, d.status, d.kind, d.lang, d.interest, d.budget_min, d.budget_max, d.follow_up_at, d.tour_at,
  d.tour_status, d.showing_at, d.id_status, d.awaiting_id, d.created_at, d.updated_at
  from leads d left join listings l on l.id = d.listing_id`

export async function listLeads(db: Sql, agentId: string, limit: number): Promise<LeadRow[]> {
  const { rows } = await sql<LeadRow>`
    select ${ROW} where d.agent_id = ${agentId} order by d.created_at desc, d.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function findLead(db: Sql, id: string): Promise<LeadRow> {
  const { rows } = await sql<LeadRow>`select ${ROW} where d.id = ${id}`.execute(db)
  return rows[0] as LeadRow
}

export function insertLead(
  tx: Tx,
  lead: {
    agent_id: string
    listing_id: string | null
    name: string
    email: string | null
    phone: string | null
    phone_e164: string | null
    message: string | null
    source: string
    lang: 'es' | 'en'
  },
) {
  return tx.insertInto('leads').values(lead).returning('id').executeTakeFirstOrThrow()
}
