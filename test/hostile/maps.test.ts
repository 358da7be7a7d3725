import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { MAX_CALLERS, slidingWindow } from '../../src/http/rate-limit.ts'
import { LiveKeys } from '../../src/keys/service.ts'
import { BoundedMap } from '../../src/lib/bounded-map.ts'
import { Answers } from '../../src/search/engine/answers.ts'
import type { Engine } from '../../src/search/engine/engine.ts'
import { RecordCache } from '../../src/search/records.ts'
import { wordGroups } from '../../src/search/text/words.ts'
import { trust } from '../../src/webhooks/sender/network.ts'
import { useExchange } from '../support/exchange.ts'
import { heapMegabytes } from '../support/heap.ts'
import { listen } from '../support/socket.ts'
import { urlencoded, Visitor } from '../support/visitor.ts'

/** Everything strangers can fill is filled to ten times its bound here. SECURITY.md lists the same maps. */
const TIMES = 10
const isThorough = process.env.THOROUGH === '1'

const exchange = useExchange()

describe('a bounded map', () => {
  it('keeps its maximum of entries, the most recently used', () => {
    const map = new BoundedMap<number, number>({ entries: 100 })
    map.set(-1, 0)
    for (let i = 0; i < 100 * TIMES; i++) {
      map.set(i, i)
      expect(map.get(-1)).toBe(0)
      expect(map.size).toBeLessThanOrEqual(100)
    }
    expect([...map.entries()].map(([key]) => key)).toEqual([...Array(99).keys()].map(i => 901 + i).concat(-1))
  })

  it('keeps its maximum of bytes, even when entries are replaced, and rejects a larger entry', () => {
    const map = new BoundedMap<number, string>({
      entries: 1_000,
      bytes: 1_000,
      bytesOf: (_key, value) => value.length,
    })
    for (let i = 0; i < 100 * TIMES; i++) {
      map.set(i % 37, 'x'.repeat(i % 120))
      const held = [...map.entries()].reduce((sum, [, value]) => sum + value.length, 0)
      expect(map.bytes).toBe(held)
      expect(held).toBeLessThanOrEqual(1_000)
    }
    map.set(1, 'x'.repeat(1_001))
    expect(map.has(1)).toBe(false)
    map.clear()
    expect([map.size, map.bytes]).toEqual([0, 0])
  })
})

describe('the memory of a rate limit', () => {
  afterEach(() => vi.unstubAllGlobals())

  function watched(limit: number, bounds?: { callers?: number; times?: number }) {
    const maps: Map<string, { value: number[] }>[] = []
    vi.stubGlobal(
      'Map',
      class<K, V> extends Map<K, V> {
        constructor() {
          super()
          maps.push(this as never)
        }
      },
    )
    const window = slidingWindow(limit, undefined, bounds)
    vi.unstubAllGlobals()
    return { window, kept: maps[0] as Map<string, { value: number[] }> }
  }

  it('is bounded by the number of callers, and keeps counting the most recent', () => {
    const callers = isThorough ? MAX_CALLERS : 2_000
    const { window, kept } = watched(3, { callers })
    for (let i = 0; i < callers * TIMES; i++) {
      window.take(`stranger ${i}`)
      if (i % 1_000 === 0) window.take('regular')
    }
    expect(kept.size).toBe(callers)
    expect(window.take('regular').allowed).toBe(false)
    expect(window.count('stranger 0')).toBe(0)
  })

  it('is bounded by the number of requests', () => {
    const { window, kept } = watched(1_000, { times: 5_000 })
    for (let i = 0; i < 5_000 * TIMES; i++) window.take(`stranger ${Math.floor(i / 900)}`)
    const held = [...kept.values()].reduce((sum, { value }) => sum + value.length, 0)
    expect(held).toBeLessThanOrEqual(5_000)
    expect(held).toBeGreaterThan(3_000)
  })

  it('does not grow with the length of a caller’s name', () => {
    const { window, kept } = watched(3)
    const name = randomBytes(1_000_000).toString('base64')
    for (const ending of ['a', 'b', 'a']) window.take(name + ending)
    expect(Math.max(...[...kept.keys()].map(key => key.length))).toBe(43)
    expect([window.count(`${name}a`), window.count(`${name}b`), window.count(name)]).toEqual([2, 1, 0])
  })

  it('forgets one caller on request, and counts the others correctly', () => {
    const { window, kept } = watched(2, { times: 4 })
    for (const who of ['a', 'a', 'b']) window.take(who)
    window.forget('a')
    expect([window.count('a'), window.count('b')]).toEqual([0, 1])
    for (const who of ['c', 'c', 'd']) window.take(who)
    expect(kept.size).toBe(3)
  })
})

