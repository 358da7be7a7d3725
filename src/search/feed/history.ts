import { type Snapshot, sees } from './snapshot.ts'

/** From when on transaction numbers may mean something else than before: a start, a recovery, a restored backup. */
export interface History {
  id: number
  token: string
  /** Which tables of which server. */
  server: string
  xid: number
}

/** What a snapshot saw, and of what. */
export interface Position {
  /** The token of the latest history it saw. */
  history: string
  snapshot: Snapshot
}

/**
 * Whether all that the position saw is still so. Not if it is of another server, nor if a later history began at a
 * number that it believes to have seen: then it saw a future that was lost, or that a backup took back.
 */
export function isPast(histories: readonly History[], { history, snapshot }: Position): boolean {
  const at = histories.findIndex(({ token }) => token === history)
  const own = histories[at]
  if (!own) return false
  return histories.slice(at + 1).every(({ server, xid }) => server === own.server && !sees(snapshot, xid))
}
