import { growth } from './columns.ts'
import type { Piece, Pieces } from './pieces.ts'

const SLAB = 1 << 20

/**
 * A short text per slot, as bytes in large slabs: a million strings would take twice the memory and burden the garbage
 * collector. A reused slot keeps its space if the new text fits.
 */
export class Texts {
  readonly #slabs: Buffer[] = []
  #end = 0
  #starts = new Uint32Array()
  #lengths = new Uint16Array()
  #rooms = new Uint16Array()

  set(slot: number, text: string): void {
    if (slot >= this.#starts.length) this.#reserve(growth(slot))
    const bytes = Buffer.from(text)
    if (bytes.length > (this.#rooms[slot] as number)) {
      this.#starts[slot] = this.#take(bytes.length)
      this.#rooms[slot] = bytes.length
    }
    this.#lengths[slot] = bytes.length
    const start = this.#starts[slot] as number
    if (bytes.length > 0) bytes.copy(this.#slabs[Math.floor(start / SLAB)] as Buffer, start % SLAB)
  }

  get(slot: number): string {
    return this.#bytesOf(slot).toString()
  }

  startsWith(slot: number, start: Buffer): boolean {
    return (
      (this.#lengths[slot] as number) >= start.length &&
      this.#bytesOf(slot).subarray(0, start.length).equals(start)
    )
  }

  *saved(slots: number): Generator<Piece> {
    const end = this.#end
    yield Float64Array.of(end)
    for (const array of [this.#starts, this.#lengths, this.#rooms]) yield array.subarray(0, slots)
    for (let at = 0; at < end; at += SLAB)
      yield (this.#slabs[at / SLAB] as Buffer).subarray(0, Math.min(SLAB, end - at))
  }

  load(from: Pieces, spare: number): void {
    const [end = 0] = from.next(Float64Array)
    this.#end = end
    this.#starts = from.next(Uint32Array, spare)
    this.#lengths = from.next(Uint16Array, spare)
    this.#rooms = from.next(Uint16Array, spare)
    for (let at = 0; at < end; at += SLAB) {
      const slab = from.next(Uint8Array, SLAB - Math.min(SLAB, end - at))
      this.#slabs.push(Buffer.from(slab.buffer))
    }
  }

  #bytesOf(slot: number): Buffer {
    const start = this.#starts[slot] as number
    const slab = this.#slabs[Math.floor(start / SLAB)] ?? Buffer.alloc(0)
    return slab.subarray(start % SLAB, (start % SLAB) + (this.#lengths[slot] as number))
  }

  /** A text never spans two slabs. */
  #take(length: number): number {
    if (
      this.#slabs.length === 0 ||
      (this.#end % SLAB) + length > SLAB ||
      this.#end === this.#slabs.length * SLAB
    ) {
      this.#end = this.#slabs.length * SLAB
      this.#slabs.push(Buffer.allocUnsafeSlow(SLAB))
    }
    const start = this.#end
    this.#end += length
    return start
  }

  #reserve(slots: number): void {
    const longer = <T extends Uint32Array | Uint16Array>(old: T, empty: T): T => {
      empty.set(old)
      return empty
    }
    this.#starts = longer(this.#starts, new Uint32Array(slots))
    this.#lengths = longer(this.#lengths, new Uint16Array(slots))
    this.#rooms = longer(this.#rooms, new Uint16Array(slots))
  }
}
