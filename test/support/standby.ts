import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { preparePrograms, program } from '../../src/db/embedded-binaries.ts'
import { chooseAccount, ENV, giveTo } from '../../src/db/embedded-cluster.ts'
import { freePort } from '../../src/lib/free-port.ts'

/** A server that follows another by streaming replication. */
export class Standby {
  readonly url: string
  readonly #run: () => ChildProcess
  readonly #folder: string
  #child: ChildProcess

  private constructor(url: string, folder: string, run: () => ChildProcess) {
    this.url = url
    this.#folder = folder
    this.#run = run
    this.#child = run()
  }

  /** From the folder of a primary that is stopped; it follows `primaryUrl` as soon as something answers there. */
  static async start(
    primaryDir: string,
    dataDir: string,
    primaryUrl: string,
    settings: string[] = ['listen_addresses=127.0.0.1'],
  ): Promise<Standby> {
    const folder = join(dataDir, 'postgres')
    await cp(join(primaryDir, 'postgres'), folder, { recursive: true, preserveTimestamps: true })
    const { username, password, port: primaryPort } = new URL(primaryUrl)
    const conninfo = `host=127.0.0.1 port=${primaryPort} user=${username} password=${password}`
    await writeFile(join(folder, SIGNAL), '')
    await appendFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
    const url = new URL(primaryUrl)
    url.port = String(await freePort('127.0.0.1'))
    const run = await prepareServer(dataDir, [`port=${url.port}`, ...settings])
    const standby = new Standby(url.href, folder, run)
    await until(() => ask(url.href, 'select 1'))
    return standby
  }

  /** Becomes the primary, on a timeline of its own. */
  async promote(): Promise<void> {
    await ask(this.url, 'select pg_promote()')
    await this.#leads()
  }

  /** Becomes the primary without one: nothing in PostgreSQL says that it is not the old one. */
  async startAlone(): Promise<void> {
    await this.stop()
    await rm(join(this.#folder, SIGNAL))
    this.#child = this.#run()
    await this.#leads()
  }

  async #leads(): Promise<void> {
    await until(async () => (await ask<boolean>(this.url, 'select pg_is_in_recovery()'))[0] === false)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGINT')
    await exit
  }
}

const SIGNAL = 'standby.signal'

/** Runs PostgreSQL in the folder `postgres` there, as often as called; the caller may be root, which the server must not be. */
export async function prepareServer(dataDir: string, settings: string[]): Promise<() => ChildProcess> {
  const folder = join(dataDir, 'postgres')
  const account = await chooseAccount(folder)
  if (account) await giveTo(account, folder)
  const all = [...settings, 'unix_socket_directories=', 'max_connections=250']
  const args = ['-D', account ? '/proc/self/cwd' : folder, ...all.flatMap(setting => ['-c', setting])]
  const postgres = program(await preparePrograms(dataDir, account), 'postgres')
  return () => spawn(postgres, args, { cwd: folder, env: ENV, stdio: 'ignore', ...account })
}

export async function ask<T>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.map(row => row[0])
  } finally {
    await client.end()
  }
}

/** Waits until it is true and does not fail. */
export async function until(works: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await works().catch(() => false)) return
    await sleep(100)
  }
  throw new Error('it did not happen within 30 s')
}
