import { PART } from '../../lib/slices.ts'
import type { Bitmap } from './bitmap.ts'
import type { SlotLabels } from './columns.ts'
import { kernelsOn, PAGE } from './kernels.ts'

type Numbers = Int32Array | Float64Array

/** What the kernels read vectors of. */
const ALIGNED = 16

/**
 * The memory of the passes over slots. A pass copies in what it needs of a part of the slots, which takes a fraction of the pass,
 * and copies out what it has found before a pause: others use the memory then.
 */
class Room {
  readonly #memory = new WebAssembly.Memory({ initial: 16 })
  readonly kernels = kernelsOn(this.#memory)
  /** Where the next array goes. */
  end = 0

  /** Copies an array in and returns where it is. What follows it, to the next vector or up to that length, is 0. */
  put(array: Numbers, length = array.length): number {
    const { buffer, at } = this.#reserve(length * array.BYTES_PER_ELEMENT)
    const bytes = new Uint8Array(buffer, at, this.end - at)
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    bytes.fill(0, array.byteLength)
    return at
  }

  /** In four bytes each. */
  putLabels(labels: SlotLabels, length: number): number {
    const { buffer, at } = this.#reserve(length * 4)
    const copy = new Int32Array(buffer, at, length)
    copy.set(labels)
    copy.fill(0, labels.length)
    return at
  }

  /** Copies back what was put there. */
  read(at: number, array: Numbers): void {
    const bytes = new Uint8Array(this.#memory.buffer, at, array.byteLength)
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes)
  }

  #reserve(bytes: number): { buffer: ArrayBuffer; at: number } {
    const at = this.end
    this.end += Math.ceil(bytes / ALIGNED) * ALIGNED
    const missing = this.end - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE))
    return { buffer: this.#memory.buffer, at }
  }
}

const room = new Room()

export const { kernels } = room

/** A part of the slots, from `first` on: bitmaps and arrays with a number per slot can be put in the room. */
export interface Part {
  first: number
  /** Of its bitmaps in the room. */
  bytes: number
  put(numbers: Numbers): number
  putLabels(labels: SlotLabels): number
  putBits(bitmap: Bitmap): number
  /** Copies them back. */
  readBits(at: number, bitmap: Bitmap): void
}

/**
 * Goes through the slots of bitmaps of that many words, in parts and with a pause after each. The kernels add to the arrays `found`;
 * `pass` gets the places of these, and of arrays that are `given`.
 */
export function* inParts(
  words: number,
  arrays: { given?: readonly Numbers[]; found?: readonly Numbers[] },
  pass: (part: Part, places: { given: number[]; found: number[] }) => void,
): Generator<void> {
  for (let first = 0; first < words * 32; first += PART) {
    room.end = 0
    const given = (arrays.given ?? []).map(array => room.put(array))
    const found = (arrays.found ?? []).map(array => room.put(array))
    pass(partAt(first, Math.min(words * 32, first + PART)), { given, found })
    for (const [i, array] of (arrays.found ?? []).entries()) room.read(found[i] as number, array)
    yield
  }
}

/** Arrays may be shorter than the bitmaps, which have room for more slots: a number is there for each bit that a kernel reads. */
function partAt(first: number, to: number): Part {
  const [firstWord, lastWord] = [first / 32, to / 32]
  const bytes = Math.ceil(((lastWord - firstWord) * 4) / ALIGNED) * ALIGNED
  return {
    first,
    bytes,
    put: numbers => room.put(numbers.subarray(first, to), bytes * 8),
    putLabels: labels => room.putLabels(labels.subarray(first, to), bytes * 8),
    putBits: ({ words }) => room.put(words.subarray(firstWord, lastWord), lastWord - firstWord),
    readBits: (at, { words }) => room.read(at, words.subarray(firstWord, lastWord)),
  }
}

/** How many slots, of those in both, have each label, `labels` having one per slot. In steps. */
export function* countLabels(
  labels: SlotLabels,
  size: number,
  hits: Bitmap,
  others: Bitmap = hits,
): Generator<void, Int32Array> {
  const counts = new Int32Array(size)
  const words = Math.min(hits.words.length, others.words.length)
  yield* inParts(words, { found: [counts] }, (part, { found: [at = 0] }) => {
    const a = part.putBits(hits)
    const b = hits === others ? a : part.putBits(others)
    kernels.countLabels(a, b, part.bytes, part.putLabels(labels), at, size)
  })
  return counts
}

/** Adds to the target the slots whose label is 1 in the table, and not 0. In steps. */
export function* addLabeled(target: Bitmap, labels: SlotLabels, table: Int32Array): Generator<void> {
  yield* inParts(target.words.length, { given: [table] }, (part, { given: [at = 0] }) => {
    const bits = part.putBits(target)
    kernels.addLabeled(bits, part.bytes, part.putLabels(labels), at, table.length)
    part.readBits(bits, target)
  })
}
