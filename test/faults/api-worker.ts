// A server process that is killed after its first write was committed and before it is answered:
// `tsx api-worker.ts DATABASE_URL`.
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { buildApp } from '../../src/app.ts'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { MemorySearch } from '../../src/search/memory.ts'

const [url = ''] = process.argv.slice(2)
const db = openDatabase(openPool(url, 4))
const logger = pino({ level: 'silent' })
const publicUrl = 'https://lonja.example'
const search = new MemorySearch({ db, url, publicUrl, logger })
search.showOwnWrite = async () => {
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}
const app = await buildApp({ db, search, logger, publicUrl, rateLimit: 1_000, trustProxy: [] })
await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.((app.server.address() as AddressInfo).port)
