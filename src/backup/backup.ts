import { createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { diskStorage } from '../files/disk.ts'
import { copyFiles } from '../files/move.ts'
import type { Storage } from '../files/storage.ts'
import { StartupError } from '../lib/startup-error.ts'
import { filesFolder, type Manifest, pathOfTable, seal } from './manifest.ts'
import {
  describeContent,
  listMigrations,
  listSequences,
  listTables,
  PLAIN_SESSION,
  type TableContent,
} from './tables.ts'

interface BackupParts {
  /** Of PostgreSQL itself, without time limits. */
  client: pg.ClientBase
  files: Storage
  folder: string
  progress: (line: string) => void
}

type Database = Pick<Manifest, 'postgres' | 'migrations' | 'secret_fingerprint' | 'tables' | 'sequences'>

/** Everything of an exchange that may be running, except its secret, in an empty folder. */
export async function backUp({
  client,
  files,
  folder,
  progress,
}: BackupParts): Promise<Omit<Manifest, 'format' | 'sha256sums'>> {
  await requireEmpty(folder)
  const copies = diskStorage(filesFolder(folder))
  const copyUploads = () =>
    copyFiles({
      from: files,
      to: copies,
      onlyMissing: true,
      onFile: ({ files: n }) => progress(`${n} files`),
    })
  // Before and after: a file that the rows refer to was there before them, or is there after them.
  await copyUploads()
  const database = await saveDatabase(client, folder, progress)
  await copyUploads()
  const kept = await copiesIn(copies)
  progress('Computing checksums')
  const manifest = { made_at: new Date().toISOString(), ...database, files: kept }
  await seal(folder, manifest)
  return manifest
}

async function requireEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length === 0) return
  throw new StartupError(`The folder "${folder}" is not empty: a backup needs one of its own.`)
}

/** All tables as they were at one moment. */
async function saveDatabase(
  client: pg.ClientBase,
  folder: string,
  progress: (line: string) => void,
): Promise<Database> {
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query(PLAIN_SESSION)
    const { rows } = await client.query(
      `select current_setting('server_version') as postgres,
        (select value from settings where name = 'secret_fingerprint') as secret_fingerprint`,
    )
    const tables: TableContent[] = []
    for (const table of await listTables(client)) {
      progress(`Table ${table.name}`)
      const path = pathOfTable(folder, table.name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const copy = client.query(copyTo(`copy ${table.name} (${table.columns}) to stdout`))
      await pipeline(copy, createGzip({ level: 3 }), createWriteStream(path, { mode: 0o600, flush: true }))
      tables.push(await describeContent(client, table))
    }
    const [migrations, sequences] = [await listMigrations(client), await listSequences(client)]
    return { ...rows[0], migrations, tables, sequences }
  } finally {
    await client.query('rollback')
  }
}

async function copiesIn(copies: Storage): Promise<Manifest['files']> {
  const found = { count: 0, bytes: 0 }
  for (const folder of ['media', 'documents'] as const) {
    for await (const { bytes } of copies.list(folder)) {
      found.count++
      found.bytes += bytes
    }
  }
  return found
}
