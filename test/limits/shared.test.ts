import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { type RateLimit, steadyNow } from '../../src/http/rate-limit.ts'
import { SharedLimits } from '../../src/limits/service.ts'
import { useExchange } from '../support/exchange.ts'
import { Relay } from '../support/relay.ts'

const exchange = useExchange()
let relay: Relay
let far: ReturnType<typeof openDatabase>
const running: SharedLimits[] = []

beforeAll(async () => {
  // The exchange itself is a process too, and has nothing to do with the limits opened here.
  await exchange.app.close()
  const url = exchange.pool.options.connectionString as string
  relay = await Relay.to(url)
  far = openDatabase(openPool(relay.urlOf(url), 4))
})
afterEach(async () => {
  for (const limits of running.splice(0)) await limits.stop()
})
afterAll(async () => {
  await far.destroy()
  await relay.close()
})

type Options = ConstructorParameters<typeof SharedLimits>[0]

async function join(options: Partial<Options> = {}): Promise<SharedLimits> {
  const limits = new SharedLimits({
    db: exchange.db,
    logger: pino({ level: 'silent' }),
    now: steadyNow,
    ...options,
  })
  running.push(limits)
  await limits.follow()
  return limits
}

/** Three processes that know of each other, each with that limit. */
async function three(limit: number, options: Partial<Options> = {}) {
  const processes = [await join(options), await join(options), await join(options)] as const
  await Promise.all(processes.map(process => process.meet()))
  expect(processes.map(process => process.processes)).toEqual([3, 3, 3])
  const limits = processes.map(process => process.open('test', limit)) as [RateLimit, RateLimit, RateLimit]
  return { processes, limits }
}

const tableRows = async () =>
  Number((await sql<{ n: number }>`select count(*) as n from limit_counts`.execute(exchange.db)).rows[0]?.n)

/** How many of so many requests at once each process allows. */
async function hammer(limits: readonly RateLimit[], who: string, requests: number): Promise<number[]> {
  const allowed = limits.map(() => 0)
  const one = async (i: number) => {
    const at = i % limits.length
    if ((await (limits[at] as RateLimit).take(who)).allowed) allowed[at] = (allowed[at] as number) + 1
  }
  for (let i = 0; i < requests; i += 30) await Promise.all(Array.from({ length: 30 }, (_, j) => one(i + j)))
  return allowed
}
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

describe('a limit of three processes', () => {
  it.each([300, 600, 1_200])(
    'of %i is exceeded by a fiftieth at most, and nobody below it is refused',
    async limit => {
      const { limits } = await three(limit)
      const total = sum(await hammer(limits, randomUUID(), limit * 2))
      expect(total).toBeGreaterThanOrEqual(limit)
      expect(total).toBeLessThanOrEqual(limit * 1.02)
    },
  )

  it('holds when one process takes nearly all of it, and the others a little', async () => {
    const who = randomUUID()
    const { limits } = await three(600)
    const [first, second, third] = limits
    for (const other of [second, third]) expect((await other.take(who)).allowed).toBe(true)
    const most = sum(await hammer([first], who, 700))
    const rest = sum(await hammer([second, third], who, 100))
    expect(2 + most + rest).toBeGreaterThanOrEqual(600)
    expect(2 + most + rest).toBeLessThanOrEqual(612)
  })

  it.each([1, 10, 60])('of %i is exact', async limit => {
    const { limits } = await three(limit)
    expect(sum(await hammer(limits, randomUUID(), limit + 60))).toBe(limit)
  })

  it('is reported by each of them as it is for all', async () => {
    const who = randomUUID()
    const { limits } = await three(10)
    const [first, second, third] = limits
    for (let i = 0; i < 10; i++) expect((await first.take(who)).allowed).toBe(true)
    const refused = await second.take(who)
    expect(refused.allowed).toBe(false)
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' })
    expect(refused.retryAfter).toBeGreaterThan(590)
    expect(refused.retryAfter).toBeLessThanOrEqual(606)
    const reset = Number(refused.headers['x-ratelimit-reset'])
    expect(reset - Date.now() / 1000).toBeGreaterThan(590)
    expect(await third.count(who)).toBe(10)
  })

  it('is open again for what left the window', async () => {
    const who = randomUUID()
    const { limits } = await three(4)
    expect(sum(await hammer(limits, who, 30))).toBe(4)
    await sql`update limit_counts set slot = slot - 121`.execute(exchange.db)
    // A caller over the limit is looked up once a second.
    await expect.poll(() => hammer(limits, who, 30).then(sum), { timeout: 5_000, interval: 300 }).toBe(4)
  })

  it('is forgotten in all of them', async () => {
    const who = randomUUID()
    const { limits } = await three(3)
    await hammer([limits[0]], who, 30)
    expect((await limits[1].take(who)).allowed).toBe(false)
    await limits[0].forget(who)
    expect((await limits[2].take(who)).allowed).toBe(true)
  })

  it('stays apart from other limits and other callers', async () => {
    const { limits, processes } = await three(2)
    const other = processes[1].open('other', 2)
    await hammer([limits[0]], 'a', 30)
    expect((await limits[1].take('b')).allowed).toBe(true)
    expect((await other.take('a')).allowed).toBe(true)
    expect((await limits[1].take('a')).allowed).toBe(false)
  })
})

