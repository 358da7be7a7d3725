import { resolve } from 'node:path'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { issueKey } from '../../src/keys/service.ts'
import type { SavingOptions } from '../../src/search/feed/saved-index.ts'
import { generate } from './generate.ts'

export const AGENT = 'agent2999@example.mx'

export interface Market {
  url: string
  /** The key of an agent with about 150 listings, and their address. */
  key: string
  agent: string
  stop(): Promise<void>
}

/** Where benchmarks that do not measure the load find the index of an earlier run. */
export const savedIndex = (listings: number): SavingOptions => ({
  folder: resolve(`data/bench/${listings}-index`),
  minutes: 15,
  saves: true,
})

/** A database with that many listings in `data/bench`, generated on first use and reused. */
export async function openMarket(listings: number, { durable = false } = {}): Promise<Market> {
  const dataDir = resolve(`data/bench/${listings}`)
  const open = () => openEmbeddedPostgres({ dataDir, durable, role: 'server' })
  let postgres = await open()
  const isNew = await prepare(postgres.url, listings)
  if (isNew) {
    await postgres.stop()
    postgres = await open()
  }
  const pool = openPool(postgres.url, 1)
  const { key } = await issueKey(openDatabase(pool), {
    agentEmail: AGENT,
    label: 'bench',
    scopes: 'read,write',
  })
  await pool.end()
  return { url: postgres.url, key, agent: AGENT, stop: postgres.stop }
}

/** True if the database was empty and has been filled. */
async function prepare(url: string, listings: number): Promise<boolean> {
  const pool = openPool(url, 1, { patient: true })
  try {
    await migrate(pool)
    const { rows } = await pool.query(`select count(*)::int as count from listings`)
    if (rows[0].count >= listings) return false
    if (rows[0].count > 0) throw new Error(`the folder data/bench/${listings} is half filled: remove it`)
    // As an operator would configure a server of this size, so that the plain-SQL figures are fair.
    await pool.query(`alter system set shared_buffers = '1GB'`)
    await pool.query(`alter system set work_mem = '64MB'`)
    await pool.query(`alter system set random_page_cost = 1.1`)
    await generate(url, listings)
    return true
  } finally {
    await pool.end()
  }
}
