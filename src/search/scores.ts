import type { Bitmap } from './bitmap.ts'
import type { Scratch } from './scratch.ts'

/**
 * Relevance of all hits at once: bitmap i holds bit i of each slot's score, and adding is done the way an
 * adder does it, on 32 listings at a time.
 */
export class Scores {
  /** Lowest bit first. */
  readonly planes: Bitmap[] = []
  readonly #scratch: Scratch
  #carry: Bitmap | undefined

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  /** `addend` is a number in the same form. */
  add(addend: Bitmap[]): void {
    this.#carry ??= this.#scratch.empty()
    for (let i = 0; i < Math.max(addend.length, this.planes.length); i++) {
      this.planes[i] ??= this.#scratch.empty()
      addInto(this.planes[i] as Bitmap, addend[i], this.#carry)
    }
    if (this.#carry.words.every(word => word === 0)) return
    this.planes.push(this.#carry)
    this.#carry = undefined
  }
}

function addInto({ words: sum }: Bitmap, addend: Bitmap | undefined, { words: carry }: Bitmap): void {
  const other = addend?.words
  for (let i = 0; i < sum.length; i++) {
    const a = sum[i] as number
    const b = other ? (other[i] as number) : 0
    const c = carry[i] as number
    if ((b | c) === 0) continue
    sum[i] = a ^ b ^ c
    carry[i] = (a & b) | (c & (a ^ b))
  }
}
