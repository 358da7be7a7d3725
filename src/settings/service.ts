import type { Sql, Tx } from '../db/database.ts'
import { type ChosenLimits, type LimitName, type Limits, limitNames, type Notice } from './rules.ts'
import * as store from './store.ts'

export { listChanges } from './store.ts'

interface Current {
  limits: ChosenLimits
  /** Undefined: the default one. */
  notice: { text: Notice; changedAt: Date } | undefined
}

const NOTHING = Object.fromEntries(limitNames.map(name => [name, null])) as ChosenLimits

/** What operators chose. */
export async function findSettings(db: Sql): Promise<Current> {
  const changes = new Map((await store.findCurrent(db)).map(change => [change.name, change]))
  const limits = { ...NOTHING }
  for (const name of limitNames) limits[name] = (changes.get(name)?.value as number | undefined) ?? null
  const notice = changes.get('privacy_notice')
  return {
    limits,
    notice: notice?.value ? { text: notice.value as Notice, changedAt: notice.changed_at } : undefined,
  }
}

interface LimitChange {
  name: LimitName
  before: number | null
  after: number | null
}

/** Stores what differs and returns it. */
export async function changeLimits(
  tx: Tx,
  operatorId: string | null,
  chosen: ChosenLimits,
): Promise<LimitChange[]> {
  await store.lockSettings(tx)
  const { limits } = await findSettings(tx)
  const changes = limitNames
    .map(name => ({ name, before: limits[name], after: chosen[name] }))
    .filter(({ before, after }) => before !== after)
  for (const { name, after } of changes) await store.insertChange(tx, { name, value: after, operatorId })
  return changes
}

/** A new edition, or the default one again (null). False if it is the one in force. */
export async function changeNotice(
  tx: Tx,
  operatorId: string | null,
  notice: Notice | null,
): Promise<boolean> {
  await store.lockSettings(tx)
  const { notice: before } = await findSettings(tx)
  if (before?.text.es === notice?.es && before?.text.en === notice?.en) return false
  await store.insertChange(tx, { name: 'privacy_notice', value: notice, operatorId })
  return true
}

/**
 * Names the notice that a visitor saw at that moment: the moment it was published, or the day of the default one.
 * Two editions of one day stay apart.
 */
export async function editionAt(db: Sql, at: Date, defaultEdition: string): Promise<string> {
  const change = await store.findNoticeAt(db, at)
  return change?.value ? change.changed_at.toISOString() : defaultEdition
}

const EVERY_MS = 1_000

/**
 * The settings in force, for code that cannot wait for the database. Follows changes made in other processes within a
 * second or two; while the database is away, the last known settings stay in force.
 */
export class LiveSettings {
  readonly #db: Sql
  readonly #defaults: Limits
  #limits: Limits
  #notice: Current['notice']
  #seen = 0
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> | undefined

  constructor(db: Sql, defaults: Limits) {
    this.#db = db
    this.#defaults = defaults
    this.#limits = defaults
  }

  get limits(): Limits {
    return this.#limits
  }

  get defaults(): Limits {
    return this.#defaults
  }

  get notice(): Current['notice'] {
    return this.#notice
  }

  async follow(): Promise<void> {
    await this.refresh()
    // A database that does not respond is not asked again until it does.
    this.#timer = setInterval(() => this.#reading ?? this.refresh(), EVERY_MS).unref()
  }

  /** Begins after a read in progress, which may have missed the latest change. */
  refresh(): Promise<void> {
    const reading = (this.#reading ?? Promise.resolve())
      .then(() => this.#read())
      .catch(() => {})
      .finally(() => {
        if (this.#reading === reading) this.#reading = undefined
      })
    this.#reading = reading
    return reading
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#reading
  }

  async #read(): Promise<void> {
    const latest = await store.latestChange(this.#db)
    if (latest === this.#seen) return
    const { limits, notice } = await findSettings(this.#db)
    const chosen = limitNames.flatMap(name => (limits[name] === null ? [] : [[name, limits[name]]]))
    this.#limits = { ...this.#defaults, ...Object.fromEntries(chosen) }
    this.#notice = notice
    this.#seen = latest
  }
}
