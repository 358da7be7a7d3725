import type { Field } from '../lib/fields.ts'
import { canonicalAmenity } from './amenities.ts'
import { canonicalState } from './states.ts'

/** A state by any of its usual names, and a label by any of its aliases: understood alike in bodies and in queries. */
export const stateField: Field<string> = {
  schema: { type: 'string' },
  read(value, fail) {
    if (typeof value !== 'string') return void fail('not_text')
    if (value.trim() === '') return void fail('empty')
    return canonicalState(value) ?? void fail('unknown_state', { listedBy: 'GET /meta' })
  },
}

/** Where whoever is told does not speak to the API. */
export const plainStateField: Field<string> = {
  schema: { type: 'string' },
  read: (value, fail) => canonicalState(String(value)) ?? void fail('unknown_state', {}),
}

export const amenityField: Field<string> = {
  schema: { type: 'string' },
  read(value, fail) {
    if (typeof value !== 'string') return void fail('not_text')
    return canonicalAmenity(value) ?? void fail('unknown_amenity', { value: value.slice(0, 80) })
  },
}
