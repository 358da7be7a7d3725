import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Throttle } from './agents/accounts/throttle.ts'
import type { Db } from './db/database.ts'
import type { Storage } from './files/storage.ts'
import type { Quota } from './files/uploads.ts'
import type { ConnectionLimits } from './http/connections.ts'
import type { Readiness } from './http/health.ts'
import type { LiveKeys } from './keys/service.ts'
import type { Search } from './search/service.ts'
import type { Network } from './webhooks/sender/network.ts'

export interface AppOptions {
  db: Db
  /** Connections of their own for keys and readiness; the default is `db`. */
  reserved?: Db
  /** For public pages and lookups, which may be some seconds old; the default is `db`. */
  reader?: Db
  /** Opened and closed by the caller. Without it, as when only the API description is needed, search is never ready. */
  search?: Search
  logger: FastifyBaseLogger
  publicUrl: string
  rateLimit: number
  trustProxy: readonly string[]
  connectionLimits?: Partial<ConnectionLimits>
  /** Without it, nothing can be uploaded. */
  files?: Storage
  /** The folder of messages, if they are files: erasing a person removes theirs. */
  mailDir?: string
  uploadQuota?: Quota
  reconfirmDays?: number
  /** Development only: webhooks may go to http, loopback and private addresses. */
  webhookAllowPrivate?: boolean
  /** Encrypts webhook secrets; the default is a key in the database. */
  secret?: string | undefined
  /** Encrypts visitors' identification documents; without it, showings are not offered. */
  serverKey?: string | undefined
  /** Days after the showing until the documents are erased. */
  idRetentionDays?: number
  eventRetentionDays?: number
  /** Shown in the privacy notice. */
  privacyContact?: string | undefined
  /** Given the application before its routes, to measure it. */
  observe?: ((app: FastifyInstance, readiness: () => Promise<Readiness>) => void) | undefined
  /** Whether the process was asked to stop. */
  isStopping?: () => boolean
  /** Replaced in tests. */
  network?: Network
  keys?: LiveKeys
  throttle?: Throttle
  /** Tiles drawn over the built-in map. */
  mapTilesUrl?: string | undefined
  /** Streets for the maps: the path of a PMTiles file or its https address. */
  mapPmtiles?: string | undefined
  /** How late the event loop is, replaced in tests. */
  loop?: { delayMs: number }
  /** The clock, replaced in tests. */
  now?: () => number
}
