import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../db/database.ts'
import { NotReady } from '../lib/problem.ts'
import type { Selection } from '../lib/selection.ts'
import { foldText } from '../lib/text.ts'
import { listByReference } from '../listings/on-market.ts'
import type { ListingRow } from '../listings/service.ts'
import type { Coverage, Criteria, Filters, Reach } from './criteria.ts'
import type { Answer } from './engine/answers.ts'
import type { CityCount } from './engine/census.ts'
import type { Change, Stretch } from './engine/changes.ts'
import type { Clusters } from './engine/clusters.ts'
import type { Digest } from './engine/digest.ts'
import type { Grouping } from './engine/groupings.ts'
import type { Share, Standing } from './engine/shares.ts'
import type { Like } from './engine/similar.ts'
import type { Box } from './engine/squares.ts'
import type { Statistics } from './engine/statistics.ts'
import type { FacetName } from './engine/tallies.ts'
import type { Choice, Wanted } from './engine/wanted.ts'
import type { Position } from './feed/history.ts'
import type { SavingOptions } from './feed/saved-index.ts'
import { rememberedStems, stemsOf, wordGroups } from './text/words.ts'
import type { Gazetteer } from './understand/gazetteer.ts'
import { MAX_ASKED, type Understood } from './understand/understand.ts'
import { FILLERS } from './understand/vocabulary.ts'

export type { Share, Standing }

/** "LON-00542": letters and at least two digits, which neither an amount nor "m2" has. */
const REFERENCE = /^(?=.{4,60}$)(?=(?:[^\d]*\d){2})\p{L}[\p{L}\d._-]*$/u
/** Said beside a reference; with anything else it is a question in which a word happens to be one. */
const BESIDE_REFERENCE = /^(clave|ref|referencia|reference|folio|id|numero|num|no)$/
/** Of different agents. */
const MOST_REFERRED = 10

export interface SearchOptions {
  db: Db
  /** URL of the same database: the feed needs its own connections. */
  url: string
  publicUrl: string
  logger: FastifyBaseLogger
  /** Where the index outlives the process; undefined: it does not. */
  saving?: SavingOptions | undefined
}

/** One version of a listing: that of its last change. */
export interface Version {
  id: string
  xid: number
}

export interface MapPage {
  /** The bounds of all results; undefined if none has a point. */
  bounds: Box | undefined
  squares: { lat: number; lng: number; count: number; record: Buffer | undefined }[]
}

/** The first changes of a stretch. */
export interface Excerpt {
  stretch: Stretch
  limit: number
}

/** What follows the changes of the database. */
interface Following {
  readonly position: Position | undefined
  readonly lagMs: number
  onChange: () => void
  onEvent: (agentId?: string) => void
  refresh(): Promise<void>
  isPast(position: Position): boolean
  close(): Promise<void>
}

/** The longest a request waits for the feed to catch up with the database. */
const REFRESH_MS = 2_000
/** Above what a large import takes: otherwise every process would be taken out of service at the same time. */
const MAX_LAG_SECONDS = 30

/**
 * Every question about listings that needs all of them. `viewer` null is the public. Two classes answer them alike:
 * MemorySearch from an index in this process, SqlSearch from the tables.
 */
export abstract class Search {
  protected readonly options: SearchOptions
  protected abstract readonly feed: Following
  readonly #lexemes = rememberedStems()

  constructor(options: SearchOptions) {
    this.options = options
  }

  // ---- following the database ------------------------------------------------------------------------------

  get isReady(): boolean {
    return this.position !== undefined
  }

  /** `ok`, or why what it finds may not be what is in the database. */
  get condition(): string {
    if (!this.isReady) return 'loading'
    const seconds = Math.round(this.lagSeconds)
    return seconds > MAX_LAG_SECONDS ? `${seconds} s behind the database` : 'ok'
  }

  /** For how long the database may have changed unnoticed: usually less than half a second. */
  get lagSeconds(): number {
    return this.feed.lagMs / 1000
  }

  /** Incremented with every change of listings; undefined until search is ready. */
  abstract get revision(): number | undefined

  /** Listings in the index of this process; undefined without one. */
  get indexed(): number | undefined {
    return undefined
  }

  /** What it has seen of the database; undefined until search is ready. */
  get position(): Position | undefined {
    return this.feed.position
  }

  /** Whether the state that position saw is part of this database's history. */
  isPast(position: Position): boolean {
    return this.feed.isPast(position)
  }

  /** Called after each change of listings; there is one listener. */
  set onChange(listener: () => void) {
    this.feed.onChange = listener
  }

  /** Called when that agent may have new events, or anyone if there is no agent; there is one listener. */
  set onEvent(listener: (agentId?: string) => void) {
    this.feed.onEvent = listener
  }

  /** Resolves when everything committed before the call can be found. */
  refresh(): Promise<void> {
    return this.feed.refresh()
  }

