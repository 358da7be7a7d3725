import { partsOf } from '../../lib/slices.ts'
import { Bitmap } from './bitmap.ts'
import { growth, type SlotLabels } from './columns.ts'
import { PackedSlots } from './packed-slots.ts'
import { countLabels } from './passes.ts'
import type { Scratch } from './scratch.ts'

const SMALLEST_BITMAP = 64
const [LIST, BITMAP] = [0, 1]
const NO_SLOTS = new Int32Array()
/** Sets loaded in one step. */
export const LOADED_SETS = 2_000

/** Packed, shorter ones would save less than they cost. */
const LONGEST_LIST = 256
/** Of a packed set, the part that may be in the list beside it: so often is all of it packed again. */
const LISTED_SHARE = 16

/**
 * The slots that share a value: a sorted list while they are few, a bitmap when they are many, and packed in between.
 * A changed listing is added to a hundred sets, so what is added to a packed one goes to a short list beside it, and is packed
 * from time to time.
 */
export class SlotSet {
  size = 0
  /** Ascending, with room for more; none of them is packed. */
  #list: Int32Array = NO_SLOTS
  #packed: PackedSlots | undefined
  #bitmap: Bitmap | undefined

  /** Of slots in ascending order, each once; may keep the array. */
  static of(slots: Int32Array): SlotSet {
    const set = new SlotSet()
    set.#hold(slots)
    if (set.#isDense()) set.#becomeBitmap()
    return set
  }

  add(slot: number): void {
    if (this.#bitmap) this.#addToBitmap(this.#bitmap, slot)
    else this.#addToList(slot)
  }

  /** The internal bitmap, read-only; undefined while it is none. */
  get bitmap(): Bitmap | undefined {
    return this.#bitmap
  }

  /** Read-only. */
  toBitmap(): Bitmap {
    if (this.#bitmap) return this.#bitmap
    const bitmap = new Bitmap(this.#last + 1)
    this.orInto(bitmap)
    return bitmap
  }

  /** A copy of its slots that are in `among`: how it is stored, then the list or the words. */
  saved(among: Bitmap): Int32Array {
    const values = this.#bitmap ? this.#bitmap.with(among).words : this.slotsIn(among)
    const saved = new Int32Array(1 + values.length)
    saved[0] = this.#bitmap ? BITMAP : LIST
    saved.set(values, 1)
    return saved
  }

  static load(saved: Int32Array): SlotSet {
    const values = saved.subarray(1)
    if (saved[0] !== BITMAP) return SlotSet.of(values)
    const set = new SlotSet()
    set.#bitmap = new Bitmap(growth(values.length * 32))
    set.#bitmap.words.set(values)
    set.size = set.#bitmap.count()
    return set
  }

  has(slot: number): boolean {
    if (this.#bitmap) return this.#bitmap.has(slot)
    const at = this.#placeOf(slot)
    // Beyond its size, a list may hold anything.
    return (at < this.#listed && this.#list[at] === slot) || (this.#packed?.has(slot) ?? false)
  }

  get #listed(): number {
    return this.#packed ? this.size - this.#packed.size : this.size
  }

  /** Where it is in the list, or belongs. */
  #placeOf(slot: number): number {
    const size = this.#listed
    // New listings mostly come after all others.
    return size === 0 || (this.#list[size - 1] as number) < slot ? size : lowerBound(this.#list, size, slot)
  }

  orInto(target: Bitmap): void {
    if (this.#bitmap) {
      target.or(this.#bitmap)
      return
    }
    this.#packed?.orInto(target)
    const { words } = target
    const list = this.#list
    const size = this.#listed
    for (let i = 0; i < size; i++) {
      const slot = list[i] as number
      words[slot >>> 5] = (words[slot >>> 5] as number) | (1 << slot)
    }
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
    let count = this.#packed?.countIn(target) ?? 0
    const size = this.#listed
    for (let i = 0; i < size; i++) if (target.has(this.#list[i] as number)) count++
    return count
  }

  /** How many of its slots that are in `target` have each label. In steps. */
  *countLabelsIn(target: Bitmap, labels: SlotLabels, size: number): Generator<void, Int32Array> {
    if (this.#bitmap) return yield* countLabels(labels, size, this.#bitmap, target)
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
    return keep(this.slots(), slot => target.has(slot))
  }

  /** The same in parts: each is overwritten by the next. */
  *partsIn(target: Bitmap): Generator<Int32Array> {
    yield* this.#bitmap ? this.#bitmap.parts(target) : partsOf(this.slotsIn(target))
  }

  slots(): Int32Array {
    if (this.#bitmap) return this.#bitmap.slots(this.size)
    const listed = this.#list.subarray(0, this.#listed)
    return this.#packed ? merged(this.#packed.slots(), listed) : listed.slice()
  }

  /** Removes those slots and returns how many entries were checked. */
  without(gone: Bitmap): number {
    const cost = this.#bitmap ? this.#bitmap.words.length * 2 : this.size
    if (this.#bitmap) {
      this.#bitmap.andNot(gone)
      this.size = this.#bitmap.count()
    } else {
      const listed = keep(this.#list.subarray(0, this.#listed), slot => !gone.has(slot)).length
      this.#packed?.without(gone)
      this.size = listed + (this.#packed?.size ?? 0)
      if (this.#packed && this.size <= LONGEST_LIST) this.#hold(this.slots())
    }
    this.trim()
    return cost
  }

  /** Packs a bitmap below three quarters of what makes one: its room for more slots would make it change with every sweep. */
  trim(): void {
    if (this.#bitmap && this.size * 4 < this.#bitmap.words.length * 3) this.#toSlots(this.#bitmap)
  }

  #addToList(slot: number): void {
    if (this.#packed?.has(slot)) return
    const at = this.#placeOf(slot)
    const listed = this.#listed
    if (at < listed && this.#list[at] === slot) return
    if (listed === this.#list.length) {
      const list = new Int32Array(roomFor(listed + 1))
      list.set(this.#list)
      this.#list = list
    }
    if (at < listed) this.#list.copyWithin(at + 1, at, listed)
    this.#list[at] = slot
    this.size++
    if (this.#isDense()) this.#becomeBitmap()
    else if (this.#listed > Math.max(LONGEST_LIST, (this.#packed?.size ?? 0) / LISTED_SHARE))
      this.#hold(this.slots())
  }

  /** Instead of what it held; may keep the array. */
  #hold(slots: Int32Array): void {
    const isLong = slots.length > LONGEST_LIST
    this.#packed = isLong ? new PackedSlots(slots) : undefined
    this.#list = isLong ? NO_SLOTS : slots
    this.size = slots.length
  }

  /** Whether a bitmap, which is faster, takes at most twice the memory. */
  #isDense(): boolean {
    return this.size > SMALLEST_BITMAP && this.size - 1 > this.#last >>> 5
  }

  /** -1 if it has no slots. */
  get #last(): number {
    return Math.max(this.#packed?.last ?? -1, this.#list[this.#listed - 1] ?? -1)
  }

  #addToBitmap(bitmap: Bitmap, slot: number): void {
    if (bitmap.has(slot)) return
    const isBeyond = slot >>> 5 >= bitmap.words.length
    if (isBeyond && this.size < slot >>> 6) {
      this.#toSlots(bitmap)
      this.#addToList(slot)
    } else {
      bitmap.add(slot)
      this.size++
    }
  }

  #becomeBitmap(): void {
    const bitmap = new Bitmap(growth(this.#last))
    this.orInto(bitmap)
    this.#bitmap = bitmap
    this.#packed = undefined
    this.#list = NO_SLOTS
  }

  #toSlots(bitmap: Bitmap): void {
    this.#bitmap = undefined
    this.#hold(bitmap.slots(this.size))
  }
}

/** 16, 32, 64 …: up to 16 lie beside the array itself, and each array that is replaced is garbage that only a full collection finds. */
function roomFor(size: number): number {
  let room = 16
  while (room < size) room *= 2
  return room
}

/** Of two ascending lists without a slot in common. */
function merged(long: Int32Array, short: Int32Array): Int32Array {
  if (short.length === 0) return long
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

/** Those that pass, in the same array. */
function keep(slots: Int32Array, passes: (slot: number) => boolean): Int32Array {
  let size = 0
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number
    if (passes(slot)) slots[size++] = slot
  }
  return slots.subarray(0, size)
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
