import { BoundedMap } from '../lib/bounded-map.ts'
import type { SealedBox } from '../lib/sealed-box.ts'
import type { Change } from '../search/engine/changes.ts'
import { type Digest, digestOfVersions, PREFIXES } from '../search/engine/digest.ts'
import { uuidText } from '../search/engine/ids.ts'
import type { Word64 } from '../search/engine/rows.ts'
import { hex64, xor } from '../search/engine/words64.ts'
import type { Position } from '../search/feed/history.ts'
import { covers } from '../search/feed/snapshot.ts'
import { pickBytes } from '../search/records.ts'
import type { Search } from '../search/service.ts'
import { open, requireReached, seal } from './cursors.ts'
import { bindingOf, decode, encode, type Progress, type Question } from './rules.ts'
import { type Moment, Waiting } from './waiting.ts'

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
  changes: Change[]
  progress: Progress
  more: boolean
  /** Only what is read by many is worth keeping. */
  isFirstLoad: boolean
  /** As it is sent. */
  page?: Promise<Buffer>
}

/** If the database has been silent for longer, a request is refused at once instead of after it has waited. */
const SILENT_SECONDS = 1

/** Copies of what a key may show: how to follow it, and how to prove that it is right. */
export class Sync {
  readonly waiting: Waiting
  readonly #options: SyncOptions
  /** By cursor and what it is bound to: followers who were sent the same page come back with the same cursor. */
  readonly #sealed = new BoundedMap<string, Progress>({ entries: 100 })

  constructor(options: SyncOptions) {
    this.#options = options
    this.waiting = new Waiting(() => options.search.refreshSoon())
    options.search.onChange = () => this.waiting.changed()
  }

  /** A page of changes as JSON. */
  async changes(question: Question, { cursor, limit, waitMs, signal }: Ask): Promise<Buffer> {
    const { search } = this.#options
    const end = performance.now() + waitMs
    const from = cursor === undefined ? undefined : await this.#open(cursor, question)
    let at = from
    let seen = this.waiting.news
    const find = () => this.#find(question, at, limit)
    const findWithOthers = (moment: Moment) => {
      seen = this.waiting.news
      return moment.shared(JSON.stringify([bindingOf(question, ''), at, limit]), find)
    }
    let found = this.#isCurrent(at) ? nothingNew(at) : await find()
    if (waitMs > 0 && !isEmpty(found) && !found.more)
      found = await findWithOthers(await this.waiting.gathered())
    if (isEmpty(found) && search.lagSeconds > SILENT_SECONDS) await search.refreshSoon()
    while (isEmpty(found)) {
      at = found.progress
      const moment = await this.waiting.forChange(question.viewer, end - performance.now(), signal, seen)
      if (!moment) break
      found = await findWithOthers(moment)
    }
    if (isEmpty(found) && !signal.aborted) {
      // So that an empty answer is never behind what was committed before it was asked for.
      await search.refreshSoon()
      found = await find()
    }
    // The database may have been restored while it waited.
    if (from) await this.#requireReached(from)
    found.page ??= this.#answer(question, found)
    return found.page
  }

  /** Whether nothing can have changed in the index since. */
  #isCurrent(from: Progress | undefined): from is Progress {
    const { position } = this.#options.search
    return Boolean(position && from?.since && !from.round && covers(from.since, position.snapshot))
  }

  async #find(question: Question, from: Progress | undefined, limit: number): Promise<Found> {
    const since = from?.since
    const untilAt = ({ snapshot }: Position) => from?.round?.until ?? snapshot
    const { position, changes } = await this.#options.search.changes(question, at => [
      { stretch: { since, until: untilAt(at), after: from?.round?.after }, limit: limit + 1 },
      { stretch: { since: untilAt(at), until: at.snapshot }, limit: 1 },
    ])
    const [found = [], later = []] = changes
    const { history, snapshot } = position
    const until = untilAt(position)
    const last = found[limit - 1]
    const base = { changes: found.slice(0, limit), isFirstLoad: since === undefined }
    if (last && found.length > limit)
      return { ...base, more: true, progress: { history, since, round: { until, after: last } } }
    const more = later.length > 0
    return { ...base, more, progress: { history, since: more ? until : snapshot } }
  }

  async #answer(question: Question, { changes, progress, more, isFirstLoad }: Found): Promise<Buffer> {
    const { fields } = question
    const puts = changes.filter(({ isPut }) => isPut)
    const versions = puts.map(({ id, xid }) => ({ id: uuidText(id), xid }))
    const found = await this.#options.search.recordsOf(versions, question.viewer, !isFirstLoad)
    const recordOf = new Map(puts.map((put, i) => [put, found[i]]))
    // What has changed since it was found is left out: it belongs to a later round.
    const content = changes.flatMap(change => {
      if (!change.isPut) return [[removeOf(change)]]
      const record = recordOf.get(change)
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
    const { position, digest } = await this.#options.search.digest(question)
    const buckets = Array.from({ length: PREFIXES }, (_, prefix) => ({
      prefix: prefix.toString(16).padStart(2, '0'),
      count: digest.counts[prefix] as number,
      hash: hex64(digest.word(prefix)),
    }))
    return { cursor: await this.#cursorAt(position, question), ...totalOf(digest), buckets }
  }

  /** The listings whose ids begin with that byte, by id. */
  async digestOfPrefix(question: Question, prefix: string) {
    const found = await this.#options.search.versionsIn(question, Number.parseInt(prefix, 16))
    const { position, content } = found
    const cursor = await this.#cursorAt(position, question)
    return { cursor, prefix, ...totalOf(digestOfVersions(content)), content }
  }

  #cursorAt({ history, snapshot }: Position, question: Question): Promise<string> {
    return this.#seal({ history, since: snapshot }, question)
  }

  async #seal(progress: Progress, question: Question): Promise<string> {
    const binding = bindingOf(question, this.#options.publicUrl)
    const cursor = seal(await this.#options.openBox(), encode(progress), binding)
    this.#sealed.set(cursor + binding, progress)
    return cursor
  }

  async #open(cursor: string, question: Question): Promise<Progress> {
    const box = await this.#options.openBox()
    const binding = bindingOf(question, this.#options.publicUrl)
    const progress = this.#sealed.get(cursor + binding) ?? open(box, cursor, binding, decode)
    await this.#requireReached(progress)
    return progress
  }

  #requireReached({ history, since, round }: Progress): Promise<void> {
    return requireReached(this.#options.search, history, round?.until ?? since)
  }
}

const nothingNew = (progress: Progress): Found => ({ changes: [], progress, more: false, isFirstLoad: false })

const isEmpty = ({ changes, more }: Found) => changes.length === 0 && !more

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
