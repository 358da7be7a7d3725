import { partsOf } from '../../lib/slices.ts'
import { Bitmap } from './bitmap.ts'
import { growth } from './columns.ts'
import type { Scratch } from './scratch.ts'

const SMALLEST_BITMAP = 64
const [LIST, BITMAP] = [0, 1]
/** Sets loaded in one step. */
export const LOADED_SETS = 2_000

/** A list that is shorter is copied when it is full. */
const LONG = 256
/** Of a long list, the part that may be recent: so often is all of it copied. */
const RECENT_SHARE = 16

/**
 * The slots that share a value: a sorted list while small, a bitmap once that takes less memory. A changed listing is added to
 * a hundred sets, so a long list that is full keeps what is added in a short one beside it, and takes it in from time to time.
 */
export class SlotSet {
  size = 0
  #list: Int32Array | undefined
  #recent: SlotSet | undefined
  #bitmap: Bitmap | undefined

  /** Of slots in ascending order, each once; keeps the array. */
  static of(slots: Int32Array): SlotSet {
    const set = new SlotSet()
    set.#list = slots
    set.size = slots.length
    if (set.#isDense(slots)) set.#toBitmap()
    return set
  }

  add(slot: number): void {
    if (this.#bitmap) this.#addToBitmap(this.#bitmap, slot)
    else this.#addToList(slot)
  }

  /** The internal bitmap, read-only; undefined while it is a list. */
  get bitmap(): Bitmap | undefined {
    return this.#bitmap
  }

  /** A copy of the slots below that one: how it is stored, then the list or the words. */
  saved(slots: number): Int32Array {
    this.#takeIn()
    const values = this.#bitmap?.saved(slots) ?? this.#list?.subarray(0, this.#below(slots))
    const saved = new Int32Array(1 + (values?.length ?? 0))
    saved[0] = this.#bitmap ? BITMAP : LIST
    if (values) saved.set(values, 1)
    return saved
  }

  static load(saved: Int32Array): SlotSet {
    const set = new SlotSet()
    const values = saved.subarray(1)
    if (saved[0] === BITMAP) {
      set.#bitmap = new Bitmap(growth(values.length * 32))
      set.#bitmap.words.set(values)
      set.size = set.#bitmap.count()
    } else {
      set.#list = values
      set.size = values.length
    }
    return set
  }

  #below(slots: number): number {
    return this.#list ? lowerBound(this.#list, this.size, slots) : 0
  }

  has(slot: number): boolean {
    if (this.#bitmap) return this.#bitmap.has(slot)
    return this.#isListed(slot) || (this.#recent?.has(slot) ?? false)
  }

  #isListed(slot: number): boolean {
    const list = this.#list
    if (!list) return false
    const size = this.#listSize
    // While a market is loaded, each slot comes after all others.
    if (size === 0 || (list[size - 1] as number) < slot) return false
    const at = lowerBound(list, size, slot)
    // Beyond the size, a list still holds slots that were removed.
    return at < size && list[at] === slot
  }

  get #listSize(): number {
    return this.#recent ? this.size - this.#recent.size : this.size
  }

