import { issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import { MB } from '../../lib/sizes.ts'

/** What a file may hold. A small file can unpack to gigabytes, so what is unpacked is bounded too. */
export const READING = {
  fileBytes: 50 * MB,
  /** A worksheet with 50,000 rows of long descriptions. */
  unpackedBytes: 600 * MB,
  rows: 50_000,
  columns: 200,
  /** As long as a cell of a spreadsheet can be. */
  cellLength: 32_767,
  rowBytes: 2 * MB,
  archiveEntries: 2_000,
  mergedRanges: 5_000,
  /** Of all ranges together: those of a real sheet never overlap. */
  mergedCells: 1_000_000,
  strings: 2_000_000,
} as const

export const unreadable = () => new Problem('validation', { issues: [issue('file', 'not_a_spreadsheet')] })

/** Passes rows on while they are within bounds. Empty rows are kept: the numbers must be those of the file. */
export async function* bounded(rows: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  let number = 0
  for await (const row of rows) {
    number += 1
    // One more for the header.
    if (number > READING.rows + 1) {
      throw new Problem('validation', { issues: [issue('file', 'too_many_rows', { max: READING.rows })] })
    }
    if (row.length > READING.columns) {
      const max = READING.columns
      throw new Problem('validation', { issues: [issue('file', 'too_many_columns', { max, row: number })] })
    }
    if (row.some(cell => cell.length > READING.cellLength)) {
      throw new Problem('validation', { issues: [issue('file', 'cell_too_long', { row: number })] })
    }
    yield row
  }
}
