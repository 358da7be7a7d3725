import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { FOLDERS, type Folder, isUnfinished, type Storage } from './storage.ts'

const AT_ONCE = 8

export interface Moved {
  files: number
  bytes: number
  /** Of these files, how many were not there yet. */
  copied: number
}

interface Move {
  from: Storage
  to: Storage
  /** Does not compare what is already there: files never change. */
  onlyMissing?: boolean
  /** After each file. */
  onFile?(sofar: Moved): void
}

/**
 * Copies every file and compares what is then read from both places. The source stays as it is, so that this can be
 * interrupted, repeated, and run while it is in use.
 */
export async function copyFiles({ from, to, onlyMissing = false, onFile }: Move): Promise<Moved> {
  const moved: Moved = { files: 0, bytes: 0, copied: 0 }
  await eachFile(from, async (folder, name) => {
    if (onlyMissing && (await to.exists(folder, name))) return
    const content = await contentOf(from, folder, name)
    // Removed since it was listed.
    if (!content) return
    if (await copyFile(to, folder, name, content)) moved.copied++
    moved.files++
    moved.bytes += content.length
    onFile?.(moved)
  })
  return moved
}

async function copyFile(to: Storage, folder: Folder, name: string, content: Buffer): Promise<boolean> {
  const isThere = async () => {
    const there = await contentOf(to, folder, name)
    return there !== undefined && digestOf(there) === digestOf(content)
  }
  if (await isThere()) return false
  await to.put(folder, name, content)
  if (!(await isThere())) throw new Error(`${folder}/${name} was not stored as it was sent`)
  return true
}

export const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

export async function contentOf(files: Storage, folder: Folder, name: string): Promise<Buffer | undefined> {
  const file = await files.stream(folder, name)
  return file && buffer(file.content)
}

/** Runs `work` on every whole file, some at a time; the first failure ends it. */
export async function eachFile(
  files: Storage,
  work: (folder: Folder, name: string) => Promise<void>,
): Promise<void> {
  const all = namesIn(files)
  const worker = async () => {
    for (let next = await all.next(); !next.done; next = await all.next()) await work(...next.value)
  }
  const workers = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, () => worker().catch(error => all.throw(error))),
  )
  const failed = workers.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (failed) throw failed.reason
}

async function* namesIn(files: Storage): AsyncGenerator<[Folder, string], void, void> {
  for (const folder of FOLDERS) {
    for await (const { name } of files.list(folder)) if (!isUnfinished(name)) yield [folder, name]
  }
}
