import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { slidingWindow } from '../../src/http/rate-limit.ts'

const WINDOW_MS = 600_000
const START = Date.UTC(2026, 0, 31, 18)

/** A limiter and the clock it looks at. */
function limiter(limit: number) {
  const clock = { now: START }
  return { clock, ...slidingWindow(limit, () => clock.now) }
}

describe('the sliding window', () => {
  it('lets exactly the limit through', () => {
    const { take } = limiter(3)
    expect([1, 2, 3, 4, 5].map(() => take('a').allowed)).toEqual([true, true, true, false, false])
  })

  it('counts down what remains, to zero and not below', () => {
    const { take } = limiter(2)
    expect([1, 2, 3].map(() => take('a').headers['x-ratelimit-remaining'])).toEqual(['1', '0', '0'])
  })

  it('keeps callers apart', () => {
    const { take } = limiter(1)
    expect(take('a').allowed).toBe(true)
    expect(take('b').allowed).toBe(true)
    expect(take('a').allowed).toBe(false)
  })

  it('frees a slot when the oldest request is ten minutes old, and only that slot', () => {
    const { take, clock } = limiter(2)
    take('a')
    clock.now += 60_000
    take('a')
    clock.now = START + WINDOW_MS - 1
    expect(take('a').allowed).toBe(false)
    clock.now = START + WINDOW_MS
    expect(take('a').allowed).toBe(true)
    expect(take('a').allowed).toBe(false)
  })

  it('names the moment the oldest request leaves', () => {
    const { take, clock } = limiter(5)
    take('a')
    clock.now += 90_000
    expect(take('a').headers['x-ratelimit-reset']).toBe(String((START + WINDOW_MS) / 1000))
  })

  it('looks without counting', () => {
    const { take, peek } = limiter(1)
    for (let i = 0; i < 3; i++) expect(peek('a').headers['x-ratelimit-remaining']).toBe('1')
    expect(take('a').allowed).toBe(true)
    expect(peek('a').headers['x-ratelimit-remaining']).toBe('0')
  })
})

const arrivals = fc.array(fc.nat(200_000), { minLength: 1, maxLength: 60 })
const limits = fc.integer({ min: 1, max: 6 })

describe('whatever the arrivals', () => {
  it('no ten minutes hold more than the limit, and nobody below it is refused', () => {
    fc.assert(
      fc.property(limits, arrivals, (limit, gaps) => {
        const { take, clock } = limiter(limit)
        const passed: number[] = []
        for (const gap of gaps) {
          clock.now += gap
          const inWindow = passed.filter(time => time > clock.now - WINDOW_MS).length
          const { allowed } = take('a')
          expect(allowed).toBe(inWindow < limit)
          if (allowed) passed.push(clock.now)
        }
      }),
    )
  })

  it('Retry-After is a whole number of seconds after which the request passes, and no second too many', () => {
    fc.assert(
      fc.property(limits, arrivals, (limit, gaps) => {
        const { take, clock } = limiter(limit)
        for (const gap of gaps) {
          clock.now += gap
          const { allowed, retryAfter: seconds } = take('a')
          if (allowed) continue
          expect(Number.isInteger(seconds) && seconds >= 1).toBe(true)
          const refusedAt = clock.now
          if (seconds > 1) {
            clock.now = refusedAt + (seconds - 1) * 1_000 - 1
            expect(take('a').allowed).toBe(false)
          }
          clock.now = refusedAt + seconds * 1_000
          expect(take('a').allowed).toBe(true)
        }
      }),
    )
  })
})

describe('memory', () => {
  afterEach(() => vi.unstubAllGlobals())

  /** A limiter, and every map it makes to remember with. */
  function watchedLimiter(limit: number) {
    const maps: Map<unknown, { value: number[] }>[] = []
    vi.stubGlobal(
      'Map',
      class<K, V> extends Map<K, V> {
        constructor() {
          super()
          maps.push(this as never)
        }
      },
    )
    const remembered = () => maps.flatMap(map => [...map.values()].map(({ value }) => value))
    return { ...limiter(limit), remembered }
  }

  it('of callers who went silent is given back', () => {
    const { take, clock, remembered } = watchedLimiter(5)
    for (let i = 0; i < 1_000; i++) take(`ip:${i}`)
    expect(remembered()).toHaveLength(1_000)
    clock.now += WINDOW_MS
    take('ip:0')
    expect(remembered()).toHaveLength(1)
  })

  it('of one caller is bounded by the limit, however much it hammers and however long it lives', () => {
    const { take, clock, remembered } = watchedLimiter(5)
    for (let i = 0; i < 1_000; i++) {
      clock.now += 50_000
      for (let burst = 0; burst < 10; burst++) take('key:1')
      expect(remembered()[0]?.length).toBeLessThanOrEqual(5)
    }
  })

  it('is not spent on looking', () => {
    const { peek, remembered } = watchedLimiter(5)
    for (let i = 0; i < 100; i++) peek(`ip:${i}`)
    expect(remembered()).toHaveLength(0)
  })
})
