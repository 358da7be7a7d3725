import { execFileSync } from 'node:child_process'
import { get } from 'node:http'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase, openPool } from '../src/db/database.ts'
import { openEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { FORMATS, type FormatName, openFeedBox } from '../src/feeds/rules.ts'
import { addressOf, createFeed, findOwn, revokeFeed } from '../src/feeds/service.ts'
import { sharedKey } from '../src/webhooks/secrets.ts'
import { generate } from './search/generate.ts'
import { startLonja, untilReady } from './search/processes.ts'

/** `npm run bench -- feeds [--listings 50000]`: one agent's feed of that many listings, in every format, plain and gzip. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { listings: { type: 'string', default: '50000' }, built: { type: 'boolean', default: false } },
  })
  if (!values.built) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const listings = Number(values.listings)
  const postgres = await openEmbeddedPostgres({
    dataDir: resolve(`data/bench/feeds-${listings}`),
    role: 'server',
  })
  const pool = openPool(postgres.url, 2, { patient: true })
  const db = openDatabase(pool)
  await migrate(pool)
  const { rows: known } = await pool.query('select count(*)::int as count from listings')
  if (known[0].count !== listings) {
    await generate(postgres.url, listings)
    await pool.query(
      `update listings set agent_id = (select a.id from agents a where is_public(a) order by email limit 1), status = 'published',
         published_at = coalesce(published_at, created_at), idx_opt_out = false, imported = false, external_id = null`,
    )
    await pool.query('vacuum analyze listings')
  }
  const { rows } = await pool.query('select agent_id as id from listings limit 1')
  const agentId: string = rows[0].id
  const box = openFeedBox(await sharedKey(db, undefined))
  const server = await startLonja(postgres.url)
  await untilReady(server.url, '/ready')
  const base = await server.memory()
  console.log(`${listings} listings; resident memory at rest ${base.now} MB`)
  const report = async (format: FormatName, encodings: string[]) => {
    const value = { name: 'bench', format, listings: 'own' }
    const id = await createFeed(db, box, agentId, { value, issues: [] })
    const path = addressOf(box, server.url, await findOwn(db, agentId, id)) as string
    for (const encoding of encodings) {
      const { ms, first, bytes } = await read(path, encoding)
      const { now, peak } = await server.memory()
      console.log(
        `${format.padEnd(7)} ${encoding.padEnd(8)} ${(ms / 1000).toFixed(2)} s, first byte ${Math.round(first)} ms, ${(bytes / 1e6).toFixed(1)} MB, resident ${now} MB (peak ${peak} MB)`,
      )
    }
    await revokeFeed(db, agentId, id)
  }
  console.log('The first read of the process, while its code is compiled:')
  await report('json', ['identity'])
  console.log('Each format:')
  for (const format of FORMATS) await report(format, ['identity', 'gzip'])
  await server.stop()
  await pool.end()
  await postgres.stop()
}

/** Over HTTP, counting what arrives and keeping nothing. */
function read(url: string, encoding: string) {
  const started = performance.now()
  return new Promise<{ ms: number; first: number; bytes: number }>((done, fail) => {
    get(url, { headers: { 'accept-encoding': encoding } }, response => {
      if (response.statusCode !== 200) return fail(new Error(`answered ${response.statusCode}`))
      let bytes = 0
      let first = 0
      response.on('data', chunk => {
        first ||= performance.now() - started
        bytes += chunk.length
      })
      response.on('end', () => done({ ms: performance.now() - started, first, bytes }))
      response.on('error', fail)
    }).on('error', fail)
  })
}
