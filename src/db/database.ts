import { Kysely, PostgresDialect, type PostgresPool, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { primaryOf } from './hosts.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

/** Accepted by reads that run inside or outside a transaction. */
export type Sql = Db | Tx

// Money is numeric(14,2): at most 14 digits, which a double holds exactly. Counts are far below 2^53.
const NUMERIC = 1700
const INT8 = 20
const numbers: Record<number, (text: string) => unknown> = { [NUMERIC]: Number, [INT8]: Number }
const getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  numbers[oid] ?? pg.types.getTypeParser(oid, format as 'text')

type Done = (error: Error | null, result: unknown) => void

/** Begins a statement that may take minutes. It needs a `statement_timeout` of its own, which is all that ends it. */
export const long = sql.raw('/* long */')

const LONG = /^\s*\/\* long \*\//

/**
 * Callers get an error within three seconds when the database is down; waiting for a free connection may take longer.
 *
 * A statement has its callback from the start. Those that `pg` attaches later, for promises and for `query_timeout`, keep rows reachable
 * after their use: each collection of young objects then copied about half of them, and took 10 ms instead of 1.
 */
class ImpatientClient extends pg.Client {
  readonly #patienceMs: number | undefined

  constructor({ query_timeout, ...config }: pg.ClientConfig) {
    // Not when the pool is opened: after a failover, new connections go to another server.
    const connectionString = primaryOf(config.connectionString as string)
    super({ ...config, connectionString, connectionTimeoutMillis: 2_500 })
    this.#patienceMs = query_timeout || undefined
  }

  /** Cursors and copies, which no request uses, may take as long as they need. */
  override query(statement: string | pg.QueryConfig | pg.Submittable, ...rest: unknown[]): never {
    if (typeof statement === 'object' && 'submit' in statement)
      return super.query(statement, ...(rest as [])) as never
    const done = rest.find(one => typeof one === 'function')
    const values = rest[0] === done ? undefined : rest[0]
    const config = {
      ...(typeof statement === 'string' ? { text: statement } : statement),
      ...((values && { values }) as { values?: unknown[] }),
    }
    if (done) return this.#ask(config, done as Done) as never
    return new Promise((resolve, reject) => {
      this.#ask(config, (error, result) => (error ? reject(error) : resolve(result)))
    }).catch((error: Error) => {
      // Leads to the caller, who awaits this, instead of the socket.
      Error.captureStackTrace(error)
      throw error
    }) as never
  }

  #ask(config: pg.QueryConfig, done: Done): void {
    const patienceMs = LONG.test(config.text) ? undefined : this.#patienceMs
    const timer = patienceMs && setTimeout(() => this.#giveUp(), patienceMs)
    const ended: Done = (error, result) => {
      clearTimeout(timer)
      done(error, result)
    }
    super.query(config, ended as never)
  }

  /** All statements sent or waiting on this connection fail, and the pool replaces it. */
  #giveUp(): void {
    this.connection.stream.destroy(new Error('Query read timeout'))
  }
}

/** Begins a statement that each connection plans only once; the text must not depend on the values. */
export const prepared = (name: string) => sql.raw(`/* prepared ${name} */`)

const PREPARED = /^\s*\/\* prepared (\w+) \*\//

class PreparingClient extends ImpatientClient {
  override query(statement: string | pg.QueryConfig | pg.Submittable, ...rest: unknown[]): never {
    const name = typeof statement === 'string' ? PREPARED.exec(statement)?.[1] : undefined
    return super.query(name ? { name, text: statement as string } : statement, ...rest)
  }
}

/** No request may hold a connection longer than this, even if the database stops responding. */
const query_timeout = 11_000
const REQUEST_BOUNDS: pg.PoolConfig = {
  statement_timeout: 10_000,
  query_timeout,
  idle_in_transaction_session_timeout: 15_000,
}

/** The role may have time limits, for requests behind a pooler. */
export const UNBOUNDED = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0'

export interface PoolOptions {
  /** For migrations, which have no time limit. */
  patient?: boolean
  /** The database is migrated: each connection begins with `enter_history`, so that no transaction can precede it. */
  migrated?: boolean
  /** Behind a pooler, which refuses settings of the session: the role sets the time limits. */
  pooled?: boolean
  Pool?: typeof pg.Pool
}

export function openPool(
  url: string,
  max: number,
  { patient = false, migrated = false, pooled = false, Pool = pg.Pool }: PoolOptions = {},
): pg.Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    Client: (pooled ? ImpatientClient : PreparingClient) as never,
    ...(patient ? { options: UNBOUNDED } : pooled ? { query_timeout } : REQUEST_BOUNDS),
    ...(migrated && { onConnect: async client => void (await client.query('select enter_history()')) }),
    types: { getTypeParser } as pg.CustomTypesConfig,
    application_name: 'lonja',
  })
  // A broken connection is replaced at the next use; without listeners its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

export function openDatabase(pool: PostgresPool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

const sessions = new WeakMap<Db, Db>()

/** The same database, with connections that keep their session: behind a pooler, each transaction may get another. */
export const sessionsOf = (db: Db): Db => sessions.get(db) ?? db

export function giveSessions(db: Db, direct: Db): void {
  sessions.set(db, direct)
}

/** Starts a transaction, or joins the open one, so that operations can be composed. */
export function atomically<T>(db: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : db.transaction().execute(work)
}

/** Like `atomically`, but a failure undoes only this work: an open transaction can go on after it. */
export async function nested<T>(db: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute(work)
  await sql`savepoint nested`.execute(db)
  try {
    return await work(db as Tx)
  } catch (error) {
    await sql`rollback to savepoint nested`.execute(db)
    throw error
  } finally {
    await sql`release savepoint nested`.execute(db)
  }
}

/** Does the work, with every check the database makes, and undoes all of it. */
export async function rehearse<T>(db: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  const undo = new Error('rehearsed')
  let result: T | undefined
  try {
    await nested(db, async tx => {
      result = await work(tx)
      throw undo
    })
  } catch (error) {
    if (error !== undo) throw error
  }
  return result as T
}

/** Whether PostgreSQL rejected a statement for violating the named constraint. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.constraint === constraint
