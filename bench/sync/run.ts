import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { issueKey } from '../../src/keys/service.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { openMarket } from '../search/market.ts'
import { type Server, startLonja, untilReady, WEB } from '../search/processes.ts'
import type { Order, Report } from './followers.ts'

const WRITERS = 16
/** An agent has at most 32 requests waiting; each makes a first load of its own. */
const AGENTS = 4

/**
 * `npm run bench -- sync [--listings 100000] [--followers 50] [--kills 20] [--crashes 5]`: a first load within the budget
 * of one key, the digest, the time from a commit to followers that wait, and their copies after kills of the server and
 * crashes of PostgreSQL.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '100000' },
      followers: { type: 'string', default: '50' },
      seconds: { type: 'string', default: '20' },
      rate: { type: 'string', default: '50' },
      peak: { type: 'string', default: '1000' },
      kills: { type: 'string', default: '20' },
      crashes: { type: 'string', default: '5' },
      built: { type: 'boolean', default: false },
    },
  })
  if (!values.built) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const market = await openMarket(Number(values.listings), { durable: true })
  const pool = openPool(market.url, WRITERS + 1)
  const port = await freePort('127.0.0.1')
  const serve = async (settings: Record<string, string> = {}) => {
    const server = await startLonja(market.url, { PORT: String(port), ...settings }, WEB)
    await untilReady(server.url, '/ready')
    return server
  }
  const keys: string[] = []
  for (let i = 0; i < AGENTS; i++) {
    const agentEmail = `agent${2990 + i}@example.mx`
    keys.push((await issueKey(openDatabase(pool), { agentEmail, label: 'bench', scopes: 'read' })).key)
  }
  const stock = (await pool.query(`select id from listings where status = 'published' limit 50000`)).rows
  const ids = stock.map(({ id }) => id as string)

  console.log(`${values.listings} listings, Node.js ${process.version}\n`)
  let server = await serve({ RATE_LIMIT: '600' })
  await measureDigest(server, market.key)

  const child = fork(new URL('followers.ts', import.meta.url), { execArgv: ['--import', 'tsx'] })
  const said = listen(child)
  tell(child, { start: { url: server.url, keys, followers: Number(values.followers) } })
  const { listings, requests, ms } = await said.loaded
  console.log(`first load: ${listings} listings in ${(ms / 1000).toFixed(1)} s, ${requests} requests\n`)
  if (Number(values.followers) === 0) {
    child.kill()
    await server.stop()
    await pool.end()
    return market.stop()
  }

  await server.stop()
  server = await serve()
  const idle = await connections(pool)
  await sleep(2_000)
  console.log(
    `connections to PostgreSQL while ${values.followers} followers wait: ${await connections(pool)}`,
  )
  console.log(`and with the same server a moment before any waited: ${idle}\n`)

  const writer = new Writer(pool, ids)
  const [rate, peak] = [Number(values.rate), Number(values.peak)]
  const loads: Load[] = [
    { name: 'steady', rate, seconds: Number(values.seconds), together: 1 },
    { name: 'peak of one second', rate: peak, seconds: 1, together: 1 },
    { name: 'peak of one second in transactions of 50', rate: peak, seconds: 1, together: 50 },
  ]
  for (const load of loads) await report(writer, said, server, load)

  const [kills, crashes] = [Number(values.kills), Number(values.crashes)]
  const writing = { isOver: false }
  const load = writer.write(rate, 1, () => writing.isOver)
  for (let i = 0; i < kills; i++) {
    await sleep(300 * Math.random())
    await server.stop('SIGKILL')
    server = await serve()
    // So that the followers do not keep all pages.
    await said.arrivals()
  }
  for (let i = 0; i < crashes; i++) {
    await sleep(300 * Math.random())
    await crash(pool)
    await untilReady(server.url, '/ready')
  }
  writing.isOver = true
  await load
  // Until the index has what the database has.
  await sleep(3_000)
  const proofs = await Promise.all(keys.map(key => digest(server, key)))
  tell(child, { reach: Object.fromEntries(keys.map((key, i) => [key, (proofs[i] as Digest).hash])) })
  const equal = await Promise.race([said.equal, sleep(60_000, 0)])
  console.log(
    `\nafter ${kills} kills of the server and ${crashes} crashes of PostgreSQL: ${equal} of ${values.followers} copies equal the digest`,
  )
  child.kill()
  await server.stop()
  await pool.end()
  await market.stop()
}

const tell = (child: ChildProcess, order: Order) => child.send(order)

type Arrivals = [mark: number, at: bigint][]

/** What the followers report. */
function listen(child: ChildProcess) {
  let arrived: (arrivals: Arrivals) => void
  let loaded: (value: Extract<Report, { loaded: unknown }>['loaded']) => void
  let equal: (copies: number) => void
  child.on('message', (report: Report) => {
    if ('loaded' in report) loaded(report.loaded)
    else if ('equal' in report) equal(report.equal)
    else arrived(report.arrived.map(([mark, at]) => [mark, BigInt(at)]))
  })
  return {
    /** Of all changes since the last report. */
    arrivals: () =>
      new Promise<Arrivals>(resolve => {
        arrived = resolve
        tell(child, 'report')
      }),
    loaded: new Promise<Parameters<typeof loaded>[0]>(resolve => {
      loaded = resolve
    }),
    equal: new Promise<number>(resolve => {
      equal = resolve
    }),
  }
}

