import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { Throttle } from '../../src/agents/accounts/throttle.ts'
import { createAgent, type NewAgent } from '../../src/agents/service.ts'
import { buildApp } from '../../src/app.ts'
import type { AppOptions } from '../../src/app-options.ts'
import { type Db, openDatabase, openPool } from '../../src/db/database.ts'
import { diskStorage } from '../../src/files/disk.ts'
import type { Storage } from '../../src/files/storage.ts'
import type { Quota } from '../../src/files/uploads.ts'
import { issueKey, LiveKeys } from '../../src/keys/service.ts'
import type { ListingStatus } from '../../src/lookups/catalog.ts'
import { MemorySearch } from '../../src/search/memory.ts'
import type { Search } from '../../src/search/service.ts'
import type { Network } from '../../src/webhooks/sender/network.ts'
import { expectAsDescribed } from './description.ts'
import { databaseUrl, TEMPLATE } from './postgres.ts'

export const PUBLIC_URL = 'https://lonja.example'

export interface TestAgent {
  id: string
  email: string
  slug: string
  name: string
  /** Reads and writes. */
  key: string
}

export interface Answer {
  status: number
  headers: LightMyRequestResponse['headers']
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

export interface Call {
  key?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  /** For bodies that are not JSON. */
  raw?: string | Buffer
}

/** The whole application with its own database, called as a client would. */
export class Exchange {
  readonly db: Db
  readonly app: FastifyInstance
  readonly pool: pg.Pool
  readonly search: Search
  readonly keys: LiveKeys
  readonly log: string[]
  readonly files: Storage

  constructor(parts: Pick<Exchange, 'db' | 'app' | 'pool' | 'search' | 'keys' | 'log' | 'files'>) {
    this.db = parts.db
    this.app = parts.app
    this.pool = parts.pool
    this.search = parts.search
    this.keys = parts.keys
    this.log = parts.log
    this.files = parts.files
  }

  /** Validates every response against our own API description. */
  async call(method: string, path: string, { key, body, headers = {}, raw }: Call = {}): Promise<Answer> {
    const url = path.startsWith('/api') || path.startsWith('http') ? path : `/api/v1${path}`
    // Tests also write outside the API; a client would find those changes a moment later.
    await this.search.refresh()
    this.keys.forget()
    const response = await this.app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined ? { payload: raw } : body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    expectAsDescribed(this.app.swagger(), method, url, response)
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body ? response.json() : undefined,
    }
  }

  get = (path: string, key?: string, call: Call = {}) => this.call('GET', path, { key, ...call })
  post = (path: string, key?: string, body?: unknown, call: Call = {}) =>
    this.call('POST', path, { key, body, ...call })
  put = (path: string, key?: string, body?: unknown, call: Call = {}) =>
    this.call('PUT', path, { key, body, ...call })
  delete = (path: string, key?: string, call: Call = {}) => this.call('DELETE', path, { key, ...call })

  async agent(overrides: Partial<NewAgent> = {}): Promise<TestAgent> {
    const email = `agent-${randomUUID()}@example.mx`
    const { password, ...others } = overrides
    const agent = await createAgent(this.db, {
      name: 'Ana Torres',
      email,
      verified: true,
      licenseNumber: 'LIC-1',
      licenseState: 'Jalisco',
      ...others,
    })
    if (password) await setPassword(this.db, agent.id, password)
    return { ...agent, key: await this.key(agent.email) }
  }

  async key(agentEmail: string, scopes = 'read,write'): Promise<string> {
    return (await issueKey(this.db, { agentEmail, label: 'test', scopes })).key
  }

  /** A listing of that agent: a draft unless published. */
  async listing(agent: TestAgent, fields: Record<string, unknown> = {}, { publish = false } = {}) {
    const created = await this.post('/properties', agent.key, { ...HOUSE, ...fields })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    if (publish) {
      expect((await this.post(`/properties/${created.body.id}/publish`, agent.key)).status).toBe(200)
    }
    return created.body
  }

  published = (agent: TestAgent, fields: Record<string, unknown> = {}) =>
    this.listing(agent, fields, { publish: true })

