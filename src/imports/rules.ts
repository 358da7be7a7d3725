import type { BatchStatus } from '../listings/batch.ts'
import type { ListingRow } from '../listings/service.ts'
import type { ReadRow } from './row.ts'

export const DAY_MS = 24 * 3_600_000
export const MAX_PER_DAY = 30
/** The share of a connection's listings that may vanish at once without a question. */
export const MOST_MISSING = 0.3
export const UNDO_HOURS = 24
/** Rows may name owners and their phones: they are kept as long as somebody may want to repair them. */
export const ROWS_KEPT_DAYS = 7

export const PHASES = [
  'reading',
  'columns',
  'checking',
  'ready',
  'running',
  'done',
  'undoing',
  'undone',
  'failed',
  'canceled',
] as const
export type Phase = (typeof PHASES)[number]

const WORKING: ReadonlySet<Phase> = new Set(['reading', 'checking', 'running', 'undoing'])
/** Something goes on in the background. */
export const isWorking = (phase: Phase): boolean => WORKING.has(phase)
/** Waits for the agent. */
export const isWaiting = (phase: Phase): boolean => phase === 'columns' || phase === 'ready'

export const RESULTS = ['created', 'changed', 'unchanged', 'unpublished', 'refused'] as const
export type Result = (typeof RESULTS)[number]
export type Counts = Partial<Record<Result | 'undone' | 'kept', number>>

export function canUndo(
  { phase, finished_at: at }: { phase: Phase; finished_at: Date | null },
  now: Date,
): boolean {
  return phase === 'done' && at !== null && now.getTime() < at.getTime() + UNDO_HOURS * 3_600_000
}

/**
 * The status a row asks for. A new listing gets what the agent chose for all of them; one that exists changes only if
 * the row says so, and what is not on the market is not taken off it.
 */
export function statusFor(
  { status }: Pick<ReadRow, 'status'>,
  before: Pick<ListingRow, 'status'> | undefined,
  publishes: boolean,
): BatchStatus | undefined {
  if (!before) return publishes ? (status ?? 'published') : undefined
  if (before.status === 'suspended') return undefined
  return status === 'published' || before.status === 'published' ? status : undefined
}
