import type { Pieces } from './pieces.ts'

/** One number per slot, of something that has few. */
export type SlotLabels = Uint8Array | Uint16Array | Int32Array

/** What reads one number per slot; NaN where there is none. */
export interface AnyColumn {
  get(slot: number): number
}

/** One number per slot; NaN where there is none, so that every comparison fails. */
export class Column {
  values = new Float64Array()

  get(slot: number): number {
    return this.values[slot] as number
  }

  set(slot: number, value: number | null): void {
    if (slot >= this.values.length) this.reserve(growth(slot))
    this.values[slot] = value ?? Number.NaN
  }

  reserve(slots: number): void {
    if (slots <= this.values.length) return
    const values = new Float64Array(slots)
    values.set(this.values)
    this.values = values
  }

  saved(slots: number): Float64Array {
    return this.values.subarray(0, slots)
  }

  load(from: Pieces, spare: number): void {
    this.values = from.next(Float64Array, spare)
  }
}

/** Small whole numbers: two bytes each. */
export class SmallColumn {
  values = new Int16Array()

  /** NaN where there is none. */
  get(slot: number): number {
    const value = this.values[slot] as number
    return value === UNKNOWN ? Number.NaN : value
  }

  set(slot: number, value: number | null): void {
    if (slot >= this.values.length) this.reserve(growth(slot))
    this.values[slot] = value ?? UNKNOWN
  }

  reserve(slots: number): void {
    if (slots <= this.values.length) return
    const values = new Int16Array(slots)
    values.set(this.values)
    this.values = values
  }

  saved(slots: number): Int16Array {
    return this.values.subarray(0, slots)
  }

  load(from: Pieces, spare: number): void {
    this.values = from.next(Int16Array, spare)
  }
}

const UNKNOWN = -1

/** Capacity for that slot plus 10%, so that a growing market rarely copies its columns. */
export const growth = (slot: number): number => Math.max(1024, slot + 1 + Math.floor(slot / 10))
