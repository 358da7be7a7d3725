import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import pino, { type Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import { endWith, openExchangeDatabase } from './db/open.ts'
import { DEMO_ACCOUNTS, DEMO_KEYS, DEMO_PASSWORD, describeAccess, findDemoAccess } from './demo/access.ts'
import { ensureDemo } from './demo/load.ts'
import { openStorage } from './files/place.ts'
import type { Storage } from './files/storage.ts'
import { type Readiness, readinessOf, statusServer } from './http/health.ts'
import { API_PREFIX } from './http/openapi.ts'
import { startBackground } from './jobs/background.ts'
import { hideKeys } from './lib/key-shape.ts'
import { openServerKey } from './lib/server-key.ts'
import { cannotListen, choosePort, listenBeside } from './listening.ts'
import { metricsServer } from './metrics/server.ts'
import { answerSupervisor } from './metrics/together.ts'
import { holdWaiting } from './needs/service.ts'
import { Observer } from './observer.ts'
import { GROUP_SIGNALS, type Part, type Role, reportReady, STOP_MS, whenStopped } from './processes.ts'
import { openSearch } from './search/open.ts'
import { requireSameSecret } from './webhooks/secrets.ts'

const NO_SHOWINGS =
  'Visitors cannot request showings: there is no key to encrypt their identification. Set LONJA_SECRET, or LONJA_DATA for a folder where a key can be stored.'

const NO_PROXY =
  'PUBLIC_URL is https, so a proxy terminates TLS, but TRUST_PROXY is empty: every visitor will appear to come from the proxy’s address and share its limits. Set TRUST_PROXY to the proxy’s addresses.'

const NO_TLS =
  'HOST is open to other machines and PUBLIC_URL is http: passwords, sessions and API keys cross the network unencrypted. Terminate TLS at a proxy, set PUBLIC_URL to https and HOST to an address that only the proxy reaches.'

/**
 * How much the heap may grow between two full collections. By default V8 begins one for every tenth, which is every five seconds in a
 * busy market, and searches wait for a tenth of a second each time. The heap is a tenth of the memory there: the rest are arrays.
 */
const HEAP_GROWTH_PERCENT = 50

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host)

const NO_MAIL =
  'SMTP_URL is empty: mail reaches nobody and is written as files to the folder mail in LONJA_DATA, or in ./data without it.'

/** The process: configuration, database, application, and an orderly end. */
export async function serve(
  settings: Config,
  { demo = false, role = 'all', part }: { demo?: boolean; role?: Role; part?: Part | undefined } = {},
): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const config = await choosePort(settings)
  const logger = pino({ level: config.logLevel, hooks: { streamWrite: hideKeys } })
  const end = new AbortController()
  const progress = (line: string) => {
    end.signal.throwIfAborted()
    if (demo) console.log(line)
    else logger.info(line)
  }
  const database = await openExchangeDatabase(config, 'server', progress, endWith)
  const opened: (() => Promise<void>)[] = [database.close]
  const stop = async () => {
    end.abort()
    // Last opened, first closed: the running requests end before the database they need.
    for (let close = opened.pop(); close; close = opened.pop()) await close()
  }
  const grace = stopWithGrace(config, logger, stop, part)
  const isFirst = part?.isFirst ?? true
  try {
    const { db, reserved, reader, url } = database
    const observer = await openObserver(config, part, opened)
    observer?.pools(database.pools)
    await requireSameSecret(db, config.secret)
    const files = openStorage(config)
    observer?.storage(files)
    await warnOfStorage(files, logger)
    if (demo) await ensureDemo(db, progress, { secret: config.secret, files })
    else if (isFirst) await warnOfDemo(db, logger)
    const isStopping = () => end.signal.aborted
    if (role !== 'web') {
      const background = await startBackground({ url, config, logger, files, observer: observer?.background })
      opened.push(() => background.stop())
      observer?.backlogs(background)
      const needed = { jobs: () => background.condition }
      const readiness = readinessOf({ db: reserved, isStopping, needed })
      observer?.readiness(readiness)
      if (role === 'worker') await openStatus(config, readiness, opened)
    }
    if (!demo && isFirst && !config.smtpUrl) logger.warn(NO_MAIL)
    if (role === 'worker') return logger.info('doing the background work')
    const serverKey = openServerKey(config.secret, config.dataDir)
    if (isFirst) warnOfSettings(config, serverKey, logger)
    const saving = savingOf(config, isFirst)
    const { publicUrl, searchEngine: engine } = config
    const search = openSearch({ engine, db, url, publicUrl, logger, saving })
    opened.push(() => search.close())
    observer?.search(search)
    const connectionLimits = connectionLimitsOf(config)
    const parts = { db, reserved, reader, search, logger, connectionLimits, files, serverKey, isStopping }
    const observe = observer?.app.bind(observer)
    const app = await buildApp({ ...config, ...parts, observe })
    opened.push(() => app.close())
    if (part?.isPatient) await search.refresh()
    await app.listen({ host: config.host, port: config.port }).catch(error => {
      throw cannotListen(error, config, 'PORT')
    })
    if (part) search.saved().then(reportReady, () => {})
    // First of all when it stops: until the load balancer has noticed, requests are still answered.
    opened.push(() => sleep(config.stopDelaySeconds * 1000))
    const held = holdWaiting({ db, search, now: () => new Date() })
    // What is printed next is meant to be pasted at once.
    if (demo) await held
    else held.catch(error => logger.warn({ err: error }, 'some needs were not held against the market'))
  } catch (error) {
    // A stop requested during startup is reported as a stop, not as the errors it caused.
    if (end.signal.aborted) return
    grace.uninstall()
    await stop()
    throw error
  }
  if (end.signal.aborted) return
  if (demo) console.log(welcome(config.publicUrl))
  else logger.info({ host: config.host, port: config.port }, `listening at ${config.publicUrl}${API_PREFIX}`)
}

