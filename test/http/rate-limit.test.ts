import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { slidingWindow } from '../../src/http/rate-limit.ts'

const WINDOW_MS = 600_000
const START = Date.UTC(2026, 0, 31, 18)

/** A limiter with a clock to set. */
function limiter(limit: number) {
  const clock = { now: START }
  return { clock, ...slidingWindow(limit, () => clock.now) }
}

describe('the sliding window', () => {
  it('allows exactly the limit', () => {
    const { take } = limiter(3)
    expect([1, 2, 3, 4, 5].map(() => take('a').allowed)).toEqual([true, true, true, false, false])
  })

  it('counts down to zero and not below', () => {
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

  it('reports when the oldest request leaves the window', () => {
    const { take, clock } = limiter(5)
    take('a')
    clock.now += 90_000
    expect(take('a').headers['x-ratelimit-reset']).toBe(String((START + WINDOW_MS) / 1000))
  })

  it('peeks without counting', () => {
    const { take, peek } = limiter(1)
    for (let i = 0; i < 3; i++) expect(peek('a').headers['x-ratelimit-remaining']).toBe('1')
    expect(take('a').allowed).toBe(true)
    expect(peek('a').headers['x-ratelimit-remaining']).toBe('0')
  })
})

const arrivals = fc.array(fc.nat(200_000), { minLength: 1, maxLength: 60 })
const limits = fc.integer({ min: 1, max: 6 })

describe('for any arrival times', () => {
  it('no ten minutes exceed the limit, and no caller below it is rejected', () => {
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

  it('Retry-After is the exact number of whole seconds until the next request is allowed', () => {
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

  /** A limiter, and every map it creates. */
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

  it('for inactive callers is released', () => {
    const { take, clock, remembered } = watchedLimiter(5)
    for (let i = 0; i < 1_000; i++) take(`ip:${i}`)
    expect(remembered()).toHaveLength(1_000)
    clock.now += WINDOW_MS
    take('ip:0')
    expect(remembered()).toHaveLength(1)
  })

  it('for one caller is bounded by the limit, whatever its rate and duration', () => {
    const { take, clock, remembered } = watchedLimiter(5)
    for (let i = 0; i < 1_000; i++) {
      clock.now += 50_000
      for (let burst = 0; burst < 10; burst++) take('key:1')
      expect(remembered()[0]?.length).toBeLessThanOrEqual(5)
    }
  })

  it('is not used by peeking', () => {
    const { peek, remembered } = watchedLimiter(5)
    for (let i = 0; i < 100; i++) peek(`ip:${i}`)
    expect(remembered()).toHaveLength(0)
  })
})
