import { setTimeout as sleep } from 'node:timers/promises'

const MOST = { perAgent: 32, inAll: 1000 }
/** A change is answered so much later, with all that came meanwhile: a busy market would otherwise be told word by word. */
const GATHER_MS = 20

/** Requests that wait for something new, without anything of the database. */
export class Waiting {
  readonly #wakeUps = new Set<() => void>()
  readonly #seats = new Map<string, number>()
  #gathering: Promise<void> | undefined
  #isClosed = false

  /** How many wait now. */
  get size(): number {
    return this.#wakeUps.size
  }

  /** Something is new: those who wait are woken a moment later. */
  changed(): void {
    if (this.#wakeUps.size > 0) void this.gathered().then(() => this.#wakeAll())
  }

  /** Resolves a moment later, the same one for all who ask meanwhile. */
  gathered(): Promise<void> {
    this.#gathering ??= sleep(GATHER_MS).then(() => {
      this.#gathering = undefined
    })
    return this.#gathering
  }

  /** Until something is new; false if the time is over, there is no seat, or nobody is there to be answered. */
  async forChange(agentId: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const seats = this.#seats.get(agentId) ?? 0
    const isFull = seats >= MOST.perAgent || this.#wakeUps.size >= MOST.inAll
    if (this.#isClosed || signal.aborted || isFull || ms <= 0) return false
    this.#seats.set(agentId, seats + 1)
    try {
      return await this.#wakeUp(ms, signal)
    } finally {
      const left = (this.#seats.get(agentId) ?? 1) - 1
      if (left > 0) this.#seats.set(agentId, left)
      else this.#seats.delete(agentId)
    }
  }

  #wakeUp(ms: number, signal: AbortSignal): Promise<boolean> {
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
      this.#wakeUps.add(wake)
    })
  }

  #wakeAll(): void {
    for (const wake of [...this.#wakeUps]) wake()
  }

  /** All are answered now, and nobody waits any more. */
  close(): void {
    this.#isClosed = true
    this.#wakeAll()
  }
}
