import type { Db } from '../db/database.ts'
import { retryRead } from '../db/unavailable.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import type { Selection } from '../lib/selection.ts'
import { listingRecord } from '../listings/record.ts'
import { listByIds } from '../listings/service.ts'
import type { Engine } from './engine/engine.ts'

/** A listing as one viewer sees it: the owner's view is the same for all of the owner's keys. */
interface View {
  slot: number
  /** The last change of the listing in that slot. Differs once the slot is reused for another listing. */
  xid: number
  isOwn: boolean
}

const keyOf = ({ slot, isOwn }: View) => slot * 2 + Number(isOwn)

interface Kept<T> {
  xid: number
  record: T
}

/** Records read recently but not kept: those of 2,700 pages at most, in half a megabyte. */
const REMEMBERED = 1 << 16

/**
 * An LRU cache of rendered records. Buffers, so that pages are joined without encoding. Once it is full, it takes records that
 * are read twice: deep pages would evict popular ones, and records that grow old before they are dropped make full
 * collections frequent.
 */
export class RecordCache {
  readonly #kept: BoundedMap<number, Kept<Buffer>>
  readonly #maxBytes: number
  /** The key last read among those with the same remainder. */
  readonly #readOnce = new Float64Array(REMEMBERED).fill(-1)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    const bytesOf = (_key: number, { record }: Kept<Buffer>) => record.length
    this.#kept = new BoundedMap({ entries: Number.POSITIVE_INFINITY, bytes: maxBytes, bytesOf })
  }

  get bytes(): number {
    return this.#kept.bytes
  }

  get(view: View): Buffer | undefined {
    const kept = this.#kept.get(keyOf(view))
    return kept?.xid === view.xid ? kept.record : undefined
  }

  set(view: View, record: Buffer): void {
    const key = keyOf(view)
    const isFull = this.bytes + record.length > this.#maxBytes
    if (!isFull || this.#kept.has(key) || this.#isReadAgain(key))
      this.#kept.set(key, { xid: view.xid, record })
  }

  #isReadAgain(key: number): boolean {
    const at = key % REMEMBERED
    const isAgain = this.#readOnce[at] === key
    this.#readOnce[at] = key
    return isAgain
  }
}

/** A page of search; a thousand changes would hold the thread for a tenth of a second. */
const AT_ONCE = 100
const CACHE_BYTES = 24 * 2 ** 20

type Loading = Map<number, Kept<Promise<Buffer | undefined>>>

/** The records of listings as JSON, from the cache or the database; concurrent requests share one read. */
export class Records {
  readonly #db: Db
  readonly #publicUrl: string
  /** Slots are only valid in the engine that assigned them. */
  #known: { engine: Engine; cache: RecordCache; loading: Loading } | undefined

  constructor({ db, publicUrl }: { db: Db; publicUrl: string }) {
    this.#db = db
    this.#publicUrl = publicUrl
  }

  /**
   * One per slot; undefined if the listing has changed since the engine's state. One-time reads, such as a first load,
   * are not cached: they would evict popular records.
   */
  of(engine: Engine, slots: number[], viewer: string | null, isKept = true): Promise<(Buffer | undefined)[]> {
    if (this.#known?.engine !== engine)
      this.#known = { engine, cache: new RecordCache(CACHE_BYTES), loading: new Map() }
    const { cache, loading } = this.#known
    const own = viewer === null ? undefined : engine.slotsOf(viewer)
    const views = slots.map(slot => ({
      slot,
      xid: engine.columns.xid.get(slot),
      isOwn: own?.has(slot) ?? false,
    }))
    const coming = (view: View) => {
      const found = loading.get(keyOf(view))
      return found?.xid === view.xid ? found.record : undefined
    }
    const missing = views.filter(view => !cache.get(view) && !coming(view))
    if (missing.length > 0) {
      const read = this.#read(engine, missing, viewer)
      for (const view of missing) {
        const record = read.then(records => {
          const found = records.get(view.slot)
          if (found && isKept) cache.set(view, found)
          return found
        })
        const entry = { xid: view.xid, record }
        loading.set(keyOf(view), entry)
        const forget = () => {
          if (loading.get(keyOf(view)) === entry) loading.delete(keyOf(view))
        }
        record.then(forget, forget)
      }
    }
    return Promise.all(views.map(view => cache.get(view) ?? coming(view)))
  }

  /** By slot, those that still match the engine's state. */
  async #read(engine: Engine, views: View[], viewer: string | null): Promise<Map<number, Buffer>> {
    const bySlot = new Map(views.map(({ slot }) => [slot, engine.ids.text(slot)]))
    const records = new Map<number, Buffer>()
    for (let i = 0; i < views.length; i += AT_ONCE) {
      const part = views.slice(i, i + AT_ONCE)
      const ids = part.map(({ slot }) => bySlot.get(slot) as string)
      const rows = new Map((await retryRead(() => listByIds(this.#db, ids))).map(row => [row.id, row]))
      for (const [n, { slot, xid }] of part.entries()) {
        const row = rows.get(ids[n] as string)
        if (row?.xid === xid) records.set(slot, render(listingRecord(row, viewer, this.#publicUrl)))
      }
    }
    return records
  }
}

/** Of a record in JSON, the selected fields. */
export const pickBytes = (record: Buffer, fields: Selection): Buffer =>
  Buffer.from(JSON.stringify(fields.pick(JSON.parse(record.toString()))))

/** Not from Node's shared pool: a cached slice would retain the whole pool. */
function render(record: unknown): Buffer {
  const json = JSON.stringify(record)
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  bytes.write(json)
  return bytes
}
