import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { type Db, openDatabase, type Tx } from '../../db/database.ts'
import { seldom } from '../../lib/seldom.ts'
import { foldText } from '../../lib/text.ts'
import type { Filters } from '../criteria.ts'
import type { Entry } from '../engine/rows.ts'
import { openReader, readChanges, readHistories } from '../feed/changes.ts'
import { type History, isPast } from '../feed/history.ts'
import { parseSnapshot, type Snapshot, snapshotText } from '../feed/snapshot.ts'
import { rememberedStems, wordGroups } from '../text/words.ts'
import { type Candidate, candidateOf, type StoredSearch } from './matches.ts'
import { readPosition, writePosition } from './position.ts'
import { StoredSearches } from './stored.ts'

const POLL_MS = 400
/** From one step to the next: in a busy market, many changes together cost little more than one. */
const GATHER_MS = 100
const RETRY_MS = 200
const SLICE = 50
/** No transaction is after it: a read since then returns only the present moment. */
const END_OF_TIME: Snapshot = { next: Number.MAX_SAFE_INTEGER, open: [] }
const SERIALIZATION_FAILURE = '40001'

export interface Kept {
  id: string
  reach: StoredSearch['reach']
  /** A listing must satisfy one of them; none if it is over. Called when it is their turn: reading all at once takes seconds. */
  filters(): Filters[]
}

export interface Pair {
  id: string
  listing: Candidate
}

/** What is kept as searches, such as needs. */
export interface Source {
  /** All, or those that changed since a snapshot. */
  changed(tx: Tx, since: Snapshot | undefined): Promise<Kept[]>
  /** In the transaction that read the changed listings: those with an id, and their matches. */
  write(tx: Tx, listings: string[], pairs: Pair[]): Promise<void>
  /** The database was restored: what happened meanwhile is unknown. */
  restored(tx: Tx): Promise<void>
}

interface FollowerOptions {
  url: string
  logger: FastifyBaseLogger
  sources: readonly Source[]
  /** How long a lost notification may delay a match. */
  pollMs?: number
}

/**
 * Holds every changed listing against all that is kept as searches, in one index. The changes, their matches, the requests for mail and the position in the
 * feed are one transaction: of several workers one commits, and what a killed one began the next one repeats.
 */
export class MatchFollower {
  readonly #options: FollowerOptions
  readonly #searches = new StoredSearches<string>()
  readonly #stems = rememberedStems()
  #known: Snapshot | undefined
  #wake: () => void = () => {}
  #isWoken = false
  #isStopped = false
  readonly #running: Promise<void>

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wakeUp()
    await this.#running
  }

  #wakeUp(): void {
    this.#isWoken = true
    this.#wake()
  }

  async #run(): Promise<void> {
    const seldomLog = seldom()
    while (!this.#isStopped) {
      try {
        await this.#follow()
      } catch (error) {
        if (this.#isStopped) return
        seldomLog(leftOut =>
          this.#options.logger.warn(
            { err: error, leftOut },
            'matching lost its database connection and is reconnecting',
          ),
        )
        await sleep(RETRY_MS)
      }
    }
  }

  async #follow(): Promise<void> {
    const client = openReader(this.#options.url, 'lonja matching')
    client.on('error', () => this.#wakeUp()).on('notification', () => this.#wakeUp())
    try {
      await client.connect()
      await client.query('listen listing_changes')
      await client.query('select enter_history()')
      // Not as for reads of few rows alone: writing matches joins thousands of pairs.
      await client.query('set enable_seqscan = off')
      const db = databaseOf(client)
      while (!this.#isStopped) {
        const began = performance.now()
        await this.#catchUp(client, db)
        await this.#pause(began)
      }
    } finally {
      client.end().catch(() => {})
    }
  }

  async #pause(began: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, this.#options.pollMs ?? POLL_MS)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    if (!this.#isStopped) await sleep(Math.max(0, began + GATHER_MS - performance.now()))
    this.#isWoken = false
  }

  async #catchUp(client: pg.Client, db: Db): Promise<void> {
    const histories = await readHistories(client)
    try {
      const transaction = db.transaction().setIsolationLevel('repeatable read')
      await transaction.execute(tx => this.#step(client, tx, histories))
    } catch (error) {
      // Another worker, or something that was just held against the market: look again.
      if ((error as { code?: string }).code !== SERIALIZATION_FAILURE) throw error
      this.#wakeUp()
    }
  }

  async #step(client: pg.Client, tx: Tx, histories: History[]): Promise<void> {
    const stored = await readPosition(tx)
    const position = { history: stored.history, snapshot: parseSnapshot(stored.snapshot) }
    const isKnown = isPast(histories, position)
    const entries: Entry[] = []
    const take = { listing: (entry: Entry) => void entries.push(entry), removal: () => {} }
    const { snapshot, history } = await readChanges(client, isKnown ? position.snapshot : END_OF_TIME, take)
    const latest = histories.find(({ id }) => id === history)
    if (!latest) return this.#wakeUp()
    await this.#learn(tx, snapshot)
    const isRestored = !isKnown || snapshot.next < position.snapshot.next
    if (!isRestored && entries.length === 0) return
    await writePosition(tx, latest.token, snapshotText(snapshot))
    if (isRestored) {
      for (const source of this.#options.sources) await source.restored(tx)
      return
    }
    await this.#write(tx, entries.map(candidateOf))
  }

  /** What changed among the searches, as of the same snapshot. */
  async #learn(tx: Tx, snapshot: Snapshot): Promise<void> {
    for (const [i, source] of this.#options.sources.entries()) {
      for (const [n, { id, reach, filters }] of (await source.changed(tx, this.#known)).entries()) {
        const searches = await Promise.all(filters().map(one => this.#searchOf(tx, one, reach)))
        if (n % SLICE === SLICE - 1) await breathe()
        if (searches.length === 0) this.#searches.delete(keyOf(i, id))
        else this.#searches.set(keyOf(i, id), searches)
      }
    }
    this.#known = snapshot
  }

  async #searchOf(tx: Tx, filters: Filters, reach: Kept['reach']): Promise<StoredSearch> {
    const { q } = filters
    const groups = q === undefined ? [] : await wordGroups(tx, q, this.#stems)
    const titleStart = q !== undefined && groups.length === 0 ? foldText(q) : undefined
    return { filters, wanted: { groups, titleStart }, reach }
  }

  async #write(tx: Tx, listings: Candidate[]): Promise<void> {
    const { sources } = this.#options
    const pairs: Pair[][] = sources.map(() => [])
    for (const [n, listing] of listings.entries()) {
      for (const key of this.#searches.matching(listing))
        pairs[sourceOf(key)]?.push({ id: idOf(key), listing })
      if (n % SLICE === SLICE - 1) await breathe()
    }
    const ids = listings.map(listing => listing.id)
    for (const [i, source] of sources.entries()) await source.write(tx, ids, pairs[i] ?? [])
  }
}

/** The keys of the index: the number of the source, then the id. */
const keyOf = (source: number, id: string) => `${source}${id}`
const sourceOf = (key: string) => Number(key[0])
const idOf = (key: string) => key.slice(1)

/** Everything over that one connection: the changes must be read in the transaction that writes the matches. */
function databaseOf(client: pg.Client): Db {
  const lent = Object.assign(client, { release: () => {} })
  return openDatabase({ connect: async () => lent, end: async () => {} } as unknown as pg.Pool)
}
