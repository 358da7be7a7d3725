import { setTimeout as sleep } from 'node:timers/promises'

const TRIES = 3
const RETRY_MS = 500

interface WriterDeps<T> {
  store(ended: readonly T[]): Promise<void>
  onGivenUp(error: unknown): void
}

/** Writes outcomes in order of arrival; those that arrive during a write are batched into the next one. */
export class OutcomeWriter<T> {
  readonly #deps: WriterDeps<T>
  readonly #waiting: T[] = []
  #writing = Promise.resolve()

  constructor(deps: WriterDeps<T>) {
    this.#deps = deps
  }

  /** Resolves when the outcome is stored or given up; never rejects. */
  write(outcome: T): Promise<void> {
    this.#waiting.push(outcome)
    if (this.#waiting.length === 1) this.#writing = this.#writing.then(() => this.#writeAll())
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    const batch = this.#waiting.splice(0)
    for (let tries = 1; ; tries++) {
      try {
        return await this.#deps.store(batch)
      } catch (error) {
        if (tries === TRIES) return this.#deps.onGivenUp(error)
        await sleep(RETRY_MS)
      }
    }
  }
}
