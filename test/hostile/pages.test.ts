import { get, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openExchange, type TestAgent, useExchange } from '../support/exchange.ts'
import { listen } from '../support/socket.ts'

interface Page {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Over a separate connection, from any loopback address. */
const ask = (port: number, path: string, localAddress: string, key?: string) =>
  new Promise<Page>((resolve, reject) => {
    const headers = key ? { authorization: `Bearer ${key}` } : {}
    const options = { port, path, host: '127.0.0.1', localAddress, headers, agent: false }
    get(options, async answer => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
    }).on('error', reject)
  })

const SITEMAP = '/sitemaps/propiedades-1.xml'

describe('while pages cannot be rendered', () => {
  let opened: Awaited<ReturnType<typeof openExchange>>
  let port: number
  let agent: TestAgent
  beforeAll(async () => {
    opened = await openExchange()
    agent = await opened.exchange.agent()
    await opened.exchange.published(agent)
    await opened.exchange.search.refresh()
    port = await listen(opened.exchange)
    return () => opened.close()
  })

  /** Blocks every read of listings from the database until the returned function is called. */
  async function blockListings(): Promise<() => Promise<void>> {
    const client = await opened.exchange.pool.connect()
    await client.query('begin')
    await client.query('lock table listings in access exclusive mode')
    return async () => {
      await client.query('rollback')
      client.release()
    }
  }

  /** Only sitemaps: the query of the search index, which follows the database meanwhile, is blocked too. */
  const blockedSitemaps = async () => {
    const { rows } = await opened.exchange.pool.query(`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%select l.slug, l.updated_at%'`)
    return rows[0].n as number
  }

  it('the queue is bounded per address and in total, the API still answers, and every queued page is served in the end', async () => {
    // Search answers repeated queries from memory.
    await ask(port, '/api/v1/properties', '127.0.0.2', agent.key)
    const release = await blockListings()
    const waiting: Promise<Page>[] = []
    /** Sends that many at once; resolves to the responses that arrive while nothing can be rendered. */
    const crowd = async (address: string, requests: number, refused: number): Promise<Page[]> => {
      const early: Page[] = []
      for (let i = 0; i < requests; i++) {
        const page = ask(port, SITEMAP, address)
        waiting.push(page)
        page.then(answer => early.push(answer))
      }
      await vi.waitFor(() => expect(early.length).toBe(refused), { timeout: 4_000 })
      return early
    }
    const api = async (address: string) => {
      const answer = await ask(port, '/api/v1/properties', address, agent.key)
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.text).pagination.total).toBe(1)
    }
    try {
      // Two are being rendered and forty wait.
      for (const answer of await crowd('127.0.0.2', 45, 3)) {
        expect(answer.status).toBe(503)
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      // The other two slots are free for others.
      expect((await ask(port, '/robots.txt', '127.0.0.3')).status).toBe(200)
      await api('127.0.0.2')

      // All four slots are taken, 200 wait.
      await crowd('127.0.0.3', 43, 1)
      for (const address of ['127.0.0.4', '127.0.0.5', '127.0.0.6']) await crowd(address, 41, 1)
      const late = await ask(port, '/robots.txt', '127.0.0.7')
      expect(late.status).toBe(503)
      expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
      await api('127.0.0.7')
      await sleep(50)
      expect(await blockedSitemaps(), 'one sitemap is drawn once').toBe(1)
    } finally {
      await release()
    }
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(204)
    expect(statuses.filter(status => status === 503)).toHaveLength(7)
    expect((await ask(port, '/robots.txt', '127.0.0.2')).status).toBe(200)
  })

  it('clients that disconnect free their slots', async () => {
    const release = await blockListings()
    try {
      const gone = Array.from({ length: 42 }, () => {
        const request = get({
          port,
          path: '/sitemaps/propiedades-1-de-2.xml',
          localAddress: '127.0.0.8',
          agent: false,
        })
        request.on('error', () => {})
        return request
      })
      await vi.waitFor(async () => expect((await ask(port, SITEMAP, '127.0.0.8')).status).toBe(503), {
        timeout: 4_000,
      })
      for (const request of gone) request.destroy()
      await vi.waitFor(async () => expect((await ask(port, '/robots.txt', '127.0.0.8')).status).toBe(200), {
        timeout: 4_000,
      })
    } finally {
      await release()
    }
  })

  it.each(['/sitemap.xml', '/sitemaps/lugares.xml', SITEMAP, '/mapa.svg', '/mapa.json'])(
    '%s is served from memory',
    async path => {
      const before = await ask(port, path, '127.0.0.9')
      const release = await blockListings()
      try {
        const answers = await Promise.all(Array.from({ length: 20 }, () => ask(port, path, '127.0.0.9')))
        for (const { status, text } of answers) expect([status, text]).toEqual([200, before.text])
      } finally {
        await release()
      }
    },
  )
})

describe('the map of the market', () => {
  const exchange = useExchange()
  let agent: TestAgent
  beforeAll(async () => {
    agent = await exchange.agent()
    await exchange.published(agent)
    await exchange.search.refresh()
  })
  afterEach(() => vi.restoreAllMocks())

  const open = async (path: string) => {
    const answer = await exchange.app.inject(path)
    expect(answer.statusCode, path).toBe(200)
    return answer.body
  }

  it.each(['/mapa.svg', '/mapa.json'])(
    '%s is computed once for everyone, until something changes',
    async path => {
      const worked = vi.spyOn(exchange.search, 'map')
      const all = await Promise.all(
        Array.from({ length: 30 }, (_, i) => open(`${path}?page=${1 + (i % 3)}&sort=price_asc`)),
      )
      expect(new Set(all).size).toBe(1)
      expect(worked).toHaveBeenCalledTimes(1)

      const { id } = await exchange.published(agent, {
        lat: 20.9674,
        lng: -89.5926,
        city: 'Mérida',
        state: 'Yucatán',
      })
      await exchange.search.refresh()
      expect(await open(path)).not.toBe(all[0])
      await exchange.post(`/properties/${id}/unpublish`, agent.key)
      await exchange.search.refresh()
      expect(await open(path)).toBe(all[0])
      expect(worked).toHaveBeenCalledTimes(3)
    },
  )

  it('is cached for the most recent filters only, however many strangers request', async () => {
    const worked = vi.spyOn(exchange.search, 'map')
    for (let price = 1; price <= 500; price++) await open(`/mapa.svg?min_price=${price}`)
    expect(worked).toHaveBeenCalledTimes(500)
    await open('/mapa.svg?min_price=500')
    expect(worked).toHaveBeenCalledTimes(500)
    await open('/mapa.svg?min_price=450')
    expect(worked).toHaveBeenCalledTimes(501)
  })
})
