import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { newFeed } from '../support/feeds.ts'
import { heapMegabytes } from '../support/heap.ts'

const exchange = useExchange()

const FEW = 5_000
const MANY = 50_000
const TEXT = 'Una casa amplia. '.repeat(120)
const MEGABYTE = 2 ** 20

let few: TestAgent
let many: TestAgent

async function agentWith(count: number): Promise<TestAgent> {
  const agent = await exchange.agent()
  const { id } = await exchange.published(agent, { description: TEXT })
  for (let from = 2; from <= count; from += 2_500) {
    await exchange.pool.query(
      `insert into listings
       select (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'slug', l.slug || n))).*
       from listings l, generate_series($2::int, $3::int) n where l.id = $1`,
      [id, from, Math.min(from + 2_499, count)],
    )
  }
  return agent
}

beforeAll(async () => {
  few = await agentWith(FEW)
  many = await agentWith(MANY)
  // The index grows by these listings now, and not while memory is measured.
  await exchange.search.refresh()
  await exchange.app.listen({ host: '127.0.0.1', port: 0 })
}, 240_000)

async function open(agent: TestAgent): Promise<IncomingMessage> {
  const { path } = await newFeed(exchange, agent, { format: 'ndjson' })
  const { port } = exchange.app.server.address() as AddressInfo
  const [response] = await once(get({ host: '127.0.0.1', port, path }), 'response')
  return response
}

/** Megabytes above what was used before, at the worst moment: while nothing is read, and at every twelfth of the way. */
async function peakOf(agent: TestAgent, listings: number): Promise<{ peak: number; megabytes: number }> {
  const before = await heapMegabytes()
  // The connections of both turns: one that has to be opened while garbage is collected, which stops everything for seconds, would time out.
  await Promise.all([1, 2].map(() => exchange.pool.query('select pg_sleep(0.1)')))
  const response = await open(agent)
  await sleep(500)
  let peak = (await heapMegabytes()) - before
  let lines = 0
  let bytes = 0
  for await (const chunk of response) {
    const wasAt = Math.floor((12 * lines) / listings)
    lines += chunk.filter((byte: number) => byte === 10).length
    bytes += chunk.length
    if (Math.floor((12 * lines) / listings) > wasAt) peak = Math.max(peak, (await heapMegabytes()) - before)
  }
  expect(lines).toBe(listings)
  return { peak, megabytes: bytes / MEGABYTE }
}

describe('a large feed', () => {
  it('needs the memory of a few pages: not more for 50,000 listings than for 5,000', async () => {
    // What is compiled and cached at the first read is none of a feed's.
    await peakOf(few, FEW)
    const short = await peakOf(few, FEW)
    const long = await peakOf(many, MANY)
    const longer = long.megabytes - short.megabytes
    expect(longer).toBeGreaterThan(100)
    // A tenth of what is sent in addition: a document, or its rows, kept in memory would be there as a whole.
    expect(long.peak - short.peak, JSON.stringify({ short, long })).toBeLessThan(longer / 10)
  }, 240_000)

  it('breaks off when the database fails midway, and says so in the log: what is incomplete never looks complete', async () => {
    const response = await open(many)
    await once(response, 'readable')
    await exchange.pool.query('alter table listing_images rename to hidden_images')
    try {
      const read = async () => {
        for await (const _ of response);
      }
      await expect(read()).rejects.toThrow('aborted')
      expect(exchange.log.join('')).toMatch(/"code":"42P01".*"msg":"request failed"/)
    } finally {
      await exchange.pool.query('alter table hidden_images rename to listing_images')
    }
  }, 60_000)
})
