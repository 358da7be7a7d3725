import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Db } from '../db/database.ts'
import type { Storage } from '../files/storage.ts'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { MB } from '../lib/sizes.ts'
import { findHeader, recognizeColumns } from './columns.ts'
import { readTable } from './reading/table.ts'
import { findMemory, type Import, insertRows, lockImport, type NewRow, updateImport } from './store.ts'

const BATCH = 200
/** Lines in which the header is looked for. */
const START = 20
/** Of all cells together: an archive of 50 MB can hold many times as much. */
const MAX_CHARACTERS = 150 * MB

/** The rows of the file into the table, from where the agent and every later step see them. `path` is for a copy. */
export async function stageFile(db: Db, files: Storage, one: Import, path: string): Promise<void> {
  const stored = one.file ? await files.stream('documents', one.file) : undefined
  if (!stored) throw new Problem('validation', { issues: [issue('file', 'not_a_spreadsheet')] })
  await pipeline(stored.content, createWriteStream(path, { mode: 0o600 }))

  let headers: string[] | undefined
  let start: string[][] = []
  let waiting: NewRow[] = []
  let number = 0
  let total = 0
  let characters = 0
  const put = async (row: { number: number; cells: string[] }) => {
    if (row.cells.every(cell => cell.trim() === '')) return
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0)
    if (characters > MAX_CHARACTERS) {
      throw new Problem('validation', {
        issues: [issue('file', 'too_large', { megabytes: MAX_CHARACTERS / MB })],
      })
    }
    total += 1
    waiting.push(row)
    if (waiting.length < BATCH) return
    await insertRows(db, one.id, waiting)
    waiting = []
  }
  const begin = async () => {
    const at = findHeader(start)
    headers = start[at] ?? []
    for (const [i, cells] of start.entries()) if (i > at) await put({ number: i + 1, cells })
    start = []
  }
  for await (const cells of readTable(path)) {
    number += 1
    const row = cells.map(storable)
    if (headers) await put({ number, cells: row })
    else if (start.push(row) === START) await begin()
  }
  if (!headers) await begin()
  if (waiting.length > 0) await insertRows(db, one.id, waiting)
  if (total === 0) throw new Problem('validation', { issues: [issue('file', 'empty_spreadsheet')] })
  const columns = recognizeColumns(headers ?? [], await findMemory(db, one.agent_id))
  await db.transaction().execute(async tx => {
    // Unless it was canceled meanwhile.
    if ((await lockImport(tx, one.id))?.phase !== 'reading') return
    await updateImport(tx, one.id, { phase: 'columns', columns, total, file: null })
  })
}

/** PostgreSQL stores neither NUL nor half a character. */
const storable = (cell: string) => cell.replaceAll('\0', '').toWellFormed()
