export interface SeatLimits {
  /** In flight in this process and not yet slow. */
  seats: number
  /** A slower delivery gives up its seat: receivers that never answer must not occupy them all. */
  slowMs: number
  /** In flight in this process, including slow ones. */
  total: number
}

/**
 * Bounds the concurrency of one process. A delivery starts in a seat, leaves it when it ends or becomes slow, and stays
 * in flight until it ends. The limit per webhook spans all processes, so `claim_deliveries` in the database enforces
 * it.
 */
export class Seats {
  readonly #limits: SeatLimits
  readonly #onFree: () => void
  readonly #inFlight = new Set<Promise<void>>()
  #taken = 0

  constructor(limits: SeatLimits, onFree: () => void) {
    this.#limits = limits
    this.#onFree = onFree
  }

  get free(): number {
    const { seats, total } = this.#limits
    return Math.max(0, Math.min(seats - this.#taken, total - this.#inFlight.size))
  }

  /** `work` must not reject. */
  run(work: () => Promise<void>): void {
    let isSeated = true
    const leave = () => {
      if (isSeated) this.#taken--
      isSeated = false
      this.#onFree()
    }
    this.#taken++
    const slow = setTimeout(leave, this.#limits.slowMs)
    const running = work().finally(() => {
      clearTimeout(slow)
      this.#inFlight.delete(running)
      leave()
    })
    this.#inFlight.add(running)
  }

  /** Resolves when everything in flight has ended. */
  async drain(): Promise<void> {
    await Promise.all(this.#inFlight)
  }
}
