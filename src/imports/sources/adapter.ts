import type { BatchStatus } from '../../listings/batch.ts'
import type { Column } from '../columns.ts'

/** A record of another system in our writable fields; null clears a field. */
export interface Foreign {
  external_id: string
  set: Record<string, unknown>
  status?: BatchStatus
}

/** What an adapter makes of a document: records, or rows of text under columns, read like a spreadsheet. */
export interface Adapted {
  columns: Column[]
  rows: AsyncIterable<string[] | Foreign>
}

export type Adapter = (bytes: AsyncIterable<Buffer>) => Promise<Adapted>
