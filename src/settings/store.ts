import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import type { LimitName, Notice } from './rules.ts'

export type Name = LimitName | 'privacy_notice'

export interface Change<T = unknown> {
  id: number
  name: Name
  value: T
  changed_at: Date
}

/** Grows with every change: whoever has seen it needs to read nothing. */
export async function latestChange(db: Sql): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from setting_changes`.execute(db)
  return rows[0]?.id ?? 0
}

/** The latest change of each name. */
export async function findCurrent(db: Sql): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select distinct on (name) id, name, value, changed_at
    from setting_changes order by name, id desc`.execute(db)
  return rows
}

/** The notice at that moment; a null value is the default one. */
export async function findNoticeAt(db: Sql, at: Date): Promise<Change<Notice | null> | undefined> {
  const { rows } = await sql<Change<Notice | null>>`
    select id, name, value, changed_at from setting_changes
    where name = 'privacy_notice' and changed_at <= ${at} order by id desc limit 1`.execute(db)
  return rows[0]
}

interface PastChange extends Change {
  operator: string | null
}

/** Newest first. */
export async function listChanges(db: Sql, names: readonly Name[], limit: number): Promise<PastChange[]> {
  const { rows } = await sql<PastChange>`
    select c.id, c.name, c.value, c.changed_at, a.name as operator
    from setting_changes c left join agents a on a.id = c.operator_id
    where c.name = any (${names}) order by c.id desc limit ${limit}`.execute(db)
  return rows
}

export async function insertChange(
  tx: Tx,
  change: { name: Name; value: unknown; operatorId: string | null },
): Promise<void> {
  const { name, value, operatorId } = change
  await tx
    .insertInto('setting_changes')
    .values({ name, value: value === null ? null : JSON.stringify(value), operator_id: operatorId })
    .execute()
}

/** Two operators change settings one after the other, so each sees what the other left. */
export const lockSettings = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(hashtext('lonja settings'))`.execute(tx)
