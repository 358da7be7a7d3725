import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { type Db, openDatabase, type Tx } from '../db/database.ts'
import { foldText } from '../lib/text.ts'
import type { Entry } from '../search/engine/rows.ts'
import { readChanges, readHistories } from '../search/feed/changes.ts'
import { type History, isPast } from '../search/feed/history.ts'
import { parseSnapshot, type Snapshot, snapshotText } from '../search/feed/snapshot.ts'
import { candidateOf, type StoredSearch } from '../search/matching/matches.ts'
import { StoredSearches } from '../search/matching/stored.ts'
import { lexemeGroups, rememberedStems } from '../search/text/words.ts'
import { filtersOf } from './rules.ts'
import { requestMatchMail } from './service.ts'
import * as store from './store.ts'

const POLL_MS = 400
const RETRY_MS = 200
const SLICE = 50
/** No transaction is after it: a read since then returns only the present moment. */
const END_OF_TIME: Snapshot = { next: Number.MAX_SAFE_INTEGER, open: [] }
const SERIALIZATION_FAILURE = '40001'

/**
 * Holds every changed listing against all needs. The changes, their matches, the requests for mail and the position in the
 * feed are one transaction: of several workers one commits, and what a killed one began the next one repeats.
 */
export class NeedFollower {
  readonly #options: { url: string; logger: FastifyBaseLogger }
  readonly #searches = new StoredSearches<string>()
  readonly #stems = rememberedStems()
  #known: Snapshot | undefined
  #wake: () => void = () => {}
  #isWoken = false
  #isStopped = false
  readonly #running: Promise<void>

  constructor(options: { url: string; logger: FastifyBaseLogger }) {
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
    while (!this.#isStopped) {
      try {
        await this.#follow()
      } catch (error) {
        if (this.#isStopped) return
        this.#options.logger.warn({ err: error }, 'matching lost its database connection and is reconnecting')
        await sleep(RETRY_MS)
      }
    }
  }

  async #follow(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: 'lonja needs',
      connectionTimeoutMillis: 2_500,
      keepAlive: true,
    })
    client.on('error', () => this.#wakeUp()).on('notification', () => this.#wakeUp())
    try {
      await client.connect()
      await client.query('listen listing_changes')
      await client.query('select enter_history()')
      await client.query('set enable_seqscan = off')
      const db = databaseOf(client)
      while (!this.#isStopped) {
        await this.#catchUp(client, db)
        await this.#pause()
      }
    } finally {
      client.end().catch(() => {})
    }
  }

  async #pause(): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, POLL_MS)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isWoken = false
  }

  async #catchUp(client: pg.Client, db: Db): Promise<void> {
    const histories = await readHistories(client)
    try {
      const transaction = db.transaction().setIsolationLevel('repeatable read')
      await transaction.execute(tx => this.#step(client, tx, histories))
    } catch (error) {
      // Another worker, or a need that was just held against the market: look again.
      if ((error as { code?: string }).code !== SERIALIZATION_FAILURE) throw error
      this.#wakeUp()
    }
  }

  async #step(client: pg.Client, tx: Tx, histories: History[]): Promise<void> {
    const stored = await store.readPosition(tx)
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
    await store.writePosition(tx, latest.token, snapshotText(snapshot))
    if (isRestored) return store.forgetHeld(tx)
    const pairs = await this.#pairsOf(entries)
    const listings = entries.map(entry => candidateOf(entry).id)
    for (const agentId of await store.writeMatches(tx, listings, pairs))
      await requestMatchMail(tx, agentId, 'at_once')
  }

  /** What changed among the needs, as of the same snapshot. */
  async #learn(tx: Tx, snapshot: Snapshot): Promise<void> {
    for (const need of await store.listCriteria(tx, this.#known)) {
      if (need.closed_at) this.#searches.delete(need.id)
      else this.#searches.set(need.id, await this.#searchesOf(tx, need))
    }
    this.#known = snapshot
  }

  #searchesOf(tx: Tx, need: store.Criteria): Promise<StoredSearch[]> {
    return Promise.all(
      filtersOf(need).map(async (filters): Promise<StoredSearch> => {
        const { q } = filters
        const groups = q === undefined ? [] : await lexemeGroups(tx, q, this.#stems)
        const titleStart = q !== undefined && groups.length === 0 ? foldText(q) : undefined
        return { filters, wanted: { groups, titleStart }, reach: 'market' }
      }),
    )
  }

  async #pairsOf(entries: Entry[]): Promise<store.Pair[]> {
    const pairs: store.Pair[] = []
    for (const [i, entry] of entries.entries()) {
      const listing = candidateOf(entry)
      const lowered = listing.lowered === null ? null : new Date(listing.lowered)
      for (const need of this.#searches.matching(listing)) pairs.push({ need, listing: listing.id, lowered })
      if (i % SLICE === SLICE - 1) await breathe()
    }
    return pairs
  }
}

/** Everything over that one connection: the changes must be read in the transaction that writes the matches. */
function databaseOf(client: pg.Client): Db {
  const lent = Object.assign(client, { release: () => {} })
  return openDatabase({ connect: async () => lent, end: async () => {} } as unknown as pg.Pool)
}
