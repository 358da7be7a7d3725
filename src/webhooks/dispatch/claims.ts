interface ClaimDeps<T> {
  /** How many more can be started now. */
  free(): number
  /** Committed when it resolves: from then on each is sent once or never. */
  claim(most: number): Promise<T[]>
  start(claimed: T): void
  onError(error: unknown): void
  stopping: AbortSignal
}

/** Claims what waits until nothing does or no seat is free. One claim at a time: a wake meanwhile causes another round. */
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

  /** Resolves when the claim that is under way has been started. */
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
        // As many as could be asked for: more may wait.
        if (claimed.length === most) this.#isAskedAgain = true
      } catch (error) {
        onError(error)
      }
    }
    this.#isRunning = false
  }
}
