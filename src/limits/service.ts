import { hash, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../db/database.ts'
import {
  type Allowance,
  keyOf,
  type Limit,
  type RateLimit,
  slidingWindow,
  type Window,
} from '../http/rate-limit.ts'
import { seldom } from '../lib/seldom.ts'
import * as store from './store.ts'

/** All processes together may exceed a limit by this part of it; a small one not at all. */
const TOLERANCE = 0.02
const SMALL = 150
const MEET_MS = 1_000
/** A process that was not seen for so long has ended. */
const GONE_SECONDS = 5
/** A request waits no longer for the others. */
const PATIENCE_MS = 1_000
/** A caller who is over the limit is looked up no more often. */
const FRESH_MS = 1_000
const BATCH = 100
/** Of the table (`count_takes`). */
const SLOT_SECONDS = 5
const SWEEP_MS = 60_000
/** Written by one process between two sweeps, each some 150 bytes: beyond it, this process counts for itself. */
const MOST_ROWS = 100_000

/** A limit of that name in this process. */
interface Line {
  name: string
  window: Window
}

/** What the next exchange asks about one caller. */
interface Question {
  line: Line
  key: string
  /** The requests that wait, each for a place in the window (`granted`), or only to learn the count. */
  waiting: { isTake: boolean; done: (granted: boolean | undefined) => void }[]
}

interface SharedLimitsOptions {
  db: Db
  logger: FastifyBaseLogger
  now: () => number
  /** See `MOST_ROWS`. */
  mostRows?: number
}

/**
 * Limits that all processes of an exchange count together (docs/decisions/0037-shared-limits.md). A request is counted in
 * memory and reported afterwards, together with others; only when a process has allowed its part of the tolerance without
 * reporting it does the request wait for the table to decide. A process that is alone, or cannot reach the database, counts
 * for itself and reports when that is over.
 */
export class SharedLimits {
  readonly #options: SharedLimitsOptions
  readonly #id = randomUUID()
  readonly #lines: Line[] = []
  /** By the key in the table. */
  readonly #asked = new Map<string, Question>()
  readonly #unreported = new Map<string, Question>()
  readonly #warn = seldom()
  #processes = 1
  #rows = 0
  #sweepAt = 0
  #exchanging: Promise<void> | undefined
  #meeting: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: SharedLimitsOptions) {
    this.#options = options
  }

  /** How many processes count together now. */
  get processes(): number {
    return this.#processes
  }

  open(name: string, limit: Limit): RateLimit {
    const window = slidingWindow(limit, this.#options.now)
    const line = { name, window }
    this.#lines.push(line)
    return {
      take: who => this.#take(line, who),
      takeNow: who => {
        const allowance = window.take(who)
        this.#report(line, keyOf(who))
        return allowance
      },
      peek: window.peek,
      count: async who => {
        if (this.#processes > 1) await this.#ask(line, keyOf(who), false)
        return window.count(who)
      },
      forget: async who => {
        window.forget(who)
        if (this.#processes > 1)
          await this.#try(() => store.forget(this.#options.db, sharedKey(line, keyOf(who))))
      },
    }
  }

  async follow(): Promise<void> {
    await this.meet()
    this.#timer = setInterval(() => {
      this.#meeting ??= this.meet().finally(() => {
        this.#meeting = undefined
      })
    }, MEET_MS).unref()
  }

  /** Leaves to the others what it counted. */
  async stop(): Promise<void> {
    if (!this.#timer) return
    clearInterval(this.#timer)
    await this.#meeting
    await this.#exchange()
    this.#processes = 1
    await this.#try(() => store.leave(this.#options.db, this.#id))
  }

  #take(line: Line, who: string): Allowance | Promise<Allowance> {
    const { window } = line
    if (this.#processes === 1) return window.take(who)
    const key = keyOf(who)
    const { own, isFull, learnedAt } = window.look(key)
    const unreported = own.length
    const spare = spareOf(window.limit(), this.#processes)
    const isKnown = isFull ? this.#options.now() - learnedAt < FRESH_MS : unreported < spare
    if (!isKnown) {
      return this.#ask(line, key, true).then(granted =>
        granted === undefined ? window.take(who) : { ...window.peek(who), allowed: granted },
      )
    }
    const allowance = window.take(who)
    if (allowance.allowed) this.#report(line, key)
    if (unreported >= spare / 2) void this.#exchange()
    return allowance
  }

  // ---- the exchange ----------------------------------------------------------------------------------------

  /** At the next exchange, which comes no later than the next meeting. */
  #report(line: Line, key: string): void {
    if (this.#processes > 1) this.#unreported.set(sharedKey(line, key), { line, key, waiting: [] })
  }

  /** Undefined: nobody could decide. */
  #ask(line: Line, key: string, isTake: boolean): Promise<boolean | undefined> {
    const shared = sharedKey(line, key)
    const question = this.#asked.get(shared) ?? { line, key, waiting: [] }
    this.#asked.set(shared, question)
    const answer = new Promise<boolean | undefined>(done => question.waiting.push({ isTake, done }))
    void this.#exchange()
    return answer
  }

  /** One at a time, so requests that arrive meanwhile go together. */
  #exchange(): Promise<void> {
    this.#exchanging ??= this.#exchangeAll()
    return this.#exchanging
  }

  async #exchangeAll(): Promise<void> {
    await setImmediate()
    while (this.#asked.size + this.#unreported.size > 0) {
      const batch = this.#nextBatch()
      const isAnswered = this.#processes > 1 && (await this.#try(() => this.#exchangeBatch(batch)))
      if (isAnswered) continue
      for (const { waiting } of batch.values()) for (const { done } of waiting) done(undefined)
      this.#unreported.clear()
    }
    // In the same turn as the check above: whoever asks from now on begins another exchange.
    this.#exchanging = undefined
  }

  /** Those who wait go first. */
  #nextBatch(): Map<string, Question> {
    const batch = new Map<string, Question>()
    for (const source of [this.#asked, this.#unreported]) {
      for (const [shared, question] of source) {
        if (batch.size === BATCH) break
        if (!batch.has(shared)) batch.set(shared, question)
        source.delete(shared)
      }
    }
    return batch
  }

  async #exchangeBatch(batch: Map<string, Question>): Promise<void> {
    const { db, now, mostRows = MOST_ROWS } = this.#options
    const sent = [...batch]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, question]) => ({ key, question, own: [...question.line.window.look(question.key).own] }))
    const counts = sent.map(({ key, question, own }) => ({
      key,
      limit: question.line.window.limit(),
      wanted: question.waiting.filter(({ isTake }) => isTake).length,
      made: byAge(own, now()),
    }))
    for (const { made } of counts) this.#rows += rowsOf(made)
    if (this.#rows >= mostRows) this.#processes = 1
    const answers = await store.countTakes(db, counts)
    for (const [i, { question, own }] of sent.entries()) {
      const { granted = 0, counted = {} } = answers[i] ?? {}
      const slots = Object.entries(counted).map(([left, count]) => ({ until: now() + Number(left), count }))
      question.line.window.learn(
        question.key,
        own,
        slots.sort((a, b) => a.until - b.until),
      )
      let left = granted
      for (const { isTake, done } of question.waiting) done(isTake && left-- > 0)
    }
  }

  // ---- the others ------------------------------------------------------------------------------------------

  /** Learns who else is there, and lets them know of this process. */
  async meet(): Promise<void> {
    const { db, mostRows = MOST_ROWS } = this.#options
    const isSweepDue = performance.now() >= this.#sweepAt
    if (isSweepDue) this.#rows = 0
    const isAnswered = await this.#try(async () => {
      const others = await store.meet(db, this.#id, GONE_SECONDS)
      const wasAlone = this.#processes === 1
      this.#processes = this.#rows < mostRows ? others + 1 : 1
      if (wasAlone)
        for (const line of this.#lines) for (const key of line.window.ownKeys()) this.#report(line, key)
    })
    void this.#exchange()
    if (isSweepDue && isAnswered) await this.#sweep()
  }

  /** May take longer than a meeting: it does not decide whether the processes count together. */
  async #sweep(): Promise<void> {
    this.#sweepAt = performance.now() + SWEEP_MS
    const { db, logger } = this.#options
    const swept = store.sweep(db).catch(error => logger.warn({ err: error }, 'old counts were not removed'))
    await patiently(swept).catch(() => {})
  }

  /** False if the database is away: until the next meeting, this process counts for itself. */
  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await patiently(work())
      return true
    } catch (error) {
      this.#processes = 1
      this.#warn(leftOut =>
        this.#options.logger.warn({ err: error, leftOut }, 'limits are counted by this process alone'),
      )
      return false
    }
  }
}

/** Requests of one caller that a process may allow before it has reported them. */
const spareOf = (limit: number, processes: number) =>
  limit < SMALL ? 0 : Math.max(1, Math.floor((limit * TOLERANCE) / processes))

/** A hash of 128 bits: the table holds no address and no account in plain text. */
const sharedKey = ({ name }: Line, key: string) => hash('sha256', `${name} ${key}`, 'hex').slice(0, 32)

function byAge(times: readonly number[], now: number): Record<string, number> {
  const made: Record<string, number> = {}
  for (const time of times) {
    const age = Math.max(0, Math.floor((now - time) / 1000))
    made[age] = (made[age] ?? 0) + 1
  }
  return made
}

/** About how many rows of the table a caller takes: one for those who wait, and one for each slot of what was reported. */
const rowsOf = (made: Record<string, number>) =>
  1 + new Set(Object.keys(made).map(age => Math.floor(Number(age) / SLOT_SECONDS))).size

async function patiently<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database answers too late')), PATIENCE_MS)
  })
  work.catch(() => {})
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
