import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import {
  addressList,
  hostName,
  httpsAddress,
  LOG_LEVELS,
  type LogLevel,
  localUrl,
  logLevelOf,
  longText,
  mailbox,
  mailDomain,
  origin,
  pmtilesPlace,
  postgresUrl,
  shareOf,
  smtpAddress,
  tilesTemplate,
  webAddress,
  wholeNumber,
  yesOrNo,
} from './config-values.ts'
import { BUCKET_URL, readBucketUrl } from './files/place.ts'
import type { Bucket } from './files/s3.ts'
import type { Quota } from './files/uploads.ts'
import { CONNECTION_LIMITS } from './http/connections.ts'
import { isEmail } from './lib/email.ts'
import { MB } from './lib/sizes.ts'
import { StartupError } from './lib/startup-error.ts'
import { REMINDER_DAYS } from './listings/confirmation.ts'

type Mode = 'demo' | 'serve' | 'command'

const SEARCH_ENGINES = ['memory', 'sql'] as const

/** Defaults that other code needs too. */
export const DEFAULTS = {
  rateLimit: 600,
  reconfirmDays: 60,
  idRetentionDays: 30,
  cooperationDays: 7,
  eventRetentionDays: 30,
  uploadQuota: { files: 10_000, bytes: 2_000 * MB, unverifiedBytes: 5_000 * MB },
} as const

export interface Config {
  readonly host: string
  readonly port: number
  /** Origin of the links we hand out, without a final slash. */
  readonly publicUrl: string
  /** Undefined: run the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** The same database without a pooler between, if `databaseUrl` has one. */
  readonly databaseDirectUrl: string | undefined
  /** A streaming replica of it, for reads that may be some seconds old. */
  readonly databaseReplicaUrl: string | undefined
  /** The age in seconds beyond which the replica is not asked. */
  readonly databaseReplicaMaxLag: number
  /** Absolute. Undefined only when DATABASE_URL is given without LONJA_DATA. */
  readonly dataDir: string | undefined
  /** Undefined: uploads are in `dataDir`. */
  readonly bucket: Bucket | undefined
  readonly logLevel: LogLevel
  /** Addresses and ranges of the proxies whose X-Forwarded-* headers are trusted. */
  readonly trustProxy: readonly string[]
  readonly rateLimit: number
  /** Open at once, in total and from one address that is not a trusted proxy. */
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  /** How long an idle connection stays open between two requests. */
  readonly keepAliveSeconds: number
  /** Between the signal to stop and closing the port: `/ready` says so meanwhile. */
  readonly stopDelaySeconds: number
  /** Where a worker tells whether it is ready; undefined: nowhere. */
  readonly statusPort: number | undefined
  readonly statusHost: string
  /** Where Prometheus reads what was measured; undefined: nothing is. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  /** The collector of traces; undefined: there are none. */
  readonly tracesUrl: string | undefined
  readonly tracesShare: number
  readonly tracesService: string
  readonly databasePool: number
  /** Where searches are answered from: an index in each process, or the tables. */
  readonly searchEngine: (typeof SEARCH_ENGINES)[number]
  /** Between two saves of the search index in `dataDir`; 0: it is neither saved nor read. */
  readonly searchSaveMinutes: number
  /** Template of a tile server, such as https://tiles.example/{z}/{x}/{y}.png. */
  readonly mapTilesUrl: string | undefined
  /** An absolute path or an https address of a PMTiles file with streets. */
  readonly mapPmtiles: string | undefined
  /** Undefined: messages are written as files into `mailDir`. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly mailDir: string
  readonly reconfirmDays: number
  /** Development only: webhooks may go to http, loopback and private addresses. */
  readonly webhookAllowPrivate: boolean
  /** Seals webhook secrets (undefined: with a key kept in the database) and identification data (lib/server-key.ts). */
  readonly secret: string | undefined
  /** Days after a showing for which the visitor's identification is kept. */
  readonly idRetentionDays: number
  /** Days for which events and the log of their deliveries are kept. */
  readonly eventRetentionDays: number
  /** Days after which a proposed cooperation without an answer expires. */
  readonly cooperationDays: number
  /** Where the exchange rate is read every day; undefined: the operator enters it. */
  readonly exchangeRateUrl: string | undefined
  /** Contact for privacy requests, shown in the privacy notice. */
  readonly privacyContact: string | undefined
  /** How much accounts may upload. */
  readonly uploadQuota: Quota
}

export type Environment = Record<string, string | undefined>

