import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { openDatabase, openPool } from '../src/db/database.ts'
import { openEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { loadDemo } from '../src/demo/load.ts'
import { MemorySearch } from '../src/search/memory.ts'
import { mean, measureQuality } from '../test/search/quality/measure.ts'

/** How well search understands typed questions, on the demo market: `npm run bench -- quality`. */
export async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lonja-quality-'))
  const postgres = await openEmbeddedPostgres({ dataDir, durable: false, role: 'server' })
  const pool = openPool(postgres.url, 4)
  try {
    await migrate(pool)
    const db = openDatabase(pool)
    await loadDemo(db, () => {})
    const logger = pino({ level: 'silent' })
    const search = new MemorySearch({ db, url: postgres.url, publicUrl: 'http://127.0.0.1:3000', logger })
    await search.refresh()
    const measured = await measureQuality(search)
    await search.close()
    const low = measured.filter(({ ndcg }) => ndcg < 0.9)
    console.table(low.map(one => ({ ...one, ndcg: Number(one.ndcg.toFixed(2)) })))
    console.log(
      `${measured.length} queries with an answer: nDCG@10 ${mean(measured.map(one => one.ndcg)).toFixed(3)},`,
    )
    console.log(
      `${measured.filter(({ found }) => found === 0).length} without a result, ${low.length} below 0.9 (above).`,
    )
  } finally {
    await pool.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
