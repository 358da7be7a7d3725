import { type Selectable, sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import type { Lang } from '../lib/i18n.ts'
import {
  type Alert,
  CONFIRM_HOURS,
  FRESH_DAYS,
  MAX_WAITING,
  MINUTES_BETWEEN,
  type Pace,
  UNUSED_DAYS,
  WARNED_DAYS,
} from './rules.ts'

export interface AlertRow extends Selectable<Database['alerts']> {
  email: string
  lang: Lang
  pace: Pace
}

export interface Consent {
  at: Date
  notice: string
}

/** The same search of the same mailbox is the same alert; a confirmed one stays as it is. */
export async function saveAlert(tx: Tx, alert: Alert, lang: Lang, consent: Consent): Promise<string> {
  const { email, query, pace } = alert
  const { rows } = await sql<{ id: string }>`
    insert into alerts as a (email, lang, query, pace, consent_at, consent_notice)
    values (${email}, ${lang}, ${query}, ${pace}, ${consent.at}, ${consent.notice})
    on conflict (mailbox_of(email), query) where stopped_at is null do update set created_at = now_ms(),
      lang = excluded.lang, pace = excluded.pace, consent_at = excluded.consent_at, consent_notice = excluded.consent_notice
      where a.confirmed_at is null
    returning id`.execute(tx)
  const confirmed = sql<{ id: string }>`
    select id from alerts where mailbox_of(email) = mailbox_of(${email}) and query = ${query} and stopped_at is null`
  const [saved] = rows.length > 0 ? rows : (await confirmed.execute(tx)).rows
  return (saved as { id: string }).id
}

/** Neither stopped nor left unconfirmed for too long. */
const EXISTS = sql`stopped_at is null
  and (confirmed_at is not null or created_at > now() - make_interval(hours => ${CONFIRM_HOURS}))`

export async function findAlert(db: Sql, id: string): Promise<AlertRow | undefined> {
  const { rows } = await sql<AlertRow>`select * from alerts where id = ${id} and ${EXISTS}`.execute(db)
  return rows[0]
}

/** All of a mailbox, locked. */
export async function lockMailbox(tx: Tx, email: string): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select * from alerts where mailbox_of(email) = mailbox_of(${email}) and ${EXISTS} order by id for update`.execute(
    tx,
  )
  return rows
}

export async function useAlert(tx: Tx, id: string, pace: Pace): Promise<void> {
  await sql`
    update alerts set pace = ${pace}, confirmed_at = coalesce(confirmed_at, now_ms()), used_at = now_ms(), warned_at = null
    where id = ${id}`.execute(tx)
}

/** Nothing is kept of the person; the follower still has to see that it ended. */
export async function stopAlert(db: Sql, id: string): Promise<void> {
  await sql`
    update alerts set stopped_at = now_ms(), email = null where id = ${id} and stopped_at is null`.execute(db)
}

export async function countAlerts(db: Sql): Promise<{ confirmed: number; unconfirmed: number }> {
  const { rows } = await sql<{ confirmed: number; unconfirmed: number }>`
    select count(*) filter (where confirmed_at is not null) as confirmed,
      count(*) filter (where confirmed_at is null) as unconfirmed
    from alerts where stopped_at is null`.execute(db)
  return rows[0] as { confirmed: number; unconfirmed: number }
}

// ---- a person's ------------------------------------------------------------------------------------------

export type PersonAlert = Pick<
  AlertRow,
  'id' | 'email' | 'lang' | 'query' | 'pace' | 'consent_at' | 'consent_notice' | 'created_at' | 'confirmed_at'
>

export async function listOfPerson(db: Sql, email: string): Promise<PersonAlert[]> {
  const { rows } = await sql<PersonAlert>`
    select id, email, lang, query, pace, consent_at, consent_notice, created_at, confirmed_at
    from alerts where mailbox_of(email) = mailbox_of(${email}) and stopped_at is null order by created_at, id`.execute(
    db,
  )
  return rows
}

// ---- matches ---------------------------------------------------------------------------------------------

export type Criteria = Pick<AlertRow, 'id' | 'query' | 'confirmed_at' | 'stopped_at'>

/** All that announce, or those that changed since a snapshot. */
export async function listCriteria(
  db: Sql,
  since: { next: number; open: number[] } | undefined,
): Promise<Criteria[]> {
  const changed = since
    ? sql`change_xid >= ${String(since.next)}::xid8 or change_xid = any(${since.open.map(String)}::xid8[])`
    : sql`confirmed_at is not null and stopped_at is null`
  const { rows } = await sql<Criteria>`
    select id, query, confirmed_at, stopped_at from alerts where ${changed}`.execute(db)
  return rows
}

export interface Match {
  alert: string
  listing: string
  /** When it came on the market or became cheaper. */
  fresh: Date
}

/** Returns the alerts for which a mail is to be requested, and when it may be sent. */
export async function writeMatches(tx: Tx, matches: Match[]): Promise<{ id: string; due: Date }[]> {
  if (matches.length === 0) return []
  const found = sql`unnest(${matches.map(one => one.alert)}::uuid[], ${matches.map(one => one.listing)}::uuid[],
    ${matches.map(one => one.fresh.toISOString())}::timestamptz[]) as found (alert_id, listing_id, fresh_at)`
  const { rows } = await sql<{ alert_id: string }>`
    insert into alert_matches (alert_id, listing_id)
    select a.id, found.listing_id from ${found} join alerts a on a.id = found.alert_id
    where a.confirmed_at is not null and a.stopped_at is null
      and found.fresh_at > greatest(a.confirmed_at, now() - make_interval(days => ${FRESH_DAYS}))
      and ${MAX_WAITING} > (select count(*) from alert_matches m where m.alert_id = a.id and m.mail is null)
    on conflict do nothing returning alert_id`.execute(tx)
  return requestable(tx, sql`a.pace = 'at_once' and a.id = any(${rows.map(row => row.alert_id)}::uuid[])`)
}

/**
 * Marks those for which no mail is waiting yet. The rows are locked: a mail that has begun to be written since this
 * transaction started makes it fail and start again, because that mail does not name the new matches.
 */
async function requestable(tx: Tx, which: ReturnType<typeof sql>) {
  const { rows } = await sql<{ id: string; due: Date }>`
    with locked as (select a.id, a.is_waiting from alerts a where ${which} order by a.id for update)
    update alerts a set is_waiting = true from locked where a.id = locked.id and not locked.is_waiting
    returning a.id, greatest(now(), a.mailed_at + make_interval(mins => ${MINUTES_BETWEEN})) as due`.execute(
    tx,
  )
  return rows
}

/** Those with daily mail that have something to announce and had none today. */
export const takeDaily = (tx: Tx) =>
  requestable(
    tx,
    sql`a.pace = 'daily' and a.stopped_at is null and coalesce(a.mailed_at, '-infinity') < now() - interval '12 hours'
      and exists (select from alert_matches m where m.alert_id = a.id and m.mail is null)`,
  )

/** The listings that this job's mail names: when it begins, all that wait; when it is repeated, the same. */
export async function takeMatches(tx: Tx, alertId: string, job: string): Promise<string[]> {
  const { rows: begun } = await sql`
    update alerts set is_waiting = false, mailed_at = now_ms()
    where id = ${alertId} and not exists (select from alert_matches where alert_id = ${alertId} and mail = ${job}::bigint)
    returning 1`.execute(tx)
  if (begun.length > 0) {
    await sql`update alert_matches set mail = ${job}::bigint where alert_id = ${alertId} and mail is null`.execute(
      tx,
    )
  }
  const { rows } = await sql<{ listing_id: string }>`
    select listing_id from alert_matches where alert_id = ${alertId} and mail = ${job}::bigint
    order by matched_at desc, listing_id`.execute(tx)
  return rows.map(row => row.listing_id)
}

// ---- what ends by itself ---------------------------------------------------------------------------------

export async function deleteEnded(db: Sql): Promise<void> {
  await sql`delete from alerts where not (${EXISTS}) and coalesce(stopped_at, '-infinity') < now() - interval '1 day'`.execute(
    db,
  )
  await sql`
    delete from alert_matches where mail is not null and matched_at < now() - make_interval(days => ${FRESH_DAYS + 1})`.execute(
    db,
  )
}

/** Those that nobody used for a year; from now on they are warned. */
export async function takeUnused(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update alerts set warned_at = now_ms() where id in (
      select id from alerts where stopped_at is null and warned_at is null
        and used_at < now() - make_interval(days => ${UNUSED_DAYS}) order by used_at limit ${limit})
    returning id`.execute(tx)
  return rows.map(row => row.id)
}

export async function stopWarned(db: Sql): Promise<number> {
  const { numAffectedRows } = await sql`
    update alerts set stopped_at = now_ms(), email = null
    where stopped_at is null and warned_at < now() - make_interval(days => ${WARNED_DAYS})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
