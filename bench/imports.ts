import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createAgent } from '../src/agents/service.ts'
import { DEFAULTS } from '../src/config.ts'
import { openDatabase, openPool } from '../src/db/database.ts'
import { openEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { diskStorage } from '../src/files/disk.ts'
import { chooseColumns, confirmImport, findOwn, startImport, undoImport } from '../src/imports/service.ts'
import { workOn } from '../src/imports/work.ts'
import { messySheet, sheetOf } from '../test/support/messy.ts'
import { xlsx } from '../test/support/spreadsheets.ts'

/** `npm run bench -- imports [--rows 5000] [--check]`: a messy workbook of that many rows, from the file to the undo. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rows: { type: 'string', default: '5000' }, check: { type: 'boolean', default: false } },
  })
  const dataDir = resolve('data/bench/imports')
  await rm(dataDir, { recursive: true, force: true })
  const postgres = await openEmbeddedPostgres({ dataDir, role: 'server' })
  const pool = openPool(postgres.url, 4, { patient: true })
  const db = openDatabase(pool)
  await migrate(pool)
  const email = 'bench@example.mx'
  const agent = await createAgent(db, {
    name: 'Bench',
    email,
    verified: true,
    licenseNumber: 'L',
    licenseState: 'Jalisco',
  })
  const files = diskStorage(dataDir)
  const messy = messySheet(Number(values.rows), { merged: true })
  const bytes = await xlsx(sheetOf(messy), { merges: messy.merges })
  console.log(`${values.rows} rows, 40 columns, ${(bytes.length / 1e6).toFixed(1)} MB`)

  const uploads = { files, quota: DEFAULTS.uploadQuota }
  const id = await startImport(db, uploads, agent.id, { fileName: 'bench.xlsx', bytes }, new Date())
  const timed = async (what: string) => {
    const started = performance.now()
    await workOn({ db, files, sliceMs: 3_600_000 }, id)
    const { phase, counts } = await findOwn(db, agent.id, id)
    const memory = Math.round(process.memoryUsage().rss / 2 ** 20)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      `${what.padEnd(9)} ${seconds} s, then ${phase} ${JSON.stringify(counts)}, resident ${memory} MB`,
    )
  }
  await timed('reading')
  const { columns } = await findOwn(db, agent.id, id)
  await chooseColumns(
    db,
    agent.id,
    id,
    columns.map(({ target }) => target),
  )
  await timed('dry run')
  if (!values.check) {
    await confirmImport(db, agent.id, id, { publishes: true, unpublishes: true })
    await timed('run')
    await undoImport(db, agent.id, id, new Date())
    await timed('undo')
  }
  await pool.end()
  await postgres.stop()
}
