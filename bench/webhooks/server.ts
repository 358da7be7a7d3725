// Like `lonja serve --role all`, `web` or `worker`, with loopback in place of the internet.
import pino from 'pino'
import { buildApp } from '../../src/app.ts'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { noStorage } from '../../src/files/storage.ts'
import { startBackground } from '../../src/jobs/background.ts'
import { MemorySearch } from '../../src/search/memory.ts'
import { loopbackNetwork } from '../../test/support/receiver.ts'

const [url = '', mailDir = '', role = 'all', scheme = 'https'] = process.argv.slice(2)
const publicUrl = 'https://lonja.example'
const logger = pino({ level: 'silent' })
let port: number | undefined
if (role !== 'worker') {
  const db = openDatabase(openPool(url, 10))
  const search = new MemorySearch({ db, url, publicUrl, logger })
  const app = await buildApp({ db, search, logger, publicUrl, rateLimit: 1_000_000_000, trustProxy: [] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as { port: number }).port
}
if (role !== 'web') {
  await startBackground({
    files: noStorage,
    url,
    config: {
      publicUrl,
      smtpUrl: undefined,
      mailFrom: 'Lonja <no-reply@lonja.example>',
      mailDir,
      reconfirmDays: 60,
      idRetentionDays: 30,
      cooperationDays: 7,
      eventRetentionDays: 30,
      webhookAllowPrivate: scheme === 'http',
      secret: undefined,
    },
    logger,
    network: loopbackNetwork(),
  })
}
process.send?.({ port })
process.on('disconnect', () => process.exit())
