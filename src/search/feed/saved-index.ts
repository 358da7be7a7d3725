import { hash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { endianness } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import { jsonPiece, nextJson, type Piece, type Pieces } from '../engine/pieces.ts'
import { BlockReader, Unusable, writeBlocks } from './blocks.ts'
import type { Position } from './history.ts'

export interface SavingOptions {
  folder: string
  /** Between two saves. */
  minutes: number
  /** False where another process on the same folder saves. */
  saves: boolean
}

/** An index and the position it has been brought to; some of it may be newer. */
export interface State {
  engine: Engine
  position: Position
  /** Of the tables it was read from. */
  tables: string
}

interface Head {
  /** What wrote it. */
  code: string
  tables: string
  position: Position
}

export interface OpenedIndex {
  position: Position
  pieces: Pieces
  close(): void
}

const NAME = 'index'
/** Fewer are read from the tables in a second. */
const WORTH_SAVING = 1_000
/** A file in progress that nobody has touched for so long was left by a process that was killed. */
const ABANDONED_MS = 600_000

/** The search index on disk, so that a process need not read every listing when it starts. */
export class SavedIndex {
  readonly #options: SavingOptions
  readonly #logger: FastifyBaseLogger
  #savedAt = Number.NEGATIVE_INFINITY
  /** The revision that was last saved or read. */
  #revision: number | undefined
  #saving: Promise<void> | undefined

  constructor(options: SavingOptions, logger: FastifyBaseLogger) {
    this.#options = options
    this.#logger = logger
  }

  /** Undefined if there is none, or none of these tables by this code. */
  open(tables: string): OpenedIndex | undefined {
    let reader: BlockReader | undefined
    try {
      reader = new BlockReader(join(this.#options.folder, NAME))
      const { code, tables: others, position } = nextJson<Head>(reader)
      if (code !== codeOfIndex()) throw new Unusable('another version wrote it')
      if (others !== tables) throw new Unusable('it is of another database, or the tables were rewritten')
      const opened = reader
      return { position, pieces: reader, close: () => opened.close() }
    } catch (error) {
      reader?.close()
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.reject(error as Error)
      return undefined
    }
  }

  reject({ message }: Error): void {
    this.#logger.info({ reason: message }, 'the saved search index is not used')
  }

  /** What was opened is in use. */
  accept(engine: Engine): void {
    this.#savedAt = performance.now()
    this.#revision = engine.revision
  }

  /** Saves in the background if it is time and worthwhile. `current` returns undefined once the index must not be saved. */
  consider(current: () => State | undefined): void {
    if (performance.now() - this.#savedAt >= this.#options.minutes * 60_000) this.#start(current)
  }

  async finished(): Promise<void> {
    await this.#saving
  }

  /** A last time, if there is much to save. */
  async close(current: () => State | undefined): Promise<void> {
    await this.#saving
    this.#start(current)
    await this.#saving
  }

  #start(current: () => State | undefined): void {
    const state = current()
    if (!this.#options.saves || this.#saving || !state) return
    const isSame = this.#revision !== undefined && state.engine.revision - this.#revision < WORTH_SAVING
    if (isSame) return
    const { revision } = state.engine
    this.#savedAt = performance.now()
    this.#saving = this.#save(state, () => current()?.engine === state.engine)
      .then(() => {
        this.#revision = revision
      })
      .catch(error => this.#logger.warn({ err: error }, 'the search index could not be saved'))
      .finally(() => {
        this.#saving = undefined
      })
  }

  async #save(state: State, isCurrent: () => boolean): Promise<void> {
    const { folder } = this.#options
    const started = performance.now()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await this.#removeAbandoned()
    // Processes in different containers may share both the folder and the process id.
    const unfinished = join(folder, `${NAME}.${randomUUID()}`)
    try {
      const file = await open(unfinished, 'w', 0o600)
      const bytes = await writeBlocks(file, piecesOf(state)).finally(() => file.close())
      if (!isCurrent()) throw new Error('it was replaced meanwhile')
      await rename(unfinished, join(folder, NAME))
      await syncFolder(folder)
      const ms = Math.round(performance.now() - started)
      this.#logger.info({ megabytes: Math.round(bytes / 1e6), ms }, 'the search index was saved')
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

  async #removeAbandoned(): Promise<void> {
    const { folder } = this.#options
    for (const name of await readdir(folder)) {
      if (!name.startsWith(`${NAME}.`)) continue
      const found = await stat(join(folder, name)).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true })
    }
  }
}

/** The position is taken first: changes that come in between are read and applied once more, which alters nothing. */
function* piecesOf({ engine, position, tables }: State): Generator<Piece> {
  yield jsonPiece({ code: codeOfIndex(), tables, position } satisfies Head)
  yield* engine.save()
}

/** After a power failure, the folder has either the old name or the new one. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

let code: string | undefined

/** Of everything that decides what an index holds: it need not be remembered to count a version up. */
function codeOfIndex(): string {
  if (code) return code
  const engine = new URL('../engine/', import.meta.url)
  const files = readdirSync(engine).sort()
  const texts = [
    ...files.map(name => new URL(name, engine)),
    ...['text', 'commission'].map(name => new URL(`../../lib/${name}${EXTENSION}`, import.meta.url)),
  ].map(file => readFileSync(file, 'utf8'))
  code = hash('sha256', [endianness(), ...texts].join('\0'))
  return code
}

const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
