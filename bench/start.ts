import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { openDatabase, openPool } from '../src/db/database.ts'
import { Feed } from '../src/search/feed/feed.ts'
import { openMarket } from './search/market.ts'

/** `npm run bench -- start [--listings 1000000] [--changes 1000]`: the search index from the tables, to the disk, and from there. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { listings: { type: 'string' }, changes: { type: 'string' } },
  })
  const { url, stop } = await openMarket(Number(values.listings ?? 1_000_000))
  const folder = await mkdtemp(join(tmpdir(), 'lonja-bench-'))
  const logger = pino({ level: 'info' })
  const start = async () => {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    const feed = new Feed({ url, logger, saving: { folder, minutes: 15, saves: true } })
    delay.enable()
    await feed.refresh()
    logger.info({ longestHoldMs: Math.round(delay.max / 1e6), rssMb: megabytes() }, 'started')
    delay.reset()
    await feed.close()
    logger.info({ longestHoldMs: Math.round(delay.max / 1e6), rssMb: megabytes() }, 'stopped')
  }
  try {
    await start()
    await start()
    const db = openDatabase(openPool(url, 1, { patient: true }))
    const changed = Number(values.changes ?? 1_000)
    const some = db.selectFrom('listings').select('id').limit(changed)
    await db.updateTable('listings').set({ floors: 2 }).where('id', 'in', some).execute()
    await db.destroy()
    logger.info({ changed }, 'after changes')
    await start()
  } finally {
    await rm(folder, { recursive: true })
    await stop()
  }
}

const megabytes = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
