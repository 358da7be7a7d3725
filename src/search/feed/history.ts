import type { Snapshot } from './snapshot.ts'

/** Marks a point where transaction numbers may change meaning: a start, a recovery, a restored backup. */
export interface History {
  id: number
  token: string
  /** Identifies the server and its tables. */
  server: string
  xid: number
}

/** What a snapshot saw, and in which history. */
export interface Position {
  /** The token of the latest history it saw. */
  history: string
  snapshot: Snapshot
}

/**
 * Whether everything the position saw is still valid. Not if it comes from another server, nor if a later history began
 * at or before a number it has already seen: that number is given out again, after a future that was lost or undone by a restore.
 */
export function isPast(histories: readonly History[], { history, snapshot }: Position): boolean {
  const at = histories.findIndex(({ token }) => token === history)
  const own = histories[at]
  if (!own) return false
  return histories.slice(at + 1).every(({ server, xid }) => server === own.server && snapshot.next <= xid)
}
