import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../db/database.ts'
import { discard, type Storage } from '../files/storage.ts'
import { Problem } from '../lib/problem.ts'
import { isWorking } from './rules.ts'
import { type SourceDeps, stageSource } from './source-staging.ts'
import { stageFile } from './staging.ts'
import { step } from './steps.ts'
import { findImport, type Import, requestWork, updateImport } from './store.ts'

/** A job that takes minutes would look abandoned to the queue. */
const SLICE_MS = 20_000

export interface WorkDeps {
  db: Db
  files: Storage
  sources?: SourceDeps
  sliceMs?: number
}

/**
 * Goes on with an import for a while. Every step is a transaction of its own, under a lock and with its position, so a
 * process that dies costs one step, and the next one continues there.
 */
export async function workOn(deps: WorkDeps, id: string): Promise<void> {
  const { db, sliceMs = SLICE_MS } = deps
  const until = Date.now() + sliceMs
  for (;;) {
    const one = await findImport(db, id)
    if (!one || !isWorking(one.phase)) return
    if (one.phase === 'reading') await read(deps, one)
    else await step(db, id)
    if (Date.now() > until) return requestWork(db, id)
  }
}

/** What is wrong with the file or the connection is for its owner. */
async function read({ db, files, sources }: WorkDeps, one: Import): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lonja-import-'))
  try {
    if (one.source_id && sources) await stageSource(db, sources, one)
    else await stageFile(db, files, one, join(folder, 'file'))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const issues = [...(error.details.issues ?? [])]
    await updateImport(db, one.id, { phase: 'failed', finished_at: new Date(), file: null, issues })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  if (one.file) await discard(files, 'documents', [one.file])
}
