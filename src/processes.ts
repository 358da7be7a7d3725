import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import closeWithGrace from 'close-with-grace'
import pino, { type Logger } from 'pino'
import type { Config } from './config.ts'
import { endWith, startDatabase } from './db/open.ts'
import { hideKeys } from './lib/key-shape.ts'
import { choosePort, listenBeside } from './listening.ts'
import { metricsServer } from './metrics/server.ts'
import { metricsOfAll } from './metrics/together.ts'

/** What one process does: answer requests, do the background work (webhooks, mail, daily tasks), or both. */
export const ROLES = ['all', 'web', 'worker'] as const
export type Role = (typeof ROLES)[number]

/** One of several processes that serve together on one port. */
export interface Part {
  /** From 0; one that is started again has the number of the one that ended. */
  number: number
  role: Exclude<Role, 'worker'>
  /** It does what one process does for all: the background work, saving the search index, warnings. */
  isFirst: boolean
  /** Others serve meanwhile, so it takes no requests before it can search. */
  isPatient: boolean
}

/** For requests that are being answered. */
export const STOP_MS = 15_000
/** For the processes to end by their own deadline rather than by ours. */
const SPARE_MS = 2_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A process that lived for this long is restarted after the first pause again. */
const LASTING_MS = 60_000
/** Each needs connections to the database and memory for its own search index. */
export const MOST_PROCESSES = 16

/** The number of processes, or undefined if the text is none. */
export function countOf(text: string): number | undefined {
  if (text === 'auto') return Math.min(availableParallelism(), MOST_PROCESSES)
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= MOST_PROCESSES ? count : undefined
}

// ---- the one that starts the others ------------------------------------------------------------------------

/** Owns the embedded database and the port, starts the processes that serve, and replaces those that end by themselves. */
export async function serveTogether(settings: Config, count: number, role: Part['role']): Promise<void> {
  const config = await choosePort(settings)
  const logger = pino({ level: config.logLevel, hooks: { streamWrite: hideKeys } })
  const database = await startDatabase(config, 'server', line => logger.info(line), endWith)
  const supervisor = new Supervisor(count, role, logger, {
    DATABASE_URL: database.url,
    PORT: String(config.port),
    PUBLIC_URL: config.publicUrl,
  })
  const stop = async () => {
    await supervisor.stop()
    await database.close()
  }
  const delay = STOP_MS + SPARE_MS + config.stopDelaySeconds * 1000
  closeWithGrace({ delay, logger }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'stopping after an error')
    await stop()
  })
  const { metricsPort: port, metricsHost: host } = config
  if (port !== undefined)
    await listenBeside(
      metricsServer(() => supervisor.metrics()),
      { host, port },
      'METRICS_PORT',
    )
  supervisor.start(async () => {
    await stop()
    process.exit(1)
  })
}

class Supervisor {
  readonly #count: number
  readonly #role: Part['role']
  readonly #logger: Logger
  readonly #env: Record<string, string>
  readonly #workers = new Map<number, Worker>()
  readonly #ready = new Set<number>()
  #hasBegun = false
  #isStopping = false
  #onFailed: () => void = () => {}

  constructor(count: number, role: Part['role'], logger: Logger, env: Record<string, string>) {
    this.#count = count
    this.#role = role
    this.#logger = logger
    this.#env = env
  }

  /** The others follow when the first is ready: they can read the search index that it saved. */
  start(onFailed: () => void): void {
    this.#onFailed = onFailed
    this.#fork(0, 0)
  }

  /** Of those that were ready once: one that starts does not answer yet. */
  metrics(): Promise<string> {
    const ready = [...this.#workers].filter(([number]) => this.#ready.has(number))
    return metricsOfAll(
      ready.map(([, worker]) => worker),
      { wanted: this.#count, ready: ready.length },
    )
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    const running = [...this.#workers.values()].filter(worker => !worker.isDead())
    await Promise.all(
      running.map(worker => {
        const gone = once(worker, 'exit')
        if (worker.isConnected()) worker.send('stop')
        return gone
      }),
    )
  }

  #fork(number: number, failures: number): void {
    if (this.#isStopping) return
    const isFirst = number === 0
    const part: Part = {
      number,
      role: isFirst ? this.#role : 'web',
      isFirst,
      isPatient: this.#ready.size > 0,
    }
    const started = performance.now()
    const worker = cluster.fork({ ...this.#env, LONJA_PART: JSON.stringify(part) })
    this.#workers.set(number, worker)
    worker.on('error', error => this.#logger.warn({ err: error }, 'a process cannot be reached'))
    worker.on('message', message => {
      if (message === 'ready') this.#begin(number)
    })
    worker.once('exit', (code, signal) => {
      this.#workers.delete(number)
      this.#ready.delete(number)
      if (this.#isStopping) return
      if (!this.#hasBegun) return this.#onFailed()
      const again = performance.now() - started > LASTING_MS ? 0 : failures
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** again)
      const { pid } = worker.process
      this.#logger.error({ process: pid, code, signal, pauseMs }, 'a process ended and is started again')
      setTimeout(() => this.#fork(number, again + 1), pauseMs)
    })
  }

  #begin(number: number): void {
    this.#ready.add(number)
    this.#logger.info({ ready: this.#ready.size, processes: this.#count }, 'a process is ready')
    if (this.#hasBegun) return
    this.#hasBegun = true
    for (let other = 1; other < this.#count; other++) this.#fork(other, 0)
  }
}

// ---- the others --------------------------------------------------------------------------------------------

/** What this process is a part of; undefined: it serves alone. */
export function readPart(): Part | undefined {
  const text = cluster.isWorker ? process.env.LONJA_PART : undefined
  return text === undefined ? undefined : JSON.parse(text)
}

/** A terminal or a service manager may send them to every process, and the supervisor then sends its own word. */
export const GROUP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Calls back once, however often it is asked to stop. */
export function whenStopped(stop: () => void): void {
  let isStopping = false
  const stopOnce = () => {
    if (!isStopping) stop()
    isStopping = true
  }
  for (const signal of GROUP_SIGNALS) process.on(signal, stopOnce)
  process.on('message', message => {
    if (message === 'stop') stopOnce()
  })
}

export function reportReady(): void {
  process.send?.('ready')
}

/** For a start that failed: the connection to the supervisor would keep the process alive. */
export function leave(error: unknown): never {
  process.channel?.unref()
  throw error
}
