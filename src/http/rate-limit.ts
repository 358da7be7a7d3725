import { hash } from 'node:crypto'
import { networkOf } from '../lib/address.ts'
import { BoundedMap } from '../lib/bounded-map.ts'

/** Limits requests per key, or per address without a key, in a sliding window. */
export interface RateLimit {
  take(who: string): Allowance
  peek(who: string): Allowance
  /** Requests in the window that ends now. */
  count(who: string): number
  /** Resets the budget. */
  forget(who: string): void
}

export interface Allowance {
  allowed: boolean
  /** Seconds until the next request is allowed. */
  retryAfter: number
  headers: Record<string, string>
}

export const WINDOW_MINUTES = 10
const WINDOW_MS = WINDOW_MINUTES * 60 * 1000

/** Like `Date.now()`, but it never jumps when the machine's clock is set. */
export const steadyNow = (): number => performance.timeOrigin + performance.now()

/** The counter of a request without a key. */
export const addressKey = (address: string): string => `ip:${networkOf(address)}`

/** Callers are strangers and new names cost them nothing, so these limits bound memory. */
export const MAX_CALLERS = 50_000
/** Ten minutes at 5,000 requests per second, more than one process can answer; 8 bytes each. */
const MAX_TIMES = 3_000_000

interface Bounds {
  callers?: number
  times?: number
}

/** A hash of 43 characters, so that even a name of megabytes takes no more. */
const keyOf = (who: string): string => hash('sha256', who, 'base64url')

/**
 * Stores the time of each request in the window, so the budget and Retry-After are exact. Rejected requests are not
 * counted, so a client that keeps retrying recovers. Counts per process, as documented. Beyond the memory bounds, the
 * least recent callers are dropped.
 */
export function slidingWindow(
  /** A function for a limit that changes while it counts. */
  limit: number | (() => number),
  now: () => number = steadyNow,
  { callers: maxCallers = MAX_CALLERS, times: maxTimes = MAX_TIMES }: Bounds = {},
): RateLimit {
  const requests = new BoundedMap<string, number[]>({
    entries: maxCallers,
    bytes: maxTimes * 8,
    bytesOf: (_key, times) => times.length * 8,
  })

  const limitNow = typeof limit === 'number' ? () => limit : limit

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
        'x-ratelimit-limit': String(limitNow()),
        'x-ratelimit-remaining': String(Math.max(0, limitNow() - times.length)),
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
      const allowed = times.length < limitNow()
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

/** Counts by address, or by network for IPv6. */
export const perAddress = (limit: RateLimit): Pick<RateLimit, 'take'> => ({
  take: address => limit.take(addressKey(address)),
})
