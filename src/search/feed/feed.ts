import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { seldom } from '../../lib/seldom.ts'
import { EVENTS_CHANNEL } from '../../outbox/store.ts'
import { Engine, type Limits } from '../engine/engine.ts'
import type { Entry, Removal, Word64 } from '../engine/rows.ts'
import { Unusable } from './blocks.ts'
import { type History, isPast, type Position } from './history.ts'
import { SavedIndex, type SavingOptions, type State } from './saved-index.ts'
import {
  areFewNew,
  type Moment,
  openReader,
  readChanges,
  readEverything,
  readHistories,
  readRemovals,
  readTables,
  restampFuture,
} from './store.ts'

interface FeedOptions {
  url: string
  logger: FastifyBaseLogger
  limits?: Limits
  /** Mixed into the versions of rows. */
  addressWord?: Word64
  /** Where the index outlives the process; undefined: it does not. */
  saving?: SavingOptions | undefined
}

// Notifications can be lost and connections cut: no change goes unnoticed longer than this.
const POLL_MS = 400
/** From one read to the next while nothing waits for it: in a busy market, reading each change alone costs more than applying it. */
const GATHER_MS = 20
const RECONNECT_MS = 100
/** Changes applied without a pause: up to this many, a transaction appears atomically. */
const SLICE = 200
const PROGRESS_EVERY = 100_000
/** A fault that a reload does not cure must not keep the database busy. */
const RELOAD_EVERY_MS = 60_000
/** With more changes than this, reading every listing again takes less time than applying them one by one. */
const MOST_BEHIND = 20_000

interface Waiting {
  resolve: () => void
  reject: (error: Error) => void
}

/** Loads an engine from the tables and keeps it in sync, over a dedicated connection. */
export class Feed {
  /** Undefined until everything is loaded. */
  engine: Engine | undefined
  /** The state of the engine. While many changes are being applied, some of it is newer. */
  position: Position | undefined
  /** Called when the engine has new changes. */
  onChange: () => void = () => {}
  /** Called when that agent may have new events; without an agent, when anyone may. */
  onEvent: (agentId?: string) => void = () => {}
  readonly #options: FeedOptions
  readonly #saved: SavedIndex | undefined
  #tables = ''
  #histories: History[] = []
  #waiting: Waiting[] = []
  #isWoken = false
  #isUrgent = false
  #endPause: () => void = () => {}
  #isClosed = false
  #isDiverged = false
  #readAt = performance.now()
  #reloadedAt = Number.NEGATIVE_INFINITY
  readonly #running: Promise<void>

  constructor(options: FeedOptions) {
    this.#options = options
    this.#saved = options.saving && new SavedIndex(options.saving, options.logger)
    this.#running = this.#run()
  }

