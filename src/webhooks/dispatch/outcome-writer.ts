import { setTimeout as sleep } from 'node:timers/promises'

const TRIES = 3
const RETRY_MS = 500

interface WriterDeps<T> {
  store(ended: readonly T[]): Promise<void>
  onGivenUp(error: unknown): void
  /** Whether it is worth trying until it works. */
  isTemporary?(error: unknown): boolean
}

/**
 * Writes outcomes in order of arrival; those that arrive during a write are batched into the next one. While the database is
 * away it tries until it is back: what was delivered must not be called failed.
 */
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
    const { store, onGivenUp, isTemporary = () => false } = this.#deps
    for (let tries = 1; ; ) {
      try {
        return await store(batch)
      } catch (error) {
        if (!isTemporary(error) && tries++ === TRIES) return onGivenUp(error)
        await sleep(RETRY_MS)
      }
    }
  }
}
