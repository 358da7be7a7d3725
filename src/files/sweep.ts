import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { FOLDERS, type Folder, isUnfinished, type Storage, type StoredFile } from './storage.ts'

/** Younger files may belong to a form that is still being processed: its row is not committed yet. */
const LONGEST_FORM_MS = 24 * 3_600_000
/** More unreferenced files than this are not waste but the files of another database. */
const SUSPICIOUS = { files: 100, share: 0.5 }
const BATCH = 500

interface Found {
  total: number
  unused: [Folder, string][]
  /** Bytes by id of files in use that are not counted yet: uploads from before they were counted. */
  uncounted: Map<string, number>
}

type Swept = { removed: number } | { suspicious: number }

/**
 * Removes every unreferenced file. Names are random and a file is stored once, so a file without a reference after a
 * day will never get one.
 */
export async function removeUnused(db: Db, files: Storage, now: Date): Promise<Swept> {
  const before = new Date(now.getTime() - LONGEST_FORM_MS)
  await sql`
    delete from uploads u where u.stored_at < ${before}
      and not exists (select from upload_uses s where s.id = u.id)`.execute(db)
  const { total, unused, uncounted } = await survey(db, files, before)
  for (const [id, bytes] of uncounted) {
    const row = db.insertInto('uploads').values({ id, bytes })
    await row.onConflict(conflict => conflict.doNothing()).execute()
  }
  if (unused.length > SUSPICIOUS.files && unused.length > total * SUSPICIOUS.share) {
    return { suspicious: unused.length }
  }
  for (const [folder, name] of unused) await files.remove(folder, name)
  return { removed: unused.length }
}

const idOf = ({ name }: StoredFile) => name.slice(0, 32)

async function survey(db: Db, files: Storage, before: Date): Promise<Found> {
  const found: Found = { total: 0, unused: [], uncounted: new Map() }
  for (const folder of FOLDERS) {
    for await (const batch of batches(files.list(folder))) {
      found.total += batch.length
      const inUse = await findUsed(db, batch)
      for (const file of batch) {
        const id = idOf(file)
        const used = inUse.get(id)
        if (used?.counted === false) found.uncounted.set(id, (found.uncounted.get(id) ?? 0) + file.bytes)
        if (file.storedAt < before && (!used || isUnfinished(file.name)))
          found.unused.push([folder, file.name])
      }
    }
  }
  return found
}

async function findUsed(db: Db, files: StoredFile[]): Promise<Map<string, { counted: boolean }>> {
  const { rows } = await sql<{ id: string; counted: boolean }>`
    select s.id, exists (select from uploads u where u.id = s.id) as counted
    from upload_uses s where s.id = any (${files.map(idOf)})`.execute(db)
  return new Map(rows.map(({ id, counted }) => [id, { counted }]))
}

async function* batches<T>(items: AsyncIterable<T>): AsyncIterable<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
