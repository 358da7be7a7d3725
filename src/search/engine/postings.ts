import type { Bitmap } from './bitmap.ts'
import { HASH_START, hashStep, Lexicon } from './lexicon.ts'
import type { Piece, Pieces } from './pieces.ts'
import { LOADED_SETS, SlotSet } from './slot-set.ts'

/** The weight of a lexeme's best position in a listing: description 0, features 1, place 2, title 3. */
export const WEIGHTS = 4

/** Collected before sorting: enough for long runs, 8 MB of memory. */
const COLLECTED = 1 << 20

const NO_SET = new Int32Array(1)

interface Collected {
  sets: Int32Array
  slots: Int32Array
  size: number
}

/** The slots of each lexeme, by the weight of its best position. */
export class Postings {
  readonly lexicon = new Lexicon()
  /** At number * WEIGHTS + weight. */
  readonly sets: (SlotSet | undefined)[] = []
  #collected: Collected | undefined

  /**
   * Reads a tsvector in PostgreSQL's binary format: the number of lexemes; for each, its bytes and a zero, the number
   * of positions, and the positions with the weight in their two highest bits.
   */
  add(slot: number, vector: Buffer): void {
    let at = 4
    for (let left = vector.readInt32BE(0); left > 0; left--) {
      const start = at
      let hash = HASH_START
      for (let byte = vector[at] as number; byte !== 0; byte = vector[++at] as number) {
        hash = hashStep(hash, byte)
      }
      const number = this.lexicon.number(vector, start, at, hash)
      const positions = ((vector[at + 1] as number) << 8) | (vector[at + 2] as number)
      at += 3
      let weight = 0
      for (const end = at + positions * 2; at < end; at += 2) {
        weight = Math.max(weight, (vector[at] as number) >>> 6)
      }
      const index = number * WEIGHTS + weight
      if (this.#collected) this.#collect(index, slot)
      else this.#setOf(index).add(slot)
    }
  }

  /**
   * From here to `addCollected`, lexemes are collected and then added sorted by set: tens of millions of random writes
   * would spend most of the load waiting for memory.
   */
  collect(): void {
    this.#collected = { sets: new Int32Array(COLLECTED), slots: new Int32Array(COLLECTED), size: 0 }
  }

  addCollected(): void {
    this.#sortIn()
    this.#collected = undefined
  }

  #collect(index: number, slot: number): void {
    const collected = this.#collected as Collected
    collected.sets[collected.size] = index
    collected.slots[collected.size] = slot
    if (++collected.size === COLLECTED) this.#sortIn()
  }

  /** A counting sort by set; slots arrive in ascending order and stay so. */
  #sortIn(): void {
    if (!this.#collected) return
    const { sets, slots, size } = this.#collected
    const ends = new Int32Array(this.lexicon.size * WEIGHTS + 1)
    for (let i = 0; i < size; i++) ends[sets[i] as number] = (ends[sets[i] as number] as number) + 1
    for (let index = 1; index < ends.length; index++) {
      ends[index] = (ends[index] as number) + (ends[index - 1] as number)
    }
    const sorted = new Int32Array(size)
    for (let i = size - 1; i >= 0; i--) {
      const end = (ends[sets[i] as number] as number) - 1
      ends[sets[i] as number] = end
      sorted[end] = slots[i] as number
    }
    for (let index = 0; index + 1 < ends.length; index++) {
      const [start, end] = [ends[index] as number, ends[index + 1] as number]
      if (start === end) continue
      const set = this.#setOf(index)
      for (let i = start; i < end; i++) set.add(sorted[i] as number)
    }
    this.#collected.size = 0
  }

  /** The sets of slots that have one of the lexemes with that weight. */
  *at(lexemes: string[], weight: number): Generator<SlotSet> {
    for (const lexeme of lexemes) {
      const number = this.lexicon.find(lexeme)
      const set = number === undefined ? undefined : this.sets[number * WEIGHTS + weight]
      if (set) yield set
    }
  }

  *saved(slots: number): Generator<Piece> {
    // Lexemes that come later are only in listings that are not saved.
    const count = this.lexicon.size * WEIGHTS
    yield* this.lexicon.saved()
    for (let i = 0; i < count; i++) yield this.sets[i]?.saved(slots) ?? NO_SET
  }

  /** In steps. */
  *load(from: Pieces): Generator<void> {
    this.lexicon.load(from)
    for (let i = 0; i < this.lexicon.size * WEIGHTS; i++) {
      const set = SlotSet.load(from.next(Int32Array))
      this.sets.push(set.size > 0 ? set : undefined)
      if (i % LOADED_SETS === 0) yield
    }
  }

  trim(): void {
    for (const set of this.sets) set?.trim()
  }

  /** Like Facet's. */
  *without(gone: Bitmap): Generator<number> {
    for (let i = 0; i < this.sets.length; i++) {
      const set = this.sets[i]
      if (!set) continue
      yield set.without(gone)
      if (set.size === 0) this.sets[i] = undefined
    }
  }

  #setOf(index: number): SlotSet {
    const known = this.sets[index]
    if (known) return known
    // Filled in order, so that V8 never makes the array sparse.
    while (this.sets.length <= index) this.sets.push(undefined)
    const set = new SlotSet()
    this.sets[index] = set
    return set
  }
}
