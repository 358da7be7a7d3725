import { sql } from 'kysely'
import { lockAgent } from '../agents/service.ts'
import type { Db, Sql, Tx } from '../db/database.ts'
import { deleteOldEvents } from '../outbox/store.ts'
import type { Outcome } from './sender/sender.ts'

const SHOWN = ['id', 'url', 'events', 'active', 'created_at', 'last_status', 'last_code', 'last_at'] as const

// ---- subscriptions ---------------------------------------------------------------------------------------

/** How many an agent has; blocks others from adding one until the transaction ends. */
export async function countLocked(tx: Tx, agentId: string): Promise<number> {
  await lockAgent(tx, agentId)
  const row = await tx
    .selectFrom('webhooks')
    .select(tx.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return row.count
}

export function insertWebhook(
  tx: Tx,
  webhook: { id: string; agent_id: string; url: string; events: string[]; secret: Buffer },
) {
  return tx.insertInto('webhooks').values(webhook).returning(SHOWN).executeTakeFirstOrThrow()
}

export function listWebhooks(db: Sql, agentId: string) {
  return db
    .selectFrom('webhooks')
    .select(SHOWN)
    .where('agent_id', '=', agentId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export type Webhook = Awaited<ReturnType<typeof listWebhooks>>[number]

export function findWebhook(db: Sql, id: string) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'agent_id', 'url', 'secret'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function updateActive(tx: Tx, id: string, active: boolean) {
  return tx
    .updateTable('webhooks')
    .set({ active, failures: 0 })
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirstOrThrow()
}

export async function updateEvents(tx: Tx, id: string, events: string[]): Promise<void> {
  await tx.updateTable('webhooks').set({ events }).where('id', '=', id).execute()
}

export async function updateSecret(tx: Tx, id: string, secret: Buffer): Promise<void> {
  await tx.updateTable('webhooks').set({ secret }).where('id', '=', id).execute()
}

interface FailingWebhook {
  id: string
  url: string
  agent: string
  failures: number
  last_status: string | null
  last_code: number | null
  last_at: Date | null
}

/** Of all agents: those whose last deliveries failed, worst first. */
export async function listFailing(db: Sql, limit: number): Promise<FailingWebhook[]> {
  const { rows } = await sql<FailingWebhook>`
    select w.id, w.url, a.email as agent, w.failures, w.last_status, w.last_code, w.last_at
    from webhooks w join agents a on a.id = w.agent_id
    where w.active and w.failures > 0
    order by w.failures desc, w.id limit ${limit}`.execute(db)
  return rows
}

/** The state of a subscription, for the mail about its failures. */
export function findFailures(db: Sql, id: string) {
  return db
    .selectFrom('webhooks')
    .select(['url', 'last_status', 'failures'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Of one agent, or of all: active ones whose last deliveries failed. */
export async function countFailing(db: Sql, agentId?: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from webhooks where active and failures > 0
      ${agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`}`.execute(db)
  return rows[0]?.count ?? 0
}

export function deleteWebhook(tx: Tx, id: string) {
  return tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** Deliveries waiting for a paused subscription are dropped: they would arrive too late to be useful. */
export function deleteWaiting(tx: Tx, webhookId: string) {
  return tx
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('attempted_at', 'is', null)
    .execute()
}

// ---- deliveries ------------------------------------------------------------------------------------------

export interface Claimed {
  id: number
  uid: string
  webhook_id: string
  url: string
  secret: Buffer
  event: string
  body_at: Date
  data: string
}

/** Committed when this returns: from then on each is sent at most once. */
export async function claimDeliveries(db: Db, seats: number, perWebhook: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`select * from claim_deliveries(${seats}, ${perWebhook})`.execute(db)
  return rows
}

/** A test is its own event, about no stored data, and is attempted as soon as it is written. */
export function insertTestDelivery(db: Db, webhookId: string, subjectId: string) {
  return db
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: webhookId,
      event: 'lead.created',
      subject_id: subjectId,
      attempted_at: sql<Date>`now_ms()`,
    })
    .returning(['id', 'uid'])
    .executeTakeFirstOrThrow()
}

export type Ended = { id: number } & Pick<Outcome, 'status' | 'code' | 'durationMs'>

/**
 * Locks webhooks before their deliveries and always in the same order: several processes write outcomes for the same
 * webhooks, and removal also locks the webhook first.
 */
export async function lockWebhooksOf(tx: Tx, deliveries: readonly { id: number }[]) {
  const { rows } = await sql<{ id: string; agent_id: string; failures: number }>`
    select id, agent_id, failures from webhooks
    where id in (select webhook_id from webhook_deliveries where id = any (${idsOf(deliveries)}::bigint[]))
    order by id for no key update`.execute(tx)
  return rows
}

/** Deliveries not yet attempted, and how many seconds the oldest has waited. */
export async function countWaiting(db: Sql): Promise<{ waiting: number; oldestWaiting: number | null }> {
  const { rows } = await sql<{ waiting: number; oldestWaiting: number | null }>`
    select count(*) as waiting, extract(epoch from now() - min(created_at))::int as "oldestWaiting"
    from webhook_deliveries where attempted_at is null`.execute(db)
  return rows[0] as (typeof rows)[number]
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

/** By id; those of removed webhooks are gone. */
export async function updateFinished(tx: Tx, ended: readonly Ended[]) {
  const column = <K extends keyof Ended>(name: K) => ended.map(one => one[name])
  const { rows } = await sql<{ id: number; webhook_id: string; is_test: boolean }>`
    update webhook_deliveries d
    set finished_at = now_ms(), status = e.status, code = e.code, duration_ms = e.duration_ms
    from unnest(${column('id')}::bigint[], ${column('status')}::text[], ${column('code')}::int[],
      ${column('durationMs')}::int[]) as e (id, status, code, duration_ms)
    where d.id = e.id
    returning d.id, d.webhook_id, d.outbox_id is null as is_test`.execute(tx)
  return new Map(rows.map(row => [row.id, row]))
}

type LastOutcome = { id: string; failures: number } & Pick<Outcome, 'status' | 'code'>

export async function updateLastOutcomes(tx: Tx, webhooks: readonly LastOutcome[]): Promise<void> {
  const column = <K extends keyof LastOutcome>(name: K) => webhooks.map(one => one[name])
  await sql`
    update webhooks w
    set last_status = l.status, last_code = l.code, last_at = now_ms(), failures = l.failures
    from unnest(${column('id')}::uuid[], ${column('status')}::text[], ${column('code')}::int[],
      ${column('failures')}::int[]) as l (id, status, code, failures)
    where w.id = l.id`.execute(tx)
}

/** Attempts of processes that died before the response. They are not retried, only marked as failed. */
export function failAbandoned(db: Db, olderThanMs: number): Promise<number> {
  return db.transaction().execute(async tx => {
    const isAbandoned = sql`attempted_at is not null and finished_at is null
      and attempted_at < now() - ${olderThanMs} * interval '1 millisecond'`
    const found = await sql<{ id: number }>`
      select id from webhook_deliveries where ${isAbandoned}`.execute(tx)
    if (found.rows.length === 0) return 0
    await lockWebhooksOf(tx, found.rows)
    // Checked again under the lock: its process may have resumed and finished it.
    const { rows } = await sql<{ webhook_id: string }>`
      update webhook_deliveries set finished_at = now_ms(), status = 'error: delivery failed'
      where id = any (${idsOf(found.rows)}::bigint[]) and ${isAbandoned}
      returning webhook_id`.execute(tx)
    await sql`
      update webhooks set last_status = 'error: delivery failed', last_code = null, last_at = now_ms()
      where id = any (${rows.map(row => row.webhook_id)}::uuid[])`.execute(tx)
    return rows.length
  })
}

/** Written while their subscription was being paused, or waiting for an agent who is no longer verified. */
export async function dropUnwanted(db: Db): Promise<void> {
  await sql`
    delete from webhook_deliveries d using webhooks w, agents a
    where d.attempted_at is null and w.id = d.webhook_id and a.id = w.agent_id
      and (not w.active or a.verified_at is null)`.execute(db)
}

export function listDeliveries(db: Sql, webhookId: string, limit: number) {
  return db
    .selectFrom('webhook_deliveries')
    .select(['uid as id', 'event', 'subject_id', 'attempted_at', 'duration_ms', 'status', 'code'])
    .select(sql<boolean>`outbox_id is null`.as('test'))
    .where('webhook_id', '=', webhookId)
    .where('attempted_at', 'is not', null)
    .orderBy('attempted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

interface Sent {
  id: string
  event: string
  attempted_at: Date
  duration_ms: number | null
  status: string | null
  code: number | null
  /** The stored JSON text; null for a test. */
  data: string | null
  created_at: Date | null
}

export async function findSent(db: Sql, webhookId: string, uid: string): Promise<Sent | undefined> {
  const { rows } = await sql<Sent>`
    select d.uid as id, d.event, d.attempted_at, d.duration_ms, d.status, d.code, o.data::text as data, o.created_at
    from webhook_deliveries d left join outbox o on o.id = d.outbox_id
    where d.webhook_id = ${webhookId} and d.uid = ${uid} and d.attempted_at is not null`.execute(db)
  return rows[0]
}

/** The log is kept as long as it helps with troubleshooting, and the events behind it no longer. */
export async function deleteOldDeliveries(db: Db, days: number): Promise<void> {
  await sql`
    delete from webhook_deliveries
    where created_at < now() - ${days} * interval '1 day' and finished_at is not null`.execute(db)
  await deleteOldEvents(db, days)
}
