import { groupBy } from '../../lib/groups.ts'
import { isCalled } from '../places/place.ts'
import type { Bitmap } from './bitmap.ts'
import { growth, type SlotLabels, widened } from './columns.ts'
import { jsonPiece, nextJson, type Piece, type Pieces } from './pieces.ts'
import { LOADED_SETS, SlotSet } from './slot-set.ts'

/** How a listing writes a value, and whether everyone sees that listing. */
interface Name {
  name: string
  isShown: boolean
}

/** The slots of each value: one set per state, city, amenity, agent … */
export class Facet<Value extends string | number = string> {
  readonly sets = new Map<Value, SlotSet>()
  /** The original spelling of a folded value: of the first listing, or of the first that is shown to everyone. */
  readonly names = new Map<Value, string>()
  /** Values of which only hidden listings have given a name. */
  readonly #hidden = new Set<Value>()
  /** By the first word of the value; built when asked for, dropped with every new or removed value. */
  #byFirstWord: Map<string, Value[]> | undefined

  add(value: Value, slot: number, name?: Name): void {
    let set = this.sets.get(value)
    if (!set) {
      set = new SlotSet()
      this.sets.set(value, set)
      this.#byFirstWord = undefined
    }
    if (name) this.learn(value, name)
    set.add(slot)
  }

  protected learn(value: Value, { name, isShown }: Name): void {
    const isFirst = !this.names.has(value)
    if (!isFirst && !(isShown && this.#hidden.delete(value))) return
    this.names.set(value, name)
    if (!isShown) this.#hidden.add(value)
  }

  orInto(target: Bitmap, values: Iterable<Value>): void {
    for (const value of values) this.sets.get(value)?.orInto(target)
  }

  /** Every value that contains the text. */
  *containing(this: Facet<string>, text: string): Generator<string> {
    for (const value of this.sets.keys()) if (value.includes(text)) yield value
  }

  /** Every value with one of the names (`isCalled`), perhaps twice. */
  *called(this: Facet<string>, names: readonly string[]): Generator<string> {
    this.#byFirstWord ??= groupBy(this.sets.keys(), firstWord)
    for (const name of names) {
      for (const value of this.#byFirstWord.get(firstWord(name)) ?? [])
        if (isCalled(value, [name])) yield value
    }
  }

  trim(): void {
    for (const set of this.sets.values()) set.trim()
  }

  *saved(among: Bitmap): Generator<Piece> {
    const sets = [...this.sets]
    yield jsonPiece(sets.map(([value]) => [value, this.names.get(value), this.#hidden.has(value)]))
    for (const [, set] of sets) yield set.saved(among)
  }

  /** In steps. */
  *load(from: Pieces, _slots: number): Generator<void> {
    for (const [i, [value, name, isHidden]] of nextJson<[Value, string | null, boolean][]>(from).entries()) {
      if (i % LOADED_SETS === 0) yield
      const set = SlotSet.load(from.next(Int32Array))
      if (set.size === 0) continue
      this.sets.set(value, set)
      if (name !== null) this.learn(value, { name, isShown: !isHidden })
    }
  }

  /** Removes slots set by set and yields the cost of each, so that the work can be done in steps. */
  *without(gone: Bitmap): Generator<number> {
    for (const [value, set] of this.sets) {
      yield set.without(gone)
      if (set.size === 0) this.drop(value)
    }
  }

  protected drop(value: Value): void {
    this.sets.delete(value)
    this.#byFirstWord = undefined
    this.names.delete(value)
    this.#hidden.delete(value)
  }
}

/** A facet of which each slot has one value or none: its number is also stored by slot, for counting and grouping. */
export class LabeledFacet<Value extends string | number = string> extends Facet<Value> {
  /** Per slot, the number of its value; 0 for none. */
  labels: SlotLabels = new Uint8Array()
  /** By number. */
  readonly values: (Value | undefined)[] = [undefined]
  readonly #numbers = new Map<Value, number>()
  readonly #free: number[] = []
  #isCollecting = false

  set(slot: number, value: Value | null, name?: Name): void {
    if (slot >= this.labels.length) this.reserve(growth(slot))
    // First: the number of a new value may need another array.
    const label = value === null ? 0 : this.#numberOf(value)
    this.labels[slot] = label
    if (value !== null && name) this.learn(value, name)
    if (value !== null && !this.#isCollecting) this.add(value, slot)
  }

  /** From here to `addCollected`, only labels are written: sets made of them at once take a fraction of the time, and no spare room. */
  collect(): void {
    this.#isCollecting = true
  }

  /** In steps. */
  *addCollected(): Generator<void> {
    if (!this.#isCollecting) return
    this.#isCollecting = false
    const { labels } = this
    const sizes = new Int32Array(this.values.length)
    for (let slot = 0; slot < labels.length; slot++) {
      const label = labels[slot] as number
      sizes[label] = (sizes[label] as number) + 1
    }
    yield
    const ends = new Int32Array(sizes.length)
    for (let label = 1; label < sizes.length; label++)
      ends[label] = (ends[label - 1] as number) + (sizes[label - 1] as number)
    const sorted = new Int32Array(labels.length)
    for (let slot = 0; slot < labels.length; slot++) {
      const label = labels[slot] as number
      const end = ends[label] as number
      sorted[end] = slot
      ends[label] = end + 1
    }
    for (const [value, label] of this.#numbers) {
      if (label % LOADED_SETS === 1) yield
      const end = ends[label] as number
      this.sets.set(value, SlotSet.of(sorted.slice(end - (sizes[label] as number), end)))
    }
  }

  reserve(slots: number): void {
    if (slots > this.labels.length) this.labels = widened(this.labels, this.values.length, slots)
  }

  /** 0 for a value that no slot has. */
  labelOf(value: Value): number {
    return this.#numbers.get(value) ?? 0
  }

  setOf(label: number): SlotSet | undefined {
    const value = this.values[label]
    return value === undefined ? undefined : this.sets.get(value)
  }

  nameOf(label: number): Value | string | undefined {
    const value = this.values[label]
    return value === undefined ? undefined : (this.names.get(value) ?? value)
  }

  override *load(from: Pieces, slots: number): Generator<void> {
    yield* super.load(from, slots)
    this.reserve(growth(slots))
    for (const [value, set] of this.sets) {
      const number = this.#numberOf(value)
      for (const slot of set.slots()) this.labels[slot] = number
    }
    yield
  }

  protected override drop(value: Value): void {
    super.drop(value)
    const number = this.#numbers.get(value) as number
    this.#numbers.delete(value)
    this.values[number] = undefined
    this.#free.push(number)
  }

  #numberOf(value: Value): number {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.#free.pop() ?? this.values.length
      this.values[number] = value
      if (number >= 2 ** (8 * this.labels.BYTES_PER_ELEMENT))
        this.labels = widened(this.labels, this.values.length, this.labels.length)
      this.#numbers.set(value, number)
    }
    return number
  }
}

const firstWord = (text: string) => text.split(' ', 1)[0] as string
