import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'

export const EVENTS = [
  'lead.created',
  'lead.updated',
  'listing.published',
  'listing.unpublished',
  'listing.updated',
  'cooperation.created',
  'cooperation.updated',
] as const
export type EventName = (typeof EVENTS)[number]
/** What a new subscription has chosen unless somebody says otherwise. */
export const USUAL_EVENTS = EVENTS.filter(name => !name.startsWith('cooperation.'))

interface OutboxEvent {
  agentId: string
  event: EventName
  /** Events are delivered in this order; `id` is their subject. */
  data: { id: string } & Record<string, unknown>
  /** The version of the change, which grows with each change of a subject. */
  createdAt: Date
  channels: readonly ('webhook' | 'notice')[]
}

/**
 * The channel on which workers listen for waiting deliveries. PostgreSQL notifies at commit, never after a rollback.
 */
export const DELIVERIES_CHANNEL = 'webhook_deliveries'
/** The same for readers of events; carries the id of the agent whose event it is. */
export const EVENTS_CHANNEL = 'events'

/**
 * Takes the change's transaction, so that the change, its event and everything it triggers commit together or not at
 * all.
 */
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
    select pg_notify(${DELIVERIES_CHANNEL}, '') from (select from delivery limit 1) any_delivery
    union all
    select pg_notify(${EVENTS_CHANNEL}, ${agentId}) from event where 'webhook' = any (channels)`.execute(tx)
}

/** Removes the personal data of an erased person from every event about that lead. */
export async function eraseFromEvents(tx: Tx, leadId: string, erasedName: string): Promise<void> {
  // Keys keep their order: receivers get the documented order, and a delivery may still be waiting.
  await sql`
    update outbox o set data = (
      select json_object_agg(key, case
          when key = 'name' then to_json(${erasedName}::text)
          when key in ('email', 'phone', 'message') then 'null'::json
          else value end order by place)
      from json_each(o.data) with ordinality as part (key, value, place))
    where o.subject_id = ${leadId} and o.event in ('lead.created', 'lead.updated')
      and o.data::jsonb ?| array['name', 'email', 'phone', 'message']`.execute(tx)
  // Receivers may repeat in their answers what they were sent.
  await sql`
    update webhook_deliveries d set answer = null from outbox o
    where o.id = d.outbox_id and o.subject_id = ${leadId} and o.event in ('lead.created', 'lead.updated')`.execute(
    tx,
  )
}

/** Deletes events older than that which no delivery in the log refers to. */
export async function deleteOldEvents(db: Sql, days: number): Promise<void> {
  await sql`
    delete from outbox o where o.created_at < now() - ${days} * interval '1 day'
      and not exists (select from webhook_deliveries d where d.outbox_id = o.id)`.execute(db)
}

interface Request<Kind> {
  kind: Kind
  /** The recipient, or the agent whose visitor is the recipient. */
  agentId: string
  /** The lead, listings, subscription or license request it concerns. */
  ids: readonly string[]
}

/** A mail request. Ids only: the content is read when the mail is written, so the queue holds no personal data. */
export type NoticeRequest = Notice | Letter | AlertMail

/** Triggered by the agent, an operator or the system. */
type Notice = Request<
  | 'lead'
  | 'licence'
  | 'licence-refused'
  | 'reconfirm'
  | 'webhook'
  /** To the visitor of a lead: when the showing is. */
  | 'showing-confirmed'
  /** A step of a cooperation, by the other side; `ids` are the cooperation and the entry. */
  | 'cooperation'
  /** New matches of the agent's needs; `ids` is how these are announced: `at_once` or `daily`. */
  | 'need-matches'
  /** The agent's figures of the last seven days. */
  | 'figures'
  /** A task is due; `ids` are the task and when it was due when this was requested. */
  | 'task'
  /** To the visitor of a lead: who answers from now on. */
  | 'handed-over'
>

/** To a visitor, about the alert in `ids`; no agent is concerned. */
export interface AlertMail<Kind = 'alert-link' | 'alert-matches' | 'alert-ending'> {
  kind: Kind
  agentId: null
  ids: readonly [string]
}

/** Triggered by strangers: requested only through letters.ts. */
export type Letter =
  /** The private link of an alert. */
  | AlertMail<'alert-link'>
  | Request<
      | 'lead'
      /** A showing was requested; the visitor is not identified yet. */
      | 'showing-requested'
      | 'confirm'
      | 'reset'
      | 'exists'
      /** An identification is waiting for the agent's review. */
      | 'identification'
      /** To the visitor of a lead: thanks; a link to identify; why an identification was rejected. */
      | 'inquiry'
      | 'identify'
      | 'identification-refused'
      /** To the address in an invitation to an agency. */
      | 'invitation'
    >

export const NOTICE_TASK = 'notice'

interface Timing {
  /** Requests with the same key produce one mail. */
  key?: string
  notBefore: Date
}

/** 25 attempts with growing delays, about four days: longer than most mail server outages. */
export async function requestNotice(tx: Sql, notice: NoticeRequest, timing?: Timing): Promise<void> {
  const payload = JSON.stringify(notice)
  await sql`
    select graphile_worker.add_job(${NOTICE_TASK}, ${payload}::json, max_attempts => 25,
      run_at => ${timing?.notBefore ?? null}::timestamptz, job_key => ${timing?.key ?? null}::text,
      job_key_mode => 'preserve_run_at')`.execute(tx)
}
