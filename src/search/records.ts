import { BoundedMap } from '../lib/bounded-map.ts'

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

/** Rendered records. Buffers, so that a page is joined without encoding. */
export class RecordCache {
  readonly #kept: BoundedMap<number, Kept>

  constructor(maxBytes: number) {
    this.#kept = new BoundedMap({
      entries: Number.POSITIVE_INFINITY,
      bytes: maxBytes,
      bytesOf: (_key, { record }) => record.length,
    })
  }

  get(view: View): Buffer | undefined {
    const kept = this.#kept.get(keyOf(view))
    return kept?.version === view.version ? kept.record : undefined
  }

  set(view: View, record: Buffer): void {
    this.#kept.set(keyOf(view), { version: view.version, record })
  }
}
