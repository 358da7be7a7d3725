import { PART } from '../../lib/slices.ts'
import { growth } from './columns.ts'
import type { Pieces } from './pieces.ts'

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
    if (at >= this.words.length) this.reserve(growth(slot))
    this.words[at] = (this.words[at] as number) | (1 << slot)
  }

  remove(slot: number): void {
    const at = slot >>> 5
    if (at < this.words.length) this.words[at] = (this.words[at] as number) & ~(1 << slot)
  }

  set(slot: number, isIn: boolean): void {
    if (isIn) this.add(slot)
    else this.remove(slot)
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

  /** A copy of the slots below that one. */
  saved(slots: number): Int32Array {
    const words = this.words.slice(0, (slots + 31) >>> 5)
    const last = words.length - 1
    if (slots & 31 && last === slots >>> 5) words[last] = (words[last] as number) & ((1 << slots) - 1)
    return words
  }

  load(from: Pieces): void {
    this.words = from.next(Int32Array)
  }

  /** ORs in the other's bits; this bitmap must be at least as long as the bits set there. */
  copy({ words }: Bitmap): void {
    const length = Math.min(words.length, this.words.length)
    this.words.set(words.length > length ? words.subarray(0, length) : words)
    this.words.fill(0, length)
  }

  clone(): Bitmap {
    const bitmap = new Bitmap()
    bitmap.words = this.words.slice()
    return bitmap
  }

  /** A copy of what is in both, as long as the shorter of them. */
  with(other: Bitmap): Bitmap {
    const both = new Bitmap()
    both.words = this.words.slice(0, other.words.length)
    both.and(other)
    return both
  }

  and({ words: other }: Bitmap): void {
    const { words } = this
    const length = Math.min(words.length, other.length)
    for (let i = 0; i < length; i++) words[i] = (words[i] as number) & (other[i] as number)
    words.fill(0, length)
  }

  andNot({ words: other }: Bitmap): void {
    const { words } = this
    const length = Math.min(words.length, other.length)
    for (let i = 0; i < length; i++) words[i] = (words[i] as number) & ~(other[i] as number)
  }

  or({ words: other }: Bitmap): void {
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

  /** How many of those slots are in it; given are their distances from `first`, a multiple of 32, ascending. */
  countNumbered(first: number, numbers: Uint16Array): number {
    const { words } = this
    let count = 0
    for (let i = 0; i < numbers.length; i++) {
      const slot = first + (numbers[i] as number)
      count += ((words[slot >>> 5] as number) >>> slot) & 1
    }
    return count
  }

  /** Adds those slots; see `countNumbered`. */
  addNumbered(first: number, numbers: Uint16Array): void {
    const { words } = this
    for (let i = 0; i < numbers.length; i++) {
      const slot = first + (numbers[i] as number)
      words[slot >>> 5] = (words[slot >>> 5] as number) | (1 << slot)
    }
  }

  /** Removes the slots that fail the test, in all words or some. */
  keep(test: (slot: number) => boolean, from = 0, to = this.words.length): void {
    const { words } = this
    const end = Math.min(to, words.length)
    for (let i = from; i < end; i++) {
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

  /** The slots in ascending order. */
  slots(count = this.count()): Int32Array {
    return this.slotsWith(this, count)
  }

  /** The slots in both, in ascending order. */
  slotsWith({ words: other }: Bitmap, count = this.count()): Int32Array {
    const slots = new Int32Array(count)
    const { words } = this
    const size = readSlots(slots, words, other, 0, Math.min(words.length, other.length))
    return size < count ? slots.subarray(0, size) : slots
  }

  /** The slots in both, in ascending order, in parts: each is overwritten by the next. */
  *parts({ words: other }: Bitmap = this): Generator<Int32Array> {
    const { words } = this
    const length = Math.min(words.length, other.length)
    const slots = new Int32Array(PART)
    for (let from = 0; from < length; from += PART / 32) {
      const size = readSlots(slots, words, other, from, Math.min(length, from + PART / 32))
      if (size > 0) yield slots.subarray(0, size)
    }
  }
}

/** Returns how many there are. */
function readSlots(
  slots: Int32Array,
  words: Int32Array,
  other: Int32Array,
  from: number,
  to: number,
): number {
  let size = 0
  for (let i = from; i < to; i++) {
    for (let rest = (words[i] as number) & (other[i] as number); rest !== 0; rest &= rest - 1) {
      slots[size++] = (i << 5) | (31 - Math.clz32(rest & -rest))
    }
  }
  return size
}

function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
