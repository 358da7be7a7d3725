import { Bitmap } from './bitmap.ts'

// A retired slot adds a small cost to every set until it is swept.
const RETIRED_SHARE = 20

interface Swept {
  /** Removes slots step by step and yields the cost of each. */
  without(gone: Bitmap): Generator<number>
}

interface SweepLimits {
  /** Retired slots before a sweep is worthwhile. */
  retired: number
  /** Entries swept in one step. */
  slice: number
}

/** Gives out slots, and takes retired ones back after they have been swept from all parts. */
export class Slots {
  /** Every slot is below. */
  size = 0
  #free: number[] = []
  #retired = new Bitmap()
  #retiredCount = 0
  #sweeping: Generator<void> | undefined
  #isHeld = false
  readonly #limits: SweepLimits
  readonly #parts: () => Iterable<Swept>

  constructor(limits: SweepLimits, parts: () => Iterable<Swept>) {
    this.#limits = limits
    this.#parts = parts
  }

  take(): number {
    return (this.#isHeld ? undefined : this.#free.pop()) ?? this.size++
  }

  retire(slot: number): void {
    this.#retired.add(slot)
    this.#retiredCount++
  }

  /** One step, if there is enough to sweep. */
  sweep(): void {
    if (this.#isHeld) return
    if (this.#retiredCount > Math.max(this.#limits.retired, this.size / RETIRED_SHARE))
      this.#sweeping ??= this.#sweepAll()
    if (this.#sweeping?.next().done) this.#sweeping = undefined
  }

  /** Until `release`, slots below the current size keep their values: none is reused, none is swept. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
  }

  /** After a load, of which no set has a slot that is not in use. */
  restore(size: number, live: Bitmap): void {
    this.size = size
    for (let slot = 0; slot < size; slot++) if (!live.has(slot)) this.#free.push(slot)
  }

  *#sweepAll(): Generator<void> {
    const gone = this.#retired
    this.#retired = new Bitmap()
    this.#retiredCount = 0
    let spent = 0
    for (const part of this.#parts()) {
      for (const cost of part.without(gone)) {
        spent += cost
        if (spent < this.#limits.slice) continue
        spent = 0
        yield
      }
    }
    for (const slot of gone.slots()) this.#free.push(slot)
  }
}
