import type { Bitmap } from './bitmap.ts'

/** Slots that share their upper half form a block. */
const HALF = 16

/** Ascending slots in two bytes each: their lower halves, and where each block ends. None is added. */
export class PackedSlots {
  readonly #lows: Uint16Array
  readonly #ends: number[] = []
  size: number
  /** -1 once it has none. */
  last: number

  /** At least one. */
  constructor(slots: Int32Array) {
    this.#lows = new Uint16Array(slots.length)
    this.size = slots.length
    this.last = slots[slots.length - 1] as number
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number
      while (this.#ends.length < slot >>> HALF) this.#ends.push(i)
      this.#lows[i] = slot
    }
    this.#ends.push(slots.length)
  }

  has(slot: number): boolean {
    const block = slot >>> HALF
    const end = this.#ends[block]
    if (end === undefined) return false
    const low = slot & 0xffff
    // Reading before the first would be slow.
    let from = block === 0 ? 0 : (this.#ends[block - 1] as number)
    let to = end
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#lows[middle] as number) < low) from = middle + 1
      else to = middle
    }
    return from < end && this.#lows[from] === low
  }

  orInto(target: Bitmap): void {
    for (const [first, numbers] of this.#blocks()) target.addNumbered(first, numbers)
  }

  countIn(target: Bitmap): number {
    let count = 0
    for (const [first, numbers] of this.#blocks()) count += target.countNumbered(first, numbers)
    return count
  }

  /** The first slot of each block that has some, and their lower halves. */
  *#blocks(): Generator<[first: number, lows: Uint16Array]> {
    let from = 0
    for (const [block, end] of this.#ends.entries()) {
      if (end > from) yield [block << HALF, this.#lows.subarray(from, end)]
      from = end
    }
  }

  /** Removes those slots where they are: new arrays for all sets of a sweep would be old before the next one replaces them. */
  without({ words }: Bitmap): void {
    const lows = this.#lows
    let [i, kept, last] = [0, 0, -1]
    for (const [block, end] of this.#ends.entries()) {
      for (const first = block << (HALF - 5); i < end; i++) {
        const low = lows[i] as number
        if (((words[first + (low >>> 5)] as number) >>> low) & 1) continue
        lows[kept++] = low
        last = (block << HALF) + low
      }
      this.#ends[block] = kept
    }
    this.size = kept
    this.last = last
  }

  slots(): Int32Array {
    const slots = new Int32Array(this.size)
    let i = 0
    for (const [block, end] of this.#ends.entries()) {
      for (const first = block << HALF; i < end; i++) slots[i] = first + (this.#lows[i] as number)
    }
    return slots
  }
}
