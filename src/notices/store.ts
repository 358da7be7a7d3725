import type { Sql } from '../db/database.ts'

// What each mail says, read when it is written: a notice that waited tells of things as they are.

export function findRecipient(db: Sql, agentId: string) {
  return db
    .selectFrom('agents')
    .select(['name', 'email', 'lang', 'slug', 'verified_at'])
    .where('id', '=', agentId)
    .executeTakeFirst()
}

export function findLead(db: Sql, id: string) {
  return db
    .selectFrom('leads as d')
    .leftJoin('lead_listings as s', 's.lead_id', 'd.id')
    .select(['d.name', 'd.email', 'd.phone', 'd.message', 'd.kind', 'd.source', 'd.tour_at'])
    .select(['s.title as listing_title', 's.slug as listing_slug'])
    .where('d.id', '=', id)
    .executeTakeFirst()
}

export function listPublished(db: Sql, ids: readonly string[]) {
  return db
    .selectFrom('listings')
    .select(['title', 'slug', 'confirmed_at', 'published_at', 'created_at'])
    .where('id', 'in', [...ids])
    .where('status', '=', 'published')
    .orderBy('title')
    .execute()
}

export function findWebhook(db: Sql, id: string) {
  return db
    .selectFrom('webhooks')
    .select(['url', 'last_status', 'failures'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findLicenceRequest(db: Sql, id: string) {
  return db.selectFrom('licence_requests').select('reason').where('id', '=', id).executeTakeFirst()
}

/** What a mail to the visitor of a lead says; undefined once the person's data is erased or if no address was left. */
export async function findVisitor(db: Sql, leadId: string) {
  const found = await db
    .selectFrom('leads as d')
    .innerJoin('agents as a', 'a.id', 'd.agent_id')
    .leftJoin('lead_listings as s', 's.lead_id', 'd.id')
    .leftJoin('identifications as i', 'i.lead_id', 'd.id')
    .select(['d.email', 'd.lang', 'd.tour_at', 'd.tour_status', 'd.showing_at', 'i.reason'])
    .select(['a.name as agent_name', 'a.phone as agent_phone'])
    .select(['s.public_title as listing_title', 's.slug as listing_slug', 's.is_public as listing_is_public'])
    .where('d.id', '=', leadId)
    .where('d.erased_at', 'is', null)
    .executeTakeFirst()
  return found?.email ? { ...found, email: found.email } : undefined
}

/** Still to be looked at. */
export function findWaitingIdentification(db: Sql, leadId: string) {
  return db
    .selectFrom('identifications as i')
    .innerJoin('leads as d', 'd.id', 'i.lead_id')
    .leftJoin('lead_listings as s', 's.lead_id', 'd.id')
    .select(['d.tour_at', 's.title as listing_title'])
    .where('i.lead_id', '=', leadId)
    .where('i.status', '=', 'submitted')
    .where('i.details', 'is not', null)
    .executeTakeFirst()
}
