import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { createAgent } from '../../../src/agents/service.ts'
import { between, stream } from '../../../src/demo/random.ts'
import { issueKey } from '../../../src/keys/service.ts'
import { openSecretBox } from '../../../src/webhooks/secrets.ts'
import { addWebhook } from '../../../src/webhooks/service.ts'
import { loopbackNetwork, Receiver } from '../receiver.ts'
import { PASSWORD } from '../visitor.ts'
import { checkQuiet, checkWebhooks, findLost, onDatabase, watchReadiness } from './checks.ts'
import { Client, type Counts } from './client.ts'
import { Cluster, SECRET } from './cluster.ts'
import { schedule } from './faults.ts'
import { Load, type LoadAgent } from './load.ts'

const AGENTS = ['Ana', 'Beto', 'Carla', 'Dora']
const EVENTS = ['listing.published', 'listing.unpublished', 'lead.created']
/** Each fault strikes once, however long the others took, but not without end. */
const SPARE_MS = 180_000
/** A quiet moment after that many faults. */
const QUIET_EVERY = 3

export interface Report extends Counts {
  faults: string[]
  /** Writes that were confirmed. */
  writes: number
  /** Messages of visitors that were confirmed. */
  leads: number
  webhooks: { delivered: number; cutOff: number }
  /** Searches of webs that had said they were ready. */
  asked: number
  quietMoments: number
  /** The longest until every web was right after the last write. */
  settledMs: number
  restarts: number
  /** Requests that took longer than five seconds. */
  slow: string[]
  /** All of the following are faults of the exchange. */
  failures: string[]
  lost: string[]
  wrongWebhooks: string[]
  wrongTotals: string[]
  lies: string[]
  surprises: string[]
}

interface Options {
  minutes: number
  seed: number
  say(line: string): void
}

/** Mixed load and a schedule of faults on three webs, two workers, a proxy, two databases and object storage. */
export async function runCluster({ minutes, seed, say }: Options): Promise<Report> {
  const end = Date.now() + minutes * 60_000
  const cluster = await Cluster.start()
  const receiver = await new Receiver({ secure: false }).listen(cluster.machine.here)
  try {
    const agents = await onDatabase(cluster.database.primaryUrl, db =>
      prepare(db, receiver, cluster.machine.here),
    )
    const client = new Client(cluster.url)
    const photo = sharp({ create: { width: 600, height: 400, channels: 3, background: '#c84' } })
    const load = new Load(client, stream(seed, 'load'), agents, await photo.jpeg().toBuffer())
    say(`${cluster.members.map(({ name }) => name).join(', ')} are ready; seed ${seed}`)
    const agent = agents[0] as LoadAgent
    const watch = watchReadiness(cluster.webs, agent)
    load.start()
    const found = await strike({ cluster, client, load, agent, say }, seed, end).finally(() => load.stop())
    const { asked, lies } = await watch.stop()
    const { ledger, surprises, restarts } = load
    const counts = { ...client.counts }
    return await onDatabase(cluster.database.primaryUrl, async db => {
      const { wrong: wrongWebhooks, ...webhooks } = await checkWebhooks(db, ledger, receiver)
      return {
        ...counts,
        ...found,
        asked,
        lies,
        writes: ledger.writes,
        leads: ledger.leads.size,
        webhooks,
        restarts,
        failures: client.failures,
        slow: client.slow,
        lost: await findLost(db, ledger, client),
        wrongWebhooks,
        surprises,
      }
    })
  } finally {
    await receiver.close()
    await cluster.stop()
  }
}

/** Agents with a key, a password and a webhook each. */
async function prepare(db: Parameters<typeof createAgent>[0], receiver: Receiver, host: string) {
  const box = await openSecretBox(db, SECRET)
  const network = { ...loopbackNetwork(), resolve: async () => [host], isAllowed: () => true }
  const policy = { allowPrivate: true, publicUrl: 'https://lonja.example' }
  const agents: LoadAgent[] = []
  for (const name of AGENTS) {
    const email = `${name.toLowerCase()}@example.mx`
    const { id } = await createAgent(db, { name, email, verified: true, password: PASSWORD })
    const { key } = await issueKey(db, { agentEmail: email, label: 'cluster', scopes: 'read,write' })
    const url = receiver.url(`/${name}`, host)
    await addWebhook({ db, box, network, policy }, id, { url, events: EVENTS })
    agents.push({ id, email, key })
  }
  return agents
}

interface Stage {
  cluster: Cluster
  client: Client
  load: Load
  agent: LoadAgent
  say(line: string): void
}

/** Faults one after the other until that time; a quiet moment after every few. */
async function strike({ cluster, client, load, agent, say }: Stage, seed: number, end: number) {
  const random = stream(seed, 'faults')
  const found = { faults: [] as string[], quietMoments: 0, settledMs: 0, wrongTotals: [] as string[] }
  const quiet = async () => {
    await load.pause()
    const { wrong, settledMs } = await checkQuiet(cluster, load, agent)
    found.quietMoments++
    found.wrongTotals.push(...wrong)
    found.settledMs = Math.max(found.settledMs, settledMs)
    say(`quiet: ${wrong.length === 0 ? `all right after ${settledMs} ms` : wrong.join('; ')}`)
    load.resume()
  }
  for (const fault of schedule(random, () => Date.now() < end)) {
    if (Date.now() > end + SPARE_MS) throw new Error(`too slow: only ${found.faults.join(', ')}`)
    await sleep(between(random, 1_000, 4_000))
    const before = { ...client.counts }
    const start = Date.now()
    await fault.strike(cluster, random)
    await cluster.allReady()
    found.faults.push(fault.name)
    const { requests, refused, failed } = client.counts
    say(
      `${fault.name}: all ready after ${((Date.now() - start) / 1_000).toFixed(1)} s; ${requests - before.requests} requests, ` +
        `${refused - before.refused} refused, ${failed - before.failed} failed`,
    )
    if (found.faults.length % QUIET_EVERY === 0) await quiet()
  }
  await quiet()
  return found
}
