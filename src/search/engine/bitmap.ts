/** A set of slots, one bit each. Words are signed: V8 computes with int32, but may box a uint32. */
export class Bitmap {
  words: Int32Array

  constructor(bits = 0) {
    this.words = new Int32Array((bits + 31) >>> 5)
  }

  has(slot: number): boolean {
    return ((this.words[slot >>> 5] ?? 0) & (1 << slot)) !== 0
  }

  add(slot: number): void {
    const at = slot >>> 5
    if (at >= this.words.length) this.reserve(Math.max(slot + 1, (this.words.length * 32 * 5) >>> 2))
    this.words[at] = (this.words[at] as number) | (1 << slot)
  }

  remove(slot: number): void {
    const at = slot >>> 5
    if (at < this.words.length) this.words[at] = (this.words[at] as number) & ~(1 << slot)
  }

  reserve(bits: number): void {
    const length = (bits + 31) >>> 5
    if (length <= this.words.length) return
    const words = new Int32Array(length)
    words.set(this.words)
    this.words = words
  }

  clear(): void {
    this.words.fill(0)
  }

  /** ORs in the other's bits; this bitmap must be at least as long as the bits set there. */
  copy({ words }: Bitmap): void {
    const length = Math.min(words.length, this.words.length)
    this.words.set(words.length > length ? words.subarray(0, length) : words)
    this.words.fill(0, length)
  }

  and({ words: other }: Pick<Bitmap, 'words'>): void {
    const { words } = this
    const length = Math.min(words.length, other.length)
    for (let i = 0; i < length; i++) words[i] = (words[i] as number) & (other[i] as number)
    words.fill(0, length)
  }

  andNot({ words: other }: Pick<Bitmap, 'words'>): void {
    const { words } = this
    const length = Math.min(words.length, other.length)
    for (let i = 0; i < length; i++) words[i] = (words[i] as number) & ~(other[i] as number)
  }

  or({ words: other }: Pick<Bitmap, 'words'>): void {
    const { words } = this
    const length = Math.min(words.length, other.length)
    for (let i = 0; i < length; i++) words[i] = (words[i] as number) | (other[i] as number)
  }

  count(): number {
    const { words } = this
    let total = 0
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as number
      if (word !== 0) total += bitsOf(word)
    }
    return total
  }

  /** How many are in both. */
  countWith({ words: other }: Bitmap): number {
    const { words } = this
    const length = Math.min(words.length, other.length)
    let total = 0
    for (let i = 0; i < length; i++) {
      const word = (words[i] as number) & (other[i] as number)
      if (word !== 0) total += bitsOf(word)
    }
    return total
  }

  /** Removes the slots that fail the test. */
  keep(test: (slot: number) => boolean): void {
    const { words } = this
    for (let i = 0; i < words.length; i++) {
      let rest = words[i] as number
      if (rest === 0) continue
      let kept = rest
      while (rest !== 0) {
        const bit = rest & -rest
        if (!test((i << 5) | (31 - Math.clz32(bit)))) kept ^= bit
        rest ^= bit
      }
      words[i] = kept
    }
  }

  /**
   * Removes the slots whose value is out of range or NaN. Compares all 32 of a word without a branch the processor
   * could mispredict: a fifth of the time of visiting only the set bits.
   */
  keepBetween(values: Float64Array, low: number, high = Number.POSITIVE_INFINITY): void {
    const { words } = this
    const whole = Math.min(words.length, values.length >>> 5)
    for (let i = 0; i < whole; i++) {
      const word = words[i] as number
      if (word === 0) continue
      let inside = 0
      for (let at = (i << 5) | 31, end = i << 5; at >= end; at--) {
        const value = values[at] as number
        inside = (inside << 1) | (+(value >= low) & +(value <= high))
      }
      words[i] = word & inside
    }
    for (let i = whole; i < words.length; i++) {
      let rest = words[i] as number
      while (rest !== 0) {
        const slot = (i << 5) | (31 - Math.clz32(rest & -rest))
        const value = values[slot] ?? Number.NaN
        if (!(value >= low && value <= high)) this.remove(slot)
        rest &= rest - 1
      }
    }
  }

  /** The slots in ascending order. */
  slots(count = this.count()): Int32Array {
    const slots = new Int32Array(count)
    const { words } = this
    let size = 0
    for (let i = 0; i < words.length; i++) {
      for (let rest = words[i] as number; rest !== 0; rest &= rest - 1) {
        slots[size++] = (i << 5) | (31 - Math.clz32(rest & -rest))
      }
    }
    return slots
  }
}

function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
