import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../db/database.ts'
import { dayAt, KINDS, type Kind, type Source } from './rules.ts'
import { addFigures, type Counted } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    counter: Counter
  }
}

/** A process that dies loses at most what it counted in this time. */
const FLUSH_MS = 30_000
/** About 20 MB. What would be a new counter beyond it is not counted until the next flush. */
const MAX_COUNTERS = 100_000

interface CounterOptions {
  db: Db
  logger: FastifyBaseLogger
  now: () => number
}

/** Counts in memory: a request costs an addition. Every half minute all counts are added to the table by one statement. */
export class Counter {
  readonly #options: CounterOptions
  #counted = new Map<string, Counted>()
  #day = { until: 0, text: '' }
  #flushing: Promise<void> | undefined
  readonly #timer: NodeJS.Timeout

  constructor(options: CounterOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  get size(): number {
    return this.#counted.size
  }

  add(listingId: string, kind: Kind, source: Source): void {
    const day = this.#today()
    const key = `${listingId}${day}${source}`
    const known = this.#counted.get(key)
    const at = KINDS.indexOf(kind)
    if (known) known.counts[at] = (known.counts[at] ?? 0) + 1
    else if (this.#counted.size < MAX_COUNTERS)
      this.#counted.set(key, { listingId, day, source, counts: KINDS.map(one => Number(one === kind)) })
  }

  /** Days change on the hour: the text is made once an hour. */
  #today(): string {
    const now = this.#options.now()
    if (now >= this.#day.until) this.#day = { until: now - (now % 3_600_000) + 3_600_000, text: dayAt(now) }
    return this.#day.text
  }

  /** If the database is away, the counts stay for the next time. */
  async flush(): Promise<void> {
    await this.#flushing
    if (this.#counted.size === 0) return
    const taken = this.#counted
    this.#counted = new Map()
    this.#flushing = addFigures(this.#options.db, [...taken.values()]).catch(error => {
      this.#options.logger.warn({ err: error }, 'figures could not be stored and are kept for the next time')
      this.#restore(taken)
    })
    await this.#flushing
  }

  #restore(taken: Map<string, Counted>): void {
    const since = this.#counted
    this.#counted = taken
    for (const [key, { counts, ...rest }] of since) {
      const known = taken.get(key)
      if (known) for (const [i, count] of counts.entries()) known.counts[i] = (known.counts[i] ?? 0) + count
      else if (taken.size < MAX_COUNTERS) taken.set(key, { ...rest, counts })
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
