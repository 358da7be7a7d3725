import { hash } from 'node:crypto'
import type { Bitmap } from './bitmap.ts'
import { type Ids, type Uuid, uuidOf } from './ids.ts'
import type { Word64 } from './rows.ts'
import { type Words64, wordsOf } from './words64.ts'

export const PREFIXES = 256

/** `id:version`, written digit by digit: the strings of a million listings would take as long as their hashes. */
const text = Buffer.from('00000000-0000-0000-0000-000000000000:0000000000000000')
const DIGITS = Buffer.from('0123456789abcdef')

/** The first 8 bytes of SHA-256(`id:version`). */
export function digestWord([a, b, c, d]: Uuid, [high, low]: Word64): Word64 {
  writeHex(a, 0, 8)
  writeHex(b >>> 16, 9, 4)
  writeHex(b, 14, 4)
  writeHex(c >>> 16, 19, 4)
  writeHex(c, 24, 4)
  writeHex(d, 28, 8)
  writeHex(high, 37, 8)
  writeHex(low, 45, 8)
  const bytes = hash('sha256', text, 'buffer')
  return [bytes.readInt32BE(0), bytes.readInt32BE(4)]
}

/** The last digits of a word. */
function writeHex(word: number, at: number, digits: number): void {
  for (let end = at + digits - 1, rest = word; end >= at; end--, rest >>>= 4)
    text[end] = DIGITS[rest & 15] as number
}

/** The count and the XOR of the words, by the first byte of the id. */
export class Digest {
  readonly counts = new Int32Array(PREFIXES)
  readonly #words = new Int32Array(PREFIXES * 2)

  add(prefix: number, word: Word64): void {
    this.counts[prefix] = (this.counts[prefix] as number) + 1
    this.#toggle(prefix, word)
  }

  remove(prefix: number, word: Word64): void {
    this.counts[prefix] = (this.counts[prefix] as number) - 1
    this.#toggle(prefix, word)
  }

  /** Everything of one prefix at once. */
  set(prefix: number, count: number, word: Word64): void {
    this.counts[prefix] = count
    this.#words.set(word, prefix * 2)
  }

  #toggle(prefix: number, [high, low]: Word64): void {
    const words = this.#words
    words[prefix * 2] = (words[prefix * 2] as number) ^ high
    words[prefix * 2 + 1] = (words[prefix * 2 + 1] as number) ^ low
  }

  word(prefix: number): Word64 {
    return [this.#words[prefix * 2] as number, this.#words[prefix * 2 + 1] as number]
  }

  copy(): Digest {
    const copy = new Digest()
    copy.counts.set(this.counts)
    copy.#words.set(this.#words)
    return copy
  }
}

/** The digest of any set of slots. */
export function digestOf(slots: Bitmap, ids: Ids, { words: hashes }: Words64): Digest {
  const digest = new Digest()
  const { words } = slots
  for (let i = 0; i < words.length; i++) {
    for (let rest = words[i] as number; rest !== 0; rest &= rest - 1) {
      const slot = (i << 5) | (31 - Math.clz32(rest & -rest))
      digest.add(ids.prefix(slot), [hashes[slot * 2] as number, hashes[slot * 2 + 1] as number])
    }
  }
  return digest
}

/** Of records by id and version, as they are listed. */
export function digestOfVersions(content: readonly { id: string; version: string }[]): Digest {
  const digest = new Digest()
  for (const { id, version } of content) {
    const uuid = uuidOf(id)
    digest.add(uuid[0] >>> 24, digestWord(uuid, wordsOf(BigInt(`0x${version}`))))
  }
  return digest
}
