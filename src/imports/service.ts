import { randomUUID } from 'node:crypto'
import { type Db, type Tx, violates } from '../db/database.ts'
import { randomName } from '../files/images.ts'
import { discard, type Storage } from '../files/storage.ts'
import type { Upload } from '../files/upload.ts'
import { accepting, type Uploads } from '../files/uploads.ts'
import { cleanText } from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { cut } from '../lib/text.ts'
import { isUuid } from '../lib/uuid.ts'
import { type Column, headerKey, mayRepeat, type Target } from './columns.ts'
import { canUndo, DAY_MS, isWorking, MAX_PER_DAY, type Phase } from './rules.ts'
import { updateSource } from './source-store.ts'
import type { Import } from './store.ts'
import * as store from './store.ts'

export {
  deleteOldRows,
  IMAGES_TASK,
  IMPORT_TASK,
  type Import,
  listImports,
  listRows,
  type ShownRow,
} from './store.ts'

const REMEMBERED = 500

/** The agent's; not_found for another agent's. */
export async function findOwn(db: Db, agentId: string, id: string): Promise<Import> {
  const found = isUuid(id) ? await store.findImport(db, id) : undefined
  if (found?.agent_id !== agentId) throw new Problem('not_found')
  return found
}

/** Stores the file; its rows are read in the background. */
export async function startImport(
  db: Db,
  uploads: Uploads,
  agentId: string,
  upload: Upload | undefined,
  now: Date,
): Promise<string> {
  if (!upload) throw new Problem('validation', { issues: [issue('file', 'required')] })
  const id = randomUUID()
  const stored = randomName()
  const file = `${stored}.table`
  return accepting(db, uploads, agentId, async (tx, keep) => {
    await requireFree(tx, agentId, now)
    const name = cut(cleanText(upload.fileName.toWellFormed()) || 'inventario', 100)
    await store.insertImport(tx, { id, agent_id: agentId, name, file })
    await store.requestWork(tx, id)
    await keep('documents', { id: stored, contents: [{ name: file, content: upload.bytes }] })
    return id
  })
}

/** The account is locked, so two forms cannot pass together. */
export async function requireFree(tx: Tx, agentId: string, now: Date): Promise<void> {
  const today = await store.countSince(tx, agentId, new Date(now.getTime() - DAY_MS))
  if (today >= MAX_PER_DAY) throw refusal(issue('', 'too_many_imports', { max: MAX_PER_DAY }))
  if (await store.hasUnfinished(tx, agentId)) throw refusal(issue('', 'import_running'))
}

const refusal = (...issues: Issue[]) => new Problem('conflict', { issues })

/** What each column is, as the agent says; remembered for the next file. Then every row is checked. */
export async function chooseColumns(
  db: Db,
  agentId: string,
  id: string,
  targets: readonly (Target | null)[],
): Promise<void> {
  await changing(db, agentId, id, ['columns', 'ready'], async (tx, one) => {
    const columns = one.columns.map(({ header }, i) => ({ header, target: targets[i] ?? null }))
    refuseIfAny(columnIssues(columns))
    const remembered = { ...(await store.findMemory(tx, agentId)), ...memoryOf(columns) }
    await store.saveMemory(tx, agentId, Object.fromEntries(Object.entries(remembered).slice(-REMEMBERED)))
    return { columns, phase: 'checking', position: 0, counts: {} }
  })
}

function columnIssues(columns: readonly Column[]): Issue[] {
  const issues: Issue[] = []
  const first = new Map<Target, string>()
  columns.forEach(({ header, target }, i) => {
    if (target === null || mayRepeat(target)) return
    const other = first.get(target)
    if (other !== undefined) issues.push(issue(`column-${i}`, 'chosen_twice', { column: other }))
    else first.set(target, header)
  })
  if (!first.has('external_id')) issues.push(issue('', 'no_key_column'))
  return issues
}

const memoryOf = (columns: readonly Column[]): Record<string, string> =>
  Object.fromEntries(
    columns
      .filter(({ header }) => headerKey(header) !== '')
      .map(({ header, target }) => [headerKey(header), target ?? '']),
  )

export interface Confirmed {
  publishes: boolean
  /** What is missing from the connection. */
  unpublishes: boolean
}

/** A connection that was confirmed once is read daily from then on. */
export const confirmImport = (db: Db, agentId: string, id: string, confirmed: Confirmed) =>
  changing(db, agentId, id, ['ready'], async (tx, { counts: { refused = 0 }, source_id: sourceId }) => {
    if (sourceId) await updateSource(tx, sourceId, { trusted: true })
    return { phase: 'running', position: 0, counts: { refused }, ...confirmed }
  })

/** Before the run nothing was written; during it, what was written stays and can be undone. */
export async function cancelImport(
  db: Db,
  files: Storage,
  agentId: string,
  id: string,
  now: Date,
): Promise<void> {
  const { file } = await changing(
    db,
    agentId,
    id,
    ['reading', 'columns', 'checking', 'ready', 'running'],
    async (tx, one) => {
      if (one.phase === 'running') return { phase: 'done', finished_at: now }
      await store.deleteRows(tx, id)
      return { phase: 'canceled', finished_at: now, file: null }
    },
  )
  if (file) await discard(files, 'documents', [file])
}

export const undoImport = (db: Db, agentId: string, id: string, now: Date) =>
  changing(db, agentId, id, ['done'], async (_tx, one) => {
    if (!canUndo(one, now)) throw new Problem('not_found')
    return { phase: 'undoing', position: 0 }
  })

type Change = Parameters<typeof store.updateImport>[2]

/** A step of the agent, possible in some phases only. Returns the import as it was. */
async function changing(
  db: Db,
  agentId: string,
  id: string,
  from: readonly Phase[],
  work: (tx: Tx, one: Import) => Promise<Change>,
): Promise<Import> {
  try {
    return await db.transaction().execute(async tx => {
      const one = isUuid(id) ? await store.lockImport(tx, id) : undefined
      if (one?.agent_id !== agentId) throw new Problem('not_found')
      if (!from.includes(one.phase)) throw refusal(issue('', 'step_refused'))
      const change = await work(tx, one)
      await store.updateImport(tx, id, change)
      if (change.phase && isWorking(change.phase)) await store.requestWork(tx, id)
      return one
    })
  } catch (error) {
    if (violates(error, 'imports_working')) throw refusal(issue('', 'import_running'))
    throw error
  }
}
