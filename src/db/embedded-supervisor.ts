import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../lib/startup-error.ts'

/** A PostgreSQL that runs. */
export interface Server {
  /** Resolves when it is gone, whatever the reason. */
  exited: Promise<unknown>
  stop(): Promise<void>
}

interface Supervision {
  /** On the same port. Undefined while another process uses the folder: try again. */
  launch(): Promise<Server | undefined>
  progress(line: string): void
  onLost(error: Error): void
  /** How long it may be gone, for example until someone frees space on a full disk. */
  giveUpMs?: number
}

const GIVE_UP_MS = 5 * 60_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000

/** Starts a server again that ended by itself, with growing pauses; gives up in the end. */
export class Supervisor {
  readonly #options: Supervision
  readonly #stopping = new AbortController()
  #server: Server
  readonly #watching: Promise<void>

  constructor(first: Server, options: Supervision) {
    this.#server = first
    this.#options = options
    this.#watching = this.#watch()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#server.stop()
    await this.#watching
    // A new one may have been starting.
    await this.#server.stop()
  }

  async #watch(): Promise<void> {
    for (;;) {
      await this.#server.exited
      if (this.#stopping.signal.aborted) return
      this.#say('PostgreSQL ended unexpectedly and is being restarted')
      const next = await this.#restart()
      if (!next) return
      this.#server = next
      this.#say('PostgreSQL is running again')
    }
  }

  /** Progress throws in a process that was asked to stop, which ends a startup; this must go on until `stop()`. */
  #say(line: string): void {
    try {
      this.#options.progress(line)
    } catch {}
  }

  async #restart(): Promise<Server | undefined> {
    const { launch, onLost, giveUpMs = GIVE_UP_MS } = this.#options
    const until = performance.now() + giveUpMs
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: this.#stopping.signal }).catch(() => {})
      if (this.#stopping.signal.aborted) return undefined
      const next = await launch().catch((error: Error) => error)
      if (next && !(next instanceof Error)) return next
      if (performance.now() < until) continue
      onLost(next ?? new StartupError('PostgreSQL ended, and its folder stayed in use by another process.'))
      return undefined
    }
  }
}
