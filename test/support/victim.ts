import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type pg from 'pg'
import { until } from './receiver.ts'

/** A process that works on the database of the pool, until it is killed. */
export class Victim {
  readonly #child: ChildProcess
  readonly #pool: pg.Pool
  /** Of its connections. */
  readonly #name: string

  private constructor(child: ChildProcess, pool: pg.Pool, name: string) {
    this.#child = child
    this.#pool = pool
    this.#name = name
  }

  /** The script gets the address of the database and then the arguments; it sends a message when it has begun. */
  static async start(script: URL, pool: pg.Pool, args: string[]): Promise<Victim> {
    const name = `victim ${randomUUID()}`
    const url = new URL(pool.options.connectionString as string)
    url.searchParams.set('application_name', name)
    const child = fork(script, [url.href, ...args], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    await once(child, 'message')
    return new Victim(child, pool, name)
  }

  /** Until PostgreSQL has finished what it sent last, too: that may lock a job. */
  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL')
      await once(this.#child, 'exit')
    }
    const isGone = async () => {
      const { rowCount } = await this.#pool.query(
        'select 1 from pg_stat_activity where application_name = $1',
        [this.#name],
      )
      return rowCount === 0
    }
    await until(isGone)
  }
}