/** Changes descriptions: each listing is marked with the number of its change. */
class Writer {
  readonly #pool: pg.Pool
  readonly #ids: string[]
  /** When each numbered change was committed. */
  readonly committed: bigint[] = []

  constructor(pool: pg.Pool, ids: string[]) {
    this.#pool = pool
    this.#ids = ids
  }

  /** In transactions of that many. */
  async write(rate: number, together: number, isOver: (written: number) => boolean): Promise<void> {
    const started = performance.now()
    let written = 0
    const work = async () => {
      while (!isOver(written)) {
        const due = started + (written * 1000) / rate
        written += together
        await sleep(Math.max(0, due - performance.now()))
        await this.#change(together).catch(() => undefined)
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, work))
  }

  async #change(together: number): Promise<void> {
    const marks = Array.from({ length: together }, () => this.committed.push(0n) - 1)
    const ids = marks.map(mark => this.#ids[mark % this.#ids.length])
    await this.#pool.query(
      `update listings set description = 'bench ' || mark, updated_at = now()
       from unnest($1::int[], $2::uuid[]) as change (mark, listing) where id = listing`,
      [marks, ids],
    )
    const at = process.hrtime.bigint()
    for (const mark of marks) this.committed[mark] = at
  }
}

interface Load {
  name: string
  rate: number
  seconds: number
  together: number
}

async function report(
  writer: Writer,
  followers: ReturnType<typeof listen>,
  server: Server,
  { name, rate, seconds, together }: Load,
): Promise<void> {
  const [first, started, busy] = [writer.committed.length, performance.now(), await server.processorMs()]
  await writer.write(rate, together, written => written >= rate * seconds)
  const reached = Math.round(((writer.committed.length - first) * 1000) / (performance.now() - started))
  await sleep(5_000)
  const processor = ((await server.processorMs()) - busy) / (writer.committed.length - first)
  const ms = (await followers.arrivals())
    .filter(([mark]) => mark >= first)
    .map(([mark, at]) => Number(at - (writer.committed[mark] as bigint)) / 1e6)
    .sort((a, b) => a - b)
  const at = (share: number) => Math.round(ms[Math.floor(ms.length * share)] ?? Number.NaN)
  console.log(
    `${name}: ${rate} changes/s asked, ${reached}/s reached; commit to follower p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${ms.length} arrivals; ${processor.toFixed(1)} ms of the server's processor time for each`,
  )
}

interface Digest {
  hash: string
  count: number
}

async function digest({ url }: Server, key: string): Promise<Digest> {
  const answer = await fetch(`${url}/api/v1/digest`, { headers: { authorization: `Bearer ${key}` } })
  if (!answer.ok) throw new Error(`the digest answered ${answer.status}`)
  return (await answer.json()) as Digest
}

async function measureDigest(server: Server, key: string): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < 21; i++) {
    const started = performance.now()
    await digest(server, key)
    times.push(performance.now() - started)
  }
  const [first, ...others] = times.map(ms => ms.toFixed(1))
  console.log(
    `digest: ${first} ms the first time, then ${others.sort((a, b) => Number(a) - Number(b))[10]} ms`,
  )
}

async function connections(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`)
  return rows[0].n
}

/** A backend that dies takes the server down: it ends every connection and recovers from its log. */
async function crash(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await once(pool, 'remove')
  while (
    !(await pool.query('select 1').then(
      () => true,
      () => false,
    ))
  )
    await sleep(50)
}
