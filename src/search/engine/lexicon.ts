import type { Piece, Pieces } from './pieces.ts'

/**
 * Numbers for lexemes, keyed by their UTF-8 bytes: loading a million listings brings tens of millions of lexemes, and
 * creating a string for each would take most of the time. Numbers are permanent, since PostgreSQL's stemmer produces no
 * more lexemes than there are words.
 */
export class Lexicon {
  size = 0
  #bytes = Buffer.allocUnsafeSlow(1 << 16)
  /** Where the bytes of a lexeme start; it ends where the next one starts. */
  #starts = new Uint32Array(1 << 12)
  #hashes = new Int32Array(1 << 12)
  // Number + 1, 0 for a free cell.
  #cells = new Int32Array(1 << 13)

  find(lexeme: string): number | undefined {
    const bytes = Buffer.from(lexeme)
    const found = this.#cells[this.#cellOf(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length))] as number
    return found === 0 ? undefined : found - 1
  }

  /** The number of a lexeme, assigned on first sight. */
  number(source: Buffer, start: number, end: number, hash: number): number {
    const cell = this.#cellOf(source, start, end, hash)
    const found = this.#cells[cell] as number
    return found === 0 ? this.#append(source, start, end, hash, cell) : found - 1
  }

  text(number: number): string {
    return this.#bytes.toString('utf8', this.#starts[number], this.#starts[number + 1])
  }

  *saved(): Generator<Piece> {
    const size = this.size
    yield this.#starts.subarray(0, size + 1)
    yield this.#hashes.subarray(0, size)
    yield this.#bytes.subarray(0, this.#starts[size])
  }

  load(from: Pieces): void {
    this.#starts = from.next(Uint32Array)
    this.size = this.#starts.length - 1
    this.#hashes = from.next(Int32Array, 1)
    const bytes = from.next(Uint8Array)
    this.#bytes = Buffer.from(bytes.buffer)
    let cells = this.#cells.length
    while (cells < this.size * 2) cells *= 2
    this.#fill(new Int32Array(cells))
  }

  #cellOf(source: Buffer, start: number, end: number, hash: number): number {
    const cells = this.#cells
    const mask = cells.length - 1
    let cell = hash & mask
    for (let found = cells[cell] as number; found !== 0; found = cells[cell] as number) {
      if (this.#hashes[found - 1] === hash && this.#is(found - 1, source, start, end)) return cell
      cell = (cell + 1) & mask
    }
    return cell
  }

  #is(number: number, source: Buffer, start: number, end: number): boolean {
    const from = this.#starts[number] as number
    const length = end - start
    if ((this.#starts[number + 1] as number) - from !== length) return false
    for (let i = 0; i < length; i++) if (this.#bytes[from + i] !== source[start + i]) return false
    return true
  }

  #append(source: Buffer, start: number, end: number, hash: number, cell: number): number {
    const number = this.size++
    if (this.size + 1 > this.#starts.length) {
      this.#starts = longer(this.#starts, new Uint32Array(this.#starts.length * 2))
      this.#hashes = longer(this.#hashes, new Int32Array(this.#hashes.length * 2))
    }
    const from = this.#starts[number] as number
    const to = from + end - start
    if (to > this.#bytes.length) {
      this.#bytes = longer(this.#bytes, Buffer.allocUnsafeSlow(Math.max(to, this.#bytes.length * 2)))
    }
    source.copy(this.#bytes, from, start, end)
    this.#starts[number + 1] = to
    this.#hashes[number] = hash
    this.#cells[cell] = number + 1
    if (this.size * 2 > this.#cells.length) this.#rehash()
    return number
  }

  #rehash(): void {
    this.#fill(new Int32Array(this.#cells.length * 2))
  }

  #fill(cells: Int32Array<ArrayBuffer>): void {
    const mask = cells.length - 1
    for (let number = 0; number < this.size; number++) {
      let cell = (this.#hashes[number] as number) & mask
      while (cells[cell] !== 0) cell = (cell + 1) & mask
      cells[cell] = number + 1
    }
    this.#cells = cells
  }
}

function longer<T extends Uint32Array | Int32Array | Uint8Array>(old: T, empty: T): T {
  empty.set(old)
  return empty
}

// FNV-1a. Code that walks the bytes anyway can compute it along the way with these two.
export const HASH_START = 0x811c9dc5 | 0
export const hashStep = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = HASH_START
  for (let i = start; i < end; i++) hash = hashStep(hash, bytes[i] as number)
  return hash
}
