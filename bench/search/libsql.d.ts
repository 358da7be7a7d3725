/** What the benchmark uses of it. */
declare module 'libsql' {
  interface Statement {
    run(...values: unknown[]): unknown
    get(values?: unknown[]): Record<string, unknown> | undefined
    all(values: unknown[]): Record<string, unknown>[]
  }
  export default class Database {
    constructor(file: string)
    exec(sql: string): void
    prepare(sql: string): Statement
    close(): void
  }
}
