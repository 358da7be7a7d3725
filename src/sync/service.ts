import { NotReady } from '../lib/problem.ts'
import type { SealedBox } from '../lib/sealed-box.ts'
import { type Change, changesIn } from '../search/engine/changes.ts'
import { type Digest, digestOf, PREFIXES } from '../search/engine/digest.ts'
import type { Engine, Wanted } from '../search/engine/engine.ts'
import { uuidText } from '../search/engine/ids.ts'
import type { Word64 } from '../search/engine/rows.ts'
import { hex64, xor } from '../search/engine/words64.ts'
import { pickBytes } from '../search/records.ts'
import type { Search, State } from '../search/service.ts'
import { open, requireReached, seal } from './cursors.ts'
import { bindingOf, decode, encode, type Progress, type Question, stretchOf } from './rules.ts'
import { Waiting } from './waiting.ts'

interface SyncOptions {
  search: Search
  publicUrl: string
  /** Seals cursors: the same in every process of an installation. */
  openBox: () => Promise<SealedBox>
}

interface Ask {
  cursor?: string | undefined
  limit: number
  waitMs: number
  /** The client has gone. */
  signal: AbortSignal
}

/** The changes of one page and how far the follower is then. */
interface Found {
  engine: Engine
  changes: Change[]
  progress: Progress
  more: boolean
  /** Only what is read by many is worth keeping. */
  isFirstLoad: boolean
}

/** Copies of what a key may show: how to follow it, and how to prove that it is right. */
export class Sync {
  readonly waiting = new Waiting()
  readonly #options: SyncOptions

  constructor(options: SyncOptions) {
    this.#options = options
    options.search.onChange = () => this.waiting.changed()
  }

  /** A page of changes as JSON. */
  async changes(question: Question, { cursor, limit, waitMs, signal }: Ask): Promise<Buffer> {
    const { search } = this.#options
    const wanted = await search.wanted(question.filters.q)
    const progress = cursor === undefined ? undefined : await this.#open(cursor, question)
    const find = (from = progress) => this.#find(question, wanted, from, limit)
    let found = find()
    if (isEmpty(found)) {
      // So that an empty answer is never behind what was committed before it was asked for.
      await search.refreshSoon()
      found = find(found.progress)
    }
    if (waitMs > 0 && !isEmpty(found) && !found.more) {
      await this.waiting.gathered()
      found = find()
    }
    const end = performance.now() + waitMs
    while (isEmpty(found)) {
      const isNew = await this.waiting.forChange(question.agentId, end - performance.now(), signal)
      if (!isNew) break
      found = find(found.progress)
    }
    return this.#answer(question, found)
  }