/** All settings, or one StartupError with a line for each invalid one. */
export function readConfig(mode: Mode, env: Environment = environment()): Config {
  const settings = settingsOf(env)
  const { value, wrong } = settings
  const server = readServer(settings, mode)
  const market = readMarket(settings, server.publicUrl)
  if (mode === 'serve') {
    if (!value('PUBLIC_URL'))
      wrong.push('PUBLIC_URL is missing: the address people will use, like https://lonja.example.')
    if (!value('DATABASE_URL') && !value('LONJA_DATA')) {
      wrong.push(
        'DATABASE_URL or LONJA_DATA is missing: a PostgreSQL server, or a folder for the embedded one.',
      )
    }
  }
  if (wrong.length > 0) throw new StartupError(wrong.join('\n'))
  return Object.freeze({ ...server, ...market, mailDir: resolve(server.dataDir ?? './data', 'mail') })
}

type Settings = ReturnType<typeof settingsOf>

function settingsOf(env: Environment) {
  const wrong: string[] = []
  const value = (name: string) => env[name]?.trim() || undefined

  /** `parse` returns undefined to reject; `shown: false` keeps secrets out of the terminal. */
  function setting<T>(
    name: string,
    fallback: T,
    expected: string,
    parse: (text: string) => T | undefined,
    shown = true,
  ): T {
    const text = value(name)
    if (text === undefined) return fallback
    const parsed = parse(text)
    if (parsed === undefined) wrong.push(`${name} must be ${expected}${shown ? `, not "${text}"` : ''}.`)
    return parsed ?? fallback
  }
  const whole = (name: string, fallback: number, least: number, most: number) =>
    setting(name, fallback, `a whole number from ${least} to ${most}`, text => wholeNumber(text, least, most))

  return { value, setting, whole, wrong }
}

/** Where the process listens, what it connects to, and its limits. */
function readServer(settings: Settings, mode: Mode) {
  const { value, setting, whole } = settings
  const host = setting('HOST', '127.0.0.1', 'an IP address or a host name', hostName)
  const port = whole('PORT', 3000, 0, 65_535)
  const publicUrl = setting(
    'PUBLIC_URL',
    localUrl(host, port),
    'an http or https address without a path',
    origin,
  )
  const database = readDatabase(settings)
  const { databaseUrl } = database
  const dataDir = value('LONJA_DATA') ?? (databaseUrl || mode === 'serve' ? undefined : './data')
  const bucket = setting('STORAGE_URL', undefined, BUCKET_URL, text => readBucketUrl(text, value), false)
  const logLevel = setting(
    'LOG_LEVEL',
    mode === 'demo' ? 'warn' : 'info',
    `one of ${LOG_LEVELS.join(', ')}`,
    logLevelOf,
  )
  const trustProxy = setting(
    'TRUST_PROXY',
    [],
    'IP addresses or ranges (10.0.0.0/8) between commas',
    addressList,
  )
  const rateLimit = whole('RATE_LIMIT', DEFAULTS.rateLimit, 1, 1_000_000_000)
  const maxConnections = whole('MAX_CONNECTIONS', CONNECTION_LIMITS.connections, 10, 1_000_000)
  const maxConnectionsPerAddress = whole(
    'MAX_CONNECTIONS_PER_ADDRESS',
    CONNECTION_LIMITS.connectionsPerAddress,
    1,
    1_000_000,
  )
  const keepAliveSeconds = whole('KEEP_ALIVE_SECONDS', CONNECTION_LIMITS.idleMs / 1000, 1, 600)
  const stopDelaySeconds = whole('STOP_DELAY_SECONDS', 0, 0, 300)
  const watched = readWatched(settings)
  const searchEngine = setting<Config['searchEngine']>(
    'SEARCH_ENGINE',
    'memory',
    `one of ${SEARCH_ENGINES.join(', ')}`,
    text => SEARCH_ENGINES.find(one => one === text),
  )
  const searchSaveMinutes = whole('SEARCH_SAVE_MINUTES', 15, 0, 1_440)
  return {
    host,
    port,
    publicUrl,
    ...database,
    dataDir: dataDir && resolve(dataDir),
    bucket,
    logLevel,
    trustProxy: Object.freeze(trustProxy),
    rateLimit,
    maxConnections,
    maxConnectionsPerAddress,
    keepAliveSeconds,
    stopDelaySeconds,
    ...watched,
    searchEngine,
    searchSaveMinutes,
  }
}

function readDatabase({ value, setting, whole, wrong }: Settings) {
  const databaseUrl = setting('DATABASE_URL', undefined, 'a postgres:// address', postgresUrl, false)
  const databaseDirectUrl = setting(
    'DATABASE_DIRECT_URL',
    undefined,
    'a postgres:// address',
    postgresUrl,
    false,
  )
  if (databaseDirectUrl && !value('DATABASE_URL')) {
    wrong.push(
      'DATABASE_DIRECT_URL needs DATABASE_URL: the address of the pooler in front of the same database.',
    )
  }
  const databaseReplicaUrl = setting(
    'DATABASE_REPLICA_URL',
    undefined,
    'a postgres:// address',
    postgresUrl,
    false,
  )
  if (databaseReplicaUrl && !value('DATABASE_URL')) {
    wrong.push('DATABASE_REPLICA_URL needs DATABASE_URL: the address of the database that it replicates.')
  }
  const databaseReplicaMaxLag = whole('DATABASE_REPLICA_MAX_LAG', 5, 1, 300)
  const databasePool = whole('DATABASE_POOL', 10, 1, 200)
  return { databaseUrl, databaseDirectUrl, databaseReplicaUrl, databaseReplicaMaxLag, databasePool }
}

