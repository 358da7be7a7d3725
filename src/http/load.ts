import type { FastifyInstance } from 'fastify'
import { Overloaded } from '../lib/problem.ts'
import { whenOver } from './connections.ts'

const SAMPLE_MS = 50
/** Of the newest sample: one task, however long, is not an overload; several in a row are. */
const WEIGHT = 0.3
const MAX_SAMPLE_MS = 1_500

/** How late the event loop is, in milliseconds, on average over about the last ten rounds. */
export class LoopDelay {
  #delayMs = 0
  readonly #timer: NodeJS.Timeout

  constructor() {
    let due = performance.now() + SAMPLE_MS
    this.#timer = setInterval(() => {
      const late = Math.min(Math.max(0, performance.now() - due), MAX_SAMPLE_MS)
      this.#delayMs += WEIGHT * (late - this.#delayMs)
      due = performance.now() + SAMPLE_MS
    }, SAMPLE_MS).unref()
  }

  get delayMs(): number {
    return this.#delayMs
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

export interface LoadLimits {
  /** Requests in progress; those that wait for a change, with `wait`, do not count. */
  running: number
  delayMs: number
}

/** Pages give way first; `/health` and `/ready` are never refused. */
export const LOAD_LIMITS: Record<'api' | 'pages', LoadLimits> = {
  api: { running: 1_000, delayMs: 1_000 },
  pages: { running: 500, delayMs: 500 },
}

/** Beyond the limits a request is refused at once: an answer that comes too late costs as much and helps nobody. */
export function registerLoad(app: FastifyInstance, limits: LoadLimits, loop: { delayMs: number }): void {
  let running = 0
  app.addHook('onRequest', (request, reply, done) => {
    if (loop.delayMs > limits.delayMs || running >= limits.running)
      return done(new Overloaded('too much to do'))
    // The router parses no query where there is no route.
    if (request.is404 || (request.query as URLSearchParams).has('wait')) return done()
    running++
    whenOver(reply, () => running--)
    done()
  })
}
