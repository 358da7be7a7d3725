import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAgent } from '../../src/agents/service.ts'
import { readConfig } from '../../src/config.ts'
import { openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { addressesOf, primaryOf } from '../../src/db/hosts.ts'
import { openExchangeDatabase } from '../../src/db/open.ts'
import { Relay } from '../support/relay.ts'
import { ask, Standby, until } from '../support/standby.ts'

const REPLICATED = 'select count(*)::int from pg_stat_replication where replay_lsn = pg_current_wal_lsn()'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lonja-hosts-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

describe('an address of several servers', () => {
  it('is one address for each, with the same name, password, database and options', () => {
    expect(addressesOf('postgres://lonja:p,w@a:5432,b/lonja?sslmode=disable')).toEqual([
      'postgres://lonja:p,w@a:5432/lonja?sslmode=disable',
      'postgres://lonja:p,w@b/lonja?sslmode=disable',
    ])
    expect(addressesOf('postgres://a/lonja')).toEqual(['postgres://a/lonja'])
    for (const wrong of ['mysql://a/lonja', 'postgres://', 'postgres://a,,b:x/lonja'])
      expect(addressesOf(wrong)).toBeUndefined()
  })

  it('leads to the primary wherever it stands in the list, and to the new one after a failover', async () => {
    const dataDir = join(home, 'primary')
    const first = await openEmbeddedPostgres({ dataDir, role: 'server' })
    await first.stop()
    const replication = await Relay.to(first.url)
    const standby = await Standby.start(dataDir, join(home, 'standby'), replication.urlOf(first.url))
    const primary = await openEmbeddedPostgres({ dataDir, role: 'server' })
    replication.leadTo(primary.url)

    const { host } = new URL(primary.url)
    const url = primary.url.replace(host, `${new URL(standby.url).host},${host}`)
    const config = readConfig('serve', { DATABASE_URL: url, PUBLIC_URL: 'https://lonja.example' })
    const database = await openExchangeDatabase(config, 'server', () => {})
    const add = (name: string) =>
      createAgent(database.db, { name, email: `${name.toLowerCase()}@lonja.example` })
    try {
      expect(primaryOf(url)).toBe(primary.url)
      await add('Ana')
      await until(async () => (await ask(primary.url, REPLICATED))[0] === 1)
      await primary.stop()
      await standby.promote()
      await until(() => add('Berta'))
      expect(primaryOf(url)).toBe(standby.url)
    } finally {
      await database.close()
      await Promise.all([primary.stop(), standby.stop(), replication.close()])
    }
  })
})