function stopWithGrace(
  { stopDelaySeconds }: Config,
  logger: Logger,
  stop: () => Promise<void>,
  part: Part | undefined,
) {
  const delay = STOP_MS + stopDelaySeconds * 1000
  const grace = closeWithGrace({ delay, logger, skip: part ? [...GROUP_SIGNALS] : [] }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'stopping after an error')
    await stop()
  })
  if (part) whenStopped(() => void grace.close())
  return grace
}

/** A worker has no pages; whoever watches it asks here. */
async function openStatus(
  { statusPort: port, statusHost: host, stopDelaySeconds }: Config,
  readiness: () => Promise<Readiness>,
  opened: (() => Promise<void>)[],
): Promise<void> {
  if (port === undefined) return
  const close = await listenBeside(statusServer(readiness), { host, port }, 'STATUS_PORT')
  opened.push(async () => {
    await sleep(stopDelaySeconds * 1000)
    close()
  })
}

async function openObserver(
  config: Config,
  part: Part | undefined,
  opened: (() => Promise<void>)[],
): Promise<Observer | undefined> {
  const { metricsPort: port, metricsHost: host, tracesUrl } = config
  if (port === undefined && !tracesUrl) return undefined
  const traces = tracesUrl ? await openTraces(config, tracesUrl) : undefined
  if (traces) opened.push(() => traces.close())
  const observer = new Observer(String(part?.number ?? 0), traces)
  if (port === undefined) return observer
  const { registry } = observer
  // One of several gives what it measured to the process that started them all, which has the port.
  if (part) answerSupervisor(registry)
  else {
    const server = metricsServer(() => registry.metrics())
    const close = await listenBeside(server, { host, port }, 'METRICS_PORT')
    opened.push(async () => close())
  }
  return observer
}

async function openTraces({ tracesShare: share, tracesService: service }: Config, url: string) {
  const { Traces } = await import('./traces/traces.ts')
  return new Traces({ url, share, service })
}

/** Searches and pages work without the uploads, so this is no reason not to start. */
async function warnOfStorage(files: Storage, logger: Logger): Promise<void> {
  const condition = await files.condition()
  if (condition !== 'ok') logger.warn(`Uploads cannot be stored or shown: ${condition}`)
}

function warnOfSettings(config: Config, serverKey: string | undefined, logger: Logger): void {
  const { publicUrl, trustProxy, host } = config
  if (serverKey === undefined) logger.warn(NO_SHOWINGS)
  if (publicUrl.startsWith('https:') && trustProxy.length === 0) logger.warn(NO_PROXY)
  if (publicUrl.startsWith('http:') && !isLoopback(host)) logger.warn(NO_TLS)
}

const connectionLimitsOf = (config: Config) => ({
  connections: config.maxConnections,
  connectionsPerAddress: config.maxConnectionsPerAddress,
  idleMs: config.keepAliveSeconds * 1000,
})

const savingOf = ({ dataDir, searchSaveMinutes: minutes }: Config, saves: boolean) =>
  dataDir && minutes > 0 ? { folder: join(dataDir, 'search'), minutes, saves } : undefined

async function warnOfDemo(db: Db, logger: Logger): Promise<void> {
  const open = describeAccess(await findDemoAccess(db))
  if (open === '') return
  logger.warn(
    `ANYONE CAN SIGN IN: the demo ran on this data, its keys and passwords are published, and its accounts still have ${open}. Close it with: lonja demo close`,
  )
}

const welcome = (publicUrl: string) => `
  Lonja is ready.

  Site         ${publicUrl}
  API          ${publicUrl}${API_PREFIX}
  Reference    ${publicUrl}/docs
  Portal       ${publicUrl}/portal

  Demo keys    read and write  ${DEMO_KEYS.readWrite}
               read only       ${DEMO_KEYS.readOnly}

  Demo people  an agent        ${DEMO_ACCOUNTS.agent}
               her assistant   ${DEMO_ACCOUNTS.assistant}
               the operator    ${DEMO_ACCOUNTS.operator}
               password        ${DEMO_PASSWORD}

  Try it:
  curl -s -H 'Authorization: Bearer ${DEMO_KEYS.readOnly}' '${publicUrl}${API_PREFIX}/properties?q=casa+con+alberca&limit=2'

  Ctrl-C stops it; the data stays.
`
