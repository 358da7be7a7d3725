// A worker process for the fault tests to kill: `tsx imports-worker.ts DATABASE_URL IMPORT_ID`.
import { openDatabase, openPool } from '../../src/db/database.ts'
import { noStorage } from '../../src/files/storage.ts'
import { workOn } from '../../src/imports/work.ts'

const [url = '', id = ''] = process.argv.slice(2)
const pool = openPool(url, 2)
process.send?.('ready')
await workOn({ db: openDatabase(pool), files: noStorage, sliceMs: 600_000 }, id)
await pool.end()
process.disconnect?.()