  /** Synchronous, and so of one state of the index. */
  #find(question: Question, wanted: Wanted, from: Progress | undefined, limit: number): Found {
    const { engine, position } = this.#state()
    const { agentId: viewer, scope } = question
    const view = { viewer, scope, hits: hitsOf(engine, question, wanted) }
    const since = from?.since
    const until = from?.round?.until ?? position.snapshot
    const found = changesIn(engine, stretchOf(since, until, from?.round?.after), view, limit + 1)
    const changes = found.slice(0, limit)
    const last = changes.at(-1)
    const base = { engine, changes, isFirstLoad: since === undefined }
    const { history } = position
    if (last && found.length > limit) {
      return { ...base, more: true, progress: { history, since, round: { until, after: last } } }
    }
    const more = changesIn(engine, stretchOf(until, position.snapshot), view, 1).length > 0
    return { ...base, more, progress: { history, since: more ? until : position.snapshot } }
  }

  async #answer(
    question: Question,
    { engine, changes, progress, more, isFirstLoad }: Found,
  ): Promise<Buffer> {
    const { records } = this.#options.search
    const { fields } = question
    const slots = changes.flatMap(({ slot }) => slot ?? [])
    const found = await records.of(engine, slots, question.agentId, !isFirstLoad)
    const recordOf = new Map(slots.map((slot, i) => [slot, found[i]]))
    // What has changed since the index heard of it is left out: it belongs to a later round.
    const content = changes.flatMap(change => {
      if (change.slot === undefined) return [[removeOf(change)]]
      const record = recordOf.get(change.slot)
      return record ? [[putOf(change), fields ? pickBytes(record, fields) : record, END_OF_PUT]] : []
    })
    const cursor = await this.#seal(progress, question)
    return Buffer.concat([
      Buffer.from('{"content":['),
      ...content.flatMap((parts, i) => (i === 0 ? parts : [COMMA, ...parts])),
      Buffer.from(`],"cursor":${JSON.stringify(cursor)},"more":${more}}`),
    ])
  }

  /** How many there are and their hash, in all and by the first byte of the id. */
  async digest(question: Question) {
    return this.#whole(question, (engine, wanted) => {
      const digest = isAll(question)
        ? visibleDigest(engine, question.agentId)
        : digestOf(hitsOf(engine, question, wanted), engine.ids, engine.hashes)
      const buckets = Array.from({ length: PREFIXES }, (_, prefix) => ({
        prefix: prefix.toString(16).padStart(2, '0'),
        count: digest.counts[prefix] as number,
        hash: hex64(digest.word(prefix)),
      }))
      return { ...totalOf(digest), buckets }
    })
  }

  /** The listings whose ids begin with that byte, by id. */
  async digestOfPrefix(question: Question, prefix: string) {
    return this.#whole(question, (engine, wanted) => {
      const { ids, versions, hashes } = engine
      const hits = hitsOf(engine, question, wanted)
      const byte = Number.parseInt(prefix, 16)
      hits.keep(slot => ids.prefix(slot) === byte)
      const content = [...hits.slots()]
        .sort((a, b) => ids.compare(a, b))
        .map(slot => ({ id: ids.text(slot), version: hex64(versions.get(slot)) }))
      return { prefix, ...totalOf(digestOf(hits, ids, hashes)), content }
    })
  }

  /**
   * Asks the index right after a read that began later than the question: it is never older than the copy that is
   * compared with it, and nothing of the next read is in it yet.
   */
  async #whole<T>(question: Question, ask: (engine: Engine, wanted: Wanted) => T) {
    const { search } = this.#options
    const wanted = await search.wanted(question.filters.q)
    const box = await this.#options.openBox()
    await search.refreshSoon()
    const { engine, position } = this.#state()
    const progress = { history: position.history, since: position.snapshot }
    const cursor = seal(box, encode(progress), bindingOf(question, this.#options.publicUrl))
    return { cursor, ...ask(engine, wanted) }
  }

  #state(): State {
    const { state } = this.#options.search
    if (!state) throw new NotReady('search is loading')
    return state
  }

  async #seal(progress: Progress, question: Question): Promise<string> {
    return seal(await this.#options.openBox(), encode(progress), bindingOf(question, this.#options.publicUrl))
  }

  async #open(cursor: string, question: Question): Promise<Progress> {
    const box = await this.#options.openBox()
    const progress = open(box, cursor, bindingOf(question, this.#options.publicUrl), decode)
    await requireReached(this.#options.search, progress.history, progress.round?.until ?? progress.since)
    return progress
  }
}

const isEmpty = ({ changes, more }: Found) => changes.length === 0 && !more
const hitsOf = (engine: Engine, { filters, agentId, scope }: Question, wanted: Wanted) =>
  engine.select(filters, agentId, scope, wanted)
const isAll = ({ scope, filters }: Question) => scope === 'all' && Object.keys(filters).length === 0

/** Kept for everybody; only the viewer's own that others do not see are added up. */
function visibleDigest(engine: Engine, viewer: string): Digest {
  const digest = engine.shownDigest.copy()
  for (const slot of engine.slotsOf(viewer)?.slots() ?? []) {
    const isHidden = engine.live.has(slot) && !engine.shown.has(slot)
    if (isHidden) digest.add(engine.ids.prefix(slot), engine.hashes.get(slot))
  }
  return digest
}

function totalOf(digest: Digest): { count: number; hash: string } {
  let word: Word64 = [0, 0]
  for (let prefix = 0; prefix < PREFIXES; prefix++) word = xor(word, digest.word(prefix))
  return { count: digest.counts.reduce((sum, count) => sum + count, 0), hash: hex64(word) }
}

const COMMA = Buffer.from(',')
const END_OF_PUT = Buffer.from('}')
const headOf = (op: string, { id, version }: Change) =>
  `{"op":"${op}","id":"${uuidText(id)}","version":"${hex64(version)}"`
const removeOf = (change: Change) => Buffer.from(`${headOf('remove', change)}}`)
const putOf = (change: Change) => Buffer.from(`${headOf('put', change)},"listing":`)
