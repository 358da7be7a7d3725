import { BoundedMap } from '../lib/bounded-map.ts'

const CHANGED_MS = 5_000

interface Options {
  now: () => number
  /** The maximum age. */
  forMs: number
  /** Changes with the data behind the value. */
  version: () => unknown
  /** How long an outdated value may still be shown after a change. */
  changedMs?: number
}

/** Caches a value that is expensive to compute and the same for everyone; concurrent requests share one computation. */
export class Remembered<T> {
  readonly #load: () => Promise<T>
  readonly #options: Options
  #kept: { at: number; version: unknown; value: Promise<T> } | undefined

  constructor(load: () => Promise<T>, options: Options) {
    this.#load = load
    this.#options = options
  }

  get(): Promise<T> {
    const { now, forMs, version, changedMs = CHANGED_MS } = this.#options
    const [at, current] = [now(), version()]
    const kept = this.#kept
    const mostMs = kept?.version === current ? forMs : changedMs
    if (kept && at - kept.at <= mostMs && mostMs > 0) return kept.value
    const fresh = { at, version: current, value: this.#load() }
    this.#kept = fresh
    fresh.value.catch(() => {
      if (this.#kept === fresh) this.#kept = undefined
    })
    return fresh.value
  }
}

/** Several such values by key. Strangers choose the keys, so only the most recently used are kept. */
export class RememberedEach<K, T> {
  readonly #kept: BoundedMap<K, Remembered<T>>
  readonly #remembered: (load: () => Promise<T>) => Remembered<T>

  constructor(entries: number, remembered: (load: () => Promise<T>) => Remembered<T>) {
    this.#kept = new BoundedMap({ entries })
    this.#remembered = remembered
  }

  get size(): number {
    return this.#kept.size
  }

  get(key: K, load: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key) ?? this.#remembered(load)
    this.#kept.set(key, known)
    return known.get()
  }
}
