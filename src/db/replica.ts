import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { type Db, openDatabase, openPool } from './database.ts'
import { Pulse } from './pulse.ts'
import { WatchedPool } from './request-pools.ts'
import { isUnavailable } from './unavailable.ts'

interface ReplicaOptions {
  url: string
  primary: pg.Pool
  /** Of the primary too: the comparison must not wait behind those who write. */
  reserved: pg.Pool
  size: number
  /** How old the replica's rows may be. */
  maxLagMs: number
}

/** Where the primary was at that moment. */
interface Position {
  at: number
  lsn: number
}

const PRIMARY_POSITION = `
  select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as lsn,
    (select token from feed_histories order by id desc limit 1) as history`

/** A server that was promoted, or follows another one than our primary, has another history. */
const REPLICA_POSITION = `
  select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as lsn,
    pg_is_in_recovery() and exists (select from feed_histories where token = $1) as follows`

/**
 * Reads of a streaming replica, for what strangers ask most and what may be some seconds old. While the replica is away,
 * promoted or too far behind, and for a statement that fails there, the primary answers: no request fails for want of it.
 */
export class Replica {
  /** For single statements that only read. */
  readonly reader: Db
  readonly pool: WatchedPool
  readonly #options: ReplicaOptions
  readonly #pulse: Pulse
  /** Of the primary, oldest first, not yet seen in the replica. */
  #positions: Position[] = []
  /** The replica has everything that was committed before. */
  #freshAsOf = Number.NEGATIVE_INFINITY

  constructor(options: ReplicaOptions) {
    const { url, size } = options
    this.#options = options
    this.pool = openPool(url, size, { Pool: WatchedPool }) as WatchedPool
    this.#pulse = new Pulse({
      url,
      ask: client => this.#compare(client),
      onSilence: () => this.pool.suspend(),
      onAnswer: () => this.pool.resume(),
    })
    this.reader = openDatabase(this.#asPool())
  }

  get isFresh(): boolean {
    return performance.now() - this.#freshAsOf < this.#options.maxLagMs
  }

  async close(): Promise<void> {
    await this.#pulse.stop()
    await this.pool.end()
  }

  #asPool(): PostgresPool {
    const query = (text: string, values: readonly unknown[]) => this.#read(text, [...values])
    const client = { query: query as never, release: () => {} }
    return { connect: async () => client, end: async () => {} }
  }

  async #read(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (this.isFresh) {
      try {
        return await run(this.pool, text, values)
      } catch (error) {
        // What is wrong with the statement itself, the primary says too.
        if (isAway(error as Error)) this.#freshAsOf = Number.NEGATIVE_INFINITY
      }
    }
    return run(this.#options.primary, text, values)
  }

  /** No clocks are compared: the replica is as fresh as the newest position of the primary that it has reached. */
  async #compare(replica: pg.Client): Promise<void> {
    const at = performance.now()
    const { rows: primary } = await this.#options.reserved.query(PRIMARY_POSITION)
    const { rows } = await replica.query(REPLICA_POSITION, [primary[0].history])
    const { lsn, follows } = rows[0]
    // Not before the replica has answered: those of one that never does would pile up.
    this.#positions.push({ at, lsn: primary[0].lsn })
    const isReached = (position: Position) => follows && position.lsn <= lsn
    this.#freshAsOf =
      this.#positions.findLast(isReached)?.at ?? (follows ? this.#freshAsOf : Number.NEGATIVE_INFINITY)
    const oldest = at - this.#options.maxLagMs
    this.#positions = this.#positions.filter(position => position.at > oldest && !isReached(position))
  }
}

/** Like `pool.query`, but without a callback: spans end with the promise (traces/traces.ts). */
async function run(pool: pg.Pool, text: string, values: unknown[]): Promise<pg.QueryResult> {
  const client = await pool.connect()
  try {
    const result = await client.query(text, values)
    client.release()
    return result
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

/** Canceled for its time, or because the replica had to go on, is one statement: the next may do well. */
const isAway = (error: Error & { code?: string }) =>
  isUnavailable(error) && !/^(57014|40)/.test(error.code ?? '')
