import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createAgent } from '../../src/agents/service.ts'
import { type Db, openDatabase, openPool } from '../../src/db/database.ts'
import { openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { issueKey } from '../../src/keys/service.ts'
import { appendEvent } from '../../src/outbox/store.ts'
import { openSecretBox } from '../../src/webhooks/secrets.ts'
import { addWebhook } from '../../src/webhooks/service.ts'
import { loopbackNetwork } from '../../test/support/receiver.ts'

const SUBSCRIPTIONS = 20
const API_RATE = 100

/**
 * `npm run bench -- webhooks [--events 10000] [--rate 400] [--http] [--apart]`: writes events at a steady rate and all
 * at once, each in its own transaction, and delivers them to a receiver on this machine with or without TLS; also
 * measures API reads meanwhile, with the background work in the same process or in another.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string' },
      rate: { type: 'string' },
      http: { type: 'boolean', default: false },
      apart: { type: 'boolean', default: false },
    },
  })
  const scheme = values.http ? 'http' : 'https'
  const events = Number(values.events ?? 10_000)
  const rate = Number(values.rate ?? 400)
  const home = await mkdtemp(join(tmpdir(), 'lonja-bench-'))
  const postgres = await openEmbeddedPostgres({ dataDir: home, role: 'server' })
  const pool = openPool(postgres.url, 8)
  const db = openDatabase(pool)
  const children: ChildProcess[] = []
  try {
    await migrate(pool)
    const receiver = start(children, 'receiver.ts', [scheme])
    const { port: receiverPort } = await message(receiver)
    const serve = async (role: string) =>
      message(start(children, 'server.ts', [postgres.url, join(home, 'mail'), role, scheme]))
    const { port: apiPort } = await serve(values.apart ? 'web' : 'all')
    if (values.apart) await serve('worker')
    const { agents, key } = await prepare(db, scheme, receiverPort)

    const quiet = await readers(apiPort, key, 10_000)
    await writeEvents(db, agents, 200, rate)
    await settled(db)
    await ask(receiver, 'take')

    console.log(
      `${events} events, ${SUBSCRIPTIONS} subscriptions, a fresh ${scheme} connection for each delivery${values.apart ? ', worker apart' : ''}`,
    )
    const reading = readers(apiPort, key, (events / rate) * 1_000)
    report(`steady at ${rate}/s`, await measure(db, agents, receiver, events, rate))
    report('API meanwhile', { ...(await reading), without: quiet })
    report('all at once', await measure(db, agents, receiver, events, Number.POSITIVE_INFINITY))
  } finally {
    for (const child of children) child.disconnect()
    await pool.end()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

function start(children: ChildProcess[], file: string, args: string[]): ChildProcess {
  const child = fork(new URL(file, import.meta.url), args, { execArgv: ['--import', 'tsx'] })
  children.push(child)
  return child
}

// biome-ignore lint/suspicious/noExplicitAny: the messages are defined by the two child processes
const message = async (child: ChildProcess): Promise<any> => (await once(child, 'message'))[0]
const ask = (child: ChildProcess, what: string) => {
  const answer = message(child)
  child.send(what)
  return answer
}

async function prepare(db: Db, scheme: string, port: number) {
  const box = await openSecretBox(db, undefined)
  const policy = { allowPrivate: scheme === 'http', publicUrl: 'https://lonja.example' }
  const agents: string[] = []
  let key = ''
  for (let i = 0; i < SUBSCRIPTIONS; i++) {
    const email = `agent${i}@example.mx`
    const { id } = await createAgent(db, { name: `Agente ${i}`, email, verified: true })
    const url = `${scheme}://hook.example:${port}/${i}`
    await addWebhook({ db, box, network: loopbackNetwork(), policy }, id, {
      url,
      events: ['listing.published'],
    })
    agents.push(id)
    key = (await issueKey(db, { agentEmail: email, label: 'bench', scopes: 'read' })).key
  }
  return { agents, key }
}

/** Writes the events, at most `rate` per second, and returns the commit time of each. */
async function writeEvents(
  db: Db,
  agents: string[],
  count: number,
  rate: number,
): Promise<Map<string, number>> {
  const committed = new Map<string, number>()
  const start = performance.now()
  let next = 0
  const writer = async () => {
    for (let i = next++; i < count; i = next++) {
      const wait = start + (i / rate) * 1_000 - performance.now()
      if (wait > 0) await sleep(wait)
      const id = randomUUID()
      await db.transaction().execute(tx =>
        appendEvent(tx, {
          agentId: agents[i % agents.length] as string,
          event: 'listing.published',
          data: { id, slug: 'casa-en-venta-abc234', title: 'Casa en venta', status: 'published' },
          createdAt: new Date(),
          channels: ['webhook'],
        }),
      )
      committed.set(id, performance.timeOrigin + performance.now())
    }
  }
  await Promise.all(Array.from({ length: 6 }, writer))
  return committed
}

/** Waits until every delivery has finished; returns how many failed. */
async function settled(db: Db): Promise<number> {
  const open = () =>
    db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('finished_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
  while (await open()) await sleep(100)
  const failed = await db.deleteFrom('webhook_deliveries').where('status', '<>', 'ok').executeTakeFirst()
  return Number(failed.numDeletedRows)
}

async function measure(db: Db, agents: string[], receiver: ChildProcess, events: number, rate: number) {
  const start = performance.timeOrigin + performance.now()
  const committed = await writeEvents(db, agents, events, rate)
  const failed = await settled(db)
  const { arrivals } = (await ask(receiver, 'take')) as { arrivals: [string, number][] }
  const end = Math.max(...arrivals.map(([, at]) => at))
  const delays = arrivals.map(([id, at]) => at - (committed.get(id) ?? Number.NaN))
  const ids = new Set(arrivals.map(([id]) => id))
  return {
    'events/s': Math.round(events / ((end - start) / 1_000)),
    ...percentiles(delays),
    arrived: arrivals.length,
    twice: arrivals.length - ids.size,
    failed,
  }
}

/** Single reads at a fixed rate, regardless of response times. */
async function readers(port: number, key: string, durationMs: number) {
  const times: number[] = []
  let failed = 0
  const calls: Promise<void>[] = []
  const call = async () => {
    const start = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/me`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await response.arrayBuffer()
    if (response.status !== 200) failed++
    times.push(performance.now() - start)
  }
  for (let end = performance.now() + durationMs; performance.now() < end; await sleep(1_000 / API_RATE)) {
    calls.push(call())
  }
  await Promise.all(calls)
  return { ...percentiles(times), ...(failed > 0 ? { failed } : {}) }
}

function percentiles(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => `${(sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1)} ms`
  return { p50: at(0.5), p99: at(0.99), max: `${sorted.at(-1)?.toFixed(1)} ms` }
}

const report = (what: string, figures: object) => console.log(what.padEnd(16), JSON.stringify(figures))
