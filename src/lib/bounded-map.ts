interface Bounds<K, V> {
  entries: number
  bytes?: number
  /** Bytes an entry takes in memory, including its key. */
  bytesOf?: (key: K, value: V) => number
}

interface Entry<K, V> {
  key: K
  value: V
  bytes: number
  older: Entry<K, V>
  newer: Entry<K, V>
}

/**
 * An LRU map with a bound on memory. The order is kept in a separate linked ring: finding the oldest entry of a plain
 * Map takes as many steps as there were deletions before it.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, Entry<K, V>>()
  /** Sentinel: before the oldest and after the newest. */
  readonly #ends: Entry<K, V>
  readonly #bounds: Required<Bounds<K, V>>
  #bytes = 0

  constructor({ entries, bytes = Number.POSITIVE_INFINITY, bytesOf = () => 0 }: Bounds<K, V>) {
    this.#bounds = { entries, bytes, bytesOf }
    const ends = {} as Entry<K, V>
    this.#ends = Object.assign(ends, { older: ends, newer: ends })
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  has(key: K): boolean {
    return this.#entries.has(key)
  }

  /** Does not count as a use. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#unlink(entry)
    this.#link(entry)
    return entry.value
  }

  /** An entry larger than the whole bound is not kept. */
  set(key: K, value: V): void {
    this.delete(key)
    const bytes = this.#bounds.bytesOf(key, value)
    if (bytes > this.#bounds.bytes) return
    const entry: Entry<K, V> = { key, value, bytes, older: this.#ends, newer: this.#ends }
    this.#entries.set(key, entry)
    this.#bytes += bytes
    this.#link(entry)
    while (this.#entries.size > this.#bounds.entries || this.#bytes > this.#bounds.bytes) {
      this.delete(this.#ends.newer.key)
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#unlink(entry)
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }

  clear(): void {
    this.#entries.clear()
    this.#ends.older = this.#ends
    this.#ends.newer = this.#ends
    this.#bytes = 0
  }

  /** Least recently used first. The current entry may be deleted while iterating. */
  *entries(): Generator<[K, V]> {
    for (let entry = this.#ends.newer; entry !== this.#ends; ) {
      const { key, value, newer } = entry
      yield [key, value]
      entry = newer
    }
  }

  #link(entry: Entry<K, V>): void {
    entry.older = this.#ends.older
    entry.newer = this.#ends
    this.#ends.older.newer = entry
    this.#ends.older = entry
  }

  #unlink({ older, newer }: Entry<K, V>): void {
    older.newer = newer
    newer.older = older
  }
}