  /** What only the portal or the system can do. */
  async setStatus(id: string, to: string) {
    const status = to as ListingStatus
    await this.db.updateTable('listings').set({ status }).where('id', '=', id).execute()
  }

  events = (subjectId: string) =>
    this.db
      .selectFrom('outbox')
      .select(['event', 'data', 'channels', 'created_at', 'agent_id'])
      .where('subject_id', '=', subjectId)
      .orderBy('id')
      .execute()
}

/** The minimum a listing needs, in the center of Guadalajara. */
export const HOUSE = {
  title: 'Casa con jardín en Providencia',
  property_type: 'house',
  sale_price: 4_500_000,
  city: 'Guadalajara',
  state: 'Jalisco',
  lat: 20.6911,
  lng: -103.3782,
}

export interface ExchangeOptions {
  /** For real browsers, which accept secure cookies over http only from localhost. */
  publicUrl?: string
  rateLimit?: number
  now?: () => number
  /** Where the portal's webhooks go. */
  network?: Network
  /** Sign-in attempts, so that tests can use them up without signing in. */
  throttle?: Throttle
  /** Encrypts identification documents; null for an installation without a key. */
  serverKey?: string | null
  uploadQuota?: Quota
  /** The folder of messages. */
  mailDir?: string
  mapPmtiles?: string
  /** Opened when the exchange is; without it, uploads are in a folder of its own. */
  openFiles?: () => Storage
  /** Measures the application. */
  observe?: NonNullable<AppOptions['observe']>
}

export async function openExchange({
  publicUrl = PUBLIC_URL,
  rateLimit = 1_000_000,
  now,
  network,
  throttle,
  serverKey = 'the key of an installation that tests',
  uploadQuota,
  mailDir,
  mapPmtiles,
  openFiles,
  observe,
}: ExchangeOptions = {}) {
  const serverUrl = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Creating and dropping a database wait for a checkpoint, which takes seconds beside other tests.
  const admin = openPool(serverUrl, 1, { patient: true })
  await admin.query(`create database ${name} template ${TEMPLATE}`)
  const url = databaseUrl(serverUrl, name)
  const pool = openPool(url, 6)
  const db = openDatabase(pool)
  const dataDir = await mkdtemp(join(tmpdir(), 'lonja-files-'))
  const files = openFiles?.() ?? diskStorage(dataDir)
  const log: string[] = []
  const logger = pino({ level: 'info' }, { write: line => void log.push(line) })
  const search = new MemorySearch({ db, url, publicUrl, logger })
  const keys = new LiveKeys(db)
  const app = await buildApp({
    db,
    search,
    keys,
    logger,
    publicUrl,
    rateLimit,
    trustProxy: [],
    // What the tests compute in this process is not the load of a server.
    loop: { delayMs: 0 },
    files,
    ...(uploadQuota ? { uploadQuota } : {}),
    ...(mailDir ? { mailDir } : {}),
    ...(mapPmtiles ? { mapPmtiles } : {}),
    ...(observe ? { observe } : {}),
    ...(now ? { now } : {}),
    ...(network ? { network } : {}),
    ...(throttle ? { throttle } : {}),
    ...(serverKey ? { serverKey } : {}),
  })
  await app.ready()
  const close = async () => {
    await app.close()
    await search.close()
    await db.destroy()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { exchange: new Exchange({ db, app, pool, search, keys, log, files }), close }
}

/** For the top of a test file: an exchange that lives as long as the file's tests. */
export function useExchange(options: ExchangeOptions = {}): Exchange {
  let opened: Awaited<ReturnType<typeof openExchange>> | undefined
  beforeAll(async () => {
    opened = await openExchange(options)
  })
  afterAll(() => opened?.close())
  return new Proxy({} as Exchange, {
    get: (_target, property) => {
      if (!opened) throw new Error('the exchange opens in beforeAll: use it inside tests')
      return Reflect.get(opened.exchange, property)
    },
  })
}

/** With the cheapest hash there is: a sign-in takes the cost that it finds in the hash, and hundreds of tests sign in. */
async function setPassword(db: Db, agent: string, password: string): Promise<void> {
  const passwordHash = await hash(password, { memoryCost: 8, timeCost: 1 })
  await db.updateTable('agents').set({ password_hash: passwordHash }).where('id', '=', agent).execute()
}
