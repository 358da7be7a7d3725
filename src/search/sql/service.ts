import type { Tx } from '../../db/database.ts'
import { groupBy } from '../../lib/groups.ts'
import type { Selection } from '../../lib/selection.ts'
import { inSlices } from '../../lib/slices.ts'
import type { ListingRow } from '../../listings/service.ts'
import { addressWord } from '../../listings/version.ts'
import { pageBody } from '../bodies.ts'
import type { Coverage, Criteria, Filters, Reach } from '../criteria.ts'
import { cursorOf } from '../cursor.ts'
import { type Answer, Answers } from '../engine/answers.ts'
import type { CityCount } from '../engine/census.ts'
import type { Grouping } from '../engine/groupings.ts'
import { filtersLike, type Like } from '../engine/similar.ts'
import type { Box } from '../engine/squares.ts'
import { type FacetName, inOrder, narrowings } from '../engine/tallies.ts'
import type { Choice, Wanted } from '../engine/wanted.ts'
import type { Position } from '../feed/history.ts'
import { LightFeed } from '../feed/light-feed.ts'
import { pickBytes } from '../records.ts'
import {
  type Excerpt,
  type MapPage,
  Search,
  type SearchOptions,
  type Share,
  type Standing,
  type Version,
} from '../service.ts'
import { Gazetteer } from '../understand/gazetteer.ts'
import { Gazetteers, readSpot, SMALL_MARKET } from '../understand/market.ts'
import type { Market } from '../understand/reading.ts'
import { type Understood, understand } from '../understand/understand.ts'
import { type Asked, Asking, countWhere } from './asking.ts'
import { changesWhere, digestWhere, readPosition, versionsWhere } from './changes.ts'
import { countCities, countOptions, latestByCity, sharesOf } from './counts.ts'
import { clustersWhere, mapWhere } from './maps.ts'
import { tally } from './overviews.ts'
import { findPage } from './pages.ts'
import { middleOf, readPlaces, timesSaid } from './places.ts'
import { readRows, readStandings, render } from './records.ts'
import { similarWhere } from './similar.ts'
import { type AtOnce, openSnapshots } from './snapshot.ts'
import { statisticsWhere } from './statistics.ts'

/** Reading the places of a million listings takes seconds, so they are read again only now and then. */
const GAZETTEER_MS = 5 * 60_000

/** Search by SQL: every question is asked of one state of the tables. The process keeps answers and names, but no listings. */
export class SqlSearch extends Search {
  protected readonly feed: LightFeed
  readonly #atOnce: AtOnce
  /** Of the feed before each transaction began: what is read in it may be newer, but never older. */
  readonly #revisions = new WeakMap<Tx, number>()
  readonly #asking = new Asking()
  // An answer by SQL costs more than the collection of one that is kept.
  readonly #answers = new Answers({ keepsFirst: true })
  readonly #gazetteers = new Gazetteers(GAZETTEER_MS)
  #isSmall = false

