import { retryRead } from '../db/unavailable.ts'
import { NotReady } from '../lib/problem.ts'
import type { Selection } from '../lib/selection.ts'
import { inSlices } from '../lib/slices.ts'
import { isUuid } from '../lib/uuid.ts'
import { type ListingRow, listByIds } from '../listings/service.ts'
import { addressWord } from '../listings/version.ts'
import { pageBody } from './bodies.ts'
import type { Coverage, Criteria, Filters, Reach } from './criteria.ts'
import { cursorOf } from './cursor.ts'
import { type Answer, Answers } from './engine/answers.ts'
import type { Bitmap } from './engine/bitmap.ts'
import type { CityCount } from './engine/census.ts'
import { changesIn } from './engine/changes.ts'
import { clustersIn } from './engine/clusters.ts'
import { digestIn, versionsIn } from './engine/copies.ts'
import type { Digest } from './engine/digest.ts'
import type { Engine, Limits } from './engine/engine.ts'
import type { Grouping } from './engine/groupings.ts'
import { uuidOf } from './engine/ids.ts'
import { prepared } from './engine/prepare.ts'
import { standingsIn } from './engine/shares.ts'
import { type Like, similarIn } from './engine/similar.ts'
import { type Box, marksIn, overlap, rectangleOf } from './engine/squares.ts'
import { statisticsOf } from './engine/statistics.ts'
import { countsOf, type FacetName, talliesOf } from './engine/tallies.ts'
import type { Choice, Wanted } from './engine/wanted.ts'
import { hex64, wordsOf } from './engine/words64.ts'
import { Feed } from './feed/feed.ts'
import type { Position } from './feed/history.ts'
import { inOneState, ofOneState, type There } from './one-state.ts'
import { pickBytes, Records } from './records.ts'
import {
  type Excerpt,
  type MapPage,
  Search,
  type SearchOptions,
  type Share,
  type Standing,
  type Version,
} from './service.ts'
import type { Gazetteer } from './understand/gazetteer.ts'
import { Gazetteers, gazetteerOf, isSmall, marketOf } from './understand/market.ts'
import { tokensOf } from './understand/tokens.ts'
import { type Understood, understand } from './understand/understand.ts'

export interface State {
  engine: Engine
  position: Position
}

/** The longest a change made elsewhere may be missing from a single record. */
const MAX_RECORD_LAG_MS = 1_000
/** New places of a large market are recognized after this delay. */
const GAZETTEER_MS = 30_000

/** Search over an index of all listings in this process. Ready once it has loaded. */
export class MemorySearch extends Search {
  protected readonly feed: Feed
  readonly #records: Records
  readonly #answers = new Answers()
  readonly #gazetteers = new Gazetteers(GAZETTEER_MS)

  /** Tests choose the limits of the index. */
  constructor(options: SearchOptions & { limits?: Limits }) {
    super(options)
    this.#records = new Records(options)
    this.feed = new Feed({ ...options, addressWord: wordsOf(addressWord(options.publicUrl)) })
  }

  override get isReady(): boolean {
    return this.feed.engine !== undefined
  }

  override get condition(): string {
    return this.isReady && this.feed.isDiverged
      ? 'differs from the database and is reloading'
      : super.condition
  }

  get revision(): number | undefined {
    return this.feed.engine?.revision
  }

  override get indexed(): number | undefined {
    return this.feed.engine?.live.count()
  }

  /** The index and its position; undefined while it loads. */
  get state(): State | undefined {
    const { engine, position } = this.feed
    return engine && position && { engine, position }
  }

  override async saved(): Promise<void> {
    await this.refresh()
    await this.feed.saved()
  }

