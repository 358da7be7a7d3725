import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { primaryOf, seekPrimaries } from './hosts.ts'

const EVERY_MS = 750
const PATIENCE_MS = 1_500

interface PulseOptions {
  url: string
  /** What counts as an answer; by default, that the server is the primary. */
  ask?: (client: pg.Client) => Promise<void>
  /** The database does not respond. Called again while that lasts. */
  onSilence(): void
  onAnswer(): void
}

/**
 * Asks the database over a connection of its own whether it answers. A statement may take seconds, so its own time limit
 * comes too late for a client who waits. An error counts as an answer: those who ask get it too, at once.
 */
export class Pulse {
  readonly #options: PulseOptions
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  #client: pg.Client | undefined

  constructor(options: PulseOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    this.#disconnect()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const asking = this.#ask().then(
        () => true,
        () => {
          void seekPrimaries()
          return true
        },
      )
      if (await Promise.race([asking, patience(signal)])) this.#options.onAnswer()
      else if (!signal.aborted) {
        this.#disconnect()
        this.#options.onSilence()
        void seekPrimaries()
      }
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** May fail long after the patience was over and another client was asked: it closes only its own. */
  async #ask(): Promise<void> {
    const known = this.#client
    const client = known ?? this.#newClient()
    this.#client = client
    try {
      if (!known) await client.connect()
      await (this.#options.ask ?? askForPrimary)(client)
    } catch (error) {
      this.#disconnect(client)
      throw error
    }
  }

  #newClient(): pg.Client {
    const connectionString = primaryOf(this.#options.url)
    const client = new pg.Client({ connectionString, application_name: 'lonja pulse' })
    client.on('error', () => {})
    return client
  }

  /** Closes the socket only: a server that does not respond would not read a goodbye message. */
  #disconnect(client = this.#client): void {
    const stream = (
      client as unknown as { connection: { stream: NodeJS.WritableStream & { destroy(): void } } }
    )?.connection?.stream
    stream?.destroy()
    if (this.#client === client) this.#client = undefined
  }
}

async function askForPrimary(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select pg_is_in_recovery() as standby')
  if (rows[0].standby) throw new Error('not the primary')
}

/** False after a while. A process that was itself busy gives the answer, which may have arrived, another moment. */
async function patience(signal: AbortSignal): Promise<false> {
  for (let ms = PATIENCE_MS; ; ms = 100) {
    const due = performance.now() + ms
    await sleep(ms, undefined, { signal }).catch(() => {})
    if (signal.aborted || performance.now() - due < 100) return false
  }
}
