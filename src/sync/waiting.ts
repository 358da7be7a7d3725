import { setTimeout as sleep } from 'node:timers/promises'

const MOST = { perAgent: 32, inAll: 1000 }
/** How long a change waits for others, so that a busy market is not sent one change at a time. */
const GATHER_MS = 20

/** Requests that wait for something new, without anything of the database. */
export class Waiting {
  /** Each with its agent. */
  readonly #wakeUps = new Map<() => void, string>()
  readonly #seats = new Map<string, number>()
  /** How often something was new. */
  news = 0
  #gathering: Promise<void> | undefined
  #isClosed = false

  /** How many wait now. */
  get size(): number {
    return this.#wakeUps.size
  }

  /** Something is new, for that agent or for everyone: those who wait are woken a moment later. */
  changed(agentId?: string): void {
    this.news++
    if (this.#wakeUps.size > 0) void this.gathered().then(() => this.#wakeAll(agentId))
  }

  /** Resolves a moment later, the same one for all who ask meanwhile. */
  gathered(): Promise<void> {
    this.#gathering ??= sleep(GATHER_MS).then(() => {
      this.#gathering = undefined
    })
    return this.#gathering
  }

  /**
   * Until something is new; false if the time is over, there is no seat, or nobody is there to be answered. `seen` is what
   * `news` was when the caller began to read: if something has become new since, this takes only a moment.
   */
  async forChange(agentId: string, ms: number, signal: AbortSignal, seen = this.news): Promise<boolean> {
    const seats = this.#seats.get(agentId) ?? 0
    const isFull = seats >= MOST.perAgent || this.#wakeUps.size >= MOST.inAll
    if (this.#isClosed || signal.aborted || isFull || ms <= 0) return false
    if (this.news !== seen) return this.gathered().then(() => true)
    this.#seats.set(agentId, seats + 1)
    try {
      return await this.#wakeUp(agentId, ms, signal)
    } finally {
      const left = (this.#seats.get(agentId) ?? 1) - 1
      if (left > 0) this.#seats.set(agentId, left)
      else this.#seats.delete(agentId)
    }
  }

  #wakeUp(agentId: string, ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise(resolve => {
      const end = (isNew: boolean) => {
        clearTimeout(timer)
        this.#wakeUps.delete(wake)
        signal.removeEventListener('abort', giveUp)
        resolve(isNew)
      }
      const wake = () => end(!this.#isClosed)
      const giveUp = () => end(false)
      const timer = setTimeout(giveUp, ms)
      signal.addEventListener('abort', giveUp)
      this.#wakeUps.set(wake, agentId)
    })
  }

  #wakeAll(agentId?: string): void {
    for (const [wake, agent] of [...this.#wakeUps]) if (agentId === undefined || agent === agentId) wake()
  }

  /** All are answered now, and nobody waits any more. */
  close(): void {
    this.#isClosed = true
    this.#wakeAll()
  }
}
