import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../src/lib/free-port.ts'
import { Installation, type RunningLonja } from '../installation.ts'
import { S3Server } from '../s3-server.ts'
import { until } from '../standby.ts'
import { Database } from './database.ts'
import { Disk, Machine } from './machine.ts'

const HAPROXY = resolve(import.meta.dirname, '../../../deploy/haproxy.cfg')
/** Three seconds are more than twice the interval of the proxy's checks. */
const STOP_DELAY_SECONDS = '3'
export const SECRET = 'the secret of a cluster that is only tried'
const UPLOADS_MB = 48
/** To start beside other work. */
const PATIENCE_MS = 180_000
/** As in deploy/lonja@.service. */
const RESTART_MS = 2_000

/** One process of the exchange: started again at the same address, as often as it is ended. */
export class Member {
  readonly name: string
  /** Where it answers /ready. */
  readonly url: string
  readonly #start: () => RunningLonja
  #running: RunningLonja

  constructor(name: string, url: string, start: () => RunningLonja) {
    this.name = name
    this.url = url
    this.#start = start
    this.#running = start()
  }

  /** Undefined if there is no answer. */
  readiness = async (): Promise<number | undefined> =>
    fetch(`${this.url}/ready`, { signal: AbortSignal.timeout(5_000) }).then(
      async answer => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => undefined,
    )

  /** Fails at once if it has ended by itself. */
  async isReady(): Promise<void> {
    for (const start = Date.now(); (await this.readiness()) !== 200; await sleep(100)) {
      if (this.#running.child.exitCode !== null)
        throw new Error(`${this.name} ended: ${this.#running.output.slice(-2_000)}`)
      if (Date.now() - start > PATIENCE_MS) throw new Error(`${this.name} is not ready`)
    }
  }

  async kill(): Promise<void> {
    await this.#running.stop('SIGKILL')
    await sleep(RESTART_MS)
    this.#running = this.#start()
  }

  async upgrade(): Promise<void> {
    const { code, stdout, stderr } = await this.#running.stop('SIGTERM')
    if (code !== 0) throw new Error(`${this.name} ended with ${code}: ${stdout.slice(-2_000)}${stderr}`)
    this.#running = this.#start()
    await this.isReady()
  }
}

/** Three webs and two workers behind HAProxy; the last of each is on a second machine. */
export class Cluster {
  readonly database: Database
  readonly machine: Machine
  /** That of the object storage. */
  readonly uploads: Disk
  readonly webs: Member[] = []
  readonly workers: Member[] = []
  url = ''
  readonly #closing: Closing

  private constructor(parts: Pick<Cluster, 'database' | 'machine' | 'uploads'>, closing: Closing) {
    this.database = parts.database
    this.machine = parts.machine
    this.uploads = parts.uploads
    this.#closing = closing
  }

  static async start(): Promise<Cluster> {
    const closing: Closing = []
    try {
      return await Cluster.#open(closing)
    } catch (error) {
      await closeAll(closing)
      throw error
    }
  }

  static async #open(closing: Closing): Promise<Cluster> {
    const home = await mkdtemp(join(tmpdir(), 'lonja-cluster-'))
    closing.push(() => rm(home, { recursive: true, force: true }))
    const machine = await Machine.open()
    closing.push(machine.close)
    const uploads = await Disk.mount(join(home, 'uploads'), UPLOADS_MB)
    closing.push(() => uploads.unmount())
    const database = await Database.start(home, machine.here)
    closing.push(() => database.stop())
    const storage = await S3Server.start({ folder: join(uploads.folder, 'swift'), host: machine.here })
    closing.push(() => storage.stop())
    const installation = await Installation.create()
    closing.push(() => installation.remove())
    const cluster = new Cluster({ database, machine, uploads }, closing)
    await cluster.#startMembers(installation, {
      STORAGE_URL: await storage.bucket('exchange'),
      LONJA_DATA: join(home, 'data'),
    })
    await cluster.#startProxy()
    return cluster
  }

  async #startMembers(installation: Installation, places: Record<string, string>): Promise<void> {
    const { here, there, through } = this.machine
    const settings = {
      ...places,
      DATABASE_URL: this.database.url,
      LONJA_SECRET: SECRET,
      LONJA_WEBHOOK_ALLOW_PRIVATE: '1',
      PUBLIC_URL: 'https://lonja.example',
      TRUST_PROXY: here,
      RATE_LIMIT: '1000000',
      STOP_DELAY_SECONDS,
      KEEP_ALIVE_SECONDS: '65',
      LOG_LEVEL: 'warn',
    }
    const start = async (role: 'web' | 'worker', number: number, isFar: boolean) => {
      const host = isFar ? there : here
      const port = String(isFar ? 4_000 + number : await freePort(here))
      const own = { HOST: host, PORT: port, STATUS_HOST: host, STATUS_PORT: port }
      const line = ['serve', '--role', role]
      const run = () => installation.start(line, { ...settings, ...own }, isFar ? through : [])
      return new Member(`${role} ${number}`, `http://${host}:${port}`, run)
    }
    for (const number of [1, 2, 3]) this.webs.push(await start('web', number, number === 3))
    for (const number of [1, 2]) this.workers.push(await start('worker', number, number === 2))
    await this.allReady()
  }

  async #startProxy(): Promise<void> {
    const bind = `${this.machine.here}:${await freePort(this.machine.here)}`
    const [LONJA_WEB1, LONJA_WEB2, LONJA_WEB3] = this.webs.map(({ url }) => new URL(url).host)
    const proxy = spawn('/usr/sbin/haproxy', ['-db', '-f', HAPROXY], {
      env: { ...process.env, LONJA_BIND: bind, LONJA_WEB1, LONJA_WEB2, LONJA_WEB3 },
      stdio: 'ignore',
    })
    this.#closing.push(async () => {
      const gone = once(proxy, 'exit')
      proxy.kill()
      await gone
    })
    this.url = `http://${bind}`
    await until(async () => (await fetch(`${this.url}/ready`)).status === 200)
  }

  get members(): Member[] {
    return [...this.webs, ...this.workers]
  }

  allReady = () => Promise.all(this.members.map(member => member.isReady()))

  stop = () => closeAll(this.#closing)
}

type Closing = (() => Promise<unknown>)[]

/** Last opened, first closed. */
async function closeAll(closing: Closing): Promise<void> {
  for (const close of closing.reverse()) await close()
}
