import type { Bitmap } from './bitmap.ts'
import { growth } from './columns.ts'
import type { Ids, Uuid } from './ids.ts'
import type { Pieces } from './pieces.ts'
import { sortByNumber } from './radix.ts'

/**
 * All slots in one sort order: by rank, then by id; slots without a rank have Infinity and come last. Stored in
 * reverse, because new listings come first in most orders and appending is cheap.
 */
export class Order {
  slots: Int32Array = new Int32Array()
  size = 0
  readonly rank: (slot: number) => number
  readonly #ids: Ids

  constructor(ids: Ids, rank: (slot: number) => number) {
    this.#ids = ids
    this.rank = rank
  }

  /** Negative when `a` comes before `b`. */
  compare(a: number, b: number): number {
    const rankA = this.rank(a)
    const rankB = this.rank(b)
    return rankA < rankB ? -1 : rankA > rankB ? 1 : this.#ids.compare(a, b)
  }

  /** Rebuilds the order from slots 0 to n, sorted by id. The other two arrays must hold n and are overwritten. */
  fill(byId: Int32Array, ranks: Float64Array, scratch: Int32Array): void {
    for (let slot = 0; slot < byId.length; slot++) ranks[slot] = this.rank(slot)
    this.slots = sortByNumber(byId, ranks, scratch).reverse()
    this.size = byId.length
  }

  /** A copy, with slots that came while other parts were saved: `load` leaves them out, when nothing waits for it. */
  saved(): Int32Array {
    return this.slots.slice(0, this.size)
  }

  /** The slots below that one. */
  load(from: Pieces, slots: number, spare: number): void {
    this.slots = from.next(Int32Array, spare)
    let size = 0
    for (let i = 0; i < this.slots.length - spare; i++) {
      const slot = this.slots[i] as number
      if (slot < slots) this.slots[size++] = slot
    }
    this.size = size
  }

  add(slot: number): void {
    if (this.size === this.slots.length) {
      const longer = new Int32Array(growth(this.size))
      longer.set(this.slots)
      this.slots = longer
    }
    const at = this.#firstWhere(other => this.compare(other, slot) < 0)
    this.slots.copyWithin(at + 1, at, this.size)
    this.slots[at] = slot
    this.size++
  }

  /** The rank and id must be the same as when it was added. */
  remove(slot: number): void {
    const at = this.#firstWhere(other => this.compare(other, slot) <= 0)
    this.slots.copyWithin(at, at + 1, this.size)
    this.size--
  }

  *without(gone: Bitmap): Generator<number> {
    const { slots } = this
    let size = 0
    for (let i = 0; i < this.size; i++) {
      const slot = slots[i] as number
      if (!gone.has(slot)) slots[size++] = slot
    }
    const cost = this.size
    this.size = size
    yield cost
  }

  /** The range in `slots` of those ranked from `low` to `high`. */
  segment(low: number, high: number): { from: number; to: number } {
    return {
      from: this.#firstWhere(slot => this.rank(slot) <= high),
      to: this.#firstWhere(slot => this.rank(slot) < low),
    }
  }

  /** Where in `slots` those that come before that rank and id begin. */
  startBefore(rank: number, id: Uuid): number {
    return this.#firstWhere(slot => {
      const own = this.rank(slot)
      return own < rank || (own === rank && this.#ids.compareTo(slot, id) < 0)
    })
  }

  /**
   * The slots at positions `offset` to `offset + limit` of this order among the `count` slots in `among`. Walks from
   * the nearer end, so at most half the order is visited.
   */
  page(among: Bitmap, count: number, offset: number, limit: number): number[] {
    const wanted = Math.min(limit, count - offset)
    if (wanted <= 0) return []
    const behind = count - offset - wanted
    return offset <= behind
      ? this.#walk(among, offset, wanted, this.size - 1, -1)
      : this.#walk(among, behind, wanted, 0, 1).reverse()
  }

  /** How many in `among` come at or before that rank and id. */
  countThrough(among: Bitmap, rank: number, id: Uuid): number {
    const from = this.#firstWhere(slot => {
      const own = this.rank(slot)
      return own < rank || (own === rank && this.#ids.compareTo(slot, id) <= 0)
    })
    let count = 0
    for (let i = from; i < this.size; i++) if (among.has(this.slots[i] as number)) count++
    return count
  }

  #walk(among: Bitmap, skip: number, wanted: number, start: number, step: 1 | -1): number[] {
    const { words } = among
    const { slots } = this
    let i = start
    for (let left = skip; left > 0; i += step) {
      const slot = slots[i] as number
      left -= ((words[slot >>> 5] as number) >>> slot) & 1
    }
    const found: number[] = []
    for (; found.length < wanted; i += step) {
      const slot = slots[i] as number
      if (((words[slot >>> 5] as number) & (1 << slot)) !== 0) found.push(slot)
    }
    return found
  }

  /** The test must be false for every slot before the first for which it is true. */
  #firstWhere(test: (slot: number) => boolean): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (test(this.slots[middle] as number)) high = middle
      else low = middle + 1
    }
    return low
  }
}
