import { Bitmap } from './bitmap.ts'
import { type AnyColumn, growth } from './columns.ts'
import type { Scratch, ScratchBitmap } from './scratch.ts'

/** More steps mean fewer values at the ends of a range that must be read one by one; each bit of their number costs a pass. */
const MAX_STEPS = 256
/** Values looked at to choose the bounds. */
const SAMPLE = 8192
const LEAST_BUILT = 1024

/**
 * Finds the slots with a value in a range. Values are divided into steps, and the number of each slot's step is stored as
 * bitmaps, one for each bit: a range is found by comparing all numbers bit by bit, and only values in the steps at its
 * ends are read.
 */
export class Ranges {
  readonly #column: AnyColumn
  /** Where each step begins, ascending; the first is below every value. */
  #bounds: Float64Array = Float64Array.of(Number.NEGATIVE_INFINITY)
  /** Per step, the extremes of all values ever added: a range that holds both holds the step, and one beyond them none of it. */
  #lowest = Float64Array.of(Number.POSITIVE_INFINITY)
  #highest = Float64Array.of(Number.NEGATIVE_INFINITY)
  /** The bits of the steps' numbers, highest first. */
  #planes: Bitmap[] = []
  /** Slots that have a value. */
  #known = new Bitmap()
  #least = Number.POSITIVE_INFINITY
  #slots = 0
  #addedSinceBuilt = 0

  constructor(column: AnyColumn) {
    this.#column = column
  }

  /** Chooses steps for the values of slots 0 to n. */
  build(slots: number): void {
    this.#slots = slots
    this.#addedSinceBuilt = 0
    this.#least = Number.POSITIVE_INFINITY
    this.#bounds = boundsFor(this.#column, slots)
    this.#lowest = new Float64Array(this.#bounds.length).fill(Number.POSITIVE_INFINITY)
    this.#highest = new Float64Array(this.#bounds.length).fill(Number.NEGATIVE_INFINITY)
    const bits = 32 - Math.clz32(this.#bounds.length - 1)
    this.#planes = Array.from({ length: bits }, () => new Bitmap(growth(slots)))
    this.#known = new Bitmap(growth(slots))
    this.#fill(slots)
  }

  /** Reads the value of a new or reused slot. */
  add(slot: number): void {
    this.#slots = Math.max(this.#slots, slot + 1)
    // The market has doubled or changed entirely: the steps may no longer be of similar size.
    if (++this.#addedSinceBuilt > Math.max(LEAST_BUILT, this.#slots / 2)) this.build(this.#slots)
    else this.#write(slot)
  }

  /** Removes the slots whose value is out of range or unknown. */
  keep(hits: ScratchBitmap, low: number, high: number, scratch: Scratch): void {
    hits.and(this.#known)
    scratch.within(() => {
      if (high < Number.POSITIVE_INFINITY) this.#keepUpTo(hits, high, scratch)
      if (low > this.#least) this.#keepFrom(hits, low, scratch)
    })
  }

  #keepUpTo(hits: ScratchBitmap, high: number, scratch: Scratch): void {
    const step = this.#stepOf(high)
    const { above, same } = this.#compare(hits, step, scratch)
    hits.andNot(above)
    if (high >= (this.#highest[step] as number)) return
    if (high >= (this.#lowest[step] as number)) same.keep(slot => this.#column.get(slot) > high)
    hits.andNot(same)
  }

  #keepFrom(hits: ScratchBitmap, low: number, scratch: Scratch): void {
    const step = this.#stepOf(low)
    const { above, same } = this.#compare(hits, step, scratch)
    hits.copy(above)
    if (low > (this.#highest[step] as number)) return
    if (low > (this.#lowest[step] as number)) same.keep(slot => this.#column.get(slot) >= low)
    hits.or(same)
  }

  /** The hits above that step, and those in it. */
  #compare(hits: Bitmap, step: number, scratch: Scratch) {
    const [above, same] = [scratch.empty(), scratch.copyOf(hits)]
    for (const [i, plane] of this.#planes.entries()) {
      if ((step >>> (this.#planes.length - 1 - i)) & 1) same.and(plane)
      else same.passZero(plane, above)
    }
    return { above, same }
  }

  /** All slots at once, into empty bitmaps. */
  #fill(slots: number): void {
    const known = this.#known.words
    const planes = this.#planes.map(({ words }) => words)
    for (let slot = 0; slot < slots; slot++) {
      const value = this.#column.get(slot)
      if (Number.isNaN(value)) continue
      const at = slot >>> 5
      const bit = 1 << slot
      known[at] = (known[at] as number) | bit
      for (let step = this.#widen(value), i = planes.length - 1; step !== 0; step >>>= 1, i--) {
        if ((step & 1) === 0) continue
        const words = planes[i] as Int32Array
        words[at] = (words[at] as number) | bit
      }
    }
  }

  #write(slot: number): void {
    const value = this.#column.get(slot)
    const isKnown = !Number.isNaN(value)
    const step = isKnown ? this.#widen(value) : 0
    this.#known.set(slot, isKnown)
    for (const [i, plane] of this.#planes.entries())
      plane.set(slot, ((step >>> (this.#planes.length - 1 - i)) & 1) === 1)
  }

  /** The last step that begins at or below the value. */
  #stepOf(value: number): number {
    const bounds = this.#bounds
    let [low, high] = [0, bounds.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((bounds[middle] as number) <= value) low = middle
      else high = middle
    }
    return low
  }

  /** The step of a value that is added. */
  #widen(value: number): number {
    const step = this.#stepOf(value)
    if (value < this.#least) this.#least = value
    if (value < (this.#lowest[step] as number)) this.#lowest[step] = value
    if (value > (this.#highest[step] as number)) this.#highest[step] = value
    return step
  }
}

/** Bounds that divide a sample into parts of the same size, or every value if there are few. */
function boundsFor(column: AnyColumn, slots: number): Float64Array {
  const stride = Math.max(1, Math.floor(slots / SAMPLE))
  const sample: number[] = []
  for (let slot = 0; slot < slots; slot += stride) {
    const value = column.get(slot)
    if (!Number.isNaN(value)) sample.push(value)
  }
  sample.sort((a, b) => a - b)
  const distinct = [...new Set(sample)]
  const from = distinct.length < MAX_STEPS ? distinct : sample
  const count = Math.min(distinct.length, MAX_STEPS - 1)
  const chosen = Array.from(
    { length: count },
    (_, i) => from[Math.floor((i * from.length) / count)] as number,
  )
  return Float64Array.of(Number.NEGATIVE_INFINITY, ...new Set(chosen))
}
