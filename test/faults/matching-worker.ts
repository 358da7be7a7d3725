// A worker that matches and writes mail, for the fault tests to kill: `tsx matching-worker.ts DATABASE_URL MAIL_FOLDER`.
import pino from 'pino'
import { DEFAULTS } from '../../src/config.ts'
import { noStorage } from '../../src/files/storage.ts'
import { startBackground } from '../../src/jobs/background.ts'

const [url = '', mailDir = ''] = process.argv.slice(2)
await startBackground({
  url,
  config: {
    ...DEFAULTS,
    publicUrl: 'https://lonja.example',
    smtpUrl: undefined,
    mailFrom: 'Lonja <lonja@example.com>',
    mailDir,
    webhookAllowPrivate: false,
    secret: undefined,
  },
  logger: pino({ level: 'silent' }),
  files: noStorage,
})
process.send?.('ready')
