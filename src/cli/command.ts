import { type Config, type Environment, readConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import { openExchangeDatabase } from '../db/open.ts'

export interface Option {
  /** What stands after it; none for a switch. */
  value?: string
  required?: boolean
}

/** What was typed after the options that take a value, and in the place of the argument. */
export type Values = Record<string, string | undefined> & { argument: string }

/** Every switch of the command: true if it was typed. */
export type Switches = Record<string, boolean>

/** The same answer for programs and for people. */
interface Result {
  data: unknown
  text: string
}

export interface Command {
  summary: string
  argument?: string
  options?: Record<string, Option>
  /** It runs until it is stopped and has no result. */
  isEndless?: true
  run(values: Values, switches: Switches): Promise<Result | undefined>
}

/** Where a command was typed. */
export interface Terminal {
  settings(): Environment
  print(line: string): void
  /** Standard error: beside the result, not in it. */
  remark(line: string): void
  /** All of standard input. */
  input?(): string
}

/** Runs one piece of work on the data of the settings; whether a server runs on it makes no difference. */
export type OnDatabase = <T>(work: (db: Db, config: Config, applied: string[]) => Promise<T>) => Promise<T>

export const onDatabaseOf =
  ({ settings, remark }: Terminal): OnDatabase =>
  async work => {
    const config = readConfig('command', settings())
    // A database created in the wrong folder should not go unnoticed.
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
