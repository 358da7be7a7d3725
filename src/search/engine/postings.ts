import type { Bitmap } from './bitmap.ts'
import { HASH_START, hashStep, Lexicon } from './lexicon.ts'
import type { Piece, Pieces } from './pieces.ts'
import { LOADED_SETS, SlotSet } from './slot-set.ts'

/** The weight of a lexeme's best position in a listing: description 0, features 1, place 2, title 3. */
export const WEIGHTS = 4

/** Collected before sorting: enough for long runs, 8 MB of memory. */
const COLLECTED = 1 << 20

/** Runs lie in arrays of 64 MB: smaller ones would be taken from the heap of C, which keeps what is freed among others. */
const ARENA = 1 << 24

const NO_SET = new Int32Array(1)

interface Collected {
  sets: Int32Array
  slots: Int32Array
  size: number
  /** What was collected before. */
  runs: Run[]
  /** Where the next run goes. */
  arena: Int32Array
}

/** Slots by set, ascending in each: those of a set end where those of the next start. */
interface Run {
  starts: Int32Array
  slots: Int32Array
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
   * From here to `addCollected`, lexemes are collected, sorted by set and made into sets at the end, each at once: tens of
   * millions of random writes would spend most of the load waiting for memory, and lists that grow would leave holes in it.
   */
  collect(): void {
    this.#collected = {
      sets: new Int32Array(COLLECTED),
      slots: new Int32Array(COLLECTED),
      size: 0,
      runs: [],
      arena: new Int32Array(),
    }
  }

  /** In steps. */
  *addCollected(): Generator<void> {
    if (!this.#collected) return
    this.#endRun(this.#collected)
    const { runs } = this.#collected
    this.#collected = undefined
    for (let index = 0; index < this.lexicon.size * WEIGHTS; index++) {
      const slots = slotsIn(runs, index)
      this.sets.push(slots.length > 0 ? SlotSet.of(slots) : undefined)
      if (index % LOADED_SETS === 0) yield
    }
  }

  #collect(index: number, slot: number): void {
    const collected = this.#collected as Collected
    collected.sets[collected.size] = index
    collected.slots[collected.size] = slot
    if (++collected.size === COLLECTED) this.#endRun(collected)
  }

  /** A counting sort by set; slots arrive in ascending order and stay so. */
  #endRun(collected: Collected): void {
    const { sets, slots, size, runs } = collected
    const count = this.lexicon.size * WEIGHTS + 1
    if (collected.arena.length < count + size) collected.arena = new Int32Array(Math.max(ARENA, count + size))
    const starts = collected.arena.subarray(0, count)
    const sorted = collected.arena.subarray(count, count + size)
    collected.arena = collected.arena.subarray(count + size)
    for (let i = 0; i < size; i++) starts[sets[i] as number] = (starts[sets[i] as number] as number) + 1
    for (let index = 1; index < starts.length; index++) {
      starts[index] = (starts[index] as number) + (starts[index - 1] as number)
    }
    for (let i = size - 1; i >= 0; i--) {
      const at = (starts[sets[i] as number] as number) - 1
      starts[sets[i] as number] = at
      sorted[at] = slots[i] as number
    }
    runs.push({ starts, slots: sorted })
    collected.size = 0
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

/** The slots of a set. A run knows nothing of lexemes that came later. */
function slotsIn(runs: Run[], index: number): Int32Array {
  let size = 0
  for (const { starts } of runs)
    if (index + 1 < starts.length) size += (starts[index + 1] as number) - (starts[index] as number)
  const found = new Int32Array(size)
  let end = 0
  for (const { starts, slots } of runs) {
    const to = starts[index + 1] ?? 0
    for (let i = starts[index] ?? 0; i < to; i++) found[end++] = slots[i] as number
  }
  return found
}
