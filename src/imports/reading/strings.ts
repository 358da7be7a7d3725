import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { READING, unreadable } from './limits.ts'

const BUFFER_BYTES = 256 * 1024

/**
 * The texts that the cells of a workbook share, in a file instead of memory: a workbook may hold a million of them. Only
 * where each begins is kept, eight bytes a text.
 */
export class SharedStrings {
  readonly #file: number
  #starts = new Float64Array(1024)
  #count = 0
  #end = 0
  #waiting: Buffer[] = []
  #waitingBytes = 0
  readonly #recent = new BoundedMap<number, string>({
    entries: 5_000,
    bytes: 4 * 2 ** 20,
    bytesOf: (_index, text) => text.length * 2,
  })

  constructor(path: string) {
    this.#file = openSync(path, 'w+', 0o600)
  }

  add(text: string): void {
    if (this.#count >= READING.strings) throw unreadable()
    if (this.#count + 1 >= this.#starts.length) {
      const longer = new Float64Array(this.#starts.length * 2)
      longer.set(this.#starts)
      this.#starts = longer
    }
    const bytes = Buffer.from(text)
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    this.#end += bytes.length
    this.#starts[++this.#count] = this.#end
    if (this.#waitingBytes > BUFFER_BYTES) this.#write()
  }

  #write(): void {
    if (this.#waitingBytes > 0) writeSync(this.#file, Buffer.concat(this.#waiting))
    this.#waiting = []
    this.#waitingBytes = 0
  }

  /** Empty if there is none of that number. */
  at(index: number): string {
    if (!(index >= 0 && index < this.#count)) return ''
    const known = this.#recent.get(index)
    if (known !== undefined) return known
    this.#write()
    const start = this.#starts[index] as number
    const bytes = Buffer.alloc((this.#starts[index + 1] as number) - start)
    readSync(this.#file, bytes, 0, bytes.length, start)
    const text = bytes.toString()
    this.#recent.set(index, text)
    return text
  }

  close(): void {
    closeSync(this.#file)
  }
}
