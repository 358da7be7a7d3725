import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FAILURES_TO_NOTIFY, streakAfter } from '../../src/webhooks/rules.ts'

const status = fc.constantFrom('ok', 'http 5xx', 'http 5xx', 'http 4xx', 'error: delivery failed')
/** Deliveries as they may be written together. */
const batches = fc.array(fc.array(status, { maxLength: 12 }), { maxLength: 8 })

describe('the failures in a row of a webhook', () => {
  it('are those since its last success, however the outcomes were batched', () => {
    fc.assert(
      fc.property(batches, all => {
        let failures = 0
        for (const batch of all) failures = streakAfter(failures, batch).failures
        let expected = 0
        for (const one of all.flat()) expected = one === 'ok' ? 0 : expected + 1
        expect(failures).toBe(expected)
      }),
    )
  })

  it('written one by one cause a notice exactly when they reach the limit', () => {
    let failures = 0
    const notified: number[] = []
    for (let i = 1; i <= 3 * FAILURES_TO_NOTIFY; i++) {
      const next = streakAfter(failures, ['http 5xx'])
      failures = next.failures
      if (next.isNewlyFailing) notified.push(i)
    }
    expect(notified).toEqual([FAILURES_TO_NOTIFY])
    expect(streakAfter(failures, ['ok'])).toEqual({ failures: 0, isNewlyFailing: false })
  })

  it('cause one notice for the streak that lasts, if it is long enough, however they were batched', () => {
    fc.assert(
      fc.property(batches, all => {
        let failures = 0
        let notices = 0
        for (const batch of all) {
          const next = streakAfter(failures, batch)
          if (batch.includes('ok')) notices = 0
          if (next.isNewlyFailing) notices++
          failures = next.failures
        }
        expect(notices).toBe(failures >= FAILURES_TO_NOTIFY ? 1 : 0)
      }),
    )
  })

  it('stay as they are, without a notice, when nothing but tests ended', () => {
    expect(streakAfter(7, [])).toEqual({ failures: 7, isNewlyFailing: false })
  })
})
