import { groupBy } from '../../lib/groups.ts'
import { isCalled } from '../places/place.ts'
import type { Bitmap } from './bitmap.ts'
import { SlotSet } from './slot-set.ts'

/** The slots of each value: one set per state, city, amenity, agent … */
export class Facet<Value extends string | number = string> {
  readonly sets = new Map<Value, SlotSet>()
  /** The original spelling of a folded value. */
  readonly names = new Map<Value, string>()
  /** By the first word of the value; built when asked for, dropped with every new or removed value. */
  #byFirstWord: Map<string, Value[]> | undefined

  add(value: Value, slot: number, name?: string): void {
    let set = this.sets.get(value)
    if (!set) {
      set = new SlotSet()
      if (name !== undefined) this.names.set(value, name)
      this.sets.set(value, set)
      this.#byFirstWord = undefined
    }
    set.add(slot)
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

  /** Removes slots set by set and yields the cost of each, so that the work can be done in steps. */
  *without(gone: Bitmap): Generator<number> {
    for (const [value, set] of this.sets) {
      yield set.without(gone)
      if (set.size > 0) continue
      this.sets.delete(value)
      this.#byFirstWord = undefined
      this.names.delete(value)
    }
  }
}

const firstWord = (text: string) => text.split(' ', 1)[0] as string
