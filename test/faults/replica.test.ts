import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAgent } from '../../src/agents/service.ts'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { openExchangeDatabase } from '../../src/db/open.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { MemorySearch } from '../../src/search/memory.ts'
import { Relay } from '../support/relay.ts'
import { ask, Standby, until } from '../support/standby.ts'

const PUBLIC_URL = 'https://lonja.example'
const MAX_LAG_SECONDS = 6
const logger = pino({ level: 'silent' })

let home: string
let primary: Awaited<ReturnType<typeof openEmbeddedPostgres>>
let standby: Standby
/** From the primary to the standby, and from Lonja to the standby. */
let replication: Relay
let way: Relay
let database: Awaited<ReturnType<typeof openExchangeDatabase>>
let search: MemorySearch
let app: FastifyInstance
/** A read every few milliseconds, whatever happens to the replica. */
const failures: unknown[] = []
let isOver = false
let reading: Promise<void>

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lonja-replica-'))
  const dataDir = join(home, 'primary')
  const first = await openEmbeddedPostgres({ dataDir, role: 'server' })
  await first.stop()
  replication = await Relay.to(first.url)
  standby = await Standby.start(dataDir, join(home, 'standby'), replication.urlOf(first.url))
  primary = await openEmbeddedPostgres({ dataDir, role: 'server' })
  replication.leadTo(primary.url)
  way = await Relay.to(standby.url)
  const config = readConfig('serve', {
    PUBLIC_URL,
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL: way.urlOf(standby.url),
    DATABASE_REPLICA_MAX_LAG: String(MAX_LAG_SECONDS),
  })
  database = await openExchangeDatabase(config, 'server', () => {})
  search = new MemorySearch({ db: database.db, url: primary.url, publicUrl: PUBLIC_URL, logger })
  await search.refresh()
  app = await buildApp({ ...config, ...database, search, logger, loop: { delayMs: 0 } })
  await app.ready()
  reading = readOn()
}, 120_000)

afterAll(async () => {
  isOver = true
  await reading
  await app.close()
  await search.close()
  await database.close()
  await Promise.all([way.close(), replication.close(), standby.stop(), primary.stop()])
  await rm(home, { recursive: true, force: true })
})

async function readOn(): Promise<void> {
  while (!isOver) {
    await sql`select count(*) from agents`.execute(database.reader).catch(error => failures.push(error))
    await sleep(10)
  }
}

/** Who answers: the server's own port, whatever relay leads there. */
async function answering(): Promise<'replica' | 'primary'> {
  const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(database.reader)
  return String(rows[0]?.port) === new URL(standby.url).port ? 'replica' : 'primary'
}
const untilAnswering = (who: 'replica' | 'primary') => until(async () => (await answering()) === who)

async function namesOn(path: string, cookie?: string): Promise<string> {
  const { statusCode, body } = await app.inject({ url: path, headers: cookie ? { cookie } : {} })
  expect(statusCode).toBe(200)
  return body
}

const newAgent = (name: string, email: string) =>
  createAgent(database.db, { name, email, verified: true, licenseNumber: 'LIC-1', licenseState: 'Jalisco' })
const rename = (email: string, name: string) =>
  database.db.updateTable('agents').set({ name }).where('email', '=', email).execute()

describe('with a streaming replica', () => {
  it('strangers read from it, and those who may have changed something from the primary', async () => {
    const { slug } = await newAgent('Ana Antigua', 'ana@lonja.example')
    await untilAnswering('replica')
    const page = `/agentes/${slug}`
    await until(async () => (await namesOn(page)).includes('Ana Antigua'))

    await ask(standby.url, 'select pg_wal_replay_pause()')
    await rename('ana@lonja.example', 'Ana Nueva')
    expect(await namesOn(page)).toContain('Ana Antigua')
    expect(await namesOn(page, `__Host-sid=${'a'.repeat(43)}`)).toContain('Ana Nueva')

    // Beyond the age that is allowed, nobody reads from it.
    await untilAnswering('primary')
    expect(await namesOn(page)).toContain('Ana Nueva')
    await ask(standby.url, 'select pg_wal_replay_resume()')
    await untilAnswering('replica')
    expect(await namesOn(page)).toContain('Ana Nueva')
  })

  it('is read from while all connections of the primary are in use, and its own are among the metrics', async () => {
    await untilAnswering('replica')
    const { requests, replica } = database.pools as { requests: pg.Pool; replica: pg.Pool }
    const held = await Promise.all(Array.from({ length: requests.options.max }, () => requests.connect()))
    // Longer than a silence lasts unnoticed.
    await sleep(4_000)
    const who = await Promise.race([answering(), sleep(1_000, 'nobody')])
    for (const client of held) client.release()
    expect(who).toBe('replica')
    expect(replica.totalCount).toBeGreaterThan(0)
  })

  it('an idle primary makes it no older', async () => {
    await untilAnswering('replica')
    await sleep((MAX_LAG_SECONDS + 1) * 1000)
    expect(await answering()).toBe('replica')
  })

  it('one that receives nothing more is too old as well, though it has applied all it received', async () => {
    replication.hold()
    await newAgent('Berta', 'berta@lonja.example')
    await untilAnswering('primary')
    replication.release()
    await untilAnswering('replica')
  })

  it.each([
    ['stays silent', () => way.hold(), () => way.release()],
    [
      'cannot be reached',
      async () => way.leadTo(`postgres://127.0.0.1:${await freePort('127.0.0.1')}/none`),
      () => way.leadTo(standby.url),
    ],
  ])('one that %s is replaced by the primary, and used again when it is back', async (_how, lose, find) => {
    await untilAnswering('replica')
    await lose()
    const before = performance.now()
    expect(await answering()).toBe('primary')
    expect(performance.now() - before).toBeLessThan(10_000)
    await find()
    await untilAnswering('replica')
  })

  it('statements that it refuses are answered by the primary', async () => {
    await untilAnswering('replica')
    // A server in recovery has no such position.
    const { rows } = await sql`select pg_current_wal_lsn() is not null as known`.execute(database.reader)
    expect(rows).toEqual([{ known: true }])
    await expect(sql`select nothing from nowhere`.execute(database.reader)).rejects.toThrow(/nowhere/)
  })

  it.each([
    ['is wrong', '42P01'],
    ['took too long', '57014'],
    ['was in the way of recovery', '40001'],
  ])('a statement that %s takes it away from no other', async (_how, code) => {
    await untilAnswering('replica')
    const failing = sql`do ${sql.raw(`$$ begin raise exception using errcode = '${code}'; end $$`)}`
    // Several, because a comparison may follow one of them at once.
    for (let i = 0; i < 5; i++) {
      await expect(failing.execute(database.reader)).rejects.toMatchObject({ code })
      expect(await answering()).toBe('replica')
    }
  })

  it('one that is promoted is not asked any more', async () => {
    await untilAnswering('replica')
    await standby.promote()
    await untilAnswering('primary')
    await sleep(2_000)
    expect(await answering()).toBe('primary')
  })

  it('no read failed through all of that', () => {
    expect(failures).toEqual([])
  })
})
