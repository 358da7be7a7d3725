import { mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Folder,
  isFileName,
  isUnfinished,
  requireFileName,
  type Storage,
  UNFINISHED,
} from './storage.ts'

const withoutEnd = (name: string) => (isUnfinished(name) ? name.slice(0, -UNFINISHED.length) : name)

/** Folders under `dataDir` that only this user can read; created with the first file. */
export function diskStorage(dataDir: string): Storage {
  const pathOf = (folder: Folder, name: string) => join(dataDir, folder, name)
  return {
    async put(folder, name, content) {
      requireFileName(name)
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
      if (!isFileName(name)) return undefined
      const file = await open(pathOf(folder, name)).catch(undefinedIfMissing)
      if (!file) return undefined
      const { size } = await file.stat()
      return { bytes: size, content: file.createReadStream() }
    },

    async exists(folder, name) {
      return isFileName(name) && (await stat(pathOf(folder, name)).catch(undefinedIfMissing)) !== undefined
    },

    async remove(folder, name) {
      if (isFileName(withoutEnd(name))) await rm(pathOf(folder, name), { force: true })
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
        if (!isFileName(withoutEnd(name))) continue
        const found = await stat(pathOf(folder, name)).catch(undefinedIfMissing)
        if (found) yield { name, bytes: found.size, storedAt: found.mtime }
      }
    },
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
