import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAgent } from '../../src/agents/service.ts'
import { type Db, openDatabase, openPool } from '../../src/db/database.ts'
import { openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { issueKey } from '../../src/keys/service.ts'
import { freePort } from '../../src/lib/free-port.ts'
import type { Answer } from '../support/exchange.ts'
import { Follower } from '../support/follower.ts'
import { type RunningLonja, useInstallation } from '../support/installation.ts'
import { edit, insertSome, someEdit, someListing } from '../support/random-market.ts'
import { searchListings } from '../support/search-oracle.ts'

const KILLS = process.env.THOROUGH === '1' ? { server: 20, postgres: 5 } : { server: 1, postgres: 1 }
const EDITS = 30
const PATIENCE = { timeout: 20_000, interval: 100 }

const installed = useInstallation()
let dataDir: string
let pool: pg.Pool
let db: Db
let postgres: Awaited<ReturnType<typeof openEmbeddedPostgres>>

beforeAll(async () => {
  // Its own server, since it is killed; durable, since what was committed must survive that.
  dataDir = await mkdtemp(join(tmpdir(), 'lonja-kill-'))
  postgres = await openEmbeddedPostgres({ dataDir, role: 'server' })
  pool = openPool(postgres.url, 4)
  await migrate(pool)
  db = openDatabase(pool)
})
afterAll(async () => {
  await db.destroy()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})

class Web {
  readonly port: number
  #running: RunningLonja | undefined

  constructor(port: number) {
    this.port = port
  }

  async start(): Promise<void> {
    this.#running = installed.lonja.start(['serve', '--role', 'web'], {
      DATABASE_URL: postgres.url,
      PUBLIC_URL: 'https://lonja.example',
      PORT: String(this.port),
      RATE_LIMIT: '1000000',
    })
    await this.#running.says(/listening/)
    await expect.poll(() => this.status('/ready'), PATIENCE).toBe(200)
  }

  async kill(): Promise<void> {
    await this.#running?.stop('SIGKILL')
  }

  status = (path: string) =>
    fetch(`http://127.0.0.1:${this.port}${path}`).then(
      ({ status }) => status,
      () => 0,
    )
}

/** A backend that dies takes the server down: it ends every connection and recovers from its log. */
async function crashPostgres(): Promise<void> {
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await expect
    .poll(
      () =>
        pool.query('select 1').then(
          () => true,
          () => false,
        ),
      PATIENCE,
    )
    .toBe(true)
}

interface Followed {
  agentId: string
  scope: 'all' | 'own'
  follower: Follower
  old: string[]
}

const some = <T>(items: readonly T[]) => items[Math.floor(Math.random() * items.length)] as T

/** Ids of what the agent's key may show, by SQL. */
async function truthOf({ agentId, scope }: Followed): Promise<string[]> {
  if (scope === 'all')
    return (await searchListings(db, { sort: 'newest', page: 1, limit: 1_000_000 }, agentId)).ids
  const own = db.selectFrom('listings').select('id').where('agent_id', '=', agentId)
  return (await own.where('imported', '=', false).execute()).map(({ id }) => id)
}

it(`copies equal the truth after each kill, under writes: ${KILLS.server} of a web process and ${KILLS.postgres} of PostgreSQL`, async () => {
  const webs = [new Web(await freePort('127.0.0.1')), new Web(await freePort('127.0.0.1'))]
  await Promise.all(webs.map(web => web.start()))

  const agents: { id: string; key: string }[] = []
  for (const name of ['Ana', 'Beto', 'Carla']) {
    const email = `${name.toLowerCase()}@example.mx`
    const { id } = await createAgent(db, { name, email, agency: 'Casas del Sur', verified: true })
    agents.push({ id, key: (await issueKey(db, { agentEmail: email, label: 'copy', scopes: 'read' })).key })
  }
  const ids = await insertSome(db, agents, fc.sample(someListing, 60))

  const ask = async (path: string, key: string): Promise<Answer> => {
    const url = `http://127.0.0.1:${some(webs).port}/api/v1${path}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    const headers = Object.fromEntries(answer.headers) as Answer['headers']
    return { status: answer.status, headers, body: await answer.json() }
  }
  const all = agents.flatMap(({ id, key }) =>
    (['all', 'own'] as const).map((scope): Followed => {
      const follower = new Follower(path => ask(path, key), `scope=${scope}`)
      return { agentId: id, scope, follower, old: [] }
    }),
  )

  /** One page of any size from either process, sometimes from an old cursor; failures are part of the game. */
  const step = async ({ follower, old }: Followed) => {
    const cursor = old.length > 0 && Math.random() < 0.2 ? some(old) : follower.cursor
    const answer = await follower.ask({ cursor, limit: some([1, 7, 1000]) }).catch(() => undefined)
    if (!answer || answer.status >= 500) return sleep(30)
    // Ana, Beto or Carla may be unverified for a moment.
    if (answer.status === 401) return
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    follower.apply(answer.body)
    old.push(answer.body.cursor)
  }
  const follow = async (one: Followed, isOver: () => boolean) => {
    while (!isOver()) {
      await step(one)
      await sleep(20)
    }
  }
  let lost = 0
  const write = async () => {
    for (const change of fc.sample(someEdit, EDITS)) {
      await edit(db, agents, ids, change).catch(() => lost++)
      await sleep(5)
    }
  }
  const checkCopies = async () => {
    // Everybody reads again, and what search shows is not hidden by an agency that was closed.
    await db.updateTable('agents').set({ verified_at: new Date(), is_test: false }).execute()
    await db.updateTable('agencies').set({ active: true }).execute()
    for (const one of all) {
      const truth = (await truthOf(one)).sort()
      // Follows each time: right after a restart a process may still be reading the last changes.
      const look = async () => {
        const { follower } = one
        await follower.follow()
        const proof = await follower.proof()
        return { ids: [...follower.copy.keys()].sort(), differs: proof.hash !== follower.digest().hash }
      }
      await expect.poll(() => look().catch(() => undefined), PATIENCE).toEqual({ ids: truth, differs: false })
    }
  }

  const kills = [...Array(KILLS.server).fill('server'), ...Array(KILLS.postgres).fill('postgres')]
  for (const [i, kind] of kills.entries()) {
    let isOver = false
    const following = all.map(one => follow(one, () => isOver))
    const writing = write()
    await sleep(100 * Math.random())
    const web = webs[i % 2] as Web
    if (kind === 'server') {
      await web.kill()
      await web.start()
    } else await crashPostgres()
    await writing
    isOver = true
    await Promise.all(following)
    await checkCopies()
  }
  expect(lost, 'writes that met a crash').toBeLessThan(EDITS * kills.length)
  await Promise.all(webs.map(web => web.kill()))
}, 600_000)
