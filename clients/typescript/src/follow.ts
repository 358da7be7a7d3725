import type { Lonja } from './client.ts'
import { type Digest, digestOf } from './digest.ts'
import { LonjaError } from './errors.ts'
import type { Listing, Operations } from './types.ts'

export type Change =
  | { op: 'put'; id: string; version: string; listing: Listing }
  | { op: 'remove'; id: string; version: string }

/** Where a copy is kept: in memory (`MemoryCopy`), or in your database. */
export interface Copy {
  /** What the last `apply` saved; undefined before the first. */
  cursor(): Promise<string | undefined>
  /** Applies the changes and saves the cursor, in one transaction. A change may come again. */
  apply(changes: readonly Change[], cursor: string): Promise<void>
  /** Forgets all listings and the cursor. */
  clear(): Promise<void>
  /** The id and the version of every listing in the copy. */
  versions():
    | AsyncIterable<readonly [id: string, version: string]>
    | Iterable<readonly [id: string, version: string]>
}

type Parameters = Operations['listChanges']['request']

/** The filters of a search, `scope` and `fields`; the same for as long as the copy lives. */
export interface FollowOptions extends Omit<Parameters, 'cursor' | 'limit' | 'wait' | 'lang'> {
  copy: Copy
  /** Ends the loop, without an error. */
  signal?: AbortSignal
  /** Seconds a call may wait for a change; default 30. With 0, the loop ends when the copy is up to date. */
  wait?: number
  /** Seconds between two proofs; default 3600. The copy is also proved when it is first up to date. */
  proveEvery?: number
}

/** What happened: changes were applied, the copy was found right or repaired, or had to start again. */
export type Round =
  | { kind: 'changed'; changes: readonly Change[] }
  | { kind: 'proved'; count: number }
  | { kind: 'repaired'; changes: readonly Change[] }
  | { kind: 'restarted' }

const TRIES = 3

export async function* follow(lonja: Lonja, options: FollowOptions): AsyncGenerator<Round, void, undefined> {
  const { copy, signal, wait = 30, proveEvery = 3600 } = options
  let provedAt = Number.NEGATIVE_INFINITY
  let isUpToDate = false
  try {
    for (;;) {
      const page = await nextPage(lonja, options, isUpToDate ? wait : 0)
      if (!page) {
        await copy.clear()
        isUpToDate = false
        yield { kind: 'restarted' }
        continue
      }
      isUpToDate = !page.more
      if (page.changes.length > 0) yield { kind: 'changed', changes: page.changes }
      if (!isUpToDate) continue
      if (performance.now() - provedAt >= proveEvery * 1000) {
        yield* prove(lonja, options)
        provedAt = performance.now()
      }
      if (wait === 0) return
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** Applies the next page; undefined if the copy has to start again. */
async function nextPage(
  lonja: Lonja,
  { copy, signal, wait: _, proveEvery: __, ...filters }: FollowOptions,
  wait: number,
) {
  const cursor = await copy.cursor()
  try {
    const { content, ...page } = await lonja.listChanges(
      { ...filters, cursor, wait, limit: 1000 },
      signal ? { signal } : {},
    )
    const changes = content as Change[]
    if (changes.length > 0 || page.cursor !== cursor) await copy.apply(changes, page.cursor)
    return { changes, more: page.more }
  } catch (error) {
    if (error instanceof LonjaError && error.code === 'gone' && cursor !== undefined) return undefined
    throw error
  }
}

type Filters = Omit<FollowOptions, 'copy' | 'signal' | 'wait' | 'proveEvery'>

/** A change that arrives between a page and the digest is no fault: only a copy that differs again is repaired. */
async function* prove(lonja: Lonja, options: FollowOptions): AsyncGenerator<Round, void, undefined> {
  const { copy, signal, wait: _, proveEvery: __, ...filters } = options
  for (let tried = 1; tried <= TRIES; tried++) {
    const said = await lonja.getDigest(filters, signal ? { signal } : {})
    const own = await digestOf(copy.versions())
    if (own.hash === said.hash && own.count === said.count) return yield { kind: 'proved', count: own.count }
    if (tried === TRIES) return yield await repair(lonja, copy, own, said.buckets ?? [], filters)
    for (let more = true; more; ) {
      const page = await nextPage(lonja, options, 0)
      if (page && page.changes.length > 0) yield { kind: 'changed', changes: page.changes }
      more = page?.more ?? false
    }
  }
}

async function repair(
  lonja: Lonja,
  copy: Copy,
  own: Digest,
  buckets: readonly { prefix: string; hash: string }[],
  filters: Filters,
): Promise<Round> {
  const right = new Map<string, string>()
  const suspects = new Map<string, string>()
  for (const { prefix } of buckets.filter(bucket => bucket.hash !== own.bucket(bucket.prefix).hash)) {
    const { content = [] } = await lonja.getDigest({ ...filters, prefix })
    for (const { id, version } of content) right.set(id, version)
    for (const [id, version] of own.bucket(prefix).versions) suspects.set(id, version)
  }
  const surplus = [...suspects].filter(([id]) => !right.has(id))
  const changes: Change[] = surplus.map(([id, version]) => ({ op: 'remove', id, version }))
  const { scope: _, ...search } = filters
  const missing = [...right.keys()].filter(id => suspects.get(id) !== right.get(id))
  for (let at = 0; at < missing.length; at += 100) {
    const ids = missing.slice(at, at + 100).join(',')
    const { content } = await lonja.searchListings({ ...search, ids })
    for (const listing of content) {
      changes.push({ op: 'put', id: listing.id, version: listing.version ?? right.get(listing.id), listing })
    }
  }
  // Whatever changed since then comes with the next page: its cursor stays.
  await copy.apply(changes, (await copy.cursor()) as string)
  return { kind: 'repaired', changes }
}

/** A copy in memory, for small markets and tests. */
export class MemoryCopy implements Copy {
  readonly listings = new Map<string, Listing>()
  readonly #versions = new Map<string, string>()
  #cursor: string | undefined

  async cursor() {
    return this.#cursor
  }

  async apply(changes: readonly Change[], cursor: string) {
    for (const change of changes) {
      if (change.op === 'put') {
        this.listings.set(change.id, change.listing)
        this.#versions.set(change.id, change.version)
      } else {
        this.listings.delete(change.id)
        this.#versions.delete(change.id)
      }
    }
    this.#cursor = cursor
  }

  async clear() {
    this.listings.clear()
    this.#versions.clear()
    this.#cursor = undefined
  }

  versions() {
    return this.#versions
  }
}
