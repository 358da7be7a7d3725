import { setTimeout as sleep } from 'node:timers/promises'

const MOST = { perAgent: 32, inAll: 1000 }
/** From one moment to the next, so that a busy market is not sent one change at a time. */
const GATHER_MS = 40
/** A moment does not wait longer for what is new. */
const REFRESH_MS = 200

/** When those who wait are woken. What they are then answered is found once for all who ask the same. */
export class Moment {
  readonly #answers = new Map<string, Promise<unknown>>()

  shared<T>(question: string, answer: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(question) ?? answer()
    this.#answers.set(question, known)
    return known as Promise<T>
  }
}

/** Requests that wait for something new, without anything of the database. */
export class Waiting {
  /** Each with its agent. */
  readonly #wakeUps = new Map<(moment?: Moment) => void, string>()
  readonly #seats = new Map<string, number>()
  /** How often something was new. */
  news = 0
  #gathering: Promise<Moment> | undefined
  #lastMoment = -GATHER_MS
  #isClosed = false
  readonly #refresh: () => Promise<unknown>

  /** `refresh` reads what is new right before those who wait are woken, so that it does not wait for the next moment. */
  constructor(refresh: () => Promise<unknown> = async () => {}) {
    this.#refresh = refresh
  }

  /** How many wait now. */
  get size(): number {
    return this.#wakeUps.size
  }

  /** Something is new, for that agent or for everyone: those who wait are woken a moment later. */
  changed(agentId?: string): void {
    this.news++
    if (this.#wakeUps.size > 0) void this.gathered().then(moment => this.#wakeAll(moment, agentId))
  }

  /** The next moment, the same one for all who ask before it comes. */
  gathered(): Promise<Moment> {
    this.#gathering ??= this.#nextMoment()
    return this.#gathering
  }

  async #nextMoment(): Promise<Moment> {
    await sleep(Math.max(0, this.#lastMoment + GATHER_MS - performance.now()))
    // If it fails or takes long, a later moment comes with what is read then.
    const refreshed = this.#refresh().catch(() => {})
    await Promise.race([refreshed, sleep(REFRESH_MS, undefined, { ref: false })])
    this.#gathering = undefined
    this.#lastMoment = performance.now()
    return new Moment()
  }

  /**
   * The moment something is new; undefined if the time is over, there is no seat, or nobody is there to be answered. `seen` is what
   * `news` was when the caller began to read: if something has become new since, this takes only a moment.
   */
  async forChange(
    agentId: string,
    ms: number,
    signal: AbortSignal,
    seen = this.news,
  ): Promise<Moment | undefined> {
    const seats = this.#seats.get(agentId) ?? 0
    const isFull = seats >= MOST.perAgent || this.#wakeUps.size >= MOST.inAll
    if (this.#isClosed || signal.aborted || isFull || ms <= 0) return undefined
    if (this.news !== seen) return this.gathered()
    this.#seats.set(agentId, seats + 1)
    try {
      return await this.#wakeUp(agentId, ms, signal)
    } finally {
      const left = (this.#seats.get(agentId) ?? 1) - 1
      if (left > 0) this.#seats.set(agentId, left)
      else this.#seats.delete(agentId)
    }
  }

  #wakeUp(agentId: string, ms: number, signal: AbortSignal): Promise<Moment | undefined> {
    return new Promise(resolve => {
      const wake = (moment?: Moment) => {
        clearTimeout(timer)
        this.#wakeUps.delete(wake)
        signal.removeEventListener('abort', giveUp)
        resolve(this.#isClosed ? undefined : moment)
      }
      const giveUp = () => wake()
      const timer = setTimeout(giveUp, ms)
      signal.addEventListener('abort', giveUp)
      this.#wakeUps.set(wake, agentId)
    })
  }

  #wakeAll(moment?: Moment, agentId?: string): void {
    for (const [wake, agent] of [...this.#wakeUps])
      if (agentId === undefined || agent === agentId) wake(moment)
  }

  /** All are answered now, and nobody waits any more. */
  close(): void {
    this.#isClosed = true
    this.#wakeAll()
  }
}
