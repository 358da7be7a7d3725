/** A value that is costly to work out, kept for a while. After that the next one to ask still gets the old value. */
export class Remembered<T> {
  readonly #load: () => Promise<T>
  readonly #now: () => number
  readonly #forMs: number
  #kept: { at: number; value: Promise<T> } | undefined

  constructor(load: () => Promise<T>, now: () => number, forMs: number) {
    this.#load = load
    this.#now = now
    this.#forMs = forMs
  }

  get(): Promise<T> {
    const previous = this.#kept
    if (previous && this.#now() - previous.at <= this.#forMs) return previous.value
    const fresh = { at: this.#now(), value: this.#load() }
    this.#kept = fresh
    fresh.value.catch(() => {
      if (this.#kept === fresh) this.#kept = undefined
    })
    return previous ? previous.value.catch(() => fresh.value) : fresh.value
  }
}
