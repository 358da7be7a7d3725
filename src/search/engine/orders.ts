import type { Bitmap } from './bitmap.ts'
import type { Ids, Uuid } from './ids.ts'
import type { Pieces } from './pieces.ts'
import { sortByNumber } from './radix.ts'

/** A change moves about half a block in each order. Tests use smaller ones. */
const ROOM = 2048
/** Of a new block, so that the first changes do not divide it. */
const FILLED = 7 / 8

interface Block {
  slots: Int32Array
  /** Never 0. */
  size: number
  /** The rank of its last slot: reading it there for every block that a change passes by would wait for memory. */
  last: number
}

/** The slot at a place, or the end: `block` is then the number of blocks. */
interface Place {
  block: number
  at: number
}

/**
 * All slots in one sort order: by rank, then by id; slots without a rank have Infinity and come last. Stored in
 * reverse, because new listings come first in most orders and appending is cheap; in blocks, because moving a million
 * slots for each change would take most of its time.
 */
export class Order {
  size = 0
  #blocks: Block[] = []
  readonly rank: (slot: number) => number
  readonly #ids: Ids
  readonly #room: number

  constructor(ids: Ids, rank: (slot: number) => number, room = ROOM) {
    this.#ids = ids
    this.rank = rank
    this.#room = room
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
    this.#divide(sortByNumber(byId, ranks, scratch).reverse())
  }

  /** A copy of the slots that are in `among`, last first. */
  saved(among: Bitmap): Int32Array {
    const all = new Int32Array(this.size)
    let end = 0
    for (const { slots, size } of this.#blocks) {
      for (let i = 0; i < size; i++) {
        const slot = slots[i] as number
        if (among.has(slot)) all[end++] = slot
      }
    }
    return all.subarray(0, end)
  }

  load(from: Pieces): void {
    this.#divide(from.next(Int32Array))
  }

