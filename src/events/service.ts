import type { Db } from '../db/database.ts'
import { NotReady, Problem } from '../lib/problem.ts'
import type { SealedBox } from '../lib/sealed-box.ts'
import { DAY_MS } from '../lib/time.ts'
import type { Search } from '../search/service.ts'
import { open, requireReached, seal } from '../sync/cursors.ts'
import { Waiting } from '../sync/waiting.ts'
import { envelope } from '../webhooks/rules.ts'
import { bindingOf, decode, encode, isTooOld, type Mark, type Progress } from './rules.ts'
import { type EventRow, listEvents } from './store.ts'

interface EventsOptions {
  db: Db
  /** Its feed says which transactions can be seen, and when there is something new. */
  search: Search
  publicUrl: string
  openBox: () => Promise<SealedBox>
  /** How long events are kept. */
  days: number
  now: () => number
}

interface Ask {
  cursor?: string | undefined
  limit: number
  waitMs: number
  /** Aborted when the client is gone. */
  signal: AbortSignal
}

interface Page {
  rows: EventRow[]
  progress: Progress
  more: boolean
}

const GONE =
  'This cursor cannot be used: it is damaged, belongs to another agent, is older than the events that are kept, or the data was restored to an earlier state. Start again without a cursor.'

/** What webhooks send, for those who ask. */
export class Events {
  readonly waiting = new Waiting()
  readonly #options: EventsOptions

  constructor(options: EventsOptions) {
    this.#options = options
    options.search.onEvent = agentId => this.waiting.changed(agentId)
  }

  /** A page of events as JSON. */
  async list(agentId: string, { cursor, limit, waitMs, signal }: Ask): Promise<string> {
    const box = await this.#options.openBox()
    const binding = bindingOf(agentId, this.#options.publicUrl)
    const progress = cursor === undefined ? undefined : await this.#open(box, cursor, binding)
    const end = performance.now() + waitMs
    let page = await this.#read(agentId, progress, limit)
    while (isEmpty(page) && performance.now() < end) {
      // It waits before it reads again, so that what is committed after the read wakes it.
      const over = new AbortController()
      const gone = AbortSignal.any([signal, over.signal])
      const woken = this.waiting.forChange(agentId, end - performance.now(), gone)
      try {
        page = await this.#read(agentId, page.progress, limit)
        if (!isEmpty(page) || !(await woken)) break
      } finally {
        over.abort()
      }
    }
    return bodyOf(page, seal(box, encode(page.progress), binding))
  }

  async #read(agentId: string, from: Progress | undefined, limit: number): Promise<Page> {
    const { db, search, now } = this.#options
    const at = now()
    await search.refreshSoon()
    const { position } = search
    if (!position) throw new NotReady('search is loading')
    const here: Mark = { snapshot: position.snapshot, at }
    const { since, round } = from ?? {}
    const until = round?.until ?? here
    const stretch = {
      agentId,
      since: since?.snapshot,
      until: until.snapshot,
      after: round?.after ?? 0,
    }
    const found = await listEvents(db, stretch, limit + 1)
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const { history } = position
    if (last && found.length > limit)
      return { rows, more: true, progress: { history, since, round: { until, after: last.id } } }
    const next = { agentId, since: until.snapshot, until: here.snapshot, after: 0 }
    const more = until !== here && (await listEvents(db, next, 1)).length > 0
    return { rows, more, progress: { history, since: more ? until : here } }
  }

  async #open(box: SealedBox, cursor: string, binding: string): Promise<Progress> {
    const { search, days, now } = this.#options
    try {
      const progress = open(box, cursor, binding, decode)
      if (isTooOld(progress, days * DAY_MS, now())) throw new Problem('gone')
      const { history, since, round } = progress
      await requireReached(search, history, (round?.until ?? since)?.snapshot)
      return progress
    } catch (error) {
      if (error instanceof Problem && error.kind === 'gone') throw new Problem('gone', { message: GONE })
      throw error
    }
  }
}

const isEmpty = ({ rows, more }: Page) => rows.length === 0 && !more

/** From the stored text, which parsing and writing again could change. */
function bodyOf({ rows, more }: Page, cursor: string): string {
  const content = rows.map(({ event, created_at: createdAt, data, status, finished_at: at }) => {
    const sent = envelope(event, createdAt, data)
    return status && at
      ? `${sent.slice(0, -1)},"delivery":${JSON.stringify({ status, at: at.toISOString() })}}`
      : sent
  })
  return `{"content":[${content.join(',')}],"cursor":${JSON.stringify(cursor)},"more":${more}}`
}
