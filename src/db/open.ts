import type { Config } from '../config.ts'
import { type Db, openDatabase, openPool } from './database.ts'
import { openEmbeddedPostgres } from './embedded.ts'
import { migrate } from './migrate.ts'

export interface ExchangeDatabase {
  db: Db
  close(): Promise<void>
}

/** The migrated database of the settings: yours, or the embedded one, started if nobody runs it yet. */
export async function openExchangeDatabase(
  config: Config,
  role: 'server' | 'command',
  progress: (line: string) => void,
): Promise<ExchangeDatabase> {
  const { databaseUrl, dataDir } = config
  const embedded = databaseUrl
    ? undefined
    : await openEmbeddedPostgres({ dataDir: dataDir as string, role, progress })
  const pool = openPool(databaseUrl ?? (embedded?.url as string), config.databasePool)
  const closeOnce = async () => {
    await pool.end()
    await embedded?.stop()
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeOnce()
    return closing
  }
  try {
    await migrate(pool, progress)
  } catch (error) {
    await close()
    throw error
  }
  return { db: openDatabase(pool), close }
}
