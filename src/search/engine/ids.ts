import { growth } from './columns.ts'
import type { Pieces } from './pieces.ts'

/** A UUID as four big-endian words, which compare in PostgreSQL's sort order. */
export type Uuid = readonly [number, number, number, number]

/** The text must be a valid UUID. */
export function uuidOf(text: string): Uuid {
  const hex = text.replaceAll('-', '')
  const word = (at: number) => Number.parseInt(hex.slice(at, at + 8), 16)
  return [word(0), word(8), word(16), word(24)]
}

export function uuidText([a, b, c, d]: Uuid): string {
  const [second, third] = [hex(b), hex(c)]
  return `${hex(a)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${hex(d)}`
}

const hex = (word: number) => word.toString(16).padStart(8, '0')

const GONE = -1
/** Ids loaded in one step. */
const LOADED = 20_000

/** The id of every slot, and the current slot of every id: a hash table in two typed arrays. */
export class Ids {
  /** Four words per slot. */
  words = new Uint32Array()
  // Slot + 1, 0 for a free cell, GONE for one whose id was removed (probing must continue past it).
  #cells = new Int32Array(1024)
  #used = 0

  find(id: Uuid): number | undefined {
    const slot = (this.#cells[this.#cellOf(id)] as number) - 1
    return slot >= 0 ? slot : undefined
  }

  /** Maps the id to that slot. Its previous slot keeps the id until it is reused. */
  set(slot: number, id: Uuid): void {
    if (slot * 4 >= this.words.length) this.reserve(growth(slot))
    const { words } = this
    const at = slot * 4
    words[at] = id[0]
    words[at + 1] = id[1]
    words[at + 2] = id[2]
    words[at + 3] = id[3]
    const cell = this.#cellOf(id)
    if (this.#cells[cell] === 0) this.#used++
    this.#cells[cell] = slot + 1
    if (this.#used * 2 > this.#cells.length) this.#rehash()
  }

  remove(id: Uuid): void {
    const cell = this.#cellOf(id)
    if ((this.#cells[cell] as number) > 0) this.#cells[cell] = GONE
  }

  reserve(slots: number): void {
    if (slots * 4 <= this.words.length) return
    const words = new Uint32Array(slots * 4)
    words.set(this.words)
    this.words = words
  }

  saved(slots: number): Uint32Array {
    return this.words.subarray(0, slots * 4)
  }

  /** In steps. Only the slots in use are found by their id. */
  *load(from: Pieces, spare: number, live: Int32Array): Generator<void> {
    this.words = from.next(Uint32Array, spare * 4)
    let cells = this.#cells.length
    while (cells < live.length * 2) cells *= 2
    this.#cells = new Int32Array(cells)
    this.#used = live.length
    for (let i = 0; i < live.length; i++) {
      const slot = live[i] as number
      this.#cells[this.#cellOf(this.at(slot))] = slot + 1
      if (i % LOADED === LOADED - 1) yield
    }
  }

  compare(a: number, b: number): number {
    const { words } = this
    for (let i = 0; i < 4; i++) {
      const difference = (words[a * 4 + i] as number) - (words[b * 4 + i] as number)
      if (difference !== 0) return difference
    }
    return 0
  }

  compareTo(slot: number, id: Uuid): number {
    for (let i = 0; i < 4; i++) {
      const difference = (this.words[slot * 4 + i] as number) - (id[i] as number)
      if (difference !== 0) return difference
    }
    return 0
  }

  at(slot: number): Uuid {
    const { words } = this
    const at = slot * 4
    return [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0]
  }

  /** The first byte. */
  prefix(slot: number): number {
    return (this.words[slot * 4] as number) >>> 24
  }

  text(slot: number): string {
    return uuidText(this.at(slot))
  }

  /** The cell that holds the id, or the free one where it would go. */
  #cellOf(id: Uuid): number {
    const cells = this.#cells
    const mask = cells.length - 1
    let cell = hash(id) & mask
    for (let slot = cells[cell] as number; slot !== 0; slot = cells[cell] as number) {
      if (slot > 0 && this.#is(slot - 1, id)) return cell
      cell = (cell + 1) & mask
    }
    return cell
  }

  #is(slot: number, id: Uuid): boolean {
    const { words } = this
    const at = slot * 4
    return (
      words[at] === id[0] && words[at + 1] === id[1] && words[at + 2] === id[2] && words[at + 3] === id[3]
    )
  }

  #rehash(): void {
    const old = this.#cells
    this.#cells = new Int32Array(old.length * 2)
    this.#used = 0
    for (const cell of old) {
      if (cell <= 0) continue
      this.#cells[this.#cellOf(this.at(cell - 1))] = cell
      this.#used++
    }
  }
}

// Ids may not be random: they may have been imported.
const hash = ([a, b, c, d]: Uuid): number => {
  const mixed = Math.imul(Math.imul(a ^ (b >>> 7), 0x9e3779b1) ^ c, 0x85ebca6b) ^ Math.imul(d, 0xc2b2ae35)
  return mixed ^ (mixed >>> 15)
}
