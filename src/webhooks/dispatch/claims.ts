interface ClaimDeps<T> {
  /** How many more can start now. */
  free(): number
  /** Committed when it resolves: from then on each is sent at most once. */
  claim(most: number): Promise<T[]>
  start(claimed: T): void
  onError(error: unknown): void
  stopping: AbortSignal
}

/**
 * Claims waiting deliveries until none are left or no seat is free. One claim at a time: a wake during a claim causes
 * another round.
 */
export class Claims<T> {
  readonly #deps: ClaimDeps<T>
  #isRunning = false
  #isAskedAgain = false
  #round = Promise.resolve()

  constructor(deps: ClaimDeps<T>) {
    this.#deps = deps
  }

  wake(): void {
    this.#isAskedAgain = true
    if (!this.#isRunning) this.#round = this.#claimAll()
  }

  /** Resolves when the claim in progress has been started. */
  async drain(): Promise<void> {
    await this.#round
  }

  async #claimAll(): Promise<void> {
    const { free, claim, start, onError, stopping } = this.#deps
    this.#isRunning = true
    while (this.#isAskedAgain && !stopping.aborted) {
      const most = free()
      if (most === 0) break
      this.#isAskedAgain = false
      try {
        const claimed = await claim(most)
        for (const one of claimed) start(one)
        // A full batch: more may be waiting.
        if (claimed.length === most) this.#isAskedAgain = true
      } catch (error) {
        onError(error)
      }
    }
    this.#isRunning = false
  }
}
