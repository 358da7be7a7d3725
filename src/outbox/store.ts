import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'

export const EVENTS = [
  'lead.created',
  'lead.updated',
  'listing.published',
  'listing.unpublished',
  'listing.updated',
] as const
export type EventName = (typeof EVENTS)[number]

interface OutboxEvent {
  agentId: string
  event: EventName
  /** Told in this order; `id` is what the event is about. */
  data: { id: string } & Record<string, unknown>
  /** The stamp of the change, which grows with each change of one subject. */
  createdAt: Date
  channels: readonly ('webhook' | 'notice')[]
}

/** Workers listen here for deliveries that wait. PostgreSQL speaks at commit, and never of what was rolled back. */
export const DELIVERIES_CHANNEL = 'webhook_deliveries'

/** Takes the transaction of the change on purpose: the change, the event and all it sets off happen, or nothing does. */
export async function appendEvent(tx: Tx, { agentId, event, data, createdAt, channels }: OutboxEvent) {
  await sql`
    with event as (
      insert into outbox (agent_id, event, subject_id, data, channels, created_at)
      values (${agentId}, ${event}, ${data.id}, ${JSON.stringify(data)}, ${[...channels]}, ${createdAt})
      returning id, event, subject_id, channels
    ), delivery as (
      insert into webhook_deliveries (webhook_id, outbox_id, event, subject_id)
      select w.id, event.id, event.event, event.subject_id
      from event, webhooks w join agents a on a.id = w.agent_id and a.verified_at is not null
      where w.agent_id = ${agentId} and w.active and event.event = any (w.events)
        and 'webhook' = any (event.channels)
      returning 1
    )
    select pg_notify(${DELIVERIES_CHANNEL}, '') from (select from delivery limit 1) any_delivery`.execute(tx)
}

/** Of a person whose data is erased: what told who it was, in every event about that lead. */
export async function eraseFromEvents(tx: Tx, leadId: string, erasedName: string): Promise<void> {
  // Each key in its place: receivers get the documented order, and a delivery may still wait.
  await sql`
    update outbox o set data = (
      select json_object_agg(key, case
          when key = 'name' then to_json(${erasedName}::text)
          when key in ('email', 'phone', 'message') then 'null'::json
          else value end order by place)
      from json_each(o.data) with ordinality as part (key, value, place))
    where o.subject_id = ${leadId} and o.event in ('lead.created', 'lead.updated')
      and o.data::jsonb ?| array['name', 'email', 'phone', 'message']`.execute(tx)
}

/** Events older than that which no delivery in the log shows any more. */
export async function deleteOldEvents(db: Sql, days: number): Promise<void> {
  await sql`
    delete from outbox o where o.created_at < now() - ${days} * interval '1 day'
      and not exists (select from webhook_deliveries d where d.outbox_id = o.id)`.execute(db)
}

interface Request<Kind> {
  kind: Kind
  /** Whom it goes to, or whose visitor. */
  agentId: string
  /** The lead, the listings, the subscription or the licence request it is about. */
  ids: readonly string[]
}

/** A mail. Only ids: what it says is read when it is written, and the queue holds nobody's data. */
export type NoticeRequest = Notice | Letter

/** On the word of the agent, of an operator or of ours. */
type Notice = Request<
  | 'lead'
  | 'licence'
  | 'licence-refused'
  | 'reconfirm'
  | 'webhook'
  /** To the visitor of a lead: when the showing is. */
  | 'showing-confirmed'
>

/** On a stranger's word: see letters.ts, which alone requests them. */
export type Letter = Request<
  | 'lead'
  | 'confirm'
  | 'reset'
  | 'exists'
  /** An identification waits for the agent's look. */
  | 'identification'
  /** To the visitor of a lead: thanks; a link to identify; why that was not accepted. */
  | 'inquiry'
  | 'identify'
  | 'identification-refused'
>

export const NOTICE_TASK = 'notice'

interface Timing {
  /** Of several requests with the same key, one mail. */
  key: string
  notBefore: Date
}

/** 25 tries with growing pauses, about four days: longer than a mail server is usually away. */
export async function requestNotice(tx: Sql, notice: NoticeRequest, timing?: Timing): Promise<void> {
  const payload = JSON.stringify(notice)
  await sql`
    select graphile_worker.add_job(${NOTICE_TASK}, ${payload}::json, max_attempts => 25,
      run_at => ${timing?.notBefore ?? null}::timestamptz, job_key => ${timing?.key ?? null}::text,
      job_key_mode => 'preserve_run_at')`.execute(tx)
}
