import { findHeader, recognizeColumns } from '../columns.ts'
import { readCsv } from '../reading/csv.ts'
import { bounded } from '../reading/limits.ts'
import type { Adapter } from './adapter.ts'
import { sourceProblem } from './fetch.ts'

/** Our CSV feed, and any other whose columns have names we know. */
export const tableFeed: Adapter = async bytes => {
  const rows = bounded(readCsv(bytes))
  const first = await rows.next()
  const headers = first.done ? [] : first.value
  const columns = recognizeColumns(headers)
  if (findHeader([headers]) !== 0 || !columns.some(({ target }) => target === 'external_id')) {
    throw sourceProblem('source_unreadable')
  }
  return { columns, rows }
}