  orInto(target: Bitmap): void {
    if (this.#bitmap) {
      target.or(this.#bitmap)
      return
    }
    const { words } = target
    const list = this.#list ?? []
    const size = this.#listSize
    for (let i = 0; i < size; i++) {
      const slot = list[i] as number
      words[slot >>> 5] = (words[slot >>> 5] as number) | (1 << slot)
    }
    this.#recent?.orInto(target)
  }

  /** Removes from `target` the slots that are not in this set. */
  andInto(target: Bitmap, scratch: Scratch): void {
    if (this.#bitmap) {
      target.and(this.#bitmap)
      return
    }
    const bitmap = scratch.empty()
    this.orInto(bitmap)
    target.and(bitmap)
  }

  /** How many of its slots are in `target`. */
  countIn(target: Bitmap): number {
    if (this.#bitmap) return target.countWith(this.#bitmap)
    let count = this.#recent?.countIn(target) ?? 0
    const size = this.#listSize
    for (let i = 0; i < size; i++) if (target.has(this.#list?.[i] as number)) count++
    return count
  }

  /** How many of its slots that are in `target` have each label. In steps. */
  *countLabelsIn(target: Bitmap, labels: Int32Array | Uint8Array, size: number): Generator<void, Int32Array> {
    if (this.#bitmap) return yield* this.#bitmap.countLabels(labels, size, target)
    const counts = new Int32Array(size)
    for (const slot of this.slotsIn(target)) {
      const label = labels[slot] as number
      counts[label] = (counts[label] as number) + 1
    }
    return counts
  }

  /** Those of its slots that are in `target`. */
  slotsIn(target: Bitmap): Int32Array {
    if (this.#bitmap) return this.#bitmap.slotsWith(target)
    const found = this.slots()
    let size = 0
    for (let i = 0; i < found.length; i++) {
      const slot = found[i] as number
      if (target.has(slot)) found[size++] = slot
    }
    return found.subarray(0, size)
  }

  /** The same in parts: each is overwritten by the next. */
  *partsIn(target: Bitmap): Generator<Int32Array> {
    yield* this.#bitmap ? this.#bitmap.parts(target) : partsOf(this.slotsIn(target))
  }

  slots(): Int32Array {
    this.#takeIn()
    return this.#bitmap
      ? this.#bitmap.slots(this.size)
      : (this.#list?.slice(0, this.size) ?? new Int32Array())
  }

  /** Removes those slots and returns how many entries were checked. */
  without(gone: Bitmap): number {
    this.#takeIn()
    const cost = this.#bitmap ? this.#bitmap.words.length * 2 : this.size
    if (this.#bitmap) {
      this.#bitmap.andNot(gone)
      this.size = this.#bitmap.count()
    } else if (this.#list) {
      const list = this.#list
      let size = 0
      for (let i = 0; i < this.size; i++) if (!gone.has(list[i] as number)) list[size++] = list[i] as number
      this.size = size
    }
    this.trim()
    return cost
  }

  /**
   * Switches to the smaller form. A list is copied only if half of it is unused: otherwise fragmentation costs more. A bitmap
   * becomes a list only below three quarters of what makes one: its room for more slots would make it change with every sweep.
   */
  trim(): void {
    if (this.#bitmap && this.size * 4 < this.#bitmap.words.length * 3) this.#toList(this.#bitmap)
    else if (this.#list && this.#list.length > this.size * 2 + 4) {
      this.#list = this.#list.slice(0, this.size)
    }
  }

  #addToList(slot: number): void {
    const list = this.#listWithRoom()
    if (!list) {
      this.#addToRecent(slot)
      return
    }
    const { size } = this
    const at = size === 0 || (list[size - 1] as number) < slot ? size : lowerBound(list, size, slot)
    if (at < size) {
      if (list[at] === slot) return
      list.copyWithin(at + 1, at, size)
    }
    list[at] = slot
    this.size = size + 1
    if (this.#isDense(list)) this.#toBitmap()
  }

  /** Undefined if it is long and full. */
  #listWithRoom(): Int32Array | undefined {
    const list = this.#list
    if (list && this.size < list.length) return list
    if (list && list.length >= LONG) return undefined
    this.#list = new Int32Array(roomFor(this.size + 1))
    if (list) this.#list.set(list)
    return this.#list
  }

  #addToRecent(slot: number): void {
    if (this.#isListed(slot)) return
    const listSize = this.#listSize
    this.#recent ??= new SlotSet()
    this.#recent.add(slot)
    this.size = listSize + this.#recent.size
    if (this.#recent.size * RECENT_SHARE > listSize) this.#takeIn()
  }

  #takeIn(): void {
    if (!this.#recent || !this.#list) return
    this.#list = merged(this.#list, this.#recent.slots())
    this.#recent = undefined
    if (this.#isDense(this.#list)) this.#toBitmap()
  }

  /** Whether a bitmap takes less memory. */
  #isDense(list: Int32Array): boolean {
    return this.size > SMALLEST_BITMAP && this.size - 1 > (list[this.size - 1] as number) >>> 5
  }

  #addToBitmap(bitmap: Bitmap, slot: number): void {
    if (bitmap.has(slot)) return
    const isBeyond = slot >>> 5 >= bitmap.words.length
    if (isBeyond && this.size < slot >>> 6) {
      this.#toList(bitmap)
      this.#addToList(slot)
    } else {
      bitmap.add(slot)
      this.size++
    }
  }

  #toBitmap(): void {
    const list = this.#list as Int32Array
    const bitmap = new Bitmap(growth(list[this.size - 1] as number))
    this.orInto(bitmap)
    this.#bitmap = bitmap
    this.#list = undefined
  }

  #toList(bitmap: Bitmap): void {
    this.#list = bitmap.slots(this.size)
    this.#bitmap = undefined
  }
}

/** 4, 6, 8, 12, 16, 24 …: few distinct lengths, so that memory freed by one list fits the next. */
function roomFor(size: number): number {
  let room = 4
  while (room < size) room = (room & (room - 1)) === 0 ? (room * 3) / 2 : (room * 4) / 3
  return room
}

/** Of two ascending lists without a slot in common. */
function merged(long: Int32Array, short: Int32Array): Int32Array {
  const all = new Int32Array(long.length + short.length)
  let taken = 0
  for (const [i, slot] of short.entries()) {
    const end = lowerBound(long, long.length, slot)
    all.set(long.subarray(taken, end), taken + i)
    all[end + i] = slot
    taken = end
  }
  all.set(long.subarray(taken), taken + short.length)
  return all
}

function lowerBound(list: Int32Array, size: number, slot: number): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as number) < slot) low = middle + 1
    else high = middle
  }
  return low
}
