import type { Db } from '../db/database.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import * as store from './store.ts'

/** A revoked key has to stop within a second in every process; a tenth already saves what there is to save. */
const TRUSTED_MS = 100
const MAX_KEYS = 10_000

type LiveKey = NonNullable<Awaited<ReturnType<typeof store.findLiveKey>>>

/**
 * The keys that work. A busy key is read ten times a second and not at each request: that read was the most
 * expensive part of a search (docs/performance.md). Keys that do not work are never remembered.
 */
export class LiveKeys {
  readonly #db: Db
  readonly #known: BoundedMap<string, { key: LiveKey; until: number }>
  #generation = 0

  constructor(db: Db, maxKeys = MAX_KEYS) {
    this.#db = db
    this.#known = new BoundedMap({ entries: maxKeys })
  }

  get size(): number {
    return this.#known.size
  }

  /**
   * What is remembered is used only for the key that it is right for: whoever guesses at a secret waits for the database
   * whether the prefix is somebody's or nobody's, and cannot tell which by the time.
   */
  async find(prefix: string, isRight: (key: LiveKey) => boolean = () => true): Promise<LiveKey | undefined> {
    const known = this.#known.get(prefix)
    // Counted from before the read, by a clock that nobody sets.
    const now = performance.now()
    if (known && now < known.until && isRight(known.key)) return known.key
    const generation = this.#generation
    const key = await store.findLiveKey(this.#db, prefix)
    if (!key) this.#known.delete(prefix)
    else if (generation === this.#generation) this.#known.set(prefix, { key, until: now + TRUSTED_MS })
    return key
  }

  /** After a change in this process: what is being read just now may be old already and is not kept either. */
  forget(): void {
    this.#generation++
    this.#known.clear()
  }
}
