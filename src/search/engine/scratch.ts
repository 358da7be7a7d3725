import { Bitmap } from './bitmap.ts'

/** Temporary bitmaps of one search, reused by the next: searches are synchronous and never overlap. */
export class Scratch {
  #bitmaps: Bitmap[] = []
  #taken = 0
  #bits = 0

  /** Reclaims all bitmaps. */
  begin(bits: number): void {
    this.#taken = 0
    if (bits <= this.#bits) return
    this.#bits = bits + (bits >>> 3) + 1024
    this.#bitmaps = []
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

  empty(): Bitmap {
    const bitmap = this.#next()
    bitmap.clear()
    return bitmap
  }

  copyOf(other: Bitmap): Bitmap {
    const bitmap = this.#next()
    bitmap.copy(other)
    return bitmap
  }

  #next(): Bitmap {
    this.#bitmaps[this.#taken] ??= new Bitmap(this.#bits)
    return this.#bitmaps[this.#taken++] as Bitmap
  }
}
