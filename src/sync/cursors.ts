import { Problem } from '../lib/problem.ts'
import type { SealedBox } from '../lib/sealed-box.ts'
import { covers, type Snapshot } from '../search/feed/snapshot.ts'
import type { Search } from '../search/service.ts'

export const seal = (box: SealedBox, progress: Buffer, binding: string): string =>
  box.seal(progress, binding).toString('base64url')

/** What is wrong with a cursor, whatever it is, is answered with 410. */
export function open<T>(box: SealedBox, cursor: string, binding: string, decode: (bytes: Buffer) => T): T {
  try {
    return decode(box.open(Buffer.from(cursor, 'base64url'), binding))
  } catch {
    throw new Problem('gone')
  }
}

/** Whether the database still is the one that the snapshot of a cursor saw, and not behind it. */
export async function requireReached(
  search: Search,
  history: string,
  snapshot: Snapshot | undefined,
): Promise<void> {
  const isReached = () => {
    const { position } = search
    return position && snapshot && search.isPast({ history, snapshot }) && covers(position.snapshot, snapshot)
  }
  // Another process may be ahead of this one; the database cannot be behind either, unless it was restored.
  if (!isReached()) await search.refreshSoon()
  if (!isReached()) throw new Problem('gone')
}
