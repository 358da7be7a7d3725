import { sql } from 'kysely'
import type { Sql, Tx } from '../../db/database.ts'
import type { Whereabouts } from '../../lib/zones.ts'
import { SHOWING_DAYS } from '../rules.ts'

export interface IdentificationRow {
  lead_id: string
  status: 'asked' | 'submitted' | 'verified' | 'refused'
  submitted_at: Date | null
  decided_at: Date | null
  reason: string | null
  erased_at: Date | null
  token_expires_at: Date | null
  /** Encrypted; null before submission and after erasure. */
  details: Buffer | null
}

const ROW = [
  'lead_id',
  'status',
  'submitted_at',
  'decided_at',
  'reason',
  'erased_at',
  'token_expires_at',
  'details',
] as const

export function findIdentification(db: Sql, leadId: string): Promise<IdentificationRow | undefined> {
  return db.selectFrom('identifications').select(ROW).where('lead_id', '=', leadId).executeTakeFirst()
}

/** Locks it until the transaction ends. */
export function lockIdentification(tx: Tx, leadId: string): Promise<IdentificationRow | undefined> {
  return tx
    .selectFrom('identifications')
    .select(ROW)
    .where('lead_id', '=', leadId)
    .forUpdate()
    .executeTakeFirst()
}

/** One per lead, created on first request. */
export function insertIdentification(tx: Tx, leadId: string) {
  return tx
    .insertInto('identifications')
    .values({ lead_id: leadId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function findPicture(db: Sql, leadId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('identifications')
    .select('picture')
    .where('lead_id', '=', leadId)
    .executeTakeFirst()
  return row?.picture ?? null
}

// ---- the link --------------------------------------------------------------------------------------------

/** Returns whether one is still needed. Replaces any earlier link. */
export async function updateLink(db: Sql, leadId: string, hash: Buffer, expiresAt: Date): Promise<boolean> {
  const changed = await db
    .updateTable('identifications')
    .set({ token_hash: hash, token_expires_at: expiresAt })
    .where('lead_id', '=', leadId)
    .where('status', '=', 'asked')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

export interface LinkRow {
  lead_id: string
  agent_id: string
  status: IdentificationRow['status']
  token_expires_at: Date
  listing_title: string | null
  tour_at: Date | null
  whereabouts: Whereabouts | null
  tour_status: string | null
  agent_name: string
  agent_phone: string | null
}

/** No document is requested for an unlicensed agent or an erased person. */
export async function findByLink(db: Sql, hash: Buffer): Promise<LinkRow | undefined> {
  const { rows } = await sql<LinkRow>`
    select i.lead_id, d.agent_id, i.status, i.token_expires_at, s.public_title as listing_title, d.tour_at,
           s.whereabouts, d.tour_status, a.name as agent_name, a.phone as agent_phone
    from identifications i
    join leads d on d.id = i.lead_id
    join agents a on a.id = d.agent_id
    left join lead_listings s on s.lead_id = d.id
    where i.token_hash = ${hash} and d.erased_at is null and a.verified_at is not null`.execute(db)
  return rows[0]
}

/** Returns whether the link was unused: of two concurrent requests only one succeeds. */
export async function updateSubmitted(
  tx: Tx,
  hash: Buffer,
  sealed: { details: Buffer; picture: Buffer; now: Date },
): Promise<boolean> {
  const changed = await tx
    .updateTable('identifications')
    .set({
      details: sealed.details,
      picture: sealed.picture,
      submitted_at: sealed.now,
      status: 'submitted',
      erased_at: null,
    })
    .where('token_hash', '=', hash)
    .where('token_expires_at', '>', sealed.now)
    .where('status', '=', 'asked')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Resets it: erases what was sent and every link. */
export function updateAskedAgain(tx: Tx, leadId: string) {
  return tx
    .updateTable('identifications')
    .set({
      status: 'asked',
      token_hash: null,
      token_expires_at: null,
      submitted_at: null,
      decided_at: null,
      decided_by: null,
      reason: null,
      ...ERASED,
    })
    .where('lead_id', '=', leadId)
    .execute()
}

// ---- the decision ----------------------------------------------------------------------------------------

const ERASED = {
  details: null,
  picture: null,
  // Keeps the first erasure time; an identification never submitted was not erased.
  erased_at: sql<Date | null>`case when details is null then erased_at else now_ms() end`,
}

export function updateVerified(tx: Tx, leadId: string, decidedBy: string) {
  return tx
    .updateTable('identifications')
    .set({ status: 'verified', decided_at: sql<Date>`now_ms()`, decided_by: decidedBy })
    .where('lead_id', '=', leadId)
    .execute()
}

/** A rejected document has no further use. */
export function updateRefused(tx: Tx, leadId: string, decidedBy: string, reason: string) {
  return tx
    .updateTable('identifications')
    .set({
      status: 'refused',
      decided_at: sql<Date>`now_ms()`,
      decided_by: decidedBy,
      reason,
      ...ERASED,
    })
    .where('lead_id', '=', leadId)
    .execute()
}

export interface WaitingRow {
  lead_id: string
  submitted_at: Date
  listing_title: string | null
  tour_at: Date | null
  agent_name: string
}

/** Oldest first. */
export async function listWaiting(db: Sql, limit: number): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select i.lead_id, i.submitted_at, s.title as listing_title, d.tour_at, a.name as agent_name
    from identifications i
    join leads d on d.id = i.lead_id
    join agents a on a.id = d.agent_id
    left join lead_listings s on s.lead_id = d.id
    where i.status = 'submitted' and i.details is not null
    order by i.submitted_at limit ${limit}`.execute(db)
  return rows
}

/** One that awaits review. */
export function findWaitingIdentification(db: Sql, leadId: string) {
  return db
    .selectFrom('identifications as i')
    .innerJoin('leads as d', 'd.id', 'i.lead_id')
    .leftJoin('lead_listings as s', 's.lead_id', 'd.id')
    .select(['d.tour_at', 's.title as listing_title', 's.whereabouts'])
    .where('i.lead_id', '=', leadId)
    .where('i.status', '=', 'submitted')
    .where('i.details', 'is not', null)
    .executeTakeFirst()
}

// ---- erasing ---------------------------------------------------------------------------------------------

/**
 * After the retention period: the document and the rejection reason, which may quote it. An agent may postpone a showing
 * indefinitely, but nothing is kept longer than for the furthest showing that can be requested.
 */
export async function eraseOld(db: Sql, days: number, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update identifications i set details = null, picture = null, reason = null,
      erased_at = case when i.details is null then i.erased_at else now_ms() end
    from leads d
    where d.id = i.lead_id and (i.details is not null or i.reason is not null)
      and least(coalesce(d.showing_at, d.tour_at, i.submitted_at),
                i.submitted_at + make_interval(days => ${SHOWING_DAYS}::int))
        < ${now}::timestamptz - make_interval(days => ${days}::int)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** For an erased person: the document, the link and the rejection reason. */
export async function eraseIdentification(tx: Tx, leadId: string): Promise<void> {
  await tx
    .updateTable('identifications')
    .set({ ...ERASED, reason: null, token_hash: null, token_expires_at: null })
    .where('lead_id', '=', leadId)
    .execute()
}
