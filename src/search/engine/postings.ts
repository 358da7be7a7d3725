import type { Bitmap } from './bitmap.ts'
import { HASH_START, hashStep, Lexicon } from './lexicon.ts'
import type { Piece, Pieces } from './pieces.ts'
import { LOADED_SETS, SlotSet } from './slot-set.ts'

/** The weight of a lexeme's best position in a listing: description 0, features 1, place 2, title 3. */
export const WEIGHTS = 4

/** Collected before sorting: enough for long runs, 8 MB of memory. */
const COLLECTED = 1 << 20

/** Slots made into sets in one step: some milliseconds. */
const STEP = 1 << 18
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

/** Slots by set, ascending in each. Of the sets that have any: their numbers, and where their slots end. */
interface Run {
  sets: Int32Array
  ends: Int32Array
  slots: Int32Array
  /** The next set to take. */
  at: number
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
    let done = 0
    for (let index = 0; index < this.lexicon.size * WEIGHTS; index++) {
      const slots = takeSlots(runs, index)
      this.sets.push(slots.length > 0 ? SlotSet.of(slots) : undefined)
      done += slots.length + 1
      if (done < STEP) continue
      done = 0
      yield
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
    const ends = new Int32Array(this.lexicon.size * WEIGHTS)
    let distinct = 0
    for (let i = 0; i < size; i++) {
      const index = sets[i] as number
      if (ends[index] === 0) distinct++
      ends[index] = (ends[index] as number) + 1
    }
    const take = (length: number) => {
      if (collected.arena.length < length) collected.arena = new Int32Array(Math.max(ARENA, length))
      const taken = collected.arena.subarray(0, length)
      collected.arena = collected.arena.subarray(length)
      return taken
    }
    const run = { sets: take(distinct), ends: take(distinct), slots: take(size), at: 0 }
    let [end, number] = [0, 0]
    for (let index = 0; index < ends.length; index++) {
      const count = ends[index] as number
      if (count === 0) continue
      end += count
      ends[index] = end
      run.sets[number] = index
      run.ends[number++] = end
    }
    for (let i = size - 1; i >= 0; i--) {
      const at = (ends[sets[i] as number] as number) - 1
      ends[sets[i] as number] = at
      run.slots[at] = slots[i] as number
    }
    runs.push(run)
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

  *saved(among: Bitmap): Generator<Piece> {
    // Lexemes that come later are only in listings that are not saved.
    const count = this.lexicon.size * WEIGHTS
    yield* this.lexicon.saved()
    for (let i = 0; i < count; i++) yield this.sets[i]?.saved(among) ?? NO_SET
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

/** The slots of a set, from the runs that have any: sets are taken in ascending order. */
function takeSlots(runs: Run[], index: number): Int32Array {
  const having = runs.filter(({ sets, at }) => sets[at] === index)
  const slots = new Int32Array(having.reduce((sum, run) => sum + endOf(run) - startOf(run), 0))
  let size = 0
  for (const run of having) {
    for (let i = startOf(run); i < endOf(run); i++) slots[size++] = run.slots[i] as number
    run.at++
  }
  return slots
}

const startOf = ({ ends, at }: Run) => ends[at - 1] ?? 0
const endOf = ({ ends, at }: Run) => ends[at] as number
