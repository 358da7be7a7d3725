import { mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** `media` is served to everyone, `documents` only to operators. */
export type Folder = 'media' | 'documents'

export interface StoredFile {
  name: string
  bytes: number
  storedAt: Date
}

/**
 * Where uploads live. Everything that reads or writes one goes through this interface, so that another kind of storage
 * is one more implementation and nothing else. A file never changes after it is put; names are made by `randomName`.
 */
export interface Storage {
  /** All of the file or, if this fails, nothing. */
  put(folder: Folder, name: string, content: Buffer): Promise<void>
  /** Undefined if there is no such file. The caller must read or destroy what it gets. */
  stream(folder: Folder, name: string): Promise<{ bytes: number; content: Readable } | undefined>
  exists(folder: Folder, name: string): Promise<boolean>
  /** Does nothing if there is no such file. */
  remove(folder: Folder, name: string): Promise<void>
  /** In no order. Includes what an interrupted `put` left behind, so that a sweep can remove it. */
  list(folder: Folder): AsyncIterable<StoredFile>
}

/** Names come from URLs too: one of any other shape is the name of no file. */
const NAME = /^[0-9a-f]{32}(-[a-z]+)?\.(webp|pdf)$/
const UNFINISHED = '.part'
/** What an interrupted `put` left behind. */
export const isUnfinished = (name: string): boolean => name.endsWith(UNFINISHED)
const withoutEnd = (name: string) => (isUnfinished(name) ? name.slice(0, -UNFINISHED.length) : name)

/** Folders below `dataDir`, which only this user can read; they are created by the first file. */
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

/** For an application that is only described, or tested without uploads. */
export const noStorage: Storage = {
  async put() {
    throw new Error('this application was built without a storage for uploads')
  },
  stream: async () => undefined,
  exists: async () => false,
  remove: async () => {},
  async *list() {},
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
