import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../db/database.ts'
import { NotReady } from '../lib/problem.ts'
import type { Selection } from '../lib/selection.ts'
import { foldText } from '../lib/text.ts'
import { isUuid } from '../lib/uuid.ts'
import { type ListingRow, listByIds } from '../listings/service.ts'
import { addressWord } from '../listings/version.ts'
import { pageBody } from './bodies.ts'
import type { Criteria, Filters, Reach } from './criteria.ts'
import { cursorOf } from './cursor.ts'
import { type Answer, Answers } from './engine/answers.ts'
import type { Bitmap } from './engine/bitmap.ts'
import type { Engine, Wanted } from './engine/engine.ts'
import { uuidOf } from './engine/ids.ts'
import { type Like, similarIn } from './engine/similar.ts'
import { type Box, gather } from './engine/squares.ts'
import { type FacetName, talliesOf } from './engine/tallies.ts'
import { hex64, wordsOf } from './engine/words64.ts'
import { Feed } from './feed/feed.ts'
import type { Position } from './feed/history.ts'
import type { SavingOptions } from './feed/saved-index.ts'
import { inOneState, ofOneState } from './one-state.ts'
import { pickBytes, Records } from './records.ts'
import { rememberedStems, stemsOf, wordGroups } from './text/words.ts'
import type { Gazetteer } from './understand/gazetteer.ts'
import { Gazetteers, marketOf } from './understand/market.ts'
import { tokensOf } from './understand/tokens.ts'
import { type Understood, understand } from './understand/understand.ts'

export interface SearchOptions {
  db: Db
  /** URL of the same database: the feed needs its own connections. */
  url: string
  publicUrl: string
  logger: FastifyBaseLogger
  /** Where the index outlives the process; undefined: it does not. */
  saving?: SavingOptions | undefined
}

export interface State {
  engine: Engine
  position: Position
}

/** What is not part of a record. Times in milliseconds. */
interface Standing {
  isFeatured: boolean
  publishedAt: number
  loweredAt: number | undefined
}

export interface MapPage {
  /** The bounds of all results; undefined if none has a point. */
  bounds: Box | undefined
  squares: { lat: number; lng: number; count: number; record: Buffer | undefined }[]
}

/** The longest a change made elsewhere may be missing from a single record. */
const MAX_RECORD_LAG_MS = 1_000
/** The longest a request waits for the index to catch up with the database. */
const REFRESH_MS = 2_000
/** Above what a large import takes: otherwise every process would be taken out of service at the same time. */
const MAX_LAG_SECONDS = 30

/** In-memory search over the whole database. Ready once it has loaded. */
export class Search {
  readonly #options: SearchOptions
  readonly #feed: Feed
  readonly records: Records
  readonly #answers = new Answers()
  readonly #lexemes = rememberedStems()
  readonly #gazetteers = new Gazetteers()

  constructor(options: SearchOptions) {
    this.#options = options
    this.records = new Records(options)
    this.#feed = new Feed({ ...options, addressWord: wordsOf(addressWord(options.publicUrl)) })
  }

  get isReady(): boolean {
    return this.#feed.engine !== undefined
  }

