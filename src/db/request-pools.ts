import pg from 'pg'
import { NotReady } from '../lib/problem.ts'
import { type Db, openDatabase, openPool, type PoolOptions } from './database.ts'
import { Pulse } from './pulse.ts'

/** What needs little and must not wait behind writers: keys and readiness. */
const RESERVED = 2

export interface RequestPools {
  db: Db
  reserved: Db
  close(): Promise<void>
}

type Connected = (error?: Error, client?: pg.PoolClient, release?: (broken?: boolean) => void) => void

/** A pool that can be told that the database is silent: what waits for it fails, and so does what comes. */
export class WatchedPool extends pg.Pool {
  #isSilent = false
  readonly #waiting = new Set<Connected>()
  readonly #open = new Set<pg.PoolClient>()

  constructor(config: pg.PoolConfig) {
    super(config)
    this.on('connect', client => this.#open.add(client))
    this.on('remove', client => this.#open.delete(client))
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error))),
      )
    }
    if (this.#isSilent) return void callback(silence())
    const once: Connected = (error, client, release) => {
      if (this.#waiting.delete(once)) callback(error, client, release)
      else release?.()
    }
    this.#waiting.add(once)
    super.connect(once as never)
  }

  fallSilent(): void {
    this.#isSilent = true
    for (const end of [...this.#waiting]) end(silence())
    for (const client of this.#open) {
      ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    }
  }

  answer(): void {
    this.#isSilent = false
  }
}

const silence = () => new NotReady('the database does not answer')

/** For a process that answers requests: a database that accepts connections and stays silent is noticed within 3 seconds. */
export function openRequestPools(url: string, max: number, options: PoolOptions): RequestPools {
  const pools = [max, RESERVED].map(
    size => openPool(url, size, { ...options, Pool: WatchedPool }) as WatchedPool,
  )
  const pulse = new Pulse({
    url,
    onSilence() {
      for (const pool of pools) pool.fallSilent()
    },
    onAnswer() {
      for (const pool of pools) pool.answer()
    },
  })
  const [db, reserved] = pools.map(openDatabase) as [Db, Db]
  const close = async () => {
    await pulse.stop()
    await Promise.all([db.destroy(), reserved.destroy()])
  }
  return { db, reserved, close }
}
