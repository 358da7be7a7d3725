import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import pino from 'pino'
import { expect, it } from 'vitest'
import { Feed } from '../../src/search/feed/feed.ts'
import { useExchange } from '../support/exchange.ts'
import { contentOf } from '../support/index-content.ts'
import {
  edit,
  insertSome,
  marketAgents,
  someCriteria,
  someEdit,
  someListing,
} from '../support/random-market.ts'

const exchange = useExchange()
/** A minute in `npm run test:thorough`. */
const SECONDS = process.env.THOROUGH === '1' ? 60 : 4
const WRITERS = 3
const CUT_EVERY_MS = 1_500

it(
  `after ${SECONDS} s of writes, reads and cut connections, the index equals a fresh one`,
  async () => {
    const { db, pool } = exchange
    const url = pool.options.connectionString as string
    const logger = pino({ level: 'silent' })
    // One sweeps continuously, one as the product does.
    const feeds = [
      new Feed({ url, logger, limits: { few: 2, retired: 20, slice: 30 } }),
      new Feed({ url, logger }),
    ]
    const agents = await marketAgents(db)
    const stock = await insertSome(db, agents, fc.sample(someListing, 300))
    const until = Date.now() + SECONDS * 1000
    const counts = { edits: 0, searches: 0, cuts: 0 }

    // Each has its own listings to delete; agents and agencies are shared.
    const write = async (ids: string[]) => {
      while (Date.now() < until) {
        for (const change of fc.sample(someEdit, 20)) {
          await edit(db, agents, ids, change)
          counts.edits++
        }
      }
    }
    const read = async () => {
      while (Date.now() < until) {
        for (const criteria of fc.sample(someCriteria, 20)) {
          for (const { engine } of feeds) {
            const hits = engine?.search(criteria, null, { groups: [] })
            if (hits && hits.slots.length > Math.min(hits.total, criteria.limit)) throw new Error('too many')
            counts.searches++
          }
        }
        await sleep(5)
      }
    }
    const cut = async () => {
      while (Date.now() < until) {
        await sleep(CUT_EVERY_MS)
        await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'lonja search' and datname = current_database()`)
        counts.cuts++
      }
    }
    const shares = Array.from({ length: WRITERS }, (_, i) => stock.filter((_id, n) => n % WRITERS === i))
    await Promise.all([...shares.map(write), read(), cut()])

    const fresh = new Feed({ url, logger })
    await Promise.all([...feeds, fresh].map(feed => feed.refresh()))
    const [swept, usual, expected] = [...feeds, fresh].map(({ engine }) => engine && contentOf(engine))
    expect(expected?.listings.length).toBeGreaterThan(0)
    expect(swept).toEqual(expected)
    expect(usual).toEqual(expected)
    expect(counts.edits).toBeGreaterThan(SECONDS * 20)
    expect(counts.searches).toBeGreaterThan(SECONDS * 20)
    expect(counts.cuts).toBeGreaterThan(0)
    await Promise.all([...feeds, fresh].map(feed => feed.close()))
  },
  SECONDS * 1000 + 60_000,
)
