import { type Selectable, sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { countHold } from '../search/matching/position.ts'
import type { Need, Notices } from './rules.ts'

export interface NeedRow extends Selectable<Database['needs']> {
  notices: Notices
}

/** Active: neither closed nor over, of an agent who is still verified. `n` is the need, `a` its agent. */
const IS_ACTIVE = sql`n.closed_at is null and n.until > now() and a.verified_at is not null`
/** Needs of test accounts are shown to nobody else. */
const IS_ON_BOARD = sql`n.on_board and ${IS_ACTIVE} and not a.is_test`

export async function countActive(tx: Tx, agentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from needs where agent_id = ${agentId} and closed_at is null and until > now()`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export async function insertNeed(tx: Tx, agentId: string, need: Need): Promise<string> {
  const { id } = await tx
    .insertInto('needs')
    .values({ agent_id: agentId, ...need })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** With other criteria, what matched is to be found again; what was dismissed stays dismissed. */
export async function updateNeed(tx: Tx, id: string, need: Need): Promise<void> {
  await countHold(tx)
  await tx
    .updateTable('needs')
    .set({ ...need, held_at: null, updated_at: sql<Date>`next_stamp(updated_at)` })
    .where('id', '=', id)
    .execute()
  await sql`update need_matches set is_current = false where need_id = ${id}`.execute(tx)
}

/** No more mail about any of the agent's needs. */
export async function stopNotices(db: Sql, agentId: string): Promise<void> {
  await sql`
    update needs set notices = 'none', updated_at = next_stamp(updated_at)
    where agent_id = ${agentId} and notices <> 'none'`.execute(db)
}

export async function closeNeed(tx: Tx, id: string): Promise<void> {
  await sql`update needs set closed_at = now_ms(), updated_at = next_stamp(updated_at) where id = ${id}`.execute(
    tx,
  )
}

export function findNeed(db: Sql, agentId: string, id: string): Promise<NeedRow | undefined> {
  return db
    .selectFrom('needs')
    .selectAll()
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .executeTakeFirst() as Promise<NeedRow | undefined>
}

/** Those that were not yet held against the market. */
export async function listUnheld(db: Sql, limit: number): Promise<NeedRow[]> {
  const { rows } = await sql<NeedRow>`
    select * from needs where held_at is null and closed_at is null and until > now()
    order by created_at limit ${limit}`.execute(db)
  return rows
}

const IS_FRESH = sql`m.matched_at > now() - interval '3 days'`

export interface NeedInList extends NeedRow {
  matches: number
  fresh: number
}

/** The agent's own that are not closed, with how many listings match and how many of them were found in three days. */
export async function listNeeds(db: Sql, agentId: string): Promise<NeedInList[]> {
  const { rows } = await sql<NeedInList>`
    select n.*, found.matches, found.fresh from needs n cross join lateral (
      select count(*) as matches, count(*) filter (where ${IS_FRESH}) as fresh
      from need_matches m where m.need_id = n.id and m.is_current and m.dismissed_at is null
    ) found
    where n.agent_id = ${agentId} and n.closed_at is null
    order by n.created_at desc, n.id`.execute(db)
  return rows
}

export interface OnBoard
  extends Pick<NeedRow, 'id' | 'agent_id' | 'note' | 'query' | 'places' | 'until' | 'created_at'> {
  agent_name: string
  agent_phone: string | null
  agent_email: string
}

/** An allow-list: never the client. */
const ON_BOARD = sql`
  select n.id, n.agent_id, n.note, n.query, n.places, n.until, n.created_at,
    a.name as agent_name, a.phone as agent_phone, a.email as agent_email
  from needs n join agents a on a.id = n.agent_id`

/** With a listing, only those it matches and whose agent did not dismiss it. */
export async function listBoard(
  db: Sql,
  { listingId, limit, offset }: { listingId: string | undefined; limit: number; offset: number },
): Promise<OnBoard[]> {
  const { rows } = await sql<OnBoard>`
    ${ON_BOARD} where ${IS_ON_BOARD} and (${listingId ?? null}::uuid is null or exists (
      select from need_matches m where m.need_id = n.id and m.listing_id = ${listingId ?? null}
        and m.is_current and m.dismissed_at is null))
    order by n.created_at desc, n.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** An allow-list, as on the board. */
export async function findOnBoard(db: Sql, id: string): Promise<OnBoard | undefined> {
  const { rows } = await sql<OnBoard>`${ON_BOARD} where n.id = ${id} and ${IS_ON_BOARD}`.execute(db)
  return rows[0]
}

/** How many listings were found for the agent in three days. */
export async function countFresh(db: Sql, agentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct m.listing_id) as count from needs n join need_matches m on m.need_id = n.id
    where n.agent_id = ${agentId} and n.closed_at is null and n.until > now()
      and m.is_current and m.dismissed_at is null and ${IS_FRESH}`.execute(db)
  return rows[0]?.count ?? 0
}

/** How many needs on the board match the listing. */
export async function countForListing(db: Sql, listingId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from need_matches m join needs n on n.id = m.need_id join agents a on a.id = n.agent_id
    where m.listing_id = ${listingId} and m.is_current and m.dismissed_at is null and ${IS_ON_BOARD}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

// ---- matches ---------------------------------------------------------------------------------------------

export interface MatchRow {
  listing_id: string
  matched_at: Date
}

export async function listMatches(
  db: Sql,
  needId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<MatchRow[]> {
  const { rows } = await sql<MatchRow>`
    select listing_id, matched_at from need_matches
    where need_id = ${needId} and is_current and dismissed_at is null
    order by matched_at desc, listing_id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Of these listings, those that match the need and were not dismissed. */
export async function listMatching(db: Sql, needId: string, listingIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ listing_id: string }>`
    select listing_id from need_matches
    where need_id = ${needId} and listing_id = any(${listingIds}::uuid[]) and is_current and dismissed_at is null`.execute(
    db,
  )
  return rows.map(row => row.listing_id)
}

/** Of these listings, those that one of the agent's needs matches. */
export async function listWanted(
  db: Sql,
  agentId: string,
  listingIds: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ listing_id: string; need_id: string }>`
    select m.listing_id, m.need_id from need_matches m join needs n on n.id = m.need_id
    where m.listing_id = any(${listingIds}::uuid[]) and n.agent_id = ${agentId}
      and m.is_current and m.dismissed_at is null and n.closed_at is null and n.until > now()
    order by n.created_at desc`.execute(db)
  return new Map(rows.map(row => [row.listing_id, row.need_id]))
}

