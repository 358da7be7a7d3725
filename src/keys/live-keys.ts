import { setImmediate } from 'node:timers/promises'
import type { Db } from '../db/database.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import * as store from './store.ts'

/**
 * A revoked key must stop working within a second in every process; caching for 100 ms already saves nearly all reads.
 */
const TRUSTED_MS = 100
/** While the database is away, a key that was valid this long ago still opens what is answered from memory. */
const KEPT_MS = 30_000
const MAX_KEYS = 10_000

type LiveKey = Awaited<ReturnType<typeof store.findLiveKeys>>[number]

/** Keys that the next query reads. */
interface Batch {
  prefixes: Set<string>
  found: Promise<Map<string, LiveKey>>
}

/**
 * Caches valid keys. A busy key is read ten times a second rather than on each request: that read was the most
 * expensive part of a search (docs/performance.md). Invalid keys are never cached.
 */
export class LiveKeys {
  readonly #db: Db
  readonly #known: BoundedMap<string, { key: LiveKey; until: number }>
  #generation = 0
  #batch: Batch | undefined

  constructor(db: Db, maxKeys = MAX_KEYS) {
    this.#db = db
    this.#known = new BoundedMap({ entries: maxKeys })
  }

  get size(): number {
    return this.#known.size
  }

  /**
   * A cached entry is used only for the exact key: a guessed secret always waits for the database, whether or not the
   * prefix exists, so timing reveals nothing.
   */
  async find(prefix: string, isRight: (key: LiveKey) => boolean = () => true): Promise<LiveKey | undefined> {
    const known = this.#known.get(prefix)
    // Measured from before the read, on a monotonic clock.
    const now = performance.now()
    if (known && now < known.until && isRight(known.key)) return known.key
    const generation = this.#generation
    const key = await this.#read(prefix).catch(error => {
      if (known && now < known.until + KEPT_MS && isRight(known.key)) return known.key
      throw error
    })
    if (key === known?.key) return key
    if (!key) this.#known.delete(prefix)
    else if (generation === this.#generation) this.#known.set(prefix, { key, until: now + TRUSTED_MS })
    return key
  }

  /** One query for each round of the event loop: requests that waited for the same change return together. */
  async #read(prefix: string): Promise<LiveKey | undefined> {
    this.#batch ??= this.#newBatch()
    this.#batch.prefixes.add(prefix)
    return (await this.#batch.found).get(prefix)
  }

  #newBatch(): Batch {
    const prefixes = new Set<string>()
    const found = setImmediate().then(async () => {
      this.#batch = undefined
      const keys = await store.findLiveKeys(this.#db, [...prefixes])
      return new Map(keys.map(key => [key.prefix, key]))
    })
    return { prefixes, found }
  }

  /** After a change in this process: a read in progress may already be stale, so its result is not cached either. */
  forget(): void {
    this.#generation++
    this.#known.clear()
  }
}
