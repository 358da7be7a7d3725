import { type Config, type Environment, readConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import { openExchangeDatabase } from '../db/open.ts'

export interface Option {
  /** Placeholder of the value; none for a switch. */
  value?: string
  required?: boolean
}

/** The values of options and of the positional argument. */
export type Values = Record<string, string | undefined> & { argument: string }

/** Every switch of the command: true if given. */
export type Switches = Record<string, boolean>

/** The same result for programs and for people. */
interface Result {
  data: unknown
  text: string
}

export interface Command {
  summary: string
  /** In brackets if it can be left out. */
  argument?: string
  options?: Record<string, Option>
  /** Runs until stopped and has no result. */
  isEndless?: true
  run(values: Values, switches: Switches): Promise<Result | undefined>
}

/** The environment a command runs in. */
export interface Terminal {
  settings(): Environment
  print(line: string): void
  /** Standard error: separate from the result. */
  remark(line: string): void
  /** All of standard input. */
  input?(): string
}

/** Runs one task on the configured data, whether or not a server is running on it. */
export type OnDatabase = <T>(work: (db: Db, config: Config, applied: string[]) => Promise<T>) => Promise<T>

export const onDatabaseOf =
  ({ settings, remark }: Terminal): OnDatabase =>
  async work => {
    const config = readConfig('command', settings())
    // Makes a database created in the wrong folder visible.
    const database = await openExchangeDatabase(config, 'command', remark)
    try {
      return await work(database.db, config, database.applied)
    } finally {
      await database.close()
    }
  }

export const required = (value: string): Option => ({ value, required: true })
export const optional = (value: string): Option => ({ value })

export const table = (rows: Record<string, unknown>[]): string =>
  rows.length === 0 ? 'None.' : rows.map(row => Object.values(row).map(cell).join('  ').trimEnd()).join('\n')

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.join(',') : String(value)
}