  /** Resolves when everything committed before the call is in the engine; a read already in progress does not count. */
  refresh(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('the search feed is closed'))
      this.#waiting.push({ resolve, reject })
      this.#wakeUp()
    })
  }

  /** A row of the index is missing in the tables: it serves until everything has been loaded again. */
  reload(): void {
    if (performance.now() - this.#reloadedAt < RELOAD_EVERY_MS) return
    this.#reloadedAt = performance.now()
    this.#isDiverged = true
    this.#options.logger.error('search differs from the database and is reloading')
    this.#wakeUp()
  }

  get isDiverged(): boolean {
    return this.#isDiverged
  }

  /** For how long the database may have changed without the engine: usually less than a poll. */
  get lagMs(): number {
    return performance.now() - this.#readAt
  }

  /** Whether the state that position saw is part of this database's history. */
  isPast(position: Position): boolean {
    return isPast(this.#histories, position)
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

  async close(): Promise<void> {
    this.#isClosed = true
    this.#wakeUp()
    await this.#running
    await this.#saved?.close(() => this.savable)
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the search feed is closed'))
  }

  async #run(): Promise<void> {
    const { logger } = this.#options
    const seldomLog = seldom()
    while (!this.#isClosed) {
      try {
        await this.#follow()
      } catch (error) {
        if (this.#isClosed) return
        seldomLog(leftOut =>
          logger.warn({ err: error, leftOut }, 'search lost its database connection and is reconnecting'),
        )
        await sleep(RECONNECT_MS)
      }
    }
  }

  /** Runs until the connection is lost or the feed is closed. */
  async #follow(): Promise<void> {
    const open = () => openReader(this.#options.url, 'lonja search')
    // Two connections: the stream of a COPY swallows notifications that arrive while it starts.
    const [client, listener] = [open(), open()]
    let failure: Error | undefined
    const fail = (error = new Error('the connection ended')) => {
      failure ??= error
      this.#wakeUp()
    }
    for (const one of [client, listener]) one.on('error', fail).on('end', () => fail())
    listener.on('notification', ({ channel, payload }) =>
      channel === EVENTS_CHANNEL ? this.onEvent(payload) : this.#notice(),
    )
    try {
      await Promise.all([client.connect(), listener.connect()])
      await listener.query(`listen listing_changes; listen ${EVENTS_CHANNEL}`)
      await client.query('select enter_history()')
      this.#histories = await readHistories(client)
      this.#tables = [await readTables(client), ...(this.#options.addressWord ?? [])].join('/')
      await this.#read(client)
      // Those that were appended while nothing listened.
      this.onEvent()
      // Without statistics, right after a bulk load, every change would cause a full table scan.
      await client.query('set enable_seqscan = off')
      while (!this.#isClosed) {
        await this.#pause()
        if (failure) throw failure
        await this.#read(client)
      }
    } finally {
      for (const one of [client, listener]) one.end().catch(() => {})
    }
  }

  /** Ends the pause at once. */
  #wakeUp(): void {
    this.#isUrgent = true
    this.#notice()
  }

  /** Ends the pause when the last read is long enough ago. */
  #notice(): void {
    this.#isWoken = true
    this.#endPause()
  }

  /** Waits until something may have changed. */
  async #pause(): Promise<void> {
    if (!this.#isWoken) await this.#rest(POLL_MS)
    for (let ms = this.#gatherMs; ms > 0; ms = this.#gatherMs) await this.#rest(ms)
    this.#isWoken = false
    this.#isUrgent = false
  }

  get #gatherMs(): number {
    return this.#isUrgent ? 0 : this.#readAt + GATHER_MS - performance.now()
  }

  #rest(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #read(client: pg.Client): Promise<void> {
    const served = this.#waiting.splice(0)
    const began = performance.now()
    try {
      if (this.engine && this.position && !this.#isDiverged)
        await this.#catchUp(client, this.engine, this.position)
      else await this.#load(client)
    } catch (error) {
      this.#waiting.unshift(...served)
      throw error
    }
    this.#readAt = began
    this.#saved?.consider(() => this.savable)
    for (const { resolve } of served) resolve()
  }

  async #load(client: pg.Client): Promise<void> {
    if (!this.engine && this.#saved && (await this.#restore(client, this.#saved))) return
    const { logger, limits, addressWord } = this.#options
    const started = performance.now()
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
    for (const _step of engine.settle()) await breathe()
    const position = await this.#positionAt(client, moment)
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
      await client.query('set enable_seqscan = off')
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
      await client.query('reset enable_seqscan')
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
    const position = await this.#positionAt(client, moment)
    if (!this.isPast(last) || moment.snapshot.next < last.snapshot.next) return false
    for (let i = 0; i < changes.length; i += SLICE) {
      for (const change of changes.slice(i, i + SLICE)) {
        if ('isErased' in change) engine.remove(change)
        else engine.apply(change)
      }
      if (i + SLICE < changes.length) await sleep(0)
    }
    this.position = position
    if (changes.length > 0 && engine === this.engine) this.onChange()
    return true
  }

  /** A new history may have begun since this connection was opened, when a table was rewritten. */
  async #positionAt(client: pg.Client, { snapshot, history }: Moment): Promise<Position> {
    if (this.#histories.at(-1)?.id !== history) this.#histories = await readHistories(client)
    const latest = this.#histories.find(({ id }) => id === history)
    if (!latest) throw new Error('the feed has no history')
    return { history: latest.token, snapshot }
  }
}