export async function dismiss(db: Sql, needId: string, listingId: string): Promise<void> {
  await sql`
    update need_matches set dismissed_at = now_ms(), announced_at = coalesce(announced_at, now_ms())
    where need_id = ${needId} and listing_id = ${listingId} and dismissed_at is null`.execute(db)
}

/** The listings found by a search; those that changed since are left to the feed. They are seen at once: no mail. */
export async function insertFound(
  tx: Tx,
  needId: string,
  found: { id: string; xid: number }[],
): Promise<void> {
  await countHold(tx)
  await sql`
    insert into need_matches (need_id, listing_id, lowered_at, announced_at)
    select ${needId}, l.id, l.price_lowered_at, now_ms()
    from unnest(${found.map(one => one.id)}::uuid[], ${found.map(one => String(one.xid))}::xid8[]) as found (id, xid)
    join listings l on l.id = found.id and l.change_xid = found.xid
    on conflict (need_id, listing_id) do update set is_current = true`.execute(tx)
  await sql`update needs set held_at = now_ms() where id = ${needId}`.execute(tx)
}

export interface Match {
  need: string
  listing: string
  lowered: Date | null
}

/** Returns the agents who want to know at once about something new. */
export async function writeMatches(tx: Tx, listings: string[], pairs: Match[]): Promise<string[]> {
  const found = sql`unnest(${pairs.map(pair => pair.need)}::uuid[], ${pairs.map(pair => pair.listing)}::uuid[],
    ${pairs.map(pair => pair.lowered?.toISOString() ?? null)}::timestamptz[]) as found (need_id, listing_id, lowered_at)`
  await sql`
    update need_matches m set is_current = false
    where m.listing_id = any(${listings}::uuid[]) and m.is_current
      and not exists (select from ${found} where found.need_id = m.need_id and found.listing_id = m.listing_id)`.execute(
    tx,
  )
  if (pairs.length === 0) return []
  const isBack = sql`(m.dismissed_at is not null and excluded.lowered_at > coalesce(m.lowered_at, '-infinity')) is true`
  const { rows } = await sql<{ agent_id: string }>`
    with written as (
      insert into need_matches as m (need_id, listing_id, lowered_at)
      select n.id, found.listing_id, found.lowered_at
      from ${found} join needs n on n.id = found.need_id join agents a on a.id = n.agent_id where ${IS_ACTIVE}
      on conflict (need_id, listing_id) do update set is_current = true, lowered_at = excluded.lowered_at,
        matched_at = case when ${isBack} then now_ms() else m.matched_at end,
        announced_at = case when not ${isBack} then m.announced_at end,
        mail_id = case when not ${isBack} then m.mail_id end,
        dismissed_at = case when not ${isBack} then m.dismissed_at end
      returning need_id, announced_at, dismissed_at
    )
    select distinct n.agent_id from written join needs n on n.id = written.need_id
    where n.notices = 'at_once' and written.announced_at is null and written.dismissed_at is null`.execute(tx)
  return rows.map(row => row.agent_id)
}

