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
