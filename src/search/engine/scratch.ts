import { Bitmap } from './bitmap.ts'
import { type Kernels, kernelsOn, PAGE } from './kernels.ts'

const FIRST_BITMAPS = 16

/** Bitmaps of one length in a memory that the kernels work on. The first place is for copies of other bitmaps. */
class Arena {
  readonly bytes: number
  readonly kernels: Kernels
  readonly #memory: WebAssembly.Memory
  readonly #bitmaps: ScratchBitmap[] = []

  constructor(bits: number) {
    this.bytes = Math.ceil(bits / 128) * 16
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil((this.bytes * FIRST_BITMAPS) / PAGE) })
    this.kernels = kernelsOn(this.#memory)
  }

  bitmap(index: number): ScratchBitmap {
    const known = this.#bitmaps[index]
    if (known) return known
    const bitmap = new ScratchBitmap(this, (index + 1) * this.bytes)
    this.#bitmaps.push(bitmap)
    const missing = bitmap.at + this.bytes - this.#memory.buffer.byteLength
    if (missing > 0) {
      // Views of the memory end when it grows.
      this.#memory.grow(Math.max(Math.ceil(missing / PAGE), this.#memory.buffer.byteLength / PAGE))
      for (const one of this.#bitmaps) one.words = this.#view(one.at)
    } else bitmap.words = this.#view(bitmap.at)
    return bitmap
  }

  /** Where the kernels find that bitmap: it is copied unless it is here. A copy is valid until the next. */
  offsetOf(bitmap: Bitmap): number {
    if (bitmap instanceof ScratchBitmap && bitmap.arena === this) return bitmap.at
    const words = this.#view(0)
    const { length } = bitmap.words
    words.set(length > words.length ? bitmap.words.subarray(0, words.length) : bitmap.words)
    if (length < words.length) words.fill(0, length)
    return 0
  }

  /** Where the kernels find those numbers, in place of a copy; undefined if there is not enough room. */
  offsetOfNumbers(numbers: Uint16Array): number | undefined {
    if (numbers.byteLength > this.bytes) return undefined
    new Uint16Array(this.#memory.buffer, 0, numbers.length).set(numbers)
    return 0
  }

  #view(at: number): Int32Array {
    return new Int32Array(this.#memory.buffer, at, this.bytes / 4)
  }
}

/** A temporary bitmap, on which passes are fast. */
export class ScratchBitmap extends Bitmap {
  readonly arena: Arena
  /** In the arena, in bytes. */
  readonly at: number

  constructor(arena: Arena, at: number) {
    super()
    this.arena = arena
    this.at = at
  }

  override and(other: Bitmap): void {
    this.arena.kernels.and(this.at, this.arena.offsetOf(other), this.arena.bytes)
  }

  override andNot(other: Bitmap): void {
    this.arena.kernels.andNot(this.at, this.arena.offsetOf(other), this.arena.bytes)
  }

  override or(other: Bitmap): void {
    this.arena.kernels.or(this.at, this.arena.offsetOf(other), this.arena.bytes)
  }

  override count(): number {
    return this.countWith(this)
  }

  override countWith(other: Bitmap): number {
    return this.arena.kernels.countBoth(this.at, this.arena.offsetOf(other), this.arena.bytes)
  }

  override countNumbered(first: number, numbers: Uint16Array): number {
    const at = this.#offsetOf(first, numbers)
    if (at === undefined) return super.countNumbered(first, numbers)
    return this.arena.kernels.countNumbered(this.at + first / 8, at, numbers.byteLength)
  }

  override addNumbered(first: number, numbers: Uint16Array): void {
    const at = this.#offsetOf(first, numbers)
    if (at === undefined) super.addNumbered(first, numbers)
    else this.arena.kernels.setNumbered(this.at + first / 8, at, numbers.byteLength)
  }

  /** Undefined if the kernels would go beyond the bitmap: a set may have slots that are newer. */
  #offsetOf(first: number, numbers: Uint16Array): number | undefined {
    const last = numbers[numbers.length - 1]
    return last === undefined || first + last >= this.arena.bytes * 8
      ? undefined
      : this.arena.offsetOfNumbers(numbers)
  }

  /** Adds one to a number whose bit this is, and keeps in `carry` what goes to the next bit: false if nothing does. */
  addCarry(carry: ScratchBitmap): boolean {
    return this.arena.kernels.addCarry(this.at, carry.at, this.arena.bytes) !== 0
  }

  /** Of numbers that have been the same as a limit so far, keeps those with the bit clear; the others go above it. */
  passZero(plane: Bitmap, above: ScratchBitmap): void {
    const { kernels, bytes } = this.arena
    kernels.passZero(above.at, this.at, this.arena.offsetOf(plane), bytes)
  }
}

/** Temporary bitmaps of one search, reused by the next: searches are synchronous and never overlap. */
export class Scratch {
  #arena = new Arena(1)
  #taken = 0
  #bits = 0

  /** Reclaims all bitmaps. */
  begin(bits: number): void {
    this.#taken = 0
    if (bits <= this.#bits) return
    this.#bits = bits + (bits >>> 3) + 1024
    this.#arena = new Arena(this.#bits)
  }

  /** Reclaims what the work took, for steps that are repeated within one search. */
  within<T>(work: () => T): T {
    const before = this.#taken
    try {
      return work()
    } finally {
      this.#taken = before
    }
  }

  empty(): ScratchBitmap {
    const bitmap = this.#arena.bitmap(this.#taken++)
    bitmap.clear()
    return bitmap
  }

  copyOf(other: Bitmap): ScratchBitmap {
    const bitmap = this.#arena.bitmap(this.#taken++)
    bitmap.copy(other)
    return bitmap
  }
}
