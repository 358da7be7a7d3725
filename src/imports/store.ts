import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import type { Issue } from '../lib/issue.ts'
import type { Kept } from '../listings/restore.ts'
import type { Column } from './columns.ts'
import type { Staged } from './row.ts'
import type { Counts, Phase, Result } from './rules.ts'

export interface Import {
  id: string
  agent_id: string
  name: string
  file: string | null
  source_id: string | null
  phase: Phase
  columns: Column[]
  publishes: boolean
  unpublishes: boolean
  total: number
  position: number
  counts: Counts
  issues: Issue[]
  created_at: Date
  finished_at: Date | null
}

const COLUMNS = [
  'id',
  'agent_id',
  'name',
  'file',
  'source_id',
  'phase',
  'columns',
  'publishes',
  'unpublishes',
  'total',
  'position',
  'counts',
  'issues',
  'created_at',
  'finished_at',
] as const

export const findImport = (db: Sql, id: string) =>
  db.selectFrom('imports').select(COLUMNS).where('id', '=', id).executeTakeFirst() as Promise<
    Import | undefined
  >

/** Locked until the transaction ends: two workers never do the same rows. */
export const lockImport = (tx: Tx, id: string) =>
  tx.selectFrom('imports').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst() as Promise<
    Import | undefined
  >

