import type { Outcome } from './sender/sender.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The pauses between eight attempts, 27 h 35 min in all. */
const PAUSES_MS = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS]
export const MAX_ATTEMPTS = PAUSES_MS.length + 1
/** Receivers that failed together do not come back together. */
const JITTER = 0.1
/** A receiver can ask for more time, but not for all of it. */
const LONGEST_WAIT_MS = 24 * HOUR_MS

type Failure = Pick<Outcome, 'code' | 'retryAfterMs'>
type Verdict =
  | { kind: 'retry'; inMs: number }
  /** 410: the receiver wants nothing more. */
  | { kind: 'gone' }
  /** All attempts have failed. */
  | { kind: 'given up' }

/** What follows the failure of that attempt, counted from 1, of a webhook that retries. */
export function afterFailure(
  attempt: number,
  { code, retryAfterMs = 0 }: Failure,
  random = Math.random,
): Verdict {
  if (code === 410) return { kind: 'gone' }
  const pause = PAUSES_MS[attempt - 1]
  if (pause === undefined) return { kind: 'given up' }
  const spread = pause * (1 + JITTER * (2 * random() - 1))
  return { kind: 'retry', inMs: Math.round(Math.max(spread, Math.min(retryAfterMs, LONGEST_WAIT_MS))) }
}
