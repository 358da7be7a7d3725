import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { seldom } from '../../lib/seldom.ts'
import { EVENTS_CHANNEL } from '../../outbox/store.ts'
import { type History, isPast, type Position } from './history.ts'
import { askShort, type Moment, openReader, readHistories } from './store.ts'

interface WatchOptions {
  url: string
  logger: FastifyBaseLogger
  /** With each new connection, before it reads. */
  begin?(client: pg.Client): Promise<void>
  /** Reads what is new: when it has connected, soon after something may have changed, and at once when someone waits for it. */
  read(client: pg.Client): Promise<void>
}

// Notifications can be lost and connections cut: no change goes unnoticed longer than this.
const POLL_MS = 400
/** From one read to the next while nothing waits for it: in a busy market, reading each change alone costs more than applying it. */
const GATHER_MS = 20
const RECONNECT_MS = 100

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
  #isWoken = false
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
    this.#notice()
  }

  /** Ends the pause when the last read is long enough ago. */
  #notice(): void {
    this.#isWoken = true
    this.#endPause()
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
      channel === EVENTS_CHANNEL ? this.onEvent(payload) : this.#notice(),
    )
    try {
      await Promise.all([client.connect(), listener.connect()])
      await askShort(listener, `listen listing_changes; listen ${EVENTS_CHANNEL}`)
      await askShort(client, 'select enter_history()')
      this.#histories = await readHistories(client)
      await this.#options.begin?.(client)
      await this.#read(client)
      // Those that were appended while nothing listened.
      this.onEvent()
      // Without statistics, right after a bulk load, every change would cause a full table scan.
      await askShort(client, 'set enable_seqscan = off')
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
      await this.#options.read(client)
    } catch (error) {
      this.#waiting = [...served, ...this.#waiting]
      throw error
    }
    this.#readAt = began
    for (const { resolve } of served) resolve()
  }
}
