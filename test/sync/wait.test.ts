import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { revokeKey } from '../../src/keys/service.ts'
import { type Answer, openExchange, type TestAgent, useExchange } from '../support/exchange.ts'
import { Follower } from '../support/follower.ts'

const exchange = useExchange()
let owner: TestAgent
beforeAll(async () => {
  owner = await exchange.agent()
})

async function follow(agent: TestAgent): Promise<Follower> {
  const follower = new Follower(path => exchange.get(path, agent.key))
  await follower.follow()
  return follower
}
async function timed<T>(work: Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = performance.now()
  const result = await work
  return { result, seconds: (performance.now() - started) / 1000 }
}
/** Long enough for a request to have come to where it waits. */
const settle = () => sleep(300)

describe('wait', () => {
  it('answers as soon as there is something, whoever wrote it', async () => {
    const follower = await follow(await exchange.agent())
    const asked = timed(follower.page({ wait: 30 }))
    await settle()
    const { id } = await exchange.published(owner)
    const { result, seconds } = await asked
    expect(result.content.map(change => change.id)).toContain(id)
    expect(seconds).toBeLessThan(5)

    const again = timed(follower.page({ wait: 30 }))
    await settle()
    await exchange.pool.query(`update listings set status = 'sold' where id = $1`, [id])
    expect((await again).result.content).toMatchObject([{ op: 'remove', id }])
  })

  it('answers at once if something is new already, and empty after the time if nothing is', async () => {
    const follower = await follow(await exchange.agent())
    await exchange.published(owner)
    const first = await timed(follower.page({ wait: 30 }))
    expect(first.result.content).toHaveLength(1)
    expect(first.seconds).toBeLessThan(3)
    const second = await timed(follower.page({ wait: 0.8 }))
    expect(second.result).toMatchObject({ content: [], more: false })
    expect(second.seconds).toBeGreaterThanOrEqual(0.8)
  })

  it('answers what became new while it read what there was, as search by SQL may', async () => {
    const draft = await exchange.listing(owner)
    const follower = await follow(await exchange.agent())
    const { search } = exchange
    const changes = search.changes.bind(search)
    const reading = vi.spyOn(search, 'changes')
    onTestFinished(() => reading.mockRestore())
    let id = ''
    // So that it has to read, and finds nothing.
    await exchange.put(`/properties/${draft.id}`, owner.key, { bedrooms: 3 })
    reading.mockImplementationOnce(async (...question) => {
      const found = await changes(...question)
      id = (await exchange.published(owner)).id
      return found
    })
    const { result, seconds } = await timed(follower.page({ wait: 30 }))
    expect(result.content).toMatchObject([{ op: 'put', id }])
    expect(seconds).toBeLessThan(10)
  })

  it('reads once for all requests that wait for the same, and shares nothing between agents', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    const { cursor } = await follow(agent)
    const ask = (query = '') => exchange.get(`/changes?wait=30&cursor=${cursor}${query}`, agent.key)
    const stranger = await follow(other)
    const reading = vi.spyOn(exchange.search, 'changes')
    onTestFinished(() => reading.mockRestore())
    const asked = [ask(), ask(), ask(), ask('&limit=1')]
    const askedByOther = stranger.page({ wait: 30 })
    await settle()
    reading.mockClear()
    // In one transaction.
    await exchange.pool.query(
      `update listings set bedrooms = 7 where status = 'published' and agent_id = $1`,
      [owner.id],
    )
    const [first, second, third, short] = await Promise.all(asked)
    expect(first?.status).toBe(200)
    expect(first?.body.content.length).toBeGreaterThan(1)
    expect([second?.body, third?.body]).toEqual([first?.body, first?.body])
    expect(short?.body.content).toEqual(first?.body.content.slice(0, 1))
    const { content, cursor: theirs } = await askedByOther
    expect(content).toEqual(first?.body.content)
    expect(theirs).not.toBe(first?.body.cursor)
    expect(reading).toHaveBeenCalledTimes(3)
    expect((await exchange.get(`/changes?cursor=${first?.body.cursor}`, other.key)).status).toBe(410)
  })

  it('reads what is none of the caller’s business once, however long it waits', async () => {
    const draft = await exchange.listing(owner)
    const follower = await follow(await exchange.agent())
    const reading = vi.spyOn(exchange.search, 'changes')
    onTestFinished(() => reading.mockRestore())
    const asked = follower.page({ wait: 3 })
    await settle()
    for (const bedrooms of [1, 2, 3]) {
      await exchange.put(`/properties/${draft.id}`, owner.key, { bedrooms })
      await settle()
    }
    await asked
    const sinceOf = (call: number) => {
      const [, excerptsAt] = reading.mock.calls.at(call) ?? []
      const { position } = exchange.search
      return position && excerptsAt?.(position)[0]?.stretch.since?.next
    }
    expect(reading.mock.calls.length).toBeGreaterThan(1)
    expect(sinceOf(-1)).toBeGreaterThan(sinceOf(0) ?? Number.NaN)
  })

  it('sleeps on when what changed is none of the caller’s business', async () => {
    const draft = await exchange.listing(owner)
    const follower = await follow(await exchange.agent())
    const asked = timed(follower.page({ wait: 1.5 }))
    await settle()
    await exchange.put(`/properties/${draft.id}`, owner.key, { bedrooms: 3 })
    const { result, seconds } = await asked
    expect(result.content).toEqual([])
    expect(seconds).toBeGreaterThanOrEqual(1.5)
  })

  it('costs one request of the budget, and no connection to the database while it waits', async () => {
    const agents = [await exchange.agent(), await exchange.agent()]
    const followers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => follow(agents[i % 2] as TestAgent)),
    )
    const asked = followers.map(follower => follower.ask({ cursor: follower.cursor, wait: 20 }))
    await sleep(1500)
    const { totalCount, idleCount, waitingCount } = exchange.pool
    expect([totalCount - idleCount, waitingCount]).toEqual([0, 0])
    expect((await exchange.get('/me', owner.key)).status).toBe(200)
    const { id } = await exchange.published(owner)
    const answers = await Promise.all(asked)
    expect(answers.map(({ body }: Answer) => body.content[0]?.id)).toEqual(answers.map(() => id))
    const left = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b)
    expect((left.at(-1) as number) - (left[0] as number)).toBe(24)
  })

  it('is given to 32 of an agent at a time; a further one is answered at once', async () => {
    const agent = await exchange.agent()
    const { cursor } = await follow(agent)
    const other = await follow(await exchange.agent())
    const path = `/changes?wait=3&cursor=${cursor}`
    const waiting = Array.from({ length: 32 }, () => exchange.get(path, agent.key))
    await settle()
    expect((await timed(exchange.get(path, agent.key))).seconds).toBeLessThan(2)
    expect((await timed(other.page({ wait: 0.9 }))).seconds).toBeGreaterThanOrEqual(0.9)
    await Promise.all(waiting)
    expect(
      (await timed(exchange.get(`/changes?wait=0.9&cursor=${cursor}`, agent.key))).seconds,
    ).toBeGreaterThanOrEqual(0.9)
  })

  it('ends when the client goes away: its seat is free again', async () => {
    const agent = await exchange.agent()
    const { cursor } = await follow(agent)
    if (!exchange.app.server.listening) await exchange.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = exchange.app.server.address() as AddressInfo
    const gone = new AbortController()
    const waiting = Array.from({ length: 32 }, () =>
      fetch(`http://127.0.0.1:${port}/api/v1/changes?wait=30&cursor=${cursor}`, {
        headers: { authorization: `Bearer ${agent.key}` },
        signal: gone.signal,
      }).catch(() => undefined),
    )
    await sleep(1000)
    gone.abort()
    await Promise.all(waiting)
    await settle()
    const { seconds } = await timed(exchange.get(`/changes?wait=0.9&cursor=${cursor}`, agent.key))
    expect(seconds).toBeGreaterThanOrEqual(0.9)
  })

  it('gives nothing to a key that was revoked meanwhile', async () => {
    const agent = await exchange.agent()
    const { cursor } = await follow(agent)
    const key = await exchange.key(agent.email, 'read')
    const asked = exchange.get(`/changes?wait=30&cursor=${cursor}`, key)
    await sleep(800)
    await revokeKey(exchange.db, key.slice(4, 12))
    await exchange.published(owner)
    expect((await asked).status).toBe(401)
  })

  it('ends with an answer when the server closes', async () => {
    const { exchange: closing, close } = await openExchange()
    const agent = await closing.agent()
    const { cursor } = (await closing.get('/changes', agent.key)).body
    await closing.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = closing.app.server.address() as AddressInfo
    const asked = fetch(`http://127.0.0.1:${port}/api/v1/changes?wait=30&cursor=${cursor}`, {
      headers: { authorization: `Bearer ${agent.key}` },
    })
    await sleep(1000)
    const closed = await timed(close())
    const answer = await asked
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    expect(await answer.json()).toMatchObject({ content: [], more: false })
    expect(closed.seconds).toBeLessThan(8)
  })
})
