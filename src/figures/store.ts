import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import { KINDS, type Kind, type Source } from './rules.ts'

export interface Counted {
  listingId: string
  day: string
  source: Source
  /** In the order of `KINDS`. */
  counts: number[]
}

/** In one order, so that processes that flush at the same time do not block each other. Removed listings are skipped. */
export async function addFigures(db: Sql, counted: Counted[]): Promise<void> {
  const column = (i: number) => counted.map(one => one.counts[i] ?? 0)
  await sql`
    insert into listing_figures as f (listing_id, day, source, views, contacts, favorites, shares, appearances)
    select new.* from unnest(${counted.map(one => one.listingId)}::uuid[], ${counted.map(one => one.day)}::text[],
      ${counted.map(one => one.source)}::text[], ${column(0)}::int[], ${column(1)}::int[], ${column(2)}::int[],
      ${column(3)}::int[], ${column(4)}::int[]
    ) as new (listing_id, day, source, views, contacts, favorites, shares, appearances)
    where exists (select from listings l where l.id = new.listing_id)
    order by 1, 2, 3
    on conflict (listing_id, day, source) do update set views = f.views + excluded.views,
      contacts = f.contacts + excluded.contacts, favorites = f.favorites + excluded.favorites,
      shares = f.shares + excluded.shares, appearances = f.appearances + excluded.appearances`.execute(db)
}

export type Figures = Record<Kind, number>

const SUMS = sql.raw(KINDS.map(kind => `coalesce(sum(f.${kind}), 0)::int as ${kind}`).join(', '))

export interface Scope {
  agentId: string
  /** One of the agent's listings, or all. */
  listingId?: string | undefined
  since: string
}

const within = ({ agentId, listingId, since }: Scope) => sql`
  from listing_figures f join listings l on l.id = f.listing_id
  where l.agent_id = ${agentId} and f.day >= ${since}
    and (${listingId ?? null}::uuid is null or l.id = ${listingId ?? null})`

export async function sumOf(db: Sql, scope: Scope): Promise<Figures> {
  const { rows } = await sql<Figures>`select ${SUMS} ${within(scope)}`.execute(db)
  return rows[0] as Figures
}

export async function viewsByDay(db: Sql, scope: Scope): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; views: number }>`
    select f.day, sum(f.views)::int as views ${within(scope)} group by f.day`.execute(db)
  return new Map(rows.map(({ day, views }) => [day, views]))
}

export async function viewsBySource(db: Sql, scope: Scope): Promise<{ source: Source; views: number }[]> {
  const { rows } = await sql<{ source: Source; views: number }>`
    select f.source, sum(f.views)::int as views ${within(scope)}
    group by f.source having sum(f.views) > 0 order by views desc`.execute(db)
  return rows
}

export interface ListingFigures extends Figures {
  id: string
  title: string
}

/** Those with the most views first. */
export async function listByListing(db: Sql, scope: Scope, limit: number): Promise<ListingFigures[]> {
  const { rows } = await sql<ListingFigures>`
    select l.id, l.title, ${SUMS} ${within(scope)}
    group by l.id, l.title order by views desc, l.id limit ${limit}`.execute(db)
  return rows
}

// ---- the weekly mail -------------------------------------------------------------------------------------

export async function isMailStopped(db: Sql, agentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from figure_mails where agent_id = ${agentId} and is_stopped`.execute(db)
  return rows.length > 0
}

export async function setMailStopped(db: Sql, agentId: string, isStopped: boolean): Promise<void> {
  await sql`
    insert into figure_mails (agent_id, is_stopped) values (${agentId}, ${isStopped})
    on conflict (agent_id) do update set is_stopped = excluded.is_stopped`.execute(db)
}

/** The agents with something to report who had no mail that week; from now on they had. */
export async function takeWeekly(tx: Tx, week: string, since: string): Promise<string[]> {
  const { rows } = await sql<{ agent_id: string }>`
    insert into figure_mails as m (agent_id, week)
    select distinct l.agent_id, ${week}::text from listing_figures f join listings l on l.id = f.listing_id
      join agents a on a.id = l.agent_id and a.verified_at is not null
    where f.day >= ${since} and f.views + f.contacts > 0
    on conflict (agent_id) do update set week = excluded.week where m.week < excluded.week and not m.is_stopped
    returning agent_id`.execute(tx)
  return rows.map(row => row.agent_id)
}

/** More than a year ago. */
export async function deleteOldFigures(db: Sql): Promise<void> {
  await sql`delete from listing_figures where day < to_char(now() - interval '400 days', 'YYYY-MM-DD')`.execute(
    db,
  )
}
