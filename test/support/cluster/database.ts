import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPool } from '../../../src/db/database.ts'
import { openEmbeddedPostgres } from '../../../src/db/embedded.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { freePort } from '../../../src/lib/free-port.ts'
import { ask, prepareServer, Standby, until } from '../standby.ts'
import { Disk } from './machine.ts'

const DISK_MB = 400
/** So that a full disk is noticed: little is kept for later. */
const SMALL = ['max_wal_size=64MB', 'min_wal_size=32MB', 'wal_keep_size=64MB']

/**
 * A primary and a standby that confirms every commit: what a client was told survives the loss of the primary. Each has a
 * disk of its own. The primary is started again when it ends, as systemd would, until the standby takes its place.
 */
export class Database {
  /** As DATABASE_URL names both. */
  readonly url: string
  readonly #disks: { primary: Disk; standby: Disk }
  readonly #standby: Standby
  readonly #primaryUrl: string
  readonly #run: () => ChildProcess
  #primary: ChildProcess
  #isPromoted = false
  #isOver = false

  private constructor(
    parts: { disks: { primary: Disk; standby: Disk }; standby: Standby; primaryUrl: string },
    run: () => ChildProcess,
    primary: ChildProcess,
  ) {
    const { host } = new URL(parts.primaryUrl)
    this.url = parts.primaryUrl.replace(host, `${host},${new URL(parts.standby.url).host}`)
    this.#disks = parts.disks
    this.#standby = parts.standby
    this.#primaryUrl = parts.primaryUrl
    this.#run = run
    this.#primary = this.#supervised(primary)
  }

  static async start(home: string, host: string): Promise<Database> {
    const disks = {
      primary: await Disk.mount(join(home, 'primary'), DISK_MB),
      standby: await Disk.mount(join(home, 'standby'), DISK_MB),
    }
    const dataDir = disks.primary.folder
    const first = await openEmbeddedPostgres({ dataDir, role: 'server' })
    const pool = openPool(first.url, 1)
    await migrate(pool)
    await pool.end()
    await first.stop()
    await appendFile(join(dataDir, 'postgres/pg_hba.conf'), `host all all ${host}/30 scram-sha-256\n`)

    const url = new URL(first.url)
    url.hostname = host
    url.port = String(await freePort(host))
    const listen = [`listen_addresses=127.0.0.1,${host}`, 'timezone=UTC', ...SMALL]
    const run = await prepareServer(dataDir, [`port=${url.port}`, ...listen, 'synchronous_standby_names=*'])
    const standby = await Standby.start(dataDir, disks.standby.folder, url.href, listen)
    const database = new Database({ disks, standby, primaryUrl: url.href }, run, run())
    await database.#answers()
    return database
  }

  /** The one that accepts writes. */
  get primaryUrl(): string {
    return this.#isPromoted ? this.#standby.url : this.#primaryUrl
  }

  get disk(): Disk {
    return this.#isPromoted ? this.#disks.standby : this.#disks.primary
  }

  #answers = () => until(() => ask(this.primaryUrl, 'select 1'))

  #supervised(child: ChildProcess): ChildProcess {
    child.once('exit', () => {
      if (this.#isOver || this.#isPromoted) return
      setTimeout(() => {
        if (!this.#isOver && !this.#isPromoted) this.#primary = this.#supervised(this.#run())
      }, 500)
    })
    return child
  }

  /** A backend that dies takes the server down: it ends every connection and recovers from its log. */
  async crash(): Promise<void> {
    const others = `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
    const [pid] = await ask<number>(this.primaryUrl, others)
    if (!pid) throw new Error('nobody is connected to the database')
    process.kill(pid, 'SIGKILL')
    await this.#answers()
  }

  /** The primary is gone from one moment to the next; some seconds later somebody promotes the standby. */
  async failOver(afterMs: number): Promise<void> {
    this.#isPromoted = true
    const gone = once(this.#primary, 'exit')
    this.#primary.kill('SIGQUIT')
    await gone
    await new Promise(done => setTimeout(done, afterMs))
    await this.#standby.promote()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    if (this.#primary.exitCode === null && this.#primary.signalCode === null) {
      const gone = once(this.#primary, 'exit')
      this.#primary.kill('SIGQUIT')
      await gone
    }
    await this.#standby.stop()
    for (const disk of Object.values(this.#disks)) await disk.unmount()
  }
}