/** Ports beside the public one, and the collector of traces. */
function readWatched({ setting, value }: Settings) {
  const port = (name: string) =>
    setting(name, undefined, 'a port from 1 to 65535', text => wholeNumber(text, 1, 65_535))
  const host = (name: string) => setting(name, '127.0.0.1', 'an IP address or a host name', hostName)
  return {
    statusPort: port('STATUS_PORT'),
    statusHost: host('STATUS_HOST'),
    metricsPort: port('METRICS_PORT'),
    metricsHost: host('METRICS_HOST'),
    tracesUrl: setting('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, 'an http or https address', webAddress),
    tracesShare: setting('OTEL_TRACES_SAMPLER_ARG', 1, 'a number from 0 to 1', shareOf),
    tracesService: value('OTEL_SERVICE_NAME') ?? 'lonja',
  }
}

/** Maps, email, deadlines, quotas and secrets. */
function readMarket({ value, setting, whole, wrong }: Settings, publicUrl: string) {
  const mapTilesUrl = setting(
    'MAP_TILES_URL',
    undefined,
    'an https address with {z}, {x} and {y} in it',
    tilesTemplate,
  )
  const anyPmtiles = 'a path or an https address without a query that ends in .pmtiles'
  const mapPmtiles = setting('MAP_PMTILES', undefined, anyPmtiles, pmtilesPlace)
  if (mapTilesUrl && mapPmtiles) wrong.push('MAP_TILES_URL and MAP_PMTILES exclude each other: set one.')
  const exchangeRateUrl = setting('EXCHANGE_RATE_URL', undefined, 'an https address', httpsAddress, false)
  const smtpUrl = setting('SMTP_URL', undefined, 'an smtp:// or smtps:// address', smtpAddress, false)
  const mailFrom = setting(
    'MAIL_FROM',
    `Lonja <no-reply@${mailDomain(publicUrl)}>`,
    'an email address, alone or like Lonja <no-reply@lonja.example>',
    mailbox,
  )
  const reconfirmDays = whole('RECONFIRM_DAYS', DEFAULTS.reconfirmDays, REMINDER_DAYS + 1, 3_650)
  const webhookAllowPrivate = setting('LONJA_WEBHOOK_ALLOW_PRIVATE', false, '1 or 0', yesOrNo)
  if (webhookAllowPrivate && value('NODE_ENV') === 'production') {
    wrong.push('LONJA_WEBHOOK_ALLOW_PRIVATE is for development and refused with NODE_ENV=production.')
  }
  const idRetentionDays = whole('ID_RETENTION_DAYS', DEFAULTS.idRetentionDays, 1, 3_650)
  const eventRetentionDays = whole('EVENT_RETENTION_DAYS', DEFAULTS.eventRetentionDays, 1, 365)
  const cooperationDays = whole('COOPERATION_DAYS', DEFAULTS.cooperationDays, 1, 365)
  const privacyContact = setting('PRIVACY_CONTACT', undefined, 'an email address', text =>
    isEmail(text) ? text : undefined,
  )
  const { uploadQuota: quota } = DEFAULTS
  const uploadQuota = {
    files: whole('UPLOAD_FILES', quota.files, 20, 1_000_000_000),
    bytes: whole('UPLOAD_MB', quota.bytes / MB, 20, 1_000_000_000) * MB,
    unverifiedBytes: whole('UPLOAD_UNVERIFIED_MB', quota.unverifiedBytes / MB, 1, 1_000_000_000) * MB,
  }
  const secret = setting('LONJA_SECRET', undefined, 'at least 32 characters long', longText, false)
  return {
    mapTilesUrl,
    mapPmtiles,
    smtpUrl,
    mailFrom,
    reconfirmDays,
    webhookAllowPrivate,
    secret,
    idRetentionDays,
    cooperationDays,
    exchangeRateUrl,
    eventRetentionDays,
    privacyContact,
    uploadQuota,
  }
}

/** The process's variables over those of an optional `.env` file. */
export function environment(folder: string = process.cwd(), real: Environment = process.env): Environment {
  let text: string
  try {
    text = readFileSync(join(folder, '.env'), 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EISDIR') return real
    throw new StartupError(`The file .env cannot be read (${message}).`)
  }
  return { ...parseEnv(text), ...real }
}
