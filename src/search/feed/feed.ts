import { setImmediate as breathe } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { inSlices } from '../../lib/slices.ts'
import { Engine, type Limits } from '../engine/engine.ts'
import type { Entry, Removal, Word64 } from '../engine/rows.ts'
import { Unusable } from './blocks.ts'
import type { Position } from './history.ts'
import { SavedIndex, type SavingOptions, type State } from './saved-index.ts'
import {
  areFewNew,
  expectFew,
  expectMany,
  readChanges,
  readEverything,
  readRemovals,
  readTables,
  restampFuture,
} from './store.ts'
import { Watch } from './watch.ts'

interface FeedOptions {
  url: string
  logger: FastifyBaseLogger
  limits?: Limits
  /** Mixed into the versions of rows. */
  addressWord?: Word64
  /** Where the index outlives the process; undefined: it does not. */
  saving?: SavingOptions | undefined
}

/** Changes of a transaction that are applied without a pause: up to this many, they appear at once, unless one was changed again. */
const AT_ONCE = 200
/** Pauses at most while the changes of one read are applied: a busy process must not fall behind more and more. */
const PAUSES = 10
const PROGRESS_EVERY = 100_000
/** A fault that a reload does not cure must not keep the database busy. */
const RELOAD_EVERY_MS = 60_000
/** With more changes than this, reading every listing again takes less time than applying them one by one. */
const MOST_BEHIND = 20_000

/** Loads an engine from the tables and keeps it in sync, over a dedicated connection. */
export class Feed {
  /** Undefined until everything is loaded. */
  engine: Engine | undefined
  /** The state of the engine. While many changes are being applied, some of it is newer. */
  position: Position | undefined
  /** Called when the engine has new changes. */
  onChange: () => void = () => {}
  readonly #options: FeedOptions
  readonly #saved: SavedIndex | undefined
  #tables = ''
  #isDiverged = false
  #reloadedAt = Number.NEGATIVE_INFINITY
  readonly #watch: Watch