  constructor(options: SearchOptions) {
    super(options)
    const atOnce = openSnapshots(options.db)
    this.#atOnce = (ask, viewer) => {
      const { revision } = this.feed
      const remember = (tx: Tx) => {
        this.#revisions.set(tx, revision)
        return ask(tx)
      }
      return atOnce(remember, viewer)
    }
    this.feed = new LightFeed(options)
  }

  get revision(): number | undefined {
    return this.isReady ? this.feed.revision : undefined
  }

  /** Within a transaction: the condition of what the viewer would find. */
  #asked(
    tx: Tx,
    filters: Filters,
    wanted: Wanted,
    viewer: string | null,
    reach: Reach,
    options: readonly Filters[] = [],
  ): Promise<Asked> {
    return this.#asking.of(tx, { filters, wanted, viewer, reach, options }, this.#revisions.get(tx) ?? -1)
  }

  /** One question of one state. */
  async #ask<T>(
    filters: Filters,
    viewer: string | null,
    reach: Reach,
    answer: (tx: Tx, asked: Asked, wanted: Wanted) => Promise<T>,
  ): Promise<T> {
    const wanted = await this.wanted(filters.q)
    const asking = async (tx: Tx) => answer(tx, await this.#asked(tx, filters, wanted, viewer, reach), wanted)
    return this.#atOnce(asking, viewer)
  }

  async page(
    criteria: Criteria,
    viewer: string | null,
    fields?: Selection,
    facets: readonly FacetName[] = [],
  ): Promise<Answer> {
    const question = JSON.stringify([viewer, criteria, fields?.names, facets])
    const known = this.#answers.get(this.feed, question)
    if (known) return known
    const { revision } = this.feed
    const answer = await this.#ask(criteria, viewer, 'all', async (tx, asked, wanted) => {
      const { ids, total, offset, last } = await findPage(tx, criteria, asked, wanted, 'all')
      const tallies =
        facets.length > 0 ? await this.#tallies(tx, facets, criteria, viewer, wanted) : undefined
      const records = await this.#records(tx, ids, viewer, fields)
      const { limit } = criteria
      const page = criteria.after ? Math.floor(offset / limit) + 1 : criteria.page
      const pagination = { page, pages: Math.ceil(total / limit), total, limit }
      return { body: pageBody(pagination, tallies, records), total, cursor: last && cursorOf(criteria, last) }
    })
    this.#answers.set(this.feed, revision, question, answer)
    return answer
  }

  async #tallies(
    tx: Tx,
    facets: readonly FacetName[],
    filters: Filters,
    viewer: string | null,
    wanted: Wanted,
  ) {
    const tallies: Partial<Record<FacetName, unknown>> = {}
    for (const [narrowed, together] of narrowings(facets, filters)) {
      const { where } = await this.#asked(tx, narrowed, wanted, viewer, 'all')
      for (const name of together) tallies[name] = await tally(tx, name, where, filters.priceIn)
    }
    return inOrder(facets, tallies)
  }

  async #records(tx: Tx, ids: string[], viewer: string | null, fields?: Selection): Promise<Buffer[]> {
    const rows = await readRows(tx, ids)
    const records = rows.map(row => render(row, viewer, this.options.publicUrl))
    return fields ? records.map(record => pickBytes(record, fields)) : records
  }

  /** The database always decides. */
  async record(): Promise<undefined> {
    return undefined
  }

  async recordsOf(versions: readonly Version[], viewer: string | null): Promise<(Buffer | undefined)[]> {
    const { db, publicUrl } = this.options
    const rows = await readRows(
      db,
      versions.map(({ id }) => id),
    )
    const byId = new Map(rows.map(row => [row.id, row]))
    return versions.map(({ id, xid }) => {
      const row = byId.get(id)
      return row?.xid === xid ? render(row, viewer, publicUrl) : undefined
    })
  }

  similar(like: Like, viewer: string | null, limit: number, fields?: Selection): Promise<Buffer[]> {
    return this.#ask(filtersLike(like), viewer, 'all', async (tx, { where }) =>
      this.#records(tx, await similarWhere(tx, like, where, limit), viewer, fields),
    )
  }

  standingsOf(ids: readonly string[]): Promise<Map<string, Standing>> {
    return readStandings(this.options.db, ids)
  }

  market(criteria: Criteria, viewer: string): Promise<{ rows: ListingRow[]; total: number }> {
    return this.#ask(criteria, viewer, 'market', async (tx, asked, wanted) => {
      const { ids, total } = await findPage(tx, criteria, asked, wanted, 'market')
      return { rows: await readRows(tx, ids), total }
    })
  }

  newest(filters: Filters, viewer: string, limit: number): Promise<Version[]> {
    const criteria = { ...filters, sort: 'newest' as const, page: 1, limit }
    return this.#ask(criteria, viewer, 'market', async (tx, asked, wanted) => {
      const { ids } = await findPage(tx, criteria, asked, wanted, 'market')
      return (await readRows(tx, ids)).map(({ id, xid }) => ({ id, xid }))
    })
  }

  clusters(filters: Filters, viewer: string | null, zoom: number | undefined, most: number) {
    return this.#ask(filters, viewer, 'all', (tx, { where }) => clustersWhere(tx, where, zoom, most))
  }

  statistics(filters: Filters, by: readonly Grouping[], most: number) {
    return this.#ask(filters, null, 'all', (tx, { where }) => statisticsWhere(tx, where, by, filters, most))
  }

  map(
    criteria: Criteria,
    viewer: string | null,
    view: Box | undefined,
    across: number,
    reach: Reach = 'all',
  ): Promise<MapPage> {
    return this.#ask(criteria, viewer, reach, async (tx, { where }) => {
      const { squares, bounds } = await mapWhere(tx, where, view, across)
      const alone = squares.filter(({ count }) => count === 1).map(({ id }) => id)
      const rows = await readRows(tx, alone)
      const records = new Map(rows.map(row => [row.id, render(row, viewer, this.options.publicUrl)]))
      return { bounds, squares: squares.map(({ id, ...square }) => ({ ...square, record: records.get(id) })) }
    })
  }

  async countOptions(
    choices: readonly Choice[],
    q: string | undefined,
    viewer: string | null,
    reach: Reach,
  ): Promise<number[][]> {
    const wanted = await this.wanted(q)
    // What differs only in its options is counted together.
    const together = groupBy(choices, ({ rest }) => JSON.stringify(rest))
    return this.#atOnce(async tx => {
      const counted = new Map<Choice, number[]>()
      for (const alike of together.values()) {
        const { rest } = alike[0] as Choice
        const options = alike.flatMap(choice => choice.options)
        const { where, known } = await this.#asked(tx, rest, wanted, viewer, reach, options)
        const counts = await countOptions(tx, where, options, known)
        for (const choice of alike) counted.set(choice, counts.splice(0, choice.options.length))
      }
      return choices.map(choice => counted.get(choice) ?? [])
    }, viewer)
  }

  countPublic(): Promise<number> {
    return this.#ask({}, null, 'all', (tx, { where }) => countWhere(tx, where))
  }

  cities(state?: string): Promise<CityCount[]> {
    return this.#atOnce(tx => countCities(tx, state))
  }

  changesByCity(): Promise<Map<string, Date>> {
    return this.#atOnce(latestByCity)
  }

  sharesOf(agentIds: readonly string[]): Promise<Map<string, Share>> {
    return this.#atOnce(tx => sharesOf(tx, agentIds))
  }

  #covered<T>(
    { viewer, scope, filters }: Coverage,
    read: (tx: Tx, asked: Asked, position: Position, address: bigint) => Promise<T>,
  ): Promise<T> {
    const address = addressWord(this.options.publicUrl)
    return this.#ask(filters, viewer, scope, async (tx, asked) =>
      read(tx, asked, await readPosition(tx), address),
    )
  }

  changes(coverage: Coverage, excerptsAt: (position: Position) => Excerpt[]) {
    return this.#covered(coverage, async (tx, asked, position, address) => {
      const changes = []
      for (const excerpt of excerptsAt(position))
        changes.push(await changesWhere(tx, asked, coverage, excerpt, address))
      return { position, changes }
    })
  }

  digest(coverage: Coverage) {
    return this.#covered(coverage, async (tx, { where }, position, address) => ({
      position,
      digest: await digestWhere(tx, where, address),
    }))
  }

  versionsIn(coverage: Coverage, prefix: number) {
    return this.#covered(coverage, async (tx, { where }, position, address) => ({
      position,
      content: await versionsWhere(tx, where, prefix, address),
    }))
  }

  /** Facts about the market are looked up as understanding turns out to need them. */
  protected async read(text: string): Promise<Understood> {
    const gazetteer = await this.gazetteer()
    const middles = new Map<string, ReturnType<Market['middleOf']>>()
    const said = new Map<string, number>()
    for (;;) {
      const asked: (() => Promise<void>)[] = []
      const understood = understand(text, {
        placeNamed: folded => gazetteer.placeNamed(folded),
        sizeOf: place => gazetteer.sizeOf(place),
        placeStarting: folded => gazetteer.placeStarting(folded),
        isWithin: (inner, outer) => gazetteer.isWithin(inner, outer),
        correct: (folded, atLeast) => gazetteer.correct(folded, atLeast),
        middleOf: place => {
          if (!middles.has(place))
            asked.push(async () => void middles.set(place, await this.#middleOf(place)))
          return middles.get(place)
        },
        timesSaid: (word, most) => {
          if (!said.has(word)) asked.push(async () => void said.set(word, await this.#timesSaid(word, most)))
          return said.get(word) ?? most
        },
      })
      if (asked.length === 0) return understood
      for (const look of asked) await look()
    }
  }

  #middleOf(name: string) {
    const place = readSpot(name)
    return (
      place &&
      this.#ask({ place }, null, 'all', (tx, { where }) => middleOf(tx, place[0]?.names ?? [], where))
    )
  }

  async #timesSaid(word: string, most: number): Promise<number> {
    const lexemes = (await this.stemsOf([word])).get(word) ?? []
    return this.#atOnce(tx => timesSaid(tx, lexemes, most))
  }

  gazetteer(): Promise<Gazetteer> {
    const { feed } = this
    const build = async () => {
      const places = await this.#atOnce(readPlaces)
      const listings = places.reduce((sum, { kind, count }) => sum + (kind === 'state' ? count : 0), 0)
      this.#isSmall = listings <= SMALL_MARKET
      return inSlices(Gazetteer.of(places))
    }
    return this.#gazetteers.of(
      { of: feed, revision: feed.revision, isSmall: this.#isSmall, build },
      Date.now(),
    )
  }

  /** In a large market as of the gazetteer: counting a million listings at each key press would be too slow. */
  async currentCounts(suggestions: readonly { filters: () => Filters; count: number }[]): Promise<number[]> {
    if (!this.#isSmall) return suggestions.map(({ count }) => count)
    const options = suggestions.map(({ filters }) => filters())
    const [counts = []] = await this.countOptions([{ rest: {}, options }], undefined, null, 'all')
    return counts
  }
}
