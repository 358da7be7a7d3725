import type { Config } from '../config.ts'
import { type Db, openDatabase, openPool } from './database.ts'
import { openEmbeddedPostgres } from './embedded.ts'
import { migrate } from './migrate.ts'

interface ExchangeDatabase {
  db: Db
  url: string
  /** The migrations this start applied. */
  applied: string[]
  close(): Promise<void>
}

/**
 * The migrated database of the settings: an external one, or the embedded one, started unless it is already running.
 * With `onLost`, an embedded one that ends by itself is restarted, and `onLost` is called when that cannot be done.
 */
export async function openExchangeDatabase(
  config: Config,
  role: 'server' | 'command',
  progress: (line: string) => void,
  onLost?: (error: Error) => void,
): Promise<ExchangeDatabase> {
  const { databaseUrl, dataDir } = config
  const embedded = databaseUrl
    ? undefined
    : await openEmbeddedPostgres({ dataDir: dataDir as string, role, progress, ...(onLost && { onLost }) })
  const url = databaseUrl ?? (embedded?.url as string)
  const pool = openPool(url, config.databasePool, { migrated: true })
  const closeOnce = async () => {
    await pool.end()
    await embedded?.stop()
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeOnce()
    return closing
  }
  const migrating = openPool(url, 1, { patient: true })
  try {
    const applied = await migrate(migrating, progress)
    return { db: openDatabase(pool), url, applied, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    await migrating.end()
  }
}