describe('the memory of search', () => {
  const answer = { body: Buffer.from('{"content":[]}'), total: 0, cursor: undefined }

  it('for whole answers is bounded by bytes, queries included', () => {
    const answers = new Answers()
    const engine = { revision: 1 } as Engine
    const askTwice = (question: string) => {
      for (let i = 0; i < 2; i++) answers.set(engine, 1, question, answer)
    }
    const long = 'x'.repeat(8_000)
    for (let i = 0; i < 500 * TIMES; i++) askTwice(`${long}${i}`)
    expect(answers.bytes).toBeLessThanOrEqual(8 * 2 ** 20)
    expect(answers.get(engine, `${long}${500 * TIMES - 1}`)).toBe(answer)
    for (let i = 0; i < 10_000 * TIMES; i++) askTwice(String(i))
    expect(answers.size).toBeLessThanOrEqual(10_000)
  })

  it('keeps no answer to a question asked once unless told to, and keeps one asked again, even after a change', () => {
    const answers = new Answers()
    for (let i = 0; i < 1_000 * TIMES; i++)
      answers.set({ revision: 1 }, 1, `${'x'.repeat(8_000)}${i}`, answer)
    expect([answers.size, answers.bytes]).toEqual([0, 0])
    const changed = { revision: 2 }
    answers.set(changed, 2, 'popular', answer)
    expect(answers.get(changed, 'popular')).toBeUndefined()
    changed.revision = 3
    answers.set(changed, 3, 'popular', answer)
    expect(answers.get(changed, 'popular')).toBe(answer)
    const costly = new Answers({ keepsFirst: true })
    costly.set(changed, 3, 'popular', answer)
    expect(costly.get(changed, 'popular')).toBe(answer)
  })

  it('for records is bounded by bytes', () => {
    const cache = new RecordCache(2 ** 20)
    for (let slot = 0; slot < 1_000 * TIMES; slot++) {
      cache.set({ slot, xid: 1, isOwn: false }, Buffer.allocUnsafeSlow(1_000))
    }
    expect(cache.bytes).toBeLessThanOrEqual(2 ** 20)
    const found = Array.from({ length: 1_000 * TIMES }, (_, slot) =>
      cache.get({ slot, xid: 1, isOwn: false }),
    )
    expect(found.filter(Boolean).length).toBe(Math.floor(2 ** 20 / 1_000))
  })

  it('for words is bounded by their number', async () => {
    const known = new BoundedMap<string, string[]>({ entries: 50 })
    for (let i = 0; i < TIMES; i++) {
      const words = Array.from({ length: 50 }, (_, j) => `palabra${i}x${j}`).join(' ')
      await wordGroups(exchange.db, words, known)
      expect(known.size).toBe(50)
    }
  })
})

it('active keys are cached up to their bound', async () => {
  const { email } = await exchange.agent()
  const keys = new LiveKeys(exchange.db, 3)
  for (let i = 0; i < 3 * TIMES; i++) {
    const key = await exchange.key(email)
    expect(await keys.find(key.slice(4, 12))).toBeDefined()
    expect(keys.size).toBeLessThanOrEqual(3)
  }
})

it('TLS sessions are bounded by number and by bytes, whatever length a receiver gives them', () => {
  const { sessions } = trust()
  for (let i = 0; i < 1_000 * TIMES; i++) sessions.set(`${i}.example`, { session: Buffer.alloc(200), at: 0 })
  expect(sessions.size).toBe(1_000)
  for (let i = 0; i < 200 * TIMES; i++) {
    sessions.set(`${i}.example`, { session: Buffer.alloc(60_000), at: 0 })
    expect(sessions.bytes).toBeLessThanOrEqual(8 * 2 ** 20)
  }
})

describe('a stranger at the portal’s public forms', () => {
  let stranger: Visitor
  let token: string
  beforeAll(async () => {
    stranger = await new Visitor(exchange).open('/portal/sign-in')
    token = stranger.token
  })
  const send = (path: string, email: string) => {
    const fields: [string, string][] = [
      ['_token', token],
      ['email', email],
      ['password', 'not the password'],
    ]
    return stranger.request('POST', path, urlencoded(fields))
  }

  it.each(['sign-in', 'forgotten', 'sign-up', 'confirm', 'reset', 'preferences'])(
    'gets 413 for a form of 20 KB at /portal/%s',
    async page => {
      expect((await send(`/portal/${page}`, 'x'.repeat(20_000))).status).toBe(413)
    },
  )

  it('leaves nothing in memory with long email addresses, rejected or accepted', async () => {
    // Over real connections: injected requests stay in memory until their deadlines.
    const base = `http://127.0.0.1:${await listen(exchange)}`
    const headers = {
      cookie: [...stranger.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: base,
      'sec-fetch-site': 'same-origin',
    }
    const post = async (path: string, email: string) => {
      const body = new URLSearchParams({ _token: token, email, password: 'not the password' })
      const answer = await fetch(base + path, { method: 'POST', redirect: 'manual', headers, body })
      await answer.text()
      return answer.status
    }
    // Warms up everything that is compiled or cached once.
    for (let i = 0; i < 20; i++) await post(i % 2 ? '/portal/forgotten' : '/portal/sign-in', 'x')
    const before = await heapMegabytes()
    const statuses = new Set<number>()
    for (let i = 0; i < 300; i++) {
      statuses.add(await post(i % 2 ? '/portal/forgotten' : '/portal/sign-in', `${i}${'x'.repeat(15_000)}`))
    }
    expect([...statuses].sort()).toEqual([303, 422, 429])
    // All of them together would be at least 4.5 MB.
    expect((await heapMegabytes()) - before).toBeLessThan(2)
  })

  it('is stopped by the limit of the address before any account is looked up', async () => {
    stranger.address = '10.98.1.1'
    for (let i = 0; i < 50; i++) await send('/portal/sign-in', 'x'.repeat(300))
    expect((await send('/portal/sign-in', 'x'.repeat(300))).status).toBe(429)
    expect((await send('/portal/sign-in', 'nobody@example.mx')).status).toBe(429)
  })
})
