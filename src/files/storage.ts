import { mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** `media` is public, `documents` are for operators only. */
export type Folder = 'media' | 'documents'

export interface StoredFile {
  name: string
  bytes: number
  storedAt: Date
}

/**
 * Storage of uploads. All access goes through this interface, so another backend is just another implementation. Files
 * are immutable; `randomName` generates their names.
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
  condition?(): Promise<string>
  /** Unordered. Includes leftovers of interrupted `put` calls, so that a sweep can remove them. */
  list(folder: Folder): AsyncIterable<StoredFile>
}

/** Names also come from URLs: any other format matches no file. */
const NAME = /^[0-9a-f]{32}(-[a-z]+)?\.(webp|pdf|table)$/
const UNFINISHED = '.part'
/** A leftover of an interrupted `put`. */
export const isUnfinished = (name: string): boolean => name.endsWith(UNFINISHED)
const withoutEnd = (name: string) => (isUnfinished(name) ? name.slice(0, -UNFINISHED.length) : name)

/** Folders under `dataDir` that only this user can read; created with the first file. */
export function diskStorage(dataDir: string): Storage {
  const pathOf = (folder: Folder, name: string) => join(dataDir, folder, name)
  return {
    async put(folder, name, content) {
      if (!NAME.test(name)) throw new Error(`not the name of a stored file: ${name}`)
      const path = pathOf(folder, name)
      await mkdir(join(dataDir, folder), { recursive: true, mode: 0o700 })
      try {
        await writeFile(path + UNFINISHED, content, { mode: 0o600 })
        await rename(path + UNFINISHED, path)
      } catch (error) {
        await rm(path + UNFINISHED, { force: true }).catch(() => {})
        throw error
      }
    },

    async stream(folder, name) {
      if (!NAME.test(name)) return undefined
      const file = await open(pathOf(folder, name)).catch(undefinedIfMissing)
      if (!file) return undefined
      const { size } = await file.stat()
      return { bytes: size, content: file.createReadStream() }
    },

    async exists(folder, name) {
      return NAME.test(name) && (await stat(pathOf(folder, name)).catch(undefinedIfMissing)) !== undefined
    },

    async remove(folder, name) {
      if (NAME.test(withoutEnd(name))) await rm(pathOf(folder, name), { force: true })
    },

    async condition() {
      const probe = join(dataDir, `.probe-${process.pid}`)
      try {
        await mkdir(dataDir, { recursive: true, mode: 0o700 })
        await writeFile(probe, 'can be written')
        await rm(probe)
        return 'ok'
      } catch (error) {
        return `cannot be written (${(error as NodeJS.ErrnoException).code})`
      }
    },

    async *list(folder) {
      const names = await opendir(join(dataDir, folder)).catch(undefinedIfMissing)
      for await (const { name } of names ?? []) {
        if (!NAME.test(withoutEnd(name))) continue
        const found = await stat(pathOf(folder, name)).catch(undefinedIfMissing)
        if (found) yield { name, bytes: found.size, storedAt: found.mtime }
      }
    },
  }
}

/** For building the app without uploads: to describe it, or in tests. */
export const noStorage: Storage = {
  async put() {
    throw new Error('this application was built without upload storage')
  },
  stream: async () => undefined,
  exists: async () => false,
  remove: async () => {},
  async *list() {},
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