  #state(): State {
    const { state } = this
    if (!state) throw new NotReady('search is loading')
    return state
  }

  /** The words, and what is found beforehand. */
  async #wanted(filters: Filters, viewer: string | null, reach: Reach): Promise<Wanted> {
    const words = await this.wanted(filters.q)
    return inSlices(prepared(this.#state().engine, filters, words, { viewer, reach }))
  }

  /** While the database is silent, it fails like any other request. */
  #ofOneState<T>(ask: (engine: Engine, there: There) => Promise<T>): Promise<T> {
    return ofOneState(this.feed, () => this.refreshSoon(), ask)
  }

  async page(
    criteria: Criteria,
    viewer: string | null,
    fields?: Selection,
    facets: readonly FacetName[] = [],
  ): Promise<Answer> {
    const words = await this.wanted(criteria.q)
    return this.#ofOneState(async (engine, there) => {
      // Without own listings, a viewer sees what the public sees.
      const owner = viewer !== null && engine.slotsOf(viewer) ? viewer : null
      const question = JSON.stringify([owner, criteria, fields?.names, facets])
      const known = this.#answers.get(engine, question)
      if (known) return known
      const { revision, tallies, slots, total, offset, last } = await inOneState(engine, function* () {
        const search = facets.length > 0 ? undefined : { viewer: owner, reach: 'all' as const }
        const wanted = yield* prepared(engine, criteria, words, search)
        const found = { revision: engine.revision, ...engine.search(criteria, owner, wanted) }
        const counted = facets.length > 0 && (yield* talliesOf(engine, facets, criteria, owner, wanted))
        return { ...found, tallies: counted || undefined }
      })
      const records = await there(slots, this.#records.of(engine, slots, owner))
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
    const engine = this.feed.engine
    if (!engine || this.feed.lagMs > MAX_RECORD_LAG_MS || !isUuid(id)) return undefined
    const slot = engine.ids.find(uuidOf(id))
    if (slot === undefined || !(engine.shown.has(slot) || engine.slotsOf(viewer)?.has(slot))) return undefined
    const version = hex64(engine.versions.get(slot))
    const [bytes] = await this.#records.of(engine, [slot], viewer)
    return bytes && { bytes, version }
  }

  async similar(like: Like, viewer: string | null, limit: number, fields?: Selection): Promise<Buffer[]> {
    return this.#ofOneState(async (engine, there) => {
      const slots = similarIn(engine, like, viewer, limit)
      const records = await there(slots, this.#records.of(engine, slots, viewer))
      return fields ? records.map(record => pickBytes(record, fields)) : records
    })
  }

  async recordsOf(
    versions: readonly Version[],
    viewer: string | null,
    isKept: boolean,
  ): Promise<(Buffer | undefined)[]> {
    const { engine } = this.#state()
    const slots = versions.map(({ id, xid }) => {
      const slot = engine.ids.find(uuidOf(id))
      return slot !== undefined && engine.columns.xid.get(slot) === xid ? slot : undefined
    })
    const current = slots.filter(slot => slot !== undefined)
    const records = await this.#records.of(engine, current, viewer, isKept)
    const recordOf = new Map(current.map((slot, i) => [slot, records[i]]))
    return slots.map(slot => (slot === undefined ? undefined : recordOf.get(slot)))
  }

  /** Of none while the index loads: pages do not wait for it. */
  async standingsOf(ids: readonly string[]): Promise<Map<string, Standing>> {
    const { engine } = this.feed
    return engine ? standingsIn(engine, ids) : new Map()
  }

  async market(criteria: Criteria, viewer: string): Promise<{ rows: ListingRow[]; total: number }> {
    const wanted = await this.#wanted(criteria, viewer, 'market')
    return this.#ofOneState(async (engine, there) => {
      const { slots, total } = engine.search(criteria, viewer, wanted, 'market')
      return { rows: await there(slots, this.#rowsOf(engine, slots)), total }
    })
  }

  async #rowsOf(engine: Engine, slots: number[]): Promise<(ListingRow | undefined)[]> {
    const found = slots.map(slot => ({ id: engine.ids.text(slot), xid: engine.columns.xid.get(slot) }))
    const ids = found.map(({ id }) => id)
    const byId = new Map((await retryRead(() => listByIds(this.options.db, ids))).map(row => [row.id, row]))
    return found.map(({ id, xid }) => {
      const row = byId.get(id)
      return row?.xid === xid ? row : undefined
    })
  }

  async newest(filters: Filters, viewer: string, limit: number): Promise<Version[]> {
    const wanted = await this.#wanted(filters, viewer, 'market')
    const { engine } = this.#state()
    const { slots } = engine.search({ ...filters, sort: 'newest', page: 1, limit }, viewer, wanted, 'market')
    return slots.map(slot => ({ id: engine.ids.text(slot), xid: engine.columns.xid.get(slot) }))
  }

  clusters(filters: Filters, viewer: string | null, zoom: number | undefined, most: number) {
    return this.#over(filters, viewer, (engine, hits) => clustersIn(engine, hits, zoom, most))
  }

  statistics(filters: Filters, by: readonly Grouping[], most: number) {
    return this.#over(filters, null, (engine, hits) => statisticsOf(engine, hits, by, filters, most))
  }

  /** Works in slices on everything a search finds, of one state. */
  async #over<T>(
    filters: Filters,
    viewer: string | null,
    work: (engine: Engine, hits: Bitmap) => Generator<void, T>,
  ): Promise<T> {
    const wanted = await this.#wanted(filters, viewer, 'all')
    const { engine } = this.#state()
    return inOneState(engine, () => work(engine, engine.select(filters, viewer, 'all', wanted).clone()))
  }

  async map(
    criteria: Criteria,
    viewer: string | null,
    view: Box | undefined,
    across: number,
    reach: Reach = 'all',
  ): Promise<MapPage> {
    const visible = view
      ? { ...criteria, rectangle: overlap(rectangleOf(view), criteria.rectangle) }
      : criteria
    const wanted = await this.#wanted(visible, viewer, reach)
    return this.#ofOneState(async (engine, there) => {
      const { marks, bounds } = await inOneState(engine, () =>
        marksIn(engine, engine.select(visible, viewer, reach, wanted).clone(), view, across),
      )
      const alone = marks.filter(({ count }) => count === 1)
      const slots = alone.map(({ slot }) => slot)
      const records = await there(slots, this.#records.of(engine, slots, viewer))
      const recordOf = new Map(alone.map((mark, i) => [mark, records[i]]))
      return {
        bounds,
        squares: marks.map(mark => {
          const { lat, lng, count } = mark
          return { lat, lng, count, record: recordOf.get(mark) }
        }),
      }
    })
  }

  async countOptions(
    choices: readonly Choice[],
    q: string | undefined,
    viewer: string | null,
    reach: Reach,
  ): Promise<number[][]> {
    const words = await this.wanted(q)
    const { engine } = this.#state()
    return inOneState(engine, function* () {
      const wanted = yield* prepared(engine, choices[0]?.rest ?? {}, words)
      return yield* countsOf(engine, choices, viewer, reach, wanted)
    })
  }

  async countPublic(): Promise<number> {
    return this.#state().engine.shown.count()
  }

  async cities(state?: string): Promise<CityCount[]> {
    return this.#state().engine.census.cities(state)
  }

  async changesByCity(): Promise<Map<string, Date>> {
    const { engine } = this.#state()
    const { census, shown, columns } = engine
    const latest = await inOneState(engine, () => census.latest(shown.clone(), columns.updated.values))
    return new Map([...latest].map(([city, at]) => [city, new Date(at)]))
  }

  async sharesOf(agentIds: readonly string[]): Promise<Map<string, Share>> {
    return inSlices(this.#state().engine.shares.of(agentIds))
  }

  /** Synchronous once the words are prepared, and so of one state of the index. */
  async changes({ viewer, scope, filters }: Coverage, excerptsAt: (position: Position) => Excerpt[]) {
    const wanted = await this.#wanted(filters, viewer, scope)
    const { engine, position } = this.#state()
    const view = { viewer, scope, hits: engine.select(filters, viewer, scope, wanted) }
    const changes = excerptsAt(position).map(({ stretch, limit }) => changesIn(engine, stretch, view, limit))
    return { position, changes }
  }

  /**
   * The index right after a read that began later than the call: it is never older than the copy that is compared with
   * it, and nothing of the next read is in it yet.
   */
  async #whole(): Promise<State> {
    await this.refreshSoon()
    return this.#state()
  }

  async digest(coverage: Coverage): Promise<{ position: Position; digest: Digest }> {
    const wanted = await this.#wanted(coverage.filters, coverage.viewer, coverage.scope)
    const { engine, position } = await this.#whole()
    return { position, digest: digestIn(engine, coverage, wanted) }
  }

  async versionsIn(coverage: Coverage, prefix: number) {
    const wanted = await this.#wanted(coverage.filters, coverage.viewer, coverage.scope)
    const { engine, position } = await this.#whole()
    return { position, content: versionsIn(engine, coverage, wanted, prefix) }
  }

  protected async read(text: string): Promise<Understood> {
    this.#state()
    const stems = await this.stemsOf(tokensOf(text).map(token => token.text))
    const gazetteer = await this.gazetteer()
    return understand(text, marketOf(this.#state().engine, gazetteer, stems))
  }

  async gazetteer(): Promise<Gazetteer> {
    const { engine } = this.#state()
    return this.#gazetteers.of(
      {
        of: engine,
        revision: engine.revision,
        isSmall: isSmall(engine),
        build: () => inSlices(gazetteerOf(engine)),
      },
      Date.now(),
    )
  }

  async currentCounts(suggestions: readonly { filters: () => Filters }[]): Promise<number[]> {
    const { engine } = this.#state()
    return suggestions.map(({ filters }) => engine.select(filters(), null, 'all', { groups: [] }).count())
  }
}
