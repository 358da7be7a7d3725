import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { createAgent } from '../src/agents/service.ts'
import { buildApp } from '../src/app.ts'
import { type Db, openDatabase, openPool } from '../src/db/database.ts'
import { openEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { type RateLimit, steadyNow } from '../src/http/rate-limit.ts'
import { issueKey } from '../src/keys/service.ts'
import { SharedLimits } from '../src/limits/service.ts'

const LIMIT = 600
const CALLERS = 100
const ROUNDS = 3
/** Of each round: 40 of the 600 that each caller has, three times alone and three times shared. */
const REQUESTS = CALLERS * 40
const logger = pino({ level: 'silent' })

/** What one limit for all processes costs a request, in milliseconds: `npm run bench -- limits`. */
export async function run(): Promise<void> {
  const postgres = await openEmbeddedPostgres({ dataDir: resolve('data/bench/limits'), role: 'server' })
  const pool = openPool(postgres.url, 10, { patient: true })
  await migrate(pool)
  await pool.query('truncate limit_counts, limit_processes')
  const db = openDatabase(pool)
  console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}\n`)
  await measureTakes(db)
  await measureRequests(db)
  await db.destroy()
  await postgres.stop()
}

/** Three processes that count together; each has connections of its own, as two in a request's pool. */
async function join(db: Db, count: number): Promise<SharedLimits[]> {
  const processes = Array.from({ length: count }, () => new SharedLimits({ db, logger, now: steadyNow }))
  for (const process of processes) await process.follow()
  for (const process of processes) await process.meet()
  return processes
}

async function measureTakes(db: Db): Promise<void> {
  const processes = await join(db, 3)
  const open = (name: string, limit: number) => processes.map(process => process.open(name, limit))
  const alone = new SharedLimits({ db, logger, now: steadyNow }).open('alone', LIMIT)
  const report: Record<string, object> = {}
  report['alone, 100 callers'] = await timed([alone], REQUESTS, i => `caller ${i % CALLERS}`)
  report['three, 100 callers'] = await timed(open('api', LIMIT), REQUESTS, i => `caller ${i % CALLERS}`)
  report['three, one caller as fast as it can'] = await timed(open('fast', LIMIT), LIMIT, () => 'one')
  report['three, refused'] = await timed(open('fast', LIMIT), 5_000, () => 'one')
  report['three, a limit of 10'] = await timed(open('small', 10), 1_000, i => `caller ${i >> 3}`)
  console.table(report)
  for (const process of processes) await process.stop()
}

async function timed(limits: readonly RateLimit[], requests: number, whoOf: (i: number) => string) {
  const times: number[] = []
  for (let i = 0; i < requests; i++) {
    const limit = limits[i % limits.length] as RateLimit
    const started = performance.now()
    const allowance = limit.take(whoOf(i))
    if (allowance instanceof Promise) await allowance
    times.push(performance.now() - started)
    // As requests do, which arrive one by one.
    if (i % 10 === 0) await sleep(0)
  }
  return quantiles(times)
}

/** A whole request over HTTP, the process alone and with two others, in turn. */
async function measureRequests(db: Db): Promise<void> {
  const app = await buildApp({ db, logger, publicUrl: 'http://127.0.0.1', rateLimit: LIMIT, trustProxy: [] })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const keys: string[] = []
  for (let i = 0; i < CALLERS; i++) keys.push(await newKey(db, i))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (key: string) =>
    new Promise<number>((done, fail) => {
      const headers = { authorization: `Bearer ${key}` }
      get({ port, path: '/api/v1/me', agent, headers }, answer => {
        answer.resume().on('end', () => done(answer.statusCode ?? 0))
      }).on('error', fail)
    })
  const taken: Record<'alone' | 'of three', number[]> = { alone: [], 'of three': [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['alone', 'of three'] as const) {
      const others = await join(db, name === 'alone' ? 0 : 2)
      // Until the server has met the others, or found them gone.
      await sleep(1_500)
      for (let i = 0; i < REQUESTS; i++) {
        const started = performance.now()
        const status = await ask(keys[i % CALLERS] as string)
        if (status !== 200) throw new Error(`answered ${status}`)
        taken[name].push(performance.now() - started)
      }
      for (const other of others) await other.stop()
    }
  }
  console.table({ alone: quantiles(taken.alone), 'of three': quantiles(taken['of three']) })
  agent.destroy()
  await app.close()
}

async function newKey(db: Db, i: number): Promise<string> {
  const email = `limits-${i}-${Date.now()}@example.mx`
  await createAgent(db, {
    name: 'Ana Torres',
    email,
    verified: true,
    licenseNumber: 'L',
    licenseState: 'Jalisco',
  })
  return (await issueKey(db, { agentEmail: email, label: 'bench', scopes: 'read' })).key
}

function quantiles(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => Number((sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(4))
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
