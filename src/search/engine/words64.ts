import { growth } from './columns.ts'
import type { Piece, Pieces } from './pieces.ts'
import type { Word64 } from './rows.ts'

/** 64 bits per slot. */
export class Words64 {
  /** Two words per slot, high word first. */
  words = new Int32Array()

  get(slot: number): Word64 {
    return [this.words[slot * 2] as number, this.words[slot * 2 + 1] as number]
  }

  set(slot: number, [high, low]: Word64): void {
    if (slot * 2 >= this.words.length) this.reserve(growth(slot))
    this.words[slot * 2] = high
    this.words[slot * 2 + 1] = low
  }

  reserve(slots: number): void {
    if (slots * 2 <= this.words.length) return
    const words = new Int32Array(slots * 2)
    words.set(this.words)
    this.words = words
  }

  *saved(slots: number): Generator<Piece> {
    yield this.words.subarray(0, slots * 2)
  }

  load(from: Pieces, spare: number): void {
    this.words = from.next(Int32Array, spare * 2)
  }
}

export const xor = ([a, b]: Word64, [c, d]: Word64): Word64 => [a ^ c, b ^ d]

export const hex64 = ([high, low]: Word64): string => hex32(high) + hex32(low)

const hex32 = (word: number) => (word >>> 0).toString(16).padStart(8, '0')

export const wordsOf = (bits: bigint): Word64 => [Number(bits >> 32n) | 0, Number(bits & 0xffff_ffffn) | 0]
