import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import pino from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { Feed } from '../../src/search/feed/feed.ts'
import { contentOf } from '../support/index-content.ts'
import { insertSome, marketAgents, someListing } from '../support/random-market.ts'
import { Relay } from '../support/relay.ts'
import { ask, Standby, until } from '../support/standby.ts'

const logger = pino({ level: 'silent' })
let home: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lonja-failover-'))
  const postgres = await openEmbeddedPostgres({ dataDir: join(home, 'migrated'), role: 'server' })
  const pool = openPool(postgres.url, 1)
  await migrate(pool)
  await pool.end()
  await postgres.stop()
})
afterAll(() => rm(home, { recursive: true, force: true }))

/** A primary and its standby, with the replication between them and the address of the primary as relays. */
async function openPair(name: string) {
  const dataDir = join(home, name)
  await cp(join(home, 'migrated'), dataDir, { recursive: true })
  const primary = await openEmbeddedPostgres({ dataDir, role: 'server' })
  await primary.stop()
  const replication = await Relay.to(primary.url)
  const standby = await Standby.start(dataDir, join(home, `${name} standby`), replication.urlOf(primary.url))
  const again = await openEmbeddedPostgres({ dataDir, role: 'server' })
  replication.leadTo(again.url)
  const address = await Relay.to(again.url)
  onTestFinished(async () => {
    await Promise.all([address.close(), replication.close(), standby.stop(), again.stop()])
  })
  return { primary: again, standby, replication, address }
}

/** As a process does. */
async function insert(url: string, count: number): Promise<void> {
  const db = openDatabase(openPool(url, 1, { migrated: true }))
  const listings = fc.sample(someListing, count).map(one => ({ ...one, imported: false }))
  await insertSome(db, await marketAgents(db), listings).finally(() => db.destroy())
}

it.each([
  ['is promoted', (standby: Standby) => standby.promote()],
  ['is started on the same timeline', (standby: Standby) => standby.startAlone()],
])(
  'a process that slept while a standby that was behind %s has the index of the new primary',
  async (how, take) => {
    const { primary, standby, replication, address } = await openPair(how)
    const asleep = new Feed({ url: address.urlOf(primary.url), logger })
    await insert(primary.url, 100)
    await until(async () => (await ask(standby.url, 'select count(*)::int from listings'))[0] === 100)

    // What follows never reaches the standby, but the process has seen it.
    replication.hold()
    await insert(primary.url, 8)
    await asleep.refresh()
    address.hold()
    replication.cut()
    await primary.stop()
    await take(standby)
    // More transactions than were lost, so that their numbers mean something else now.
    for (let i = 0; i < 4; i++) await insert(standby.url, 4)

    address.release()
    address.leadTo(standby.url)
    await asleep.refresh()
    const fresh = new Feed({ url: standby.url, logger })
    await fresh.refresh()
    const [found, expected] = [asleep, fresh].map(({ engine }) => engine && contentOf(engine))
    expect(expected?.listings).toHaveLength(116)
    expect(found).toEqual(expected)
    await Promise.all([asleep, fresh].map(feed => feed.close()))
  },
)
