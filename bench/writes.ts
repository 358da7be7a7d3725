import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { openPool } from '../src/db/database.ts'
import { Connections } from './search/connections.ts'
import { type Market, openMarket } from './search/market.ts'
import { startLonja, untilReady, WEB } from './search/processes.ts'
import { shapes } from './search/shapes.ts'

const WRITERS = 8
const SEARCH_EVERY_MS = 20
const FIND_EVERY_MS = 250
const GIVE_UP_MS = 20_000
const API = '/api/v1/properties'

/**
 * `npm run bench -- writes [--listings 1000000] [--rate 500] [--seconds 60]`: search times without and with that many
 * changes per second, how soon a change is found, and how many changes eight clients of the API reach.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '1000000' },
      rate: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '60' },
      built: { type: 'boolean', default: false },
    },
  })
  const [listings, rate, seconds] = [values.listings, values.rate, values.seconds].map(Number) as [
    number,
    number,
    number,
  ]
  if (!values.built) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const market = await openMarket(listings, { durable: true })
  const pool = openPool(market.url, WRITERS + 1, { patient: true })
  // A folder for the saved index, so that the next run starts sooner.
  const server = await startLonja(market.url, { LONJA_DATA: 'data/bench/server' }, WEB)
  await untilReady(server.url, '/ready')
  const client = new Client(server.url, market.key, listings)
  console.log(
    `${listings} listings, ${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}; milliseconds\n`,
  )
  await client.searchFor(3)
  console.log(`alone: searches ${describe(await client.searchFor(10))}`)

  const ids = await someIds(pool)
  // Those that are looked for, which nothing else changes.
  const sought = ids.splice(0, Math.min(ids.length / 2, (seconds * 1000) / FIND_EVERY_MS))
  const isOver = { value: false }
  client.refused = 0
  const writing = change(pool, ids, rate, isOver)
  const [searches, found] = await Promise.all([
    client.searchFor(seconds),
    client.findFor(seconds, pool, sought),
  ])
  isOver.value = true
  const reached = Math.round((await writing) / seconds)
  console.log(
    `with ${rate} changes/s asked, ${reached}/s reached: searches ${describe(searches)}, ${client.refused} refused`,
  )
  console.log(`a change is found after ${describe(found)}`)

  const puts = await putFor(10, server.url, market)
  console.log(
    `${WRITERS} clients that PUT: ${Math.round(puts.length / 10)}/s, ${describe(puts)}; memory ${JSON.stringify(await server.memory())} MB`,
  )
  await server.stop()
  await pool.end()
  await market.stop()
}

async function someIds(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query(`select id from listings tablesample system (5) where shown limit 50000`)
  return rows.map(({ id }) => id)
}

/** Changes of the price at that rate, each in a transaction of its own. Resolves to how many. */
async function change(
  pool: pg.Pool,
  ids: string[],
  rate: number,
  isOver: { value: boolean },
): Promise<number> {
  const started = performance.now()
  let begun = 0
  const work = async () => {
    while (!isOver.value) {
      const n = begun++
      await sleep(Math.max(0, started + (n * 1000) / rate - performance.now()))
      await setPrice(pool, ids[n % ids.length] as string, 1_000_000 + n)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, work))
  return begun
}

/** Prepared, as the product writes: planning is a quarter of what such an update takes. */
const setPrice = (pool: pg.Pool, id: string, price: number) =>
  pool.query({
    name: 'set price',
    text: `update listings set sale_price = $2, sale_currency = 'MXN', updated_at = next_stamp(updated_at) where id = $1`,
    values: [id, price],
  })

class Client {
  readonly #connections: Connections
  readonly #pages: number
  #asked = 0
  refused = 0

  constructor(url: string, key: string, listings: number) {
    this.#connections = new Connections(url, key)
    this.#pages = Math.floor((listings * 0.88) / 24)
  }

  /** At a fixed rate, regardless of response times: every shape in turn, each question different. */
  async searchFor(seconds: number): Promise<number[]> {
    const all = shapes(this.#pages)
    const times: Promise<number>[] = []
    for (
      const end = performance.now() + seconds * 1000;
      performance.now() < end;
      await sleep(SEARCH_EVERY_MS)
    ) {
      const n = this.#asked++
      const query = all[n % all.length]?.query(n) ?? ''
      const stamp = new Date(Date.UTC(2000, 0, 1) + n).toISOString()
      const different = query.includes('updated_since') ? query : `${query}&updated_since=${stamp}`
      times.push(this.#time(() => this.#ask(different)))
    }
    return Promise.all(times)
  }

  /** Changes with a price that no other listing has, each looked for until it is found. */
  async findFor(seconds: number, pool: pg.Pool, ids: string[]): Promise<number[]> {
    const times: number[] = []
    const end = performance.now() + seconds * 1000
    for (let n = 0; performance.now() < end; n++) {
      const price = 900_000_000 + n + 0.37
      await setPrice(pool, ids[n % ids.length] as string, price)
      const query = `operation=sale&min_price=${price}&max_price=${price}&limit=1`
      times.push(
        await this.#time(async () => {
          const giveUpAt = performance.now() + GIVE_UP_MS
          while ((await this.#total(query)) === 0) {
            if (performance.now() > giveUpAt) throw new Error(`${ids[n % ids.length]} was never found`)
            await sleep(2)
          }
        }),
      )
      await sleep(FIND_EVERY_MS)
    }
    return times
  }

  async #time(work: () => Promise<unknown>): Promise<number> {
    const started = performance.now()
    await work()
    return performance.now() - started
  }

  async #total(query: string): Promise<number> {
    const body = await this.#ask(query)
    return body ? JSON.parse(body.toString()).pagination.total : 0
  }

  /** What is refused when there is too much to do counts with the time until it was, and is reported. */
  async #ask(query: string): Promise<Buffer | undefined> {
    const { status, body } = await this.#connections.get(`${API}?${query}`)
    if (status === 200) return body
    if (status !== 503) throw new Error(`${query} was answered ${status}`)
    this.refused++
    return undefined
  }
}

/** Each client changes the title of a listing of its own as fast as it gets answers. */
async function putFor(seconds: number, url: string, { key }: Market): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/my/properties?status=published&limit=${WRITERS}`, { headers })
  const { content } = (await answer.json()) as { content: { id: string }[] }
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const work = async ({ id }: { id: string }) => {
    for (let n = 0; performance.now() < end; n++) {
      const started = performance.now()
      const body = JSON.stringify({ title: `Casa con jardín ${n}` })
      const put = await fetch(`${url}${API}/${id}`, { method: 'PUT', headers, body })
      if (!put.ok) throw new Error(`PUT was answered ${put.status}: ${await put.text()}`)
      await put.arrayBuffer()
      times.push(performance.now() - started)
    }
  }
  await Promise.all(content.map(work))
  return times
}

function describe(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1)
  return `p50 ${at(0.5)}, p99 ${at(0.99)} (${times.length})`
}