  constructor(options: FeedOptions) {
    this.#options = options
    this.#saved = options.saving && new SavedIndex(options.saving, options.logger)
    this.#watch = new Watch({
      ...options,
      begin: async client => {
        this.#tables = [await readTables(client), ...(options.addressWord ?? [])].join('/')
      },
      read: client => this.#read(client),
      position: () => this.position,
    })
  }

  set onEvent(listener: (agentId?: string) => void) {
    this.#watch.onEvent = listener
  }

  /** Resolves when everything committed before the call is in the engine. */
  refresh(): Promise<void> {
    return this.#watch.refresh()
  }

  /** A row of the index is missing in the tables: it serves until everything has been loaded again. */
  reload(): void {
    if (performance.now() - this.#reloadedAt < RELOAD_EVERY_MS) return
    this.#reloadedAt = performance.now()
    this.#isDiverged = true
    this.#options.logger.error('search differs from the database and is reloading')
    this.#watch.wakeUp()
  }

  get isDiverged(): boolean {
    return this.#isDiverged
  }

  get lagMs(): number {
    return this.#watch.lagMs
  }

  isPast(position: Position): boolean {
    return this.#watch.isPast(position)
  }

  /** What may be saved: undefined while it is loading or differs from the database. */
  get savable(): State | undefined {
    const { engine, position } = this
    return engine && position && !this.#isDiverged ? { engine, position, tables: this.#tables } : undefined
  }

  /** Resolves when no save is in progress. */
  async saved(): Promise<void> {
    await this.#saved?.finished()
  }

  close(): Promise<void> {
    return this.#watch.close(async () => this.#saved?.close(() => this.savable))
  }

  async #read(client: pg.Client): Promise<void> {
    if (this.engine && this.position && !this.#isDiverged)
      await this.#catchUp(client, this.engine, this.position)
    else await this.#load(client)
    this.#saved?.consider(() => this.savable)
  }

  async #load(client: pg.Client): Promise<void> {
    if (!this.engine && this.#saved && (await this.#restore(client, this.#saved))) return
    const { logger, limits, addressWord } = this.#options
    const started = performance.now()
    await expectMany(client)
    await restampFuture(client)
    const engine = new Engine(limits, addressWord)
    const { rows } = await client.query('select count(*)::int as total from listings')
    const { total } = rows[0]
    engine.prepare(total)
    let loaded = 0
    const moment = await readEverything(client, {
      listing(entry) {
        engine.apply(entry)
        if (++loaded % PROGRESS_EVERY === 0) logger.info({ loaded, total }, 'search is loading')
      },
      removal: removal => engine.remove(removal),
    })
    await expectFew(client)
    for (const _step of engine.settle()) await breathe()
    const position = await this.#watch.positionAt(client, moment)
    this.engine = engine
    this.position = position
    this.#isDiverged = false
    logger.info({ listings: loaded, ms: Math.round(performance.now() - started) }, 'search is ready')
    this.onChange()
  }

  /** From the disk, brought up to date. False if what is saved there does not lead to the present state. */
  async #restore(client: pg.Client, saved: SavedIndex): Promise<boolean> {
    const { logger, limits, addressWord } = this.#options
    const started = performance.now()
    const opened = saved.open(this.#tables)
    if (!opened) return false
    try {
      const { position, pieces } = opened
      if (!this.isPast(position)) throw new Unusable('it is of another history of the database')
      if (!(await areFewNew(client, position.snapshot, MOST_BEHIND))) throw new Unusable('it is too old')
      const engine = new Engine(limits, addressWord)
      for (const _step of engine.load(pieces)) await breathe()
      await readRemovals(client, { removal: removal => engine.remove(removal), listing() {} })
      saved.accept(engine)
      if (!(await this.#applyNew(client, engine, position))) throw new Unusable('the database was restored')
      this.engine = engine
      const ms = Math.round(performance.now() - started)
      logger.info({ listings: engine.live.count(), ms }, 'search is ready, from the saved index')
      this.onChange()
      return true
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      saved.reject(error)
      return false
    } finally {
      opened.close()
    }
  }

  async #catchUp(client: pg.Client, engine: Engine, last: Position): Promise<void> {
    if (await this.#applyNew(client, engine, last)) return
    this.#options.logger.warn('the database was restored to an earlier state; search is reloading')
    await this.#load(client)
  }

  /** False if the database was restored to an earlier state: the data we hold may never have existed. */
  async #applyNew(client: pg.Client, engine: Engine, last: Position): Promise<boolean> {
    const changes: (Entry | Removal)[] = []
    const take = (change: Entry | Removal) => changes.push(change)
    const moment = await readChanges(client, last.snapshot, { listing: take, removal: take })
    const position = await this.#watch.positionAt(client, moment)
    if (!this.isPast(last) || moment.snapshot.next < last.snapshot.next) return false
    await inSlices(applied(engine, changes))
    this.position = position
    if (changes.length > 0 && engine === this.engine) this.onChange()
    return true
  }
}

/** Transaction by transaction, in steps: searches need not wait for all that many of them changed. */
function* applied(engine: Engine, changes: (Entry | Removal)[]): Generator<void> {
  changes.sort((a, b) => a.xid - b.xid)
  const least = changes.length / PAUSES
  let [sincePause, ofTransaction] = [0, 0]
  for (const [i, change] of changes.entries()) {
    const isSame = change.xid === changes[i - 1]?.xid
    if (isSame ? ofTransaction >= Math.max(AT_ONCE, least) : sincePause >= least) {
      yield
      sincePause = 0
      ofTransaction = 0
    }
    if (!isSame) ofTransaction = 0
    sincePause++
    ofTransaction++
    if ('isErased' in change) engine.remove(change)
    else engine.apply(change)
  }
}
