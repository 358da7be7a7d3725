import type { Readable } from 'node:stream'

/** `media` is public, `documents` are for operators only. */
export const FOLDERS = ['media', 'documents'] as const
export type Folder = (typeof FOLDERS)[number]

export interface StoredFile {
  name: string
  bytes: number
  storedAt: Date
}

/**
 * Storage of uploads: a folder (disk.ts) or a bucket (s3.ts), under the same tests. Files are immutable; `randomName`
 * generates their names. Every method throws `Away` if the storage cannot be reached.
 */
export interface Storage {
  /** Atomic: stores the whole file, or nothing if it fails. */
  put(folder: Folder, name: string, content: Buffer): Promise<void>
  /** Undefined if the file does not exist. The caller must read or destroy the stream. */
  stream(folder: Folder, name: string): Promise<{ bytes: number; content: Readable } | undefined>
  exists(folder: Folder, name: string): Promise<boolean>
  /** Does nothing if the file does not exist. */
  remove(folder: Folder, name: string): Promise<void>
  /** `ok`, or why files cannot be stored. */
  condition(): Promise<string>
  /** Unordered. Includes leftovers of interrupted `put` calls, so that a sweep can remove them. */
  list(folder: Folder): AsyncIterable<StoredFile>
}

/** Names also come from URLs: any other format matches no file. */
export const isFileName = (name: string): boolean =>
  /^[0-9a-f]{32}(-[a-z]+)?\.(webp|avif|pdf|table)$/.test(name)

export function requireFileName(name: string): void {
  if (!isFileName(name)) throw new Error(`not the name of a stored file: ${name}`)
}

export const UNFINISHED = '.part'
/** A leftover of an interrupted `put`. */
export const isUnfinished = (name: string): boolean => name.endsWith(UNFINISHED)

/** Removes what nothing refers to any more. If the storage is away, the daily sweep does it later. */
export async function discard(files: Storage, folder: Folder, names: string[]): Promise<void> {
  for (const name of names) await files.remove(folder, name).catch(() => {})
}

/** For building the app without uploads: to describe it, or in tests. */
export const noStorage: Storage = {
  async put() {
    throw new Error('this application was built without upload storage')
  },
  stream: async () => undefined,
  exists: async () => false,
  remove: async () => {},
  condition: async () => 'ok',
  async *list() {},
}
