import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { StartupError } from '../lib/startup-error.ts'

const FOLDER = new URL('../../db/migrations/', import.meta.url)
const OLDEST_SERVER = 150000
/** An arbitrary constant, the same in every Lonja process. */
const LOCK = 7_405_466_001
/**
 * Behind a long reader, a migration that waits for its lock would stop all requests that come after it: it waits only this
 * long, lets them pass, and tries again.
 */
const LOCK_WAIT_MS = 1_000
const LOCK_PAUSE_MS = 2_000
const LOCK_NOT_AVAILABLE = '55P03'

const NO_POOLER =
  'There is a pooler such as PgBouncer in front of the database: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, which migrations, search and the background work need. DATABASE_URL may lead to the pooler.'

/** As one text, in SQL. */
export const APPLIED_MIGRATIONS = `(select string_agg(name || ':' || sha256, ',' order by name) from migrations)`

interface Migration {
  name: string
  text: string
  sha256: string
}

/** Applies this version's pending migrations and returns their names. */
export async function migrate(
  pool: pg.Pool,
  progress: (line: string) => void = () => {},
  folder: URL = FOLDER,
  only?: readonly string[],
): Promise<string[]> {
  const migrations = (await readMigrations(folder)).filter(({ name }) => !only || only.includes(name))
  const client = await pool.connect().catch(error => {
    if (/^unsupported startup parameter/.test(error.message)) throw new StartupError(NO_POOLER)
    throw new StartupError(
      `PostgreSQL cannot be reached (${error.message || error.code}): check DATABASE_URL.`,
    )
  })
  let pending: Migration[]
  try {
    await requireOwnSession(client)
    await requireVersion(client)
    await takeLock(client, progress)
    pending = await pendingOf(client, migrations)
    for (const migration of pending) {
      progress(`Applying migration ${migration.name}`)
      await applyPatiently(client, migration, progress)
    }
    await client.query('select pg_advisory_unlock($1)', [LOCK])
    client.release()
  } catch (error) {
    // Closing the session also releases the lock and any open transaction.
    client.release(true)
    if (error instanceof StartupError) throw error
    throw new StartupError(`The database could not be migrated (${(error as Error).message}).`, {
      cause: error,
    })
  }
  await installQueue(pool)
  return pending.map(migration => migration.name)
}

export const knownMigrations = async (): Promise<string[]> =>
  (await readMigrations(FOLDER)).map(({ name }) => name)

/** A process that starts meanwhile waits. Returns what ends it; so does the end of the connection. */
export async function holdMigrations(
  client: pg.PoolClient,
  progress: (line: string) => void,
): Promise<() => Promise<void>> {
  await takeLock(client, progress)
  return async () => void (await client.query('select pg_advisory_unlock($1)', [LOCK]))
}

/** The job queue has its own schema and supports concurrent migration. */
async function installQueue(pool: pg.Pool): Promise<void> {
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } catch (error) {
    throw new StartupError(`The job queue could not be migrated (${(error as Error).message}).`, {
      cause: error,
    })
  }
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      // A checkout with CRLF line endings is the same migration.
      const text = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** A pooler answers with a process of its own making. In its transaction mode the lock below would stay behind. */
async function requireOwnSession(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  if (rows[0].pid === (client as unknown as { processID: number }).processID) return
  throw new StartupError(NO_POOLER)
}

async function requireVersion(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  )
  if (rows[0].number >= OLDEST_SERVER) return
  throw new StartupError(
    `Lonja needs PostgreSQL 15 or later, and DATABASE_URL is PostgreSQL ${rows[0].text}.`,
  )
}

async function takeLock(client: pg.PoolClient, progress: (line: string) => void): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [LOCK])
    if (rows[0].taken) return
    if (tries % 100 === 5) progress('Waiting for another process that is migrating this database')
    await sleep(100)
  }
}

async function pendingOf(client: pg.PoolClient, migrations: Migration[]): Promise<Migration[]> {
  // A role that may not create tables can still find that nothing is pending.
  const { rows: found } = await client.query(`select to_regclass('migrations') is not null as exists`)
  if (!found[0].exists) {
    await client.query(`create table migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  }
  const { rows } = await client.query<Migration>('select name, sha256 from migrations order by name')
  const applied = new Map(rows.map(row => [row.name, row.sha256]))
  const known = new Set(migrations.map(migration => migration.name))
  const unknown = rows.find(row => !known.has(row.name))
  if (unknown) {
    throw new StartupError(
      `The database has the migration ${unknown.name}, which this version of Lonja does not know: start the newer version that created it.`,
    )
  }
  const changed = migrations.find(({ name, sha256 }) => applied.has(name) && applied.get(name) !== sha256)
  if (changed) {
    throw new StartupError(
      `The migration ${changed.name} was changed after it was applied: restore that file and put the change in a new migration.`,
    )
  }
  return migrations.filter(migration => !applied.has(migration.name))
}

async function applyPatiently(
  client: pg.PoolClient,
  migration: Migration,
  progress: (line: string) => void,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await apply(client, migration)
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (code !== LOCK_NOT_AVAILABLE) throw error
      await client.query('rollback')
      if (tries % 10 === 0)
        progress(`Migration ${migration.name} waits until others no longer use what it changes`)
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

async function apply(client: pg.PoolClient, { name, text, sha256 }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`)
    await client.query(text)
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
  } catch (error) {
    throw new StartupError(
      `The migration ${name} failed and changed nothing (${(error as Error).message}).`,
      {
        cause: error,
      },
    )
  }
}
