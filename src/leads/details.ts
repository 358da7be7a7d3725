import { type Field, number, oneOf, optional, type Patch, text } from '../lib/fields.ts'
import { MAX_AMOUNT } from '../lib/money.ts'
import { INTERESTS, MAX_NOTE, TOUR_STATUSES } from './rules.ts'

/** A moment the form has already parsed. */
export const instant: Field<Date> = {
  schema: { type: 'string', format: 'date-time' },
  read: (value, fail) =>
    value instanceof Date && !Number.isNaN(value.getTime()) ? value : void fail('not_a_date'),
}

const budget = optional(number({ min: 0, max: MAX_AMOUNT, decimals: 2 }))

/** Lead fields the portal can change. */
export const detailFields = {
  interest: optional(oneOf(INTERESTS)),
  budget_min: budget,
  budget_max: budget,
  tour_status: optional(oneOf(TOUR_STATUSES)),
  follow_up_at: optional(instant),
  tour_at: optional(instant),
  showing_at: optional(instant),
}
export type LeadDetails = Patch<typeof detailFields>

export const noteFields = { note: { ...text({ min: 1, max: MAX_NOTE }), nullable: false } as Field<string> }
export type NewNote = Patch<typeof noteFields>
