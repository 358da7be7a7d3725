import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import { oldestUnseen, type Snapshot, snapshotText } from '../search/feed/snapshot.ts'

interface Stretch {
  agentId: string
  since: Snapshot | undefined
  until: Snapshot
  /** The id of an event. */
  after: number
}

export interface EventRow {
  id: number
  event: string
  created_at: Date
  /** The JSON text that webhooks send. */
  data: string
  status: string | null
  finished_at: Date | null
}

/** By id, which for one subject is the order of its changes: it is drawn while the changed row is locked. */
export async function listEvents(
  db: Sql,
  { agentId, since, until, after }: Stretch,
  limit: number,
): Promise<EventRow[]> {
  const own = sql`select id, event, created_at, data, change_xid from outbox
      where agent_id = ${agentId} and 'webhook' = any (channels)`
  // Materialized, because without statistics the planner would walk all events by id to find the few new ones.
  const events = since
    ? sql`materialized (${own} and change_xid >= ${String(oldestUnseen(since))}::xid8
        and not pg_visible_in_snapshot(change_xid, ${snapshotText(since)}::pg_snapshot))`
    : sql`(${own})`
  const { rows } = await sql<EventRow>`
    with events as ${events}, page as (
      select id, event, created_at, data::text as data from events
      where id > ${after} and pg_visible_in_snapshot(change_xid, ${snapshotText(until)}::pg_snapshot)
      order by id limit ${limit}
    )
    select page.*, delivery.status, delivery.finished_at
    from page left join lateral (
      -- The last attempt of each webhook; of several webhooks, one that failed.
      select status, finished_at
      from (select distinct on (webhook_id) status, finished_at from webhook_deliveries
            where outbox_id = page.id and finished_at is not null order by webhook_id, id desc) last
      order by status = 'ok', finished_at desc limit 1
    ) delivery on true
    order by page.id`.execute(db)
  return rows
}
