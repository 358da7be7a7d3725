import type { Static } from 'typebox'
import type { LeadRecord } from './schema.ts'
import type { LeadRow } from './store.ts'

type Lead = Static<typeof LeadRecord>

/** An allow-list: identification data and tokens never leave. */
export const leadRecord = (row: LeadRow): Lead => ({
  id: row.id,
  listing_id: row.listing_id,
  listing_title: row.listing_title,
  listing_slug: row.listing_slug,
  name: row.name,
  email: row.email,
  phone: row.phone,
  message: row.message,
  source: row.source,
  status: row.status as Lead['status'],
  kind: row.kind as Lead['kind'],
  lang: row.lang as Lead['lang'],
  interest: row.interest as Lead['interest'],
  budget_min: row.budget_min,
  budget_max: row.budget_max,
  follow_up_at: row.follow_up_at?.toISOString() ?? null,
  tour_at: row.tour_at?.toISOString() ?? null,
  tour_status: row.tour_status as Lead['tour_status'],
  showing_at: row.showing_at?.toISOString() ?? null,
  id_status: row.id_status as Lead['id_status'],
  awaiting_id: row.awaiting_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