  #divide(all: Int32Array): void {
    this.#blocks = []
    const step = this.#room * FILLED
    for (let start = 0; start < all.length; start += step)
      this.#blocks.push(this.#blockOf(all.subarray(start, start + step)))
    this.size = all.length
  }

  add(slot: number): void {
    const { block, at } = this.#placeFor(slot)
    const { slots, size } = block
    slots.copyWithin(at + 1, at, size)
    slots[at] = slot
    this.#resize(block, size + 1)
    this.size++
  }

  /** Where a new slot belongs, in a block that has room for it. */
  #placeFor(slot: number): { block: Block; at: number } {
    const ids = this.#ids
    const place = this.#firstBefore(this.rank(slot), other => ids.compare(other, slot) < 0)
    const isLast = place.block === this.#blocks.length
    const number = isLast ? place.block - 1 : place.block
    const block = this.#blocks[number]
    const at = isLast ? (block?.size ?? 0) : place.at
    if (block && block.size < this.#room) return { block, at }
    // Appended to an order that grows at this end, a block stays full.
    const cut = !block || at === block.size ? at : this.#room / 2
    const next = this.#blockOf(block?.slots.subarray(cut) ?? [])
    if (block) this.#resize(block, cut)
    this.#blocks.splice(number + 1, 0, next)
    return block && at < cut ? { block, at } : { block: next, at: at - cut }
  }

  /** The rank and id must be the same as when it was added. */
  remove(slot: number): void {
    const isNotAfter = (other: number) => this.#ids.compare(other, slot) <= 0
    const { block: number, at } = this.#firstBefore(this.rank(slot), isNotAfter)
    const block = this.#blocks[number] as Block
    block.slots.copyWithin(at, at + 1, block.size)
    this.#resize(block, block.size - 1)
    this.size--
    if (block.size === 0) this.#blocks.splice(number, 1)
  }

  /** After its slots have changed. */
  #resize(block: Block, size: number): void {
    block.size = size
    block.last = size > 0 ? this.rank(block.slots[size - 1] as number) : Number.NaN
  }

  /** In steps: between two, blocks may be divided, which moves those to come only further on. */
  *without(gone: Bitmap): Generator<number> {
    for (let number = 0; number < this.#blocks.length; number++) {
      const block = this.#blocks[number] as Block
      const before = block.size
      this.#resize(block, keepOthers(block, gone))
      this.size -= before - block.size
      if (this.#join(number)) number--
      yield before
    }
  }

  /** Appends a block to the one before it if half a block holds both, and drops one that is empty: true if it is gone. */
  #join(number: number): boolean {
    const block = this.#blocks[number] as Block
    const previous = this.#blocks[number - 1]
    const fits = previous !== undefined && previous.size + block.size <= this.#room / 2
    if (!fits && block.size > 0) return false
    if (fits) {
      previous.slots.set(block.slots.subarray(0, block.size), previous.size)
      this.#resize(previous, previous.size + block.size)
    }
    this.#blocks.splice(number, 1)
    return true
  }

  /** Last first: those ranked from `low` to `high`; with `after`, only those that come before that rank and id. */
  *backwards(low: number, high: number, after?: { rank: number; id: Uuid }): Generator<number> {
    const isIn = (slot: number) => !after || this.#isBefore(slot, after)
    const start = this.#firstBefore(after ? Math.min(high, after.rank) : high, isIn)
    for (let { block, at } = start; block < this.#blocks.length; block++, at = 0) {
      const { slots, size } = this.#blocks[block] as Block
      for (; at < size; at++) {
        const slot = slots[at] as number
        if (this.rank(slot) < low) return
        yield slot
      }
    }
  }

  #isBefore(slot: number, { rank, id }: { rank: number; id: Uuid }): boolean {
    const own = this.rank(slot)
    return own < rank || (own === rank && this.#ids.compareTo(slot, id) < 0)
  }

  /** Those in `among` by their place in this order, counted block by block as far as asked for; -1 beyond the last. */
  places(among: Bitmap): (place: number) => number {
    const inOrder = this.#blocks.toReversed()
    /** How many there are up to the end of each block. */
    const ends: number[] = []
    return place => {
      for (let end = ends.at(-1) ?? 0; end <= place && ends.length < inOrder.length; ) {
        end += countIn(inOrder[ends.length] as Block, among, 0)
        ends.push(end)
      }
      const number = firstThat(ends.length, at => (ends[at] as number) > place)
      const block = inOrder[number]
      return block ? lastButIn(block, among, place - (ends[number - 1] ?? 0)) : -1
    }
  }

  /** How many in `among` pass a test that is passed by all slots before one that passes it. */
  countUntil(among: Bitmap, passes: (slot: number) => boolean): number {
    const blocks = this.#blocks
    const first = firstThat(blocks.length, number => {
      const { slots, size } = blocks[number] as Block
      return passes(slots[size - 1] as number)
    })
    let count = 0
    for (let number = first; number < blocks.length; number++) {
      const block = blocks[number] as Block
      const from = number === first ? firstThat(block.size, at => passes(block.slots[at] as number)) : 0
      count += countIn(block, among, from)
    }
    return count
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
      ? this.#pick(among, offset, wanted, -1)
      : this.#pick(among, behind, wanted, 1).reverse()
  }

  /** How many in `among` come at or before that rank and id. */
  countThrough(among: Bitmap, rank: number, id: Uuid): number {
    const place = this.#firstBefore(rank, slot => this.#ids.compareTo(slot, id) <= 0)
    let count = 0
    for (let { block, at } = place; block < this.#blocks.length; block++, at = 0)
      count += countIn(this.#blocks[block] as Block, among, at)
    return count
  }

  #pick(among: Bitmap, skip: number, wanted: number, step: 1 | -1): number[] {
    const found: number[] = []
    let left = skip
    const last = this.#blocks.length - 1
    for (let n = 0; found.length < wanted; n++) {
      const block = this.#blocks[step === 1 ? n : last - n] as Block
      const count = left > 0 ? countIn(block, among, 0) : 0
      if (left > 0 && count <= left) {
        left -= count
        continue
      }
      const { slots, size } = block
      for (let i = step === 1 ? 0 : size - 1; i >= 0 && i < size && found.length < wanted; i += step) {
        const slot = slots[i] as number
        if (!among.has(slot)) continue
        if (left > 0) left--
        else found.push(slot)
      }
    }
    return found
  }

  #blockOf(slots: ArrayLike<number>): Block {
    const block = { slots: new Int32Array(this.#room), size: 0, last: Number.NaN }
    block.slots.set(slots)
    this.#resize(block, slots.length)
    return block
  }

  /** As stored, the first slot of a lower rank, or of the same rank if it passes the test, as all such slots after it must. */
  #firstBefore(rank: number, isSameBefore: (slot: number) => boolean): Place {
    const blocks = this.#blocks
    let block = 0
    for (let high = blocks.length; block < high; ) {
      const middle = (block + high) >>> 1
      const { slots, size, last } = blocks[middle] as Block
      if (last < rank || (last === rank && isSameBefore(slots[size - 1] as number))) high = middle
      else block = middle + 1
    }
    let at = 0
    const found = blocks[block]
    if (!found) return { block, at }
    const { slots, size } = found
    for (let high = size; at < high; ) {
      const middle = (at + high) >>> 1
      const slot = slots[middle] as number
      const own = this.rank(slot)
      if (own < rank || (own === rank && isSameBefore(slot))) high = middle
      else at = middle + 1
    }
    return { block, at }
  }
}

/** Returns how many are left. */
function keepOthers({ slots, size }: Block, gone: Bitmap): number {
  let kept = 0
  for (let i = 0; i < size; i++) {
    const slot = slots[i] as number
    if (!gone.has(slot)) slots[kept++] = slot
  }
  return kept
}

/** The first number below `size` that passes, as all after it do. */
export function firstThat(size: number, passes: (number: number) => boolean): number {
  let low = 0
  for (let high = size; low < high; ) {
    const middle = (low + high) >>> 1
    if (passes(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Of the slots in both, the one that so many follow. */
function lastButIn({ slots, size }: Block, among: Bitmap, following: number): number {
  let left = following
  for (let i = size - 1; i >= 0; i--) {
    const slot = slots[i] as number
    if (among.has(slot) && left-- === 0) return slot
  }
  return -1
}

/** Without a branch for each slot. */
function countIn({ slots, size }: Block, { words }: Bitmap, from: number): number {
  let count = 0
  for (let i = from; i < size; i++) {
    const slot = slots[i] as number
    count += ((words[slot >>> 5] as number) >>> slot) & 1
  }
  return count
}
