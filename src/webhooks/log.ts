import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import { DELIVERIES_CHANNEL } from '../outbox/store.ts'

export interface LogRange {
  limit: number
  offset?: number
  onlyFailed?: boolean
}

/** Attempts, the latest first. */
export function listDeliveries(db: Sql, webhookId: string, { limit, offset = 0, onlyFailed }: LogRange) {
  return db
    .selectFrom('webhook_deliveries as d')
    .select([
      'd.uid as id',
      'd.event',
      'd.subject_id',
      'd.attempted_at',
      'd.duration_ms',
      'd.status',
      'd.code',
    ])
    .select(['d.attempt', sql<boolean>`d.outbox_id is null`.as('test')])
    .where('d.webhook_id', '=', webhookId)
    .where('d.attempted_at', 'is not', null)
    .$if(onlyFailed === true, query => query.where('d.status', '<>', 'ok'))
    .orderBy('d.attempted_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

interface Sent {
  id: string
  outbox_id: number | null
  event: string
  attempt: number
  attempted_at: Date
  duration_ms: number | null
  status: string | null
  code: number | null
  sent_headers: [string, string][] | null
  answer: Buffer | null
  /** When the next attempt is due, or will be; null if none is coming. */
  next_at: Date | null
  /** The stored JSON text; null for a test. */
  data: string | null
  created_at: Date | null
}

export async function findSent(db: Sql, webhookId: string, uid: string): Promise<Sent | undefined> {
  const { rows } = await sql<Sent>`
    select d.uid as id, d.outbox_id, d.event, d.attempt, d.attempted_at, d.duration_ms, d.status, d.code,
      d.sent_headers, d.answer, coalesce(p.due_at, p.created_at) as next_at, o.data::text as data, o.created_at
    from webhook_deliveries d
      left join outbox o on o.id = d.outbox_id
      left join webhook_deliveries p
        on p.webhook_id = d.webhook_id and p.outbox_id = d.outbox_id and p.attempted_at is null
    where d.webhook_id = ${webhookId} and d.uid = ${uid} and d.attempted_at is not null`.execute(db)
  return rows[0]
}

/** Events attempted in that period of which no attempt arrived, and none is waiting or under way; oldest first. */
export async function listFailed(
  db: Sql,
  webhookId: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ outbox_id: number }>`
    select distinct d.outbox_id
    from webhook_deliveries d
    where d.webhook_id = ${webhookId} and d.attempted_at >= ${from} and d.attempted_at < ${to}
      and d.status <> 'ok' and d.outbox_id is not null
      and not exists (
        select from webhook_deliveries other
        where other.webhook_id = d.webhook_id and other.outbox_id = d.outbox_id
          and (other.status = 'ok' or other.finished_at is null))
    order by d.outbox_id limit ${limit}`.execute(db)
  return rows.map(row => row.outbox_id)
}

/**
 * A first attempt for each event, waiting now; a retry that was put off waits now instead. One under way is left alone:
 * its outcome is not known yet.
 */
export async function insertResends(tx: Tx, webhookId: string, outboxIds: readonly number[]): Promise<void> {
  const ids = [...outboxIds]
  await sql`
    insert into webhook_deliveries (webhook_id, outbox_id, event, subject_id)
    select ${webhookId}, o.id, o.event, o.subject_id from outbox o
    where o.id = any (${ids}::bigint[]) and not exists (
      select from webhook_deliveries d
      where d.webhook_id = ${webhookId} and d.outbox_id = o.id
        and d.attempted_at is not null and d.finished_at is null)
    order by o.id
    on conflict (webhook_id, outbox_id) where attempted_at is null
      do update set due_at = null, created_at = now_ms()`.execute(tx)
  await sql`select pg_notify(${DELIVERIES_CHANNEL}, '')`.execute(tx)
}
