/** Rendered records, least recently used thrown away first. Buffers, so that a page is joined without encoding. */
export class RecordCache {
  readonly #records = new Map<string, Buffer>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Buffer | undefined {
    const record = this.#records.get(key)
    if (record) {
      this.#records.delete(key)
      this.#records.set(key, record)
    }
    return record
  }

  set(key: string, record: Buffer): void {
    this.#bytes += record.length - (this.#records.get(key)?.length ?? 0)
    this.#records.delete(key)
    this.#records.set(key, record)
    for (const [oldest, { length }] of this.#records) {
      if (this.#bytes <= this.#maxBytes) break
      this.#records.delete(oldest)
      this.#bytes -= length
    }
  }
}
