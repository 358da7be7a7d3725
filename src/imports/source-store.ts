import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'

export interface Source {
  id: string
  agent_id: string
  kind: 'feed' | 'easybroker'
  name: string
  url: string | null
  /** Sealed. */
  key: Buffer | null
  trusted: boolean
  created_at: Date
  next_at: Date
}

const COLUMNS = ['id', 'agent_id', 'kind', 'name', 'url', 'key', 'trusted', 'created_at', 'next_at'] as const

export const findSource = (db: Sql, id: string): Promise<Source | undefined> =>
  db.selectFrom('import_sources').select(COLUMNS).where('id', '=', id).executeTakeFirst()

/** Newest first. */
export const listSources = (db: Sql, agentId: string): Promise<Source[]> =>
  db
    .selectFrom('import_sources')
    .select(COLUMNS)
    .where('agent_id', '=', agentId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

export const listDue = (db: Sql, now: Date, limit: number): Promise<Source[]> =>
  db
    .selectFrom('import_sources')
    .select(COLUMNS)
    .where('next_at', '<=', now)
    .where('trusted', '=', true)
    .orderBy('next_at')
    .limit(limit)
    .execute()

export const insertSource = (tx: Tx, source: Omit<Source, 'created_at' | 'next_at' | 'trusted'>) =>
  tx.insertInto('import_sources').values(source).execute()

export const updateSource = (db: Sql, id: string, change: Partial<Pick<Source, 'trusted' | 'next_at'>>) =>
  db.updateTable('import_sources').set(change).where('id', '=', id).execute()

export const deleteSource = (tx: Tx, id: string) =>
  tx.deleteFrom('import_sources').where('id', '=', id).execute()

/** Those of them that were missing the last time. */
export async function findMissing(db: Sql, id: string, externalIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('import_source_items')
    .select('external_id')
    .where('source_id', '=', id)
    .where('missing', '=', true)
    .where('external_id', 'in', [...externalIds])
    .execute()
  return new Set(rows.map(row => row.external_id))
}

export async function saveItems(
  tx: Tx,
  id: string,
  items: readonly { external_id: string; missing: boolean }[],
): Promise<void> {
  await sql`
    insert into import_source_items (source_id, external_id, missing)
    select ${id}, i.external_id, i.missing
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i (external_id text, missing boolean)
    on conflict (source_id, external_id) do update set missing = excluded.missing`.execute(tx)
}

/** Appends a row for each listing the source had before and has no more. Its number follows those of the source. */
export async function insertMissing(
  tx: Tx,
  sourceId: string,
  importId: string,
  after: number,
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    insert into import_rows (import_id, number, cells)
    select ${importId}, ${after} + row_number() over (order by i.external_id),
      jsonb_build_object('external_id', i.external_id, 'missing', true)
    from import_source_items i
    where i.source_id = ${sourceId} and not i.missing and not exists (
      select from import_rows r where r.import_id = ${importId} and r.external_id = i.external_id)
    on conflict do nothing
    returning number`.execute(tx)
  return rows.length
}

/** How many listings the source has on the market. */
export async function countLive(db: Sql, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('import_source_items')
    .select(db.fn.countAll<number>().as('count'))
    .where('source_id', '=', id)
    .where('missing', '=', false)
    .executeTakeFirstOrThrow()
  return count
}