// ---- what is to be announced -----------------------------------------------------------------------------

export interface InMail {
  title: string
  slug: string
}

const IS_WAITING = sql`m.announced_at is null and m.is_current and m.dismissed_at is null and ${IS_ACTIVE}`

/** Gives the matches that wait to that mail, unless it has some: repeated, a mail is about the same ones. */
export async function giveToMail(
  tx: Tx,
  mailId: string,
  { agentId, notices }: { agentId: string; notices: Notices },
): Promise<void> {
  await sql`
    update need_matches m set announced_at = now_ms(), mail_id = ${mailId}
    from needs n join agents a on a.id = n.agent_id
    where n.id = m.need_id and n.agent_id = ${agentId} and n.notices = ${notices} and ${IS_WAITING}
      and not exists (select from need_matches where mail_id = ${mailId})`.execute(tx)
}

/** What that mail is about. Nothing once its agent does not want it. */
export async function listInMail(db: Sql, mailId: string, notices: Notices): Promise<InMail[]> {
  const { rows } = await sql<InMail>`
    select l.title, l.slug
    from need_matches m join needs n on n.id = m.need_id join listings l on l.id = m.listing_id
    where m.mail_id = ${mailId} and n.notices = ${notices}
    order by m.matched_at, m.listing_id`.execute(db)
  return rows
}

/** The agents who get a daily mail and had none that day; from now on they had. */
export async function takeDaily(tx: Tx, day: string): Promise<string[]> {
  const { rows } = await sql<{ agent_id: string }>`
    insert into need_digests as d (agent_id, day)
    select distinct n.agent_id, ${day}::text
    from need_matches m join needs n on n.id = m.need_id join agents a on a.id = n.agent_id
    where n.notices = 'daily' and ${IS_WAITING}
    on conflict (agent_id) do update set day = excluded.day where d.day < excluded.day
    returning agent_id`.execute(tx)
  return rows.map(row => row.agent_id)
}

/** Of needs that ended that long ago. One that is extended later is held against the market anew. */
export async function deleteOldMatches(db: Sql, days: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from need_matches where ctid = any(array(
      select m.ctid from need_matches m join needs n on n.id = m.need_id
      where least(n.closed_at, n.until) < now() - make_interval(days => ${days}::int) limit ${limit}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}

// ---- following -------------------------------------------------------------------------------------------

export type Criteria = Pick<NeedRow, 'id' | 'agent_id' | 'query' | 'places' | 'closed_at' | 'until'>

/** All that are not over, or those that changed since a snapshot. */
export async function listCriteria(
  db: Sql,
  since: { next: number; open: number[] } | undefined,
): Promise<Criteria[]> {
  const changed = since
    ? sql`change_xid >= ${String(since.next)}::xid8 or change_xid = any(${since.open.map(String)}::xid8[])`
    : sql`closed_at is null and until > now()`
  const { rows } = await sql<Criteria>`
    select id, agent_id, query, places, closed_at, until from needs where ${changed}`.execute(db)
  return rows
}

/** After a restore: everything is held against the market again. */
export async function forgetHeld(tx: Tx): Promise<void> {
  await sql`update needs set held_at = null where closed_at is null`.execute(tx)
}