  /** After a write: it is already committed, so a failure here only delays when it can be found. */
  async showOwnWrite(): Promise<void> {
    if (!this.isReady) return
    await this.refreshSoon().catch(error =>
      this.options.logger.warn({ err: error }, 'a write was answered before search could show it'),
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
  saved(): Promise<void> {
    return this.refresh()
  }

  close(): Promise<void> {
    return this.feed.close()
  }

  // ---- listings --------------------------------------------------------------------------------------------

  /** The page and its total as JSON, from one state. */
  abstract page(
    criteria: Criteria,
    viewer: string | null,
    fields?: Selection,
    facets?: readonly FacetName[],
  ): Promise<Answer>

  /** One record as the viewer sees it, with its version; undefined if the database has to decide. */
  abstract record(id: string, viewer: string): Promise<{ bytes: Buffer; version: string } | undefined>

  /** The record of each version; undefined if the listing has changed since. `isKept`: it may be asked for again. */
  abstract recordsOf(
    versions: readonly Version[],
    viewer: string | null,
    isKept: boolean,
  ): Promise<(Buffer | undefined)[]>

  /** The records most like a listing, as the viewer sees them. */
  abstract similar(like: Like, viewer: string | null, limit: number, fields?: Selection): Promise<Buffer[]>

  /** By id; without those that are gone. */
  abstract standingsOf(ids: readonly string[]): Promise<Map<string, Standing>>

  /** A page of the market for a verified agent: rows, because that agent is shown more than a record holds. */
  abstract market(criteria: Criteria, viewer: string): Promise<{ rows: ListingRow[]; total: number }>

  /** The newest of the market. */
  abstract newest(filters: Filters, viewer: string, limit: number): Promise<Version[]>

  // ---- overviews -------------------------------------------------------------------------------------------

  abstract clusters(
    filters: Filters,
    viewer: string | null,
    zoom: number | undefined,
    most: number,
  ): Promise<Clusters>

  /** Of public listings. */
  abstract statistics(filters: Filters, by: readonly Grouping[], most: number): Promise<Statistics>

  /** All results, as squares of a map; a single listing in its square includes its record. */
  abstract map(
    criteria: Criteria,
    viewer: string | null,
    view: Box | undefined,
    across: number,
    reach?: Reach,
  ): Promise<MapPage>

  /** For each choice, how many would be found with each option instead of the filters it replaces. */
  abstract countOptions(
    choices: readonly Choice[],
    q: string | undefined,
    viewer: string | null,
    reach: Reach,
  ): Promise<number[][]>

  /** How many public listings there are. */
  abstract countPublic(): Promise<number>

  /** Public listings by city, of one state or all, most listings first. */
  abstract cities(state?: string): Promise<CityCount[]>

  /** When a public listing of each city last changed, by `cityKey`. */
  abstract changesByCity(): Promise<Map<string, Date>>

  /** By agent; those without public listings are missing. */
  abstract sharesOf(agentIds: readonly string[]): Promise<Map<string, Share>>

  // ---- copies ----------------------------------------------------------------------------------------------

  /** The first changes of each excerpt, all of one state, on which the excerpts may depend. */
  abstract changes(
    coverage: Coverage,
    excerptsAt: (position: Position) => Excerpt[],
  ): Promise<{ position: Position; changes: Change[][] }>

  /** Count and hash of all that is covered, never older than the call. */
  abstract digest(coverage: Coverage): Promise<{ position: Position; digest: Digest }>

  /** Those whose ids begin with that byte, by id; never older than the call. */
  abstract versionsIn(
    coverage: Coverage,
    prefix: number,
  ): Promise<{ position: Position; content: { id: string; version: string }[] }>

  // ---- words -----------------------------------------------------------------------------------------------

  /** Typed text, as parameters of a search in this market; the reference of a listing stands for that listing. */
  async understand(text: string): Promise<Understood> {
    const asked = text.slice(0, MAX_ASKED)
    const { typed, ids } = await this.#referredTo(asked)
    if (ids.length === 0) return this.read(asked)
    const value = ids.join()
    return {
      parameters: new URLSearchParams({ ids: value }),
      pieces: [{ text: typed, parameter: 'ids', value }],
      near: undefined,
      text: '',
      corrections: [],
    }
  }

  protected abstract read(text: string): Promise<Understood>

  async #referredTo(text: string): Promise<{ typed: string; ids: string[] }> {
    const words = text.split(/[\s,;:#()"“”«»]+/).map(word => word.replace(/[._-]+$/, ''))
    const [typed = '', ...more] = words.filter(word => REFERENCE.test(word))
    const isElse = (word: string) => !FILLERS.has(word) && !BESIDE_REFERENCE.test(word)
    const isAlone = !words.some(word => word !== typed && word !== '' && isElse(foldText(word)))
    if (typed === '' || more.length > 0 || !isAlone) return { typed, ids: [] }
    const found = await listByReference(this.options.db, typed, MOST_REFERRED)
    const exact = found.filter(({ reference }) => reference.toLowerCase() === typed.toLowerCase())
    return { typed, ids: exact.map(({ id }) => id) }
  }

  /** The places of public listings. */
  abstract gazetteer(): Promise<Gazetteer>

  /** Public listings that each suggestion stands for; `count` is what was counted when the gazetteer was read. */
  abstract currentCounts(suggestions: readonly { filters: () => Filters; count: number }[]): Promise<number[]>

  /** Stop words alone (la, de) are matched against the start of the title, so that no text is an error. */
  async wanted(q: string | undefined): Promise<Wanted> {
    if (q === undefined) return { groups: [] }
    const groups = await wordGroups(this.options.db, q, this.#lexemes)
    return groups.length > 0 ? { groups } : { groups, titleStart: foldText(q) }
  }

  protected stemsOf(words: string[]): Promise<Map<string, string[]>> {
    return stemsOf(this.options.db, [...new Set(words)], this.#lexemes)
  }
}
