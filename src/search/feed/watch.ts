import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { seldom } from '../../lib/seldom.ts'
import { EVENTS_CHANNEL } from '../../outbox/store.ts'
import { type History, isPast, type Position } from './history.ts'
import { sees } from './snapshot.ts'
import { askShort, expectFew, type Moment, openReader, readHistories } from './store.ts'

interface WatchOptions {
  url: string
  logger: FastifyBaseLogger
  /** With each new connection, before it reads. */
  begin?(client: pg.Client): Promise<void>
  /** Reads what is new: when it has connected, soon after something may have changed, and at once when someone waits for it. */
  read(client: pg.Client): Promise<void>
  /** The state of the last read. */
  position(): Position | undefined
}

// Notifications can be lost and connections cut: no change goes unnoticed longer than this.
const POLL_MS = 400
/** From one read to the next while nothing waits for it: in a busy market, reading each change alone costs more than applying it. */
const GATHER_MS = 20
/** From an announcement to its read: a write of this process is read by itself meanwhile, and then needs no other. */
const OWN_MS = 10
const RECONNECT_MS = 100
/** A transaction that no read has seen: of an announcement that does not name its own. */
const UNKNOWN = Number.POSITIVE_INFINITY

interface Waiting {
  resolve: () => void
  reject: (error: Error) => void
}

/** Reads again and again over a dedicated connection, and reconnects when it is lost. */
export class Watch {
  /** Called when that agent may have new events; without an agent, when anyone may. */
  onEvent: (agentId?: string) => void = () => {}
  readonly #options: WatchOptions
  #histories: History[] = []
  #waiting: Waiting[] = []
  /** Transactions that changed something, as they were announced since the last read began. */
  #announced: { xid: number; at: number }[] = []
  #isUrgent = false
  #endPause: () => void = () => {}
  #isClosed = false
  #readAt = performance.now()
  readonly #running: Promise<void>

  constructor(options: WatchOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** Resolves after a read that began after the call: one already in progress does not count. */
  refresh(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('the search feed is closed'))
      this.#waiting.push({ resolve, reject })
      this.wakeUp()
    })
  }

  /** For how long the database may have changed unnoticed: usually less than a poll. */
  get lagMs(): number {
    return performance.now() - this.#readAt
  }

  /** Whether the state that position saw is part of this database's history. */
  isPast(position: Position): boolean {
    return isPast(this.#histories, position)
  }

  /** A new history may have begun since this connection was opened, when a table was rewritten. */
  async positionAt(client: pg.Client, { snapshot, history }: Moment): Promise<Position> {
    if (this.#histories.at(-1)?.id !== history) this.#histories = await readHistories(client)
    const latest = this.#histories.find(({ id }) => id === history)
    if (!latest) throw new Error('the feed has no history')
    return { history: latest.token, snapshot }
  }

  /** Ends the pause at once. */
  wakeUp(): void {
    this.#isUrgent = true
    this.#endPause()
  }

  /** Ends the pause when the last read is long enough ago. */
  #announce(xid: number): void {
    this.#announced.push({ xid, at: performance.now() })
    this.#endPause()
  }

  /** When to read what was announced and has not been read; undefined if there is nothing. */
  get #dueAt(): number | undefined {
    const snapshot = this.#options.position()?.snapshot
    const unseen = this.#announced.find(({ xid }) => !snapshot || !sees(snapshot, xid))
    return unseen && Math.max(unseen.at + OWN_MS, this.#readAt + GATHER_MS)
  }

  /** At most one read follows; `beforeEnd` runs before those who still wait are refused. */
  async close(beforeEnd: () => Promise<void> = async () => {}): Promise<void> {
    this.#isClosed = true
    this.wakeUp()
    await this.#running
    await beforeEnd()
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

  /** Runs until the connection is lost or the watch is closed. */
  async #follow(): Promise<void> {
    const open = () => openReader(this.#options.url, 'lonja search')
    // Two connections: the stream of a COPY swallows notifications that arrive while it starts.
    const [client, listener] = [open(), open()]
    let failure: Error | undefined
    const fail = (error = new Error('the connection ended')) => {
      failure ??= error
      this.wakeUp()
    }
    for (const one of [client, listener]) one.on('error', fail).on('end', () => fail())
    listener.on('notification', ({ channel, payload }) =>
      channel === EVENTS_CHANNEL ? this.onEvent(payload) : this.#announce(Number(payload) || UNKNOWN),
    )
    try {
      await Promise.all([client.connect(), listener.connect()])
      await askShort(listener, `listen listing_changes; listen ${EVENTS_CHANNEL}`)
      await askShort(client, 'select enter_history()')
      this.#histories = await readHistories(client)
      await this.#options.begin?.(client)
      await expectFew(client)
      await this.#read(client)
      // Those that were appended while nothing listened.
      this.onEvent()
      while (!this.#isClosed) {
        await this.#pause()
        if (failure) throw failure
        await this.#read(client)
      }
    } finally {
      for (const one of [client, listener]) one.end().catch(() => {})
    }
  }

  /** Waits until something may have changed. */
  async #pause(): Promise<void> {
    const pollAt = performance.now() + POLL_MS
    const left = () => (this.#isUrgent ? 0 : (this.#dueAt ?? pollAt) - performance.now())
    for (let ms = left(); ms > 0; ms = left()) await this.#rest(ms)
    this.#announced = []
    this.#isUrgent = false
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
      await this.#options.read(client)
    } catch (error) {
      this.#waiting = [...served, ...this.#waiting]
      throw error
    }
    this.#readAt = began
    for (const { resolve } of served) resolve()
  }
}
