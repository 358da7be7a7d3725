// A worker process for the fault tests to kill: `tsx needs-worker.ts DATABASE_URL SMTP_URL`.
import pino from 'pino'
import { noStorage } from '../../src/files/storage.ts'
import { startBackground } from '../../src/jobs/background.ts'
import { PUBLIC_URL } from '../support/exchange.ts'

const [url = '', smtpUrl = ''] = process.argv.slice(2)
await startBackground({
  files: noStorage,
  url,
  config: {
    publicUrl: PUBLIC_URL,
    smtpUrl,
    mailFrom: 'Lonja <no-reply@lonja.example>',
    mailDir: '',
    reconfirmDays: 60,
    idRetentionDays: 30,
    cooperationDays: 7,
    eventRetentionDays: 30,
    webhookAllowPrivate: false,
    secret: undefined,
  },
  logger: pino({ level: 'silent' }),
})
process.send?.('ready')
