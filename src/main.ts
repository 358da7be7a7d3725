import closeWithGrace from 'close-with-grace'
import pino from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openExchangeDatabase } from './db/open.ts'
import { DEMO_KEYS, ensureDemoKeys, isEmpty, loadDemo } from './demo/load.ts'
import { API_PREFIX } from './http/openapi.ts'
import { StartupError } from './lib/startup-error.ts'

const STOP_DELAY_MS = 15_000
// Whatever the log is told, no key leaves through it.
const KEYS = /svc_[0-9A-Za-z]{8}_[0-9A-Za-z]{48}/g

/** The process: configuration, database, application, and an orderly end. */
export async function serve(config: Config, { demo = false } = {}): Promise<void> {
  const progress = (line: string) => console.log(line)
  const logger = pino({
    level: config.logLevel,
    hooks: { streamWrite: line => line.replace(KEYS, 'svc_[hidden]') },
  })
  const database = await openExchangeDatabase(config, 'server', progress)
  const stopping: (() => Promise<void>)[] = [database.close]
  const stop = async () => {
    // Last opened, first closed: the running requests end before the database they need.
    for (const close of stopping.reverse()) await close()
  }
  const grace = closeWithGrace({ delay: STOP_DELAY_MS, logger }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'stopping after an error')
    await stop()
  })
  try {
    if (demo) await prepareDemo(database.db, progress)
    const app = await buildApp({ db: database.db, logger, ...config })
    stopping.push(() => app.close())
    await app.listen({ host: config.host, port: config.port }).catch(error => {
      throw cannotListen(error, config)
    })
  } catch (error) {
    grace.uninstall()
    await stop()
    throw error
  }
  if (demo) console.log(welcome(config.publicUrl))
  else logger.info(`listening at ${config.publicUrl}${API_PREFIX}`)
}

async function prepareDemo(
  db: Parameters<typeof isEmpty>[0],
  progress: (line: string) => void,
): Promise<void> {
  if (await isEmpty(db)) await loadDemo(db, progress)
  else await ensureDemoKeys(db)
}

function cannotListen(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartupError(
      `Port ${port} is in use: stop what runs there, or choose another with PORT=${port + 1}.`,
    )
  }
  if (error.code === 'EACCES')
    return new StartupError(`Port ${port} may not be opened by this user: choose one above 1023.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartupError(`HOST ${host} is not an address of this machine.`)
  }
  return error
}

const welcome = (publicUrl: string) => `
  Lonja is ready.

  API          ${publicUrl}${API_PREFIX}
  Reference    ${publicUrl}/docs

  Demo keys    read and write  ${DEMO_KEYS.readWrite}
               read only       ${DEMO_KEYS.readOnly}

  Try it:
  curl -s -H 'Authorization: Bearer ${DEMO_KEYS.readOnly}' '${publicUrl}${API_PREFIX}/properties?q=casa+con+alberca&limit=2'

  Ctrl-C stops it; the data stays.
`
