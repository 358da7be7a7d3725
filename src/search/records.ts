/** A listing as one viewer sees it: its owner's view is the same for all of the owner's keys. */
interface View {
  slot: number
  /** Of the listing in that slot. A slot that was given to another listing has another version. */
  version: number
  isOwn: boolean
}

interface Kept {
  version: number
  record: Buffer
}

const keyOf = ({ slot, isOwn }: View) => slot * 2 + Number(isOwn)

/** Rendered records, least recently used thrown away first. Buffers, so that a page is joined without encoding. */
export class RecordCache {
  readonly #kept = new Map<number, Kept>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(view: View): Buffer | undefined {
    const key = keyOf(view)
    const kept = this.#kept.get(key)
    if (kept?.version !== view.version) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.record
  }

  set(view: View, record: Buffer): void {
    const key = keyOf(view)
    this.#bytes += record.length - (this.#kept.get(key)?.record.length ?? 0)
    this.#kept.delete(key)
    this.#kept.set(key, { version: view.version, record })
    for (const [oldest, { record: forgotten }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#kept.delete(oldest)
      this.#bytes -= forgotten.length
    }
  }
}
