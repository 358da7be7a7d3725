import { createHash } from 'node:crypto'

export interface EntryToHash {
  id: number
  at: Date
  agent_id: string | null
  kind: string
  text: string | null
  split: string | null
  showing_at: Date | null
  file: string | null
  /** Of the whole entry, if its text or file was removed since. */
  digest: string | null
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export const entryDigest = (entry: Omit<EntryToHash, 'digest'>): string =>
  sha256(
    JSON.stringify([
      entry.id,
      entry.at.toISOString(),
      entry.agent_id,
      entry.kind,
      entry.text,
      entry.split,
      entry.showing_at?.toISOString() ?? null,
      entry.file,
    ]),
  )

/** Of the digests of all entries in order: whoever holds the thread can compute it again, also after a removal. */
export const threadHash = (entries: readonly EntryToHash[]): string =>
  sha256(entries.map(entry => entry.digest ?? entryDigest(entry)).join('\n'))
