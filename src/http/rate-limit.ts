import { hash } from 'node:crypto'
import { networkOf } from '../lib/address.ts'
import { BoundedMap } from '../lib/bounded-map.ts'

/** Limits requests per key, or per address without a key, in a sliding window. */
export interface RateLimit {
  /** Waits only where the other processes have to be asked (src/limits). */
  take(who: string): Allowance | Promise<Allowance>
  /** By what is known in this process, for answers that cannot wait. */
  takeNow(who: string): Allowance
  peek(who: string): Allowance
  /** Requests in the window that ends now. */
  count(who: string): number | Promise<number>
  /** Resets the budget. */
  forget(who: string): void | Promise<void>
}

/** A function for a limit that changes while it counts. */
export type Limit = number | (() => number)

/** Opens the limit of that name: one name, one budget, in all processes that share their limits. */
export type OpenLimit = (name: string, limit: Limit) => RateLimit

/** Takes by address. */
export type AddressLimit = Pick<RateLimit, 'take'>

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

/** Of a hash: even a name of megabytes takes no more. Names have a colon, hashes do not. */
const MAX_KEY = 43
export const keyOf = (who: string): string =>
  who.length <= MAX_KEY && who.includes(':') ? who : hash('sha256', who, 'base64url')

/** Requests that are counted until the same moment. */
interface Slot {
  until: number
  count: number
}

/** A limit in the memory of this process, and what it knows of the requests that all processes counted together. */
export interface Window extends RateLimit {
  take(who: string): Allowance
  count(who: string): number
  forget(who: string): void
  limit(): number
  /** The times of requests that only this process counts, whether the limit is reached, and when that was learned. */
  look(key: string): { own: readonly number[]; isFull: boolean; learnedAt: number }
  /** What all processes counted, the requests at the times `sent` included. */
  learn(key: string, sent: readonly number[], slots: readonly Slot[]): void
  /** Callers whose requests only this process counts. */
  ownKeys(): Iterable<string>
}

/** What all processes counted together, as this one last read it. */
class SharedCounts {
  readonly #known: BoundedMap<string, { learnedAt: number; slots: readonly Slot[] }>

  constructor(entries: number, bytes: number) {
    this.#known = new BoundedMap({ entries, bytes, bytesOf: (_key, { slots }) => slots.length * 32 })
  }

  /** How many are in the window, when the first of them leaves it, and when that was learned. */
  look(key: string, at: number): { count: number; until: number; learnedAt: number } {
    const { learnedAt = -Infinity, slots = [] } = this.#known.peek(key) ?? {}
    const inside = slots.filter(({ until }) => until > at)
    const count = inside.reduce((sum, slot) => sum + slot.count, 0)
    return { count, until: inside[0]?.until ?? Infinity, learnedAt }
  }

  learn(key: string, slots: readonly Slot[], learnedAt: number): void {
    this.#known.set(key, { learnedAt, slots })
  }

  forget(key: string): void {
    this.#known.delete(key)
  }

  forgetTheIdle(at: number): void {
    for (const [key, { slots }] of this.#known.entries()) {
      if ((slots.at(-1)?.until ?? 0) <= at) this.#known.delete(key)
    }
  }
}

/**
 * Stores the time of each request in the window, so the budget and Retry-After are exact. Rejected requests are not
 * counted, so a client that keeps retrying recovers. Beyond the memory bounds, the least recent callers are dropped.
 */
export function slidingWindow(
  limit: Limit,
  now: () => number = steadyNow,
  { callers: maxCallers = MAX_CALLERS, times: maxTimes = MAX_TIMES }: Bounds = {},
): Window {
  const requests = new BoundedMap<string, number[]>({
    entries: maxCallers,
    bytes: maxTimes * 8,
    bytesOf: (_key, times) => times.length * 8,
  })
  const shared = new SharedCounts(maxCallers, maxTimes * 8)
  const limitNow = typeof limit === 'number' ? () => limit : limit

  const recent = (key: string, at: number): number[] => {
    const times = requests.peek(key) ?? []
    const firstInside = times.findIndex(time => time > at - WINDOW_MS)
    return firstInside === 0 ? times : firstInside === -1 ? [] : times.slice(firstInside)
  }
  const countAt = (key: string, at: number) => recent(key, at).length + shared.look(key, at).count

  const answer = (key: string, at: number, allowed: boolean): Allowance => {
    const [oldest = Infinity] = recent(key, at)
    const first = Math.min(oldest + WINDOW_MS, shared.look(key, at).until)
    return allowanceOf(allowed, limitNow(), countAt(key, at), at, first === Infinity ? at + WINDOW_MS : first)
  }

  let sweepAt = now() + WINDOW_MS
  const forgetTheIdle = (at: number) => {
    if (at < sweepAt) return
    sweepAt = at + WINDOW_MS
    for (const [key, times] of requests.entries()) {
      if ((times.at(-1) ?? 0) <= at - WINDOW_MS) requests.delete(key)
    }
    shared.forgetTheIdle(at)
  }

  const take = (who: string): Allowance => {
    const at = now()
    const key = keyOf(who)
    forgetTheIdle(at)
    const times = recent(key, at)
    const allowed = countAt(key, at) < limitNow()
    if (allowed) times.push(at)
    requests.set(key, times)
    return answer(key, at, allowed)
  }

  return {
    take,
    takeNow: take,
    peek: who => answer(keyOf(who), now(), true),
    count: who => countAt(keyOf(who), now()),
    forget(who) {
      requests.delete(keyOf(who))
      shared.forget(keyOf(who))
    },
    limit: limitNow,
    look(key) {
      const at = now()
      const { learnedAt } = shared.look(key, at)
      return { own: recent(key, at), isFull: countAt(key, at) >= limitNow(), learnedAt }
    },
    learn(key, sent, slots) {
      const at = now()
      const since = recent(key, at).slice(sent.filter(time => time > at - WINDOW_MS).length)
      if (since.length > 0) requests.set(key, since)
      else requests.delete(key)
      shared.learn(key, slots, at)
    },
    *ownKeys() {
      for (const [key] of requests.entries()) yield key
    },
  }
}

const allowanceOf = (
  allowed: boolean,
  limit: number,
  used: number,
  at: number,
  reset: number,
): Allowance => ({
  allowed,
  retryAfter: Math.max(1, Math.ceil((reset - at) / 1000)),
  headers: {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - used)),
    'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
  },
})

/** For one process. */
export const localLimits =
  (now: () => number): OpenLimit =>
  (_name, limit) =>
    slidingWindow(limit, now)

/** Counts by address, or by network for IPv6. */
export const perAddress = (limit: RateLimit): AddressLimit => ({
  take: address => limit.take(addressKey(address)),
})