  /** `ok`, or why what it finds may not be what is in the database. */
  get condition(): string {
    if (!this.isReady) return 'loading'
    if (this.#feed.isDiverged) return 'differs from the database and is reloading'
    const seconds = Math.round(this.lagSeconds)
    return seconds > MAX_LAG_SECONDS ? `${seconds} s behind the database` : 'ok'
  }

  /** For how long the database may have changed without the index: usually less than half a second. */
  get lagSeconds(): number {
    return this.#feed.lagMs / 1000
  }

  /** Incremented with every change to the index; undefined until search has loaded. */
  get revision(): number | undefined {
    return this.#feed.engine?.revision
  }

  /** The index and its position; undefined while it loads. */
  get state(): State | undefined {
    const { engine, position } = this.#feed
    return engine && position && { engine, position }
  }

  /** Whether the state that position saw is part of this database's history. */
  isPast(position: Position): boolean {
    return this.#feed.isPast(position)
  }

  /** Called after each change of the index; there is one listener. */
  set onChange(listener: () => void) {
    this.#feed.onChange = listener
  }

  /** Called when that agent may have new events, or anyone if there is no agent; there is one listener. */
  set onEvent(listener: (agentId?: string) => void) {
    this.#feed.onEvent = listener
  }

  /** Resolves when everything committed before the call can be found. */
  refresh(): Promise<void> {
    return this.#feed.refresh()
  }

  /** After a write: it is already committed, so a failure here only delays when it can be found. */
  async showOwnWrite(): Promise<void> {
    if (!this.isReady) return
    await this.refreshSoon().catch(error =>
      this.#options.logger.warn({ err: error }, 'a write was answered before search could show it'),
    )
  }

  /** Refreshes, or fails if the database does not respond in time. */
  async refreshSoon(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NotReady('search is behind the database')), REFRESH_MS)
    })
    await Promise.race([this.refresh(), late]).finally(() => clearTimeout(timer))
  }

  /** Resolves when it is ready, and saved if it has to be. */
  async saved(): Promise<void> {
    await this.refresh()
    await this.#feed.saved()
  }

  close(): Promise<void> {
    return this.#feed.close()
  }

  /** The page and its total as JSON, from one state. `viewer` null is the public. */
  async page(
    criteria: Criteria,
    viewer: string | null,
    fields?: Selection,
    facets: readonly FacetName[] = [],
  ): Promise<Answer> {
    const wanted = await this.wanted(criteria.q)
    return ofOneState(this.#feed, async (engine, there) => {
      // Without own listings, a viewer sees what the public sees.
      const owner = viewer !== null && engine.slotsOf(viewer) ? viewer : null
      const question = JSON.stringify([owner, criteria, fields?.names, facets])
      const known = this.#answers.get(engine, question)
      if (known) return known
      const { revision, tallies, slots, total, offset, last } = await inOneState(engine, function* () {
        const found = { revision: engine.revision, ...engine.search(criteria, owner, wanted) }
        const counted = facets.length > 0 && (yield* talliesOf(engine, facets, criteria, owner, wanted))
        return { ...found, tallies: counted || undefined }
      })
      const records = await there(slots, this.records.of(engine, slots, owner))
      const content = fields ? records.map(record => pickBytes(record, fields)) : records
      const { limit } = criteria
      const page = criteria.after ? Math.floor(offset / limit) + 1 : criteria.page
      const pagination = { page, pages: Math.ceil(total / limit), total, limit }
      const answer = {
        body: pageBody(pagination, tallies, content),
        total,
        cursor: last && cursorOf(criteria, last),
      }
      this.#answers.set(engine, revision, question, answer)
      return answer
    })
  }

  /**
   * One record as the viewer sees it, with its version. Undefined if the index does not show it to them or has not read the
   * database for a second: then the database decides.
   */
  async record(id: string, viewer: string): Promise<{ bytes: Buffer; version: string } | undefined> {
    const engine = this.#feed.engine
    if (!engine || this.#feed.lagMs > MAX_RECORD_LAG_MS || !isUuid(id)) return undefined
    const slot = engine.ids.find(uuidOf(id))
    if (slot === undefined || !(engine.shown.has(slot) || engine.slotsOf(viewer)?.has(slot))) return undefined
    const version = hex64(engine.versions.get(slot))
    const [bytes] = await this.records.of(engine, [slot], viewer)
    return bytes && { bytes, version }
  }

  /** The records most like a listing, as the viewer sees them. */
  async similar(like: Like, viewer: string | null, limit: number, fields?: Selection): Promise<Buffer[]> {
    return ofOneState(this.#feed, async (engine, there) => {
      const slots = similarIn(engine, like, viewer, limit)
      const records = await there(slots, this.records.of(engine, slots, viewer))
      return fields ? records.map(record => pickBytes(record, fields)) : records
    })
  }

  /** Whether it is featured, when it was published and when its price was last lowered; undefined if it is gone. */
  standingOf(id: string): Standing | undefined {
    const engine = this.#feed.engine
    const slot = engine?.ids.find(uuidOf(id))
    if (!engine || slot === undefined) return undefined
    const { newest, lowered } = engine.columns
    const loweredAt = lowered.get(slot)
    return {
      isFeatured: engine.featured.has(slot),
      publishedAt: newest.get(slot),
      loweredAt: Number.isNaN(loweredAt) ? undefined : loweredAt,
    }
  }

  /** A page of the market for a verified agent: rows, because that agent is shown more than a record holds. */
  async market(criteria: Criteria, viewer: string): Promise<{ rows: ListingRow[]; total: number }> {
    const wanted = await this.wanted(criteria.q)
    return ofOneState(this.#feed, async (engine, there) => {
      const { slots, total } = engine.search(criteria, viewer, wanted, 'market')
      return { rows: await there(slots, this.#rowsOf(engine, slots)), total }
    })
  }

  async #rowsOf(engine: Engine, slots: number[]): Promise<(ListingRow | undefined)[]> {
    const found = slots.map(slot => ({ id: engine.ids.text(slot), xid: engine.columns.xid.get(slot) }))
    const ids = found.map(({ id }) => id)
    const byId = new Map((await listByIds(this.#options.db, ids)).map(row => [row.id, row]))
    return found.map(({ id, xid }) => {
      const row = byId.get(id)
      return row?.xid === xid ? row : undefined
    })
  }

  /** The newest of the market, each with the transaction that last changed it. */
  async newest(filters: Filters, viewer: string, limit: number): Promise<{ id: string; xid: number }[]> {
    const wanted = await this.wanted(filters.q)
    const engine = this.#feed.engine
    if (!engine) throw new NotReady('search is loading')
    const { slots } = engine.search({ ...filters, sort: 'newest', page: 1, limit }, viewer, wanted, 'market')
    return slots.map(slot => ({ id: engine.ids.text(slot), xid: engine.columns.xid.get(slot) }))
  }

  /** Works in slices on everything a search finds, of one state. */
  async over<T>(
    filters: Filters,
    viewer: string | null,
    work: (engine: Engine, hits: Bitmap) => Generator<void, T>,
  ): Promise<T> {
    const wanted = await this.wanted(filters.q)
    const engine = this.#feed.engine
    if (!engine) throw new NotReady('search is loading')
    return inOneState(engine, () => work(engine, engine.select(filters, viewer, 'all', wanted).clone()))
  }

  /** Typed text, as parameters of a search in this market. */
  async understand(text: string): Promise<Understood> {
    const engine = this.#feed.engine
    if (!engine) throw new NotReady('search is loading')
    const words = [...new Set(tokensOf(text).map(token => token.text))]
    const stems = await stemsOf(this.#options.db, words, this.#lexemes)
    return understand(text, marketOf(engine, await this.gazetteer(engine), stems))
  }

  /** The places of public listings. */
  gazetteer(engine: Engine): Promise<Gazetteer> {
    return this.#gazetteers.of(engine, Date.now())
  }

  /** All results, as squares of a map; a single listing in its square includes its record. */
  async map(
    criteria: Criteria,
    viewer: string | null,
    view: Box | undefined,
    across: number,
    reach: Reach = 'all',
  ): Promise<MapPage> {
    const wanted = await this.wanted(criteria.q)
    return ofOneState(this.#feed, async (engine, there) => {
      const { squares, bounds } = await inOneState(engine, () =>
        gather(engine.select(criteria, viewer, reach, wanted).clone(), engine.columns, view, across),
      )
      const alone = squares.filter(square => square.count === 1)
      const singles = alone.map(square => square.slot)
      const records = await there(singles, this.records.of(engine, singles, viewer))
      const recordOf = new Map(alone.map((square, i) => [square, records[i]]))
      return {
        bounds,
        squares: squares.map(square => ({
          lat: square.lat,
          lng: square.lng,
          count: square.count,
          record: recordOf.get(square),
        })),
      }
    })
  }

  /** Stop words alone (la, de) are matched against the start of the title, so that no text is an error. */
  async wanted(q: string | undefined): Promise<Wanted> {
    if (q === undefined) return { groups: [] }
    const groups = await wordGroups(this.#options.db, q, this.#lexemes)
    return groups.length > 0 ? { groups } : { groups, titleStart: foldText(q) }
  }
}
