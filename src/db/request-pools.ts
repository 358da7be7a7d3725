import pg from 'pg'
import { NotReady } from '../lib/problem.ts'
import { type Db, openDatabase, openPool, type PoolOptions } from './database.ts'
import { Pulse } from './pulse.ts'

/** What needs little and must not wait behind writers: keys, limits, readiness, the comparison with a replica. */
const RESERVED = 2

export interface RequestPools {
  db: Db
  reserved: Db
  /** By name, to watch them; `requests` are those of `db`. */
  pools: { requests: pg.Pool; [name: string]: pg.Pool }
  close(): Promise<void>
}

type Connected = (error?: Error, client?: pg.PoolClient, release?: (broken?: boolean) => void) => void

/** A pool that can be suspended while the database does not respond: waiting and new requests fail at once. */
export class WatchedPool extends pg.Pool {
  #isSuspended = false
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
    if (this.#isSuspended) return void callback(silence())
    const once: Connected = (error, client, release) => {
      if (this.#waiting.delete(once)) callback(error, client, release)
      else release?.()
    }
    this.#waiting.add(once)
    super.connect(once as never)
  }

  suspend(): void {
    this.#isSuspended = true
    for (const end of [...this.#waiting]) end(silence())
    for (const client of this.#open) {
      ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    }
  }

  resume(): void {
    this.#isSuspended = false
  }
}

const silence = () => new NotReady('the database does not answer')

/** For a process that answers requests: a database that accepts connections and stays silent is noticed within 3 seconds. */
export function openRequestPools(url: string, max: number, options: PoolOptions): RequestPools {
  const [requests, few] = [max, RESERVED].map(
    size => openPool(url, size, { ...options, Pool: WatchedPool }) as WatchedPool,
  ) as [WatchedPool, WatchedPool]
  const pools = [requests, few]
  const pulse = new Pulse({
    url,
    onSilence() {
      for (const pool of pools) pool.suspend()
    },
    onAnswer() {
      for (const pool of pools) pool.resume()
    },
  })
  const [db, reserved] = pools.map(openDatabase) as [Db, Db]
  const close = async () => {
    await pulse.stop()
    await Promise.all([db.destroy(), reserved.destroy()])
  }
  return { db, reserved, pools: { requests, reserved: few }, close }
}
