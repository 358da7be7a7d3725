import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { holdMigrations, knownMigrations, migrate } from '../db/migrate.ts'
import { diskStorage } from '../files/disk.ts'
import { copyFiles } from '../files/move.ts'
import type { Storage } from '../files/storage.ts'
import { StartupError } from '../lib/startup-error.ts'
import { filesFolder, type Manifest, pathOfTable, readVerified } from './manifest.ts'
import { describeContent, listMigrations, PLAIN_SESSION } from './tables.ts'

interface RestoreParts {
  /** Of PostgreSQL itself, without time limits: one connection. */
  pool: pg.Pool
  files: Storage
  manifest: Manifest
  folder: string
  progress: (line: string) => void
}

/** Checks every byte before a database is even opened. */
export async function readBackup(folder: string): Promise<Manifest> {
  const manifest = await readVerified(folder)
  const known = new Set(await knownMigrations())
  const unknown = manifest.migrations.find(name => !known.has(name))
  if (!unknown) return manifest
  throw new StartupError(
    `The backup has the migration ${unknown}, which this version of Lonja does not know: restore it with the newer version that made it.`,
  )
}

/**
 * Files first, then all rows in one transaction: until its last moment the exchange is empty, and whatever interrupts it
 * leaves it so.
 */
export async function restore({ pool, files, manifest, folder, progress }: RestoreParts): Promise<void> {
  await withClient(pool, client => requireEmptyExchange(client, manifest))
  await migrate(pool, progress, undefined, manifest.migrations)
  await withClient(pool, async client => {
    const release = await holdMigrations(client, progress)
    await requireEmptyExchange(client, manifest)
    await copyFiles({
      from: diskStorage(filesFolder(folder)),
      to: files,
      onFile: ({ files: n }) => progress(`${n} of ${manifest.files.count} files`),
    })
    await client.query('begin')
    try {
      await load(client, manifest, folder, progress)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
    await release()
  })
  await migrate(pool, progress)
}

async function withClient(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await work(client)
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function requireEmptyExchange(client: pg.ClientBase, manifest: Manifest): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name like 'lonja%' and pid <> pg_backend_pid()`,
  )
  if (rows[0]?.count !== 0)
    throw new StartupError(
      'Lonja is running on this database: stop every process first. Nothing was restored.',
    )
  const applied = await listMigrations(client)
  const newer = applied.find(name => !manifest.migrations.includes(name))
  if (newer)
    throw new StartupError(
      `The database has the migration ${newer}, which the backup does not have: restore into a new database. Nothing was restored.`,
    )
  // Whatever people leave in an exchange belongs to an agent; migrations leave rows of their own.
  if (applied.length === 0) return
  const { rows: agents } = await client.query('select from public.agents limit 1')
  if (agents.length > 0)
    throw new StartupError('The database is not empty: restore into a new one. Nothing was restored.')
}

async function load(
  client: pg.ClientBase,
  { tables, sequences }: Manifest,
  folder: string,
  progress: (line: string) => void,
): Promise<void> {
  await client.query(PLAIN_SESSION)
  const names = tables.map(({ name }) => name)
  // Rows come as they were, with the stamps they had.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  await client.query(`truncate ${names.join(', ')}`)
  for (const table of tables) {
    progress(`Table ${table.name}: ${table.rows} rows`)
    const copy = client.query(copyFrom(`copy ${table.name} (${table.columns}) from stdin`))
    await pipeline(createReadStream(pathOfTable(folder, table.name)), createGunzip(), copy)
    const { rows, digest } = await describeContent(client, table)
    if (rows !== table.rows || digest !== table.digest)
      throw new Error(`${table.name} was not restored as it was saved: nothing was kept`)
  }
  await client.query('set constraints all immediate')
  for (const { name, value } of sequences) await client.query('select setval($1, $2)', [name, value])
  for (const name of names) await client.query(`alter table ${name} enable trigger user`)
}
