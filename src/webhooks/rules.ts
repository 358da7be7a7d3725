import { randomBytes, randomUUID } from 'node:crypto'
import type { Field } from '../lib/fields.ts'
import { EVENTS, type EventName } from '../outbox/store.ts'
import type { DeliveryStatus } from './sender/sender.ts'

export { DELIVERY_STATUSES } from './sender/sender.ts'

export const MAX_WEBHOOKS = 10
/** Sent again at one press: more would keep the receiver from what is new for too long. */
export const MAX_RESENDS = 1_000
/** Consecutive failures after which the agent is notified. */
export const FAILURES_TO_NOTIFY = 5

/**
 * The consecutive failures of a webhook that had `before` of them, after deliveries that ended in this order, without
 * tests. A streak is reported once, when it reaches the limit, until a success resets it.
 */
export function streakAfter(
  before: number,
  outcomes: readonly DeliveryStatus[],
): { failures: number; isNewlyFailing: boolean } {
  const lastGood = outcomes.lastIndexOf('ok')
  const continued = lastGood === -1 ? before : 0
  const failures = continued + outcomes.length - (lastGood + 1)
  return { failures, isNewlyFailing: continued < FAILURES_TO_NOTIFY && failures >= FAILURES_TO_NOTIFY }
}

/** 256 random bits. Receivers use the whole text as their key, including `whsec_`. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`

/** The exact bytes every subscription gets. `data` is the stored JSON text, with keys in the documented order. */
export const envelope = (event: string, createdAt: Date, data: string) =>
  `{"event":${JSON.stringify(event)},"created_at":"${createdAt.toISOString()}","data":${data}}`

/** The event of the Test action: shaped like a lead, with made-up data, never stored. */
export const testLead = () => ({
  id: randomUUID(),
  name: 'Prueba / Test',
  email: 'prueba@example.com',
  phone: '+525500000000',
  message: null,
  kind: 'info',
  id_status: null,
  listing: null,
  source: 'test',
})

export const eventsField: Field<EventName[]> = {
  schema: { type: 'array', items: { type: 'string', enum: EVENTS } },
  read(value, fail) {
    const names = value as readonly string[]
    const events = EVENTS.filter(name => names.includes(name))
    const isKnown = names.every(name => EVENTS.includes(name as EventName))
    return isKnown && events.length > 0 ? events : void fail('unknown_events', { allowed: EVENTS })
  },
}
