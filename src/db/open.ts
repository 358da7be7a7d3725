import type pg from 'pg'
import type { Config } from '../config.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Db, giveSessions, openDatabase, openPool } from './database.ts'
import { openEmbeddedPostgres } from './embedded.ts'
import { seekPrimary } from './hosts.ts'
import { migrate } from './migrate.ts'
import { Replica } from './replica.ts'
import { openRequestPools, type RequestPools } from './request-pools.ts'

interface ServedDatabase {
  url: string
  /** Without a pooler. */
  direct: string
  /** The migrations this start applied. */
  applied: string[]
  close(): Promise<void>
}

interface ExchangeDatabase {
  db: Db
  /** For keys, limits and readiness, which must not wait behind writers. */
  reserved: Db
  /** A replica while it is fresh enough, or `db`: for single reads that may be some seconds old (db/replica.ts). */
  reader: Db
  /** Of the database itself, without a pooler: for `LISTEN`, long reads and session locks. */
  url: string
  /** The migrations this start applied. */
  applied: string[]
  /** By name, to watch them. */
  pools: Record<string, pg.Pool>
  close(): Promise<void>
}

/**
 * The migrated database of the settings: an external one, or the embedded one, started unless it is already running.
 * With `onLost`, an embedded one that ends by itself is restarted, and `onLost` is called when that cannot be done.
 */
export async function startDatabase(
  { databaseUrl, databaseDirectUrl, dataDir }: Config,
  role: 'server' | 'command',
  progress: (line: string) => void,
  onLost?: (error: Error) => void,
): Promise<ServedDatabase> {
  const embedded = databaseUrl
    ? undefined
    : await openEmbeddedPostgres({ dataDir: dataDir as string, role, progress, ...(onLost && { onLost }) })
  const url = databaseUrl ?? (embedded?.url as string)
  const direct = databaseDirectUrl ?? url
  await Promise.all([seekPrimary(url), seekPrimary(direct)])
  const close = async () => embedded?.stop()
  const migrating = openPool(direct, 1, { patient: true })
  try {
    return { url, direct, applied: await migrate(migrating, progress), close }
  } catch (error) {
    await close()
    throw error
  } finally {
    await migrating.end()
  }
}

/** Uncaught: logged, everything is closed in order, and the exit code says that it was no orderly end. */
export function endWith(error: Error): void {
  setImmediate(() => {
    throw error
  })
}

/** The same with pools of connections to it. */
export async function openExchangeDatabase(
  config: Config,
  role: 'server' | 'command',
  progress: (line: string) => void,
  onLost?: (error: Error) => void,
): Promise<ExchangeDatabase> {
  const { url, direct, applied, close: stop } = await startDatabase(config, role, progress, onLost)
  const pooled = direct !== url
  const { db, reserved, pools, close: closePools } = openPools(url, config.databasePool, pooled, role)
  const replica = role === 'server' ? openReplica(config, pools) : undefined
  const sessions = pooled ? openPool(direct, config.databasePool, { migrated: true }) : undefined
  if (sessions) giveSessions(db, openDatabase(sessions))
  const closeOnce = async () => {
    await replica?.close()
    await Promise.all([closePools(), sessions?.end()])
    await stop()
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeOnce()
    return closing
  }
  const watched = { ...pools, ...(sessions && { sessions }), ...(replica && { replica: replica.pool }) }
  return { db, reserved, reader: replica?.reader ?? db, url: direct, applied, pools: watched, close }
}

/** PostgreSQL alone, not migrated, for a command that must not share it with another Lonja. */
export async function openServer(
  { databaseUrl, databaseDirectUrl, dataDir }: Config,
  progress: (line: string) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  if (databaseUrl) {
    const direct = databaseDirectUrl ?? databaseUrl
    await seekPrimary(direct)
    return { url: direct, close: async () => {} }
  }
  const { url, joined, stop } = await openEmbeddedPostgres({
    dataDir: dataDir as string,
    role: 'command',
    progress,
  })
  if (joined) throw new StartupError(`Lonja is running on the data in "${dataDir}": stop it first.`)
  return { url, close: stop }
}

/** A command works alone, for as long as it takes. */
function openPools(url: string, size: number, pooled: boolean, role: 'server' | 'command'): RequestPools {
  const options = { migrated: true, pooled }
  if (role === 'server') return openRequestPools(url, size, options)
  const requests = openPool(url, size, options)
  const db = openDatabase(requests)
  return { db, reserved: db, pools: { requests }, close: () => db.destroy() }
}

function openReplica(
  config: Config,
  { requests: primary, reserved = primary }: RequestPools['pools'],
): Replica | undefined {
  const { databaseReplicaUrl: url, databaseReplicaMaxLag: seconds, databasePool: size } = config
  return url === undefined
    ? undefined
    : new Replica({ url, primary, reserved, size, maxLagMs: seconds * 1000 })
}