/** Newest first. */
export const listImports = (db: Sql, agentId: string, limit: number) =>
  db
    .selectFrom('imports')
    .select(COLUMNS)
    .where('agent_id', '=', agentId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute() as Promise<Import[]>

export async function countSince(db: Sql, agentId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('imports')
    .select(db.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

export async function hasUnfinished(db: Sql, agentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('imports')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('phase', 'in', ['reading', 'columns', 'checking', 'ready', 'running', 'undoing'])
    .executeTakeFirst()
  return row !== undefined
}

export const insertImport = (
  tx: Tx,
  row: Pick<Import, 'id' | 'agent_id' | 'name' | 'file'> & { source_id?: string },
) =>
  tx
    .insertInto('imports')
    .values({ ...row, phase: 'reading' })
    .execute()

type Change = Partial<
  Pick<Import, 'phase' | 'position' | 'total' | 'publishes' | 'unpublishes' | 'file' | 'finished_at'>
> & {
  columns?: Column[]
  counts?: Counts
  issues?: Issue[]
}

export function updateImport(db: Sql, id: string, { columns, counts, issues, ...change }: Change) {
  return db
    .updateTable('imports')
    .set({
      ...change,
      ...(columns ? { columns: JSON.stringify(columns) } : {}),
      ...(counts ? { counts: JSON.stringify(counts) } : {}),
      ...(issues ? { issues: JSON.stringify(issues) } : {}),
    })
    .where('id', '=', id)
    .execute()
}

// ---- rows ------------------------------------------------------------------------------------------------

export interface NewRow {
  number: number
  cells: Staged
  external_id?: string | null
}

/** Again after an interruption, without harm: a row of that number is that row. */
export async function insertRows(db: Sql, id: string, rows: readonly NewRow[]): Promise<void> {
  await sql`
    insert into import_rows (import_id, number, cells, external_id)
    select ${id}, r.number, r.cells, r.external_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (number int, cells jsonb, external_id text)
    on conflict do nothing`.execute(db)
}

export interface StagedRow {
  number: number
  cells: Staged
}

/** The next ones of a phase, in order. In the run, what the check refused stays refused. */
export function listStaged(tx: Tx, id: string, after: number, limit: number, phase: 'checking' | 'running') {
  return tx
    .selectFrom('import_rows')
    .select(['number', 'cells'])
    .where('import_id', '=', id)
    .where('number', '>', after)
    .$if(phase === 'running', query => query.where('result', '<>', 'refused'))
    .orderBy('number')
    .limit(limit)
    .execute() as Promise<StagedRow[]>
}

/** The row of each external id that comes first. */
export async function findFirst(
  db: Sql,
  id: string,
  externalIds: readonly string[],
  before: number,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ external_id: string; number: number }>`
    select external_id, min(number) as number from import_rows
    where import_id = ${id} and external_id = any(${[...externalIds]}) and number < ${before}
    group by external_id`.execute(db)
  return new Map(rows.map(({ external_id, number }) => [external_id, number]))
}

export interface Outcome {
  number: number
  external_id: string | null
  result: Result
  issues: readonly Issue[]
  notes: readonly Issue[]
  listing_id: string | null
  before: Kept | null
  after: Date | null
}

export async function saveOutcomes(tx: Tx, id: string, outcomes: readonly Outcome[]): Promise<void> {
  await sql`
    update import_rows r set external_id = o.external_id, result = o.result, issues = o.issues, notes = o.notes,
      listing_id = o.listing_id, before = o.before, after = o.after
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o (number int, external_id text, result text,
      issues jsonb, notes jsonb, listing_id uuid, before jsonb, after timestamptz)
    where r.import_id = ${id} and r.number = o.number`.execute(tx)
}

export interface WrittenRow {
  number: number
  listing_id: string
  before: Kept | null
  after: Date
}

/** What a run wrote, in order. */
export function listWritten(tx: Tx, id: string, after: number, limit: number) {
  return tx
    .selectFrom('import_rows')
    .select(['number', 'listing_id', 'before', 'after'])
    .where('import_id', '=', id)
    .where('number', '>', after)
    .where('result', 'in', ['created', 'changed', 'unpublished'])
    .where('after', 'is not', null)
    .orderBy('number')
    .limit(limit)
    .execute() as Promise<WrittenRow[]>
}

/** The same rows as they were sent. */
export const listStagedWritten = (db: Sql, id: string, after: number, limit: number) =>
  db
    .selectFrom('import_rows')
    .select(['number', 'cells'])
    .where('import_id', '=', id)
    .where('number', '>', after)
    .where('result', 'in', ['created', 'changed'])
    .orderBy('number')
    .limit(limit)
    .execute() as Promise<StagedRow[]>

export async function addNotes(db: Sql, id: string, number: number, notes: readonly Issue[]): Promise<void> {
  await sql`
    update import_rows set notes = notes || ${JSON.stringify(notes)}::jsonb
    where import_id = ${id} and number = ${number} and not notes @> ${JSON.stringify(notes)}::jsonb`.execute(
    db,
  )
}

export const setUndone = (tx: Tx, id: string, number: number, undone: boolean) =>
  tx
    .updateTable('import_rows')
    .set({ undone })
    .where('import_id', '=', id)
    .where('number', '=', number)
    .execute()

export interface ShownRow {
  number: number
  cells: Staged
  external_id: string | null
  result: Result | null
  issues: Issue[]
  notes: Issue[]
  listing_id: string | null
  undone: boolean | null
}

interface Page {
  result?: Result | undefined
  /** Only rows with photos that cannot be opened. */
  broken?: boolean
  after?: number
  offset?: number
  limit: number
}

export function listRows(
  db: Sql,
  id: string,
  { result, broken = false, after = 0, offset = 0, limit }: Page,
) {
  return db
    .selectFrom('import_rows')
    .select(['number', 'cells', 'external_id', 'result', 'issues', 'notes', 'listing_id', 'undone'])
    .where('import_id', '=', id)
    .where('number', '>', after)
    .$if(result !== undefined, query => query.where('result', '=', result as Result))
    .$if(broken, query => query.where(sql<boolean>`notes @> '[{"code": "broken_image"}]'`))
    .orderBy('number')
    .offset(offset)
    .limit(limit)
    .execute() as Promise<ShownRow[]>
}

export const deleteRows = (db: Sql, id: string) =>
  db.deleteFrom('import_rows').where('import_id', '=', id).execute()

/** What was written stays listed, without what was in the file. */
export async function deleteOldRows(db: Sql, before: Date): Promise<void> {
  await sql`
    delete from import_rows r using imports i
    where i.id = r.import_id and coalesce(i.finished_at, i.created_at) < ${before}
      and i.phase not in ('reading', 'checking', 'running', 'undoing')`.execute(db)
  await sql`
    update imports set phase = 'canceled' where phase in ('columns', 'ready') and created_at < ${before}`.execute(
    db,
  )
}

// ---- remembered columns ----------------------------------------------------------------------------------

export async function findMemory(db: Sql, agentId: string): Promise<Record<string, string>> {
  const row = await db
    .selectFrom('import_memories')
    .select('columns')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  return row?.columns ?? {}
}

export function saveMemory(tx: Tx, agentId: string, columns: Record<string, string>) {
  const text = JSON.stringify(columns)
  return tx
    .insertInto('import_memories')
    .values({ agent_id: agentId, columns: text })
    .onConflict(conflict => conflict.column('agent_id').doUpdateSet({ columns: text }))
    .execute()
}

// ---- work ------------------------------------------------------------------------------------------------

export const IMPORT_TASK = 'import'

export async function requestWork(tx: Sql, id: string): Promise<void> {
  await sql`select graphile_worker.add_job(${IMPORT_TASK}, ${JSON.stringify({ id })}::json)`.execute(tx)
}

export const IMAGES_TASK = 'import-images'

export async function requestImageCheck(
  tx: Sql,
  check: { id: string; after: number; checked: number },
): Promise<void> {
  await sql`select graphile_worker.add_job(${IMAGES_TASK}, ${JSON.stringify(check)}::json)`.execute(tx)
}
