import { networkOf } from '../lib/address.ts'

/** How many requests one key, or one address without a key, may make in a sliding window. */
export interface RateLimit {
  take(who: string): Allowance
  peek(who: string): Allowance
  /** Requests of the window that ends now. */
  count(who: string): number
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

/**
 * Remembers the time of each request of the window, so that the budget is exact at every moment and
 * Retry-After is the truth. A refused request is not counted: a hammering client recovers by itself.
 * Per process, as documented; one number for each request that still counts.
 */
export function slidingWindow(limit: number, now: () => number = Date.now): RateLimit {
  const requests = new Map<string, number[]>()

  const recent = (who: string, at: number): number[] => {
    const times = requests.get(who) ?? []
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
    for (const [who, times] of requests) if ((times.at(-1) ?? 0) <= at - WINDOW_MS) requests.delete(who)
  }

  return {
    take(who) {
      const at = now()
      forgetTheIdle(at)
      const times = recent(who, at)
      const allowed = times.length < limit
      if (allowed) times.push(at)
      requests.set(who, times)
      return answer(times, at, allowed)
    },
    peek(who) {
      const at = now()
      return answer(recent(who, at), at, true)
    },
    count: who => recent(who, now()).length,
  }
}

/** Counts by address, or of IPv6 by network. */
export const perAddress = (limit: RateLimit): Pick<RateLimit, 'take'> => ({
  take: address => limit.take(addressKey(address)),
})
