import { hash } from 'node:crypto'
import { networkOf } from '../lib/address.ts'
import { BoundedMap } from '../lib/bounded-map.ts'

/** How many requests one key, or one address without a key, may make in a sliding window. */
export interface RateLimit {
  take(who: string): Allowance
  peek(who: string): Allowance
  /** Requests of the window that ends now. */
  count(who: string): number
  /** Gives the whole budget back. */
  forget(who: string): void
}

export interface Allowance {
  allowed: boolean
  /** Seconds until one request is free again. */
  retryAfter: number
  headers: Record<string, string>
}

export const WINDOW_MINUTES = 10
const WINDOW_MS = WINDOW_MINUTES * 60 * 1000

/** Whom a request without a key counts for. */
export const addressKey = (address: string): string => `ip:${networkOf(address)}`

/** Callers come from outside and their names cost them nothing: memory is bounded by what is kept here. */
export const MAX_CALLERS = 50_000
/** Ten minutes at 5,000 requests a second, more than one process can answer; 8 bytes each. */
const MAX_TIMES = 3_000_000

interface Bounds {
  callers?: number
  times?: number
}

/** Whatever a caller is called, an e-mail address of megabytes included, its name takes 43 characters here. */
const keyOf = (who: string): string => hash('sha256', who, 'base64url')

/**
 * Remembers the time of each request of the window, so that the budget is exact at every moment and
 * Retry-After is the truth. A refused request is not counted: a hammering client recovers by itself.
 * Per process, as documented; one number for each request that still counts. Beyond the bounds, whoever asked least
 * recently is forgotten.
 */
export function slidingWindow(
  limit: number,
  now: () => number = Date.now,
  { callers: maxCallers = MAX_CALLERS, times: maxTimes = MAX_TIMES }: Bounds = {},
): RateLimit {
  const requests = new BoundedMap<string, number[]>({
    entries: maxCallers,
    bytes: maxTimes * 8,
    bytesOf: (_key, times) => times.length * 8,
  })

  const recent = (key: string, at: number): number[] => {
    const times = requests.peek(key) ?? []
    const firstInside = times.findIndex(time => time > at - WINDOW_MS)
    return firstInside === 0 ? times : firstInside === -1 ? [] : times.slice(firstInside)
  }

  const answer = (times: number[], at: number, allowed: boolean): Allowance => {
    const oldest = times[0] ?? at
    return {
      allowed,
      retryAfter: Math.max(1, Math.ceil((oldest + WINDOW_MS - at) / 1000)),
      headers: {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(Math.max(0, limit - times.length)),
        'x-ratelimit-reset': String(Math.ceil((oldest + WINDOW_MS) / 1000)),
      },
    }
  }

  let sweepAt = now() + WINDOW_MS
  const forgetTheIdle = (at: number) => {
    if (at < sweepAt) return
    sweepAt = at + WINDOW_MS
    for (const [key, times] of requests.entries()) {
      if ((times.at(-1) ?? 0) <= at - WINDOW_MS) requests.delete(key)
    }
  }

  return {
    take(who) {
      const at = now()
      const key = keyOf(who)
      forgetTheIdle(at)
      const times = recent(key, at)
      const allowed = times.length < limit
      if (allowed) times.push(at)
      requests.set(key, times)
      return answer(times, at, allowed)
    },
    peek(who) {
      const at = now()
      return answer(recent(keyOf(who), at), at, true)
    },
    count: who => recent(keyOf(who), now()).length,
    forget: who => requests.delete(keyOf(who)),
  }
}

/** Counts by address, or of IPv6 by network. */
export const perAddress = (limit: RateLimit): Pick<RateLimit, 'take'> => ({
  take: address => limit.take(addressKey(address)),
})
