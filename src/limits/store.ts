import { sql } from 'kysely'
import { type Db, prepared } from '../db/database.ts'

/** One caller of one limit, as the table knows it. */
export interface Count {
  key: string
  limit: number
  /** Requests to allow if the limit leaves room for them. */
  wanted: number
  /** Requests allowed without asking: how many, by age in seconds. */
  made: Record<string, number>
}

interface Counted {
  granted: number
  /** How many requests of all processes are in the window, by the milliseconds until they leave it. */
  counted: Record<string, number>
}

/** In the order of `counts`, which must be sorted by key. */
export async function countTakes(db: Db, counts: readonly Count[]): Promise<Counted[]> {
  const keys = counts.map(({ key }) => key)
  const limits = counts.map(({ limit }) => limit)
  const wanted = counts.map(count => count.wanted)
  const made = counts.map(count => JSON.stringify(count.made))
  const { rows } = await sql<Counted>`
    ${prepared('count_takes')} select granted, counted from count_takes(
      ${keys}::uuid[], ${limits}::bigint[], ${wanted}::integer[], ${made}::jsonb[])`.execute(db)
  return rows
}

/** Says that this process is there, and returns how many others are. */
export async function meet(db: Db, id: string, goneSeconds: number): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    with me as (
      insert into limit_processes (id, seen_at) values (${id}, now())
      on conflict (id) do update set seen_at = now()
    )
    select count(*) as others from limit_processes
    where id <> ${id} and seen_at > now() - make_interval(secs => ${goneSeconds})`.execute(db)
  return rows[0]?.others ?? 0
}

export async function leave(db: Db, id: string): Promise<void> {
  await sql`delete from limit_processes where id = ${id}`.execute(db)
}

export async function forget(db: Db, key: string): Promise<void> {
  await sql`delete from limit_counts where key = ${key}`.execute(db)
}

/** What has left every window, and processes that ended without leaving. Nothing while another process does it. */
export async function sweep(db: Db): Promise<void> {
  await sql`
    with turn as materialized (select pg_try_advisory_xact_lock(hashtext('lonja limits')) as mine),
    counts as (
      delete from limit_counts
      where (select mine from turn) and slot < (extract(epoch from now()) - 660)::integer / 5
    )
    delete from limit_processes
    where (select mine from turn) and seen_at < now() - interval '1 minute'`.execute(db)
}
