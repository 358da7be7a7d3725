import type { Piece, Pieces, PieceType } from './pieces.ts'

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

  *saved(slots: number): Generator<Piece> {
    yield this.values.subarray(0, slots)
  }

  load(from: Pieces, spare: number): void {
    this.values = from.next(Float64Array, spare)
  }
}

/** Of labels, that of none included. Numbers with more are stored by slot: a label and its entry would take more than the number. */
const MAX_LABELS = 2 ** 16

/** Numbers of which few are distinct, such as bedrooms: each once, and by slot the label of its number, in one or two bytes. */
export class DictionaryColumn {
  #labels: SlotLabels = new Uint8Array()
  /** By label; the first is for slots without a number. */
  #numbers = [Number.NaN]
  readonly #labelOf = new Map<number, number>()
  /** Used instead once there are too many distinct numbers. */
  #plain: Column | undefined

  /** NaN where there is none. */
  get(slot: number): number {
    if (this.#plain) return this.#plain.get(slot)
    return this.#numbers[this.#labels[slot] as number] as number
  }

  /** The labels by slot, and the numbers by label, of which the first is none; undefined if numbers are stored by slot. */
  get dictionary(): { labels: SlotLabels; numbers: readonly number[] } | undefined {
    return this.#plain ? undefined : { labels: this.#labels, numbers: this.#numbers }
  }

  set(slot: number, value: number | null): void {
    if (!this.#plain && slot >= this.#labels.length) this.reserve(growth(slot))
    // First: a new number may need other labels, or none.
    const label = value === null || this.#plain ? 0 : this.#numbered(value)
    if (this.#plain) this.#plain.set(slot, value)
    else this.#labels[slot] = label
  }

  reserve(slots: number): void {
    if (this.#plain) this.#plain.reserve(slots)
    else if (slots > this.#labels.length) this.#labels = widened(this.#labels, this.#numbers.length, slots)
  }

  /** The numbers by label, none if they are stored by slot, and what is stored by slot. Both at once: one says how to read the other. */
  *saved(slots: number): Generator<Piece> {
    const stored = this.#plain ? this.#plain.saved(slots) : [this.#labels.subarray(0, slots)]
    yield* [Float64Array.from(this.#numbers), ...stored]
  }

  load(from: Pieces, spare: number): void {
    this.#plain = undefined
    this.#numbers = [...from.next(Float64Array)]
    this.#labelOf.clear()
    for (const [label, number] of this.#numbers.entries()) if (label > 0) this.#labelOf.set(number, label)
    if (this.#numbers.length > 0) this.#labels = from.next(labelsFor(this.#numbers.length), spare)
    else this.#toPlain().load(from, spare)
  }

  #numbered(value: number): number {
    let label = this.#labelOf.get(value)
    if (label === undefined) {
      label = this.#numbers.length
      if (label === MAX_LABELS) {
        this.#toPlain()
        return 0
      }
      this.#numbers.push(value)
      this.#labelOf.set(value, label)
      if (label >= 2 ** (8 * this.#labels.BYTES_PER_ELEMENT))
        this.#labels = widened(this.#labels, this.#numbers.length, this.#labels.length)
    }
    return label
  }

  #toPlain(): Column {
    const plain = new Column()
    plain.reserve(this.#labels.length)
    for (let slot = 0; slot < this.#labels.length; slot++) plain.set(slot, this.get(slot))
    this.#plain = plain
    this.#labels = new Uint8Array()
    this.#numbers = []
    this.#labelOf.clear()
    return plain
  }
}

/** Labels below `size` in as few bytes as they need. */
const labelsFor = (size: number): PieceType<SlotLabels> =>
  size <= 2 ** 8 ? Uint8Array : size <= 2 ** 16 ? Uint16Array : Int32Array

/** A copy with room for that many slots and for labels below `size`. */
export function widened(labels: SlotLabels, size: number, slots: number): SlotLabels {
  const copy = new (labelsFor(size))(slots)
  copy.set(labels)
  return copy
}

/** Capacity for that slot plus 10%, so that a growing market rarely copies its columns. */
export const growth = (slot: number): number => Math.max(1024, slot + 1 + Math.floor(slot / 10))
