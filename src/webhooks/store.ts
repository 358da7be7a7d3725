import { sql } from 'kysely'
import { lockAgent } from '../agents/service.ts'
import type { Db, Sql, Tx } from '../db/database.ts'
import { deleteOldEvents } from '../outbox/store.ts'
import type { Outcome } from './sender/sender.ts'

const SHOWN = [
  'id',
  'url',
  'events',
  'active',
  'created_at',
  'last_status',
  'last_code',
  'last_at',
  'retries',
  'standard_headers',
  'overlap_until',
] as const

/** Null when its time is over. */
const OLD_SECRET = sql<Buffer | null>`case when overlap_until > now_ms() then old_secret end`.as('old_secret')

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
    .select(['id', 'agent_id', 'url', 'secret', 'active', 'standard_headers'])
    .select(OLD_SECRET)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Until the transaction ends, nobody else sends again what this webhook got. */
/** The encrypted secrets, of the newest webhooks first. */
export function listSealed(db: Sql, limit?: number) {
  const all = db.selectFrom('webhooks').select(['id', 'secret']).orderBy('created_at', 'desc')
  return (limit === undefined ? all : all.limit(limit)).execute()
}

export async function lockWebhook(tx: Tx, id: string): Promise<void> {
  await sql`select from webhooks where id = ${id} for no key update`.execute(tx)
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

export async function updateDelivery(
  tx: Tx,
  id: string,
  choice: { retries: boolean; standard_headers: boolean },
): Promise<void> {
  await tx.updateTable('webhooks').set(choice).where('id', '=', id).execute()
}

/** With `overlapHours` the secret so far stays valid that long. */
export async function updateSecret(tx: Tx, id: string, secret: Buffer, overlapHours = 0): Promise<void> {
  await sql`
    update webhooks set secret = ${secret}, ${
      overlapHours > 0
        ? sql`old_secret = secret, overlap_until = now_ms() + ${overlapHours} * interval '1 hour'`
        : sql`old_secret = null, overlap_until = null`
    } where id = ${id}`.execute(tx)
}

export async function deleteOldSecret(tx: Tx, id: string): Promise<void> {
  await sql`update webhooks set old_secret = null, overlap_until = null where id = ${id}`.execute(tx)
}

export async function deleteExpiredSecrets(db: Sql): Promise<void> {
  await sql`
    update webhooks set old_secret = null, overlap_until = null
    where overlap_until < now_ms()`.execute(db)
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
    .select(['url', 'last_status', 'last_code', 'failures', 'active', 'retries', 'gave_up_at'])
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
  old_secret: Buffer | null
  standard_headers: boolean
  event: string
  body_at: Date
  data: string
}

/** Committed when this returns: from then on each is sent at most once. */
export async function claimDeliveries(
  db: Db,
  seats: number,
  perWebhook: number,
  now?: Date,
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    select * from claim_deliveries(${seats}, ${perWebhook}, ${now ?? sql`now_ms()`})`.execute(db)
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

export type Ended = { id: number } & Omit<Outcome, 'reason'>

export interface LockedWebhook {
  id: string
  agent_id: string
  failures: number
  active: boolean
  retries: boolean
  gave_up_at: Date | null
}

/**
 * Locks webhooks before their deliveries and always in the same order: several processes write outcomes for the same
 * webhooks, and removal also locks the webhook first.
 */
export async function lockWebhooksOf(tx: Tx, deliveries: readonly { id: number }[]) {
  const { rows } = await sql<LockedWebhook>`
    select id, agent_id, failures, active, retries, gave_up_at from webhooks
    where id in (select webhook_id from webhook_deliveries where id = any (${idsOf(deliveries)}::bigint[]))
    order by id for no key update`.execute(tx)
  return rows
}

/** Deliveries due and not yet attempted, and how many seconds the oldest has waited. */
export async function countWaiting(db: Sql): Promise<{ waiting: number; oldestWaiting: number | null }> {
  const { rows } = await sql<{ waiting: number; oldestWaiting: number | null }>`
    select count(*) as waiting, extract(epoch from now() - min(created_at))::int as "oldestWaiting"
    from webhook_deliveries where attempted_at is null and due_at is null`.execute(db)
  return rows[0] as (typeof rows)[number]
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

export interface Finished {
  id: number
  webhook_id: string
  is_test: boolean
  attempt: number
  /** Already given up as abandoned when its process reported the outcome. */
  was_finished: boolean
}

/** By id; those of removed webhooks are gone. */
export async function updateFinished(tx: Tx, ended: readonly Ended[]): Promise<Map<number, Finished>> {
  const column = <K extends keyof Ended>(name: K) => ended.map(one => one[name] ?? null)
  const headers = ended.map(one => (one.headers ? JSON.stringify(one.headers) : null))
  const { rows } = await sql<Finished>`
    update webhook_deliveries d
    set finished_at = now_ms(), status = e.status, code = e.code, duration_ms = e.duration_ms,
      sent_headers = e.headers::json, answer = e.answer
    from unnest(${column('id')}::bigint[], ${column('status')}::text[], ${column('code')}::int[],
      ${column('durationMs')}::int[], ${headers}::text[], ${column('answer')}::bytea[])
        as e (id, status, code, duration_ms, headers, answer)
      join webhook_deliveries before on before.id = e.id
    where d.id = e.id
    returning d.id, d.webhook_id, d.outbox_id is null as is_test, d.attempt,
      before.finished_at is not null as was_finished`.execute(tx)
  return new Map(rows.map(row => [row.id, row]))
}

/** The next attempt of each delivery, unless one is waiting already. */
export async function insertRetries(
  tx: Tx,
  retries: readonly { id: number; inMs: number }[],
  now?: Date,
): Promise<void> {
  await sql`
    insert into webhook_deliveries (webhook_id, outbox_id, event, subject_id, attempt, due_at)
    select d.webhook_id, d.outbox_id, d.event, d.subject_id, d.attempt + 1,
      ${now ?? sql`now_ms()`}::timestamptz + r.ms * interval '1 millisecond'
    from unnest(${idsOf(retries)}::bigint[], ${retries.map(({ inMs }) => inMs)}::bigint[]) as r (id, ms)
    join webhook_deliveries d on d.id = r.id
    order by d.id
    on conflict do nothing`.execute(tx)
}

/** Attempts that wait for events that were delivered after all. */
export async function deletePending(tx: Tx, delivered: readonly number[]): Promise<void> {
  await sql`
    delete from webhook_deliveries d using webhook_deliveries done
    where done.id = any (${[...delivered]}::bigint[]) and d.webhook_id = done.webhook_id
      and d.outbox_id = done.outbox_id and d.attempted_at is null`.execute(tx)
}

export async function updateGivenUp(tx: Tx, id: string): Promise<void> {
  await sql`update webhooks set gave_up_at = now_ms() where id = ${id}`.execute(tx)
}

type LastOutcome = { id: string; failures: number } & Pick<Outcome, 'status' | 'code'>

export async function updateLastOutcomes(tx: Tx, webhooks: readonly LastOutcome[]): Promise<void> {
  const column = <K extends keyof LastOutcome>(name: K) => webhooks.map(one => one[name])
  await sql`
    update webhooks w
    set last_status = l.status, last_code = l.code, last_at = now_ms(), failures = l.failures,
      gave_up_at = case when l.failures > 0 then gave_up_at end
    from unnest(${column('id')}::uuid[], ${column('status')}::text[], ${column('code')}::int[],
      ${column('failures')}::int[]) as l (id, status, code, failures)
    where w.id = l.id`.execute(tx)
}

/** Attempts of processes that died before the response, which are marked as failed. */
export async function updateAbandoned(tx: Tx, olderThanMs: number) {
  const isAbandoned = sql`attempted_at is not null and finished_at is null
    and attempted_at < now() - ${olderThanMs} * interval '1 millisecond'`
  const found = await sql<{ id: number }>`
    select id from webhook_deliveries where ${isAbandoned}`.execute(tx)
  if (found.rows.length === 0) return { webhooks: [] as LockedWebhook[], attempts: [] as Finished[] }
  const webhooks = await lockWebhooksOf(tx, found.rows)
  // Checked again under the lock: its process may have resumed and finished it.
  const { rows } = await sql<Finished>`
    update webhook_deliveries set finished_at = now_ms(), status = 'error: delivery failed'
    where id = any (${idsOf(found.rows)}::bigint[]) and ${isAbandoned}
    returning id, webhook_id, outbox_id is null as is_test, attempt, false as was_finished`.execute(tx)
  await sql`
    update webhooks set last_status = 'error: delivery failed', last_code = null, last_at = now_ms()
    where id = any (${rows.map(row => row.webhook_id)}::uuid[])`.execute(tx)
  return { webhooks, attempts: rows }
}

/** Written while their subscription was being paused, or waiting for an agent who is no longer verified. */
export async function dropUnwanted(db: Db): Promise<void> {
  await sql`
    delete from webhook_deliveries d using webhooks w, agents a
    where d.attempted_at is null and w.id = d.webhook_id and a.id = w.agent_id
      and (not w.active or a.verified_at is null)`.execute(db)
}

/** The log is kept as long as it helps with troubleshooting, and the events behind it no longer. */
export async function deleteOldDeliveries(db: Db, days: number): Promise<void> {
  await sql`
    delete from webhook_deliveries
    where created_at < now() - ${days} * interval '1 day' and finished_at is not null`.execute(db)
  await deleteOldEvents(db, days)
}
