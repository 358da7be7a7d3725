// A worker process for the fault tests to kill: `tsx webhooks-worker.ts DATABASE_URL`.
import pino from 'pino'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { startDispatcher } from '../../src/webhooks/dispatch/dispatcher.ts'
import { openSecretBox } from '../../src/webhooks/secrets.ts'
import { sender } from '../../src/webhooks/sender/sender.ts'
import { loopbackNetwork } from '../support/receiver.ts'

const [url = ''] = process.argv.slice(2)
const pool = openPool(url, 4)
const db = openDatabase(pool)
const policy = { allowPrivate: false, publicUrl: 'https://lonja.example' }
startDispatcher({
  pool,
  db,
  box: await openSecretBox(db, undefined),
  send: sender({ network: loopbackNetwork(), policy, deadlineMs: 1_000 }),
  logger: pino({ level: 'silent' }),
  limits: { abandonedMs: 1_500, perWebhook: 20 },
})
process.send?.('ready')
