import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Position } from './history.ts'
import { readMoment, restampFuture } from './store.ts'
import { Watch } from './watch.ts'

/** Notices that listings have changed, without reading them: for a process that answers from the database. */
export class LightFeed {
  /** Incremented with every read that found changes. */
  revision = 0
  /** Of the last read; undefined until the first. */
  position: Position | undefined
  onChange: () => void = () => {}
  readonly #watch: Watch

  constructor(options: { url: string; logger: FastifyBaseLogger }) {
    this.#watch = new Watch({
      ...options,
      read: client => this.#read(client),
      position: () => this.position,
    })
  }

  set onEvent(listener: (agentId?: string) => void) {
    this.#watch.onEvent = listener
  }

  /** Resolves when everything committed before the call has been noticed. */
  refresh(): Promise<void> {
    return this.#watch.refresh()
  }

  get lagMs(): number {
    return this.#watch.lagMs
  }

  isPast(position: Position): boolean {
    return this.#watch.isPast(position)
  }

  close(): Promise<void> {
    return this.#watch.close()
  }

  async #read(client: pg.Client): Promise<void> {
    const last = this.position
    if (!last) await restampFuture(client)
    const { isNew, ...moment } = await readMoment(client, last?.snapshot)
    const position = await this.#watch.positionAt(client, moment)
    const isRestored = last && (!this.isPast(last) || moment.snapshot.next < last.snapshot.next)
    this.position = position
    if (!isNew && !isRestored) return
    this.revision++
    this.onChange()
  }
}