describe('a process alone', () => {
  it('writes nothing, and another that joins learns what was counted', async () => {
    const who = randomUUID()
    const before = await tableRows()
    const first = await join()
    const limit = first.open('test', 5)
    for (let i = 0; i < 5; i++) await limit.take(who)
    expect(await tableRows()).toBe(before)
    const second = (await join()).open('test', 5)
    await first.meet()
    await expect.poll(() => second.count(who)).toBe(5)
    expect((await second.take(who)).allowed).toBe(false)
  })

  it('leaves what it counted to those who stay', async () => {
    const who = randomUUID()
    const { processes, limits } = await three(600)
    const [first, second] = limits
    first.takeNow(who)
    await processes[0].stop()
    expect(await second.count(who)).toBe(1)
    await processes[1].meet()
    expect(processes[1].processes).toBe(2)
  })
})

describe('while the database is away', () => {
  it('each process counts for itself, without an error, and all together again when it is back', async () => {
    const who = randomUUID()
    const { processes, limits } = await three(5, { db: far })
    await limits[0].take(who)
    relay.hold()
    expect(await hammer(limits, who, 90)).toEqual([4, 5, 5])
    relay.release()
    await expect
      .poll(async () => {
        await Promise.all(processes.map(process => process.meet()))
        return processes.map(process => process.processes)
      })
      .toEqual([3, 3, 3])
    await expect.poll(() => limits[2].count(who)).toBeGreaterThanOrEqual(14)
    for (const limit of limits) expect((await limit.take(who)).allowed).toBe(false)
  })
})

describe('the table', () => {
  it('is cleared of what has left every window', async () => {
    await sql`insert into limit_counts (key, slot, count) values (${randomUUID()}, 1, 1)`.execute(exchange.db)
    await sql`insert into limit_processes (id, seen_at) values (${randomUUID()}, now() - interval '1 hour')`.execute(
      exchange.db,
    )
    await join()
    const old = sql<{ n: number }>`
      select (select count(*) from limit_counts where slot = 1) +
        (select count(*) from limit_processes where seen_at < now() - interval '1 minute') as n`
    expect((await old.execute(exchange.db)).rows[0]?.n).toBe(0)
  })

  it('is cleared by one process at a time, and while that takes long all count together', async () => {
    await sql`insert into limit_counts (key, slot, count) values (${randomUUID()}, 1, 1)`.execute(exchange.db)
    const clearing = sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%delete from limit_counts%'`
    await exchange.db.transaction().execute(async tx => {
      await sql`select from limit_counts where slot = 1 for update`.execute(tx)
      for (const others of [0, 1, 2]) expect((await join()).processes).toBe(1 + others)
      expect((await clearing.execute(exchange.db)).rows[0]?.n).toBe(1)
    })
    await expect.poll(async () => (await clearing.execute(exchange.db)).rows[0]?.n).toBe(0)
  })

  it('does not grow with the times of one caller beyond that bound either', async () => {
    const before = await tableRows()
    let time = steadyNow()
    const first = await join({ mostRows: 40, now: () => time })
    const limit = first.open('test', 100)
    const who = randomUUID()
    for (let i = 0; i < 50; i++) {
      await limit.take(who)
      time += 10_000
    }
    await join()
    await first.meet()
    await expect.poll(tableRows).toBeGreaterThanOrEqual(before + 50)
    expect(first.processes).toBe(1)
  })

  it('does not grow with strangers beyond a bound: then each process counts for itself', async () => {
    const before = await tableRows()
    const { processes, limits } = await three(3, { mostRows: 100 })
    for (let i = 0; i < 500; i++) await limits[0].take(`stranger ${i}`)
    expect(processes[0].processes).toBe(1)
    await processes[0].meet()
    expect((await limits[0].take('stranger 501')).allowed).toBe(true)
    expect(await tableRows()).toBeLessThanOrEqual(before + 200)
  })
})
