import type { Field } from '../lib/fields.ts'
import { Shared } from '../lib/schemas.ts'
import { cut } from '../lib/text.ts'
import { canonicalAmenity } from './amenities.ts'
import { canonicalState } from './states.ts'

/** Accepts any usual name of a state and any alias of a label, in bodies and queries alike. */
export const stateField: Field<string> = {
  schema: { anyOf: [Shared('State'), { type: 'string' }] },
  read(value, fail) {
    if (typeof value !== 'string') return void fail('not_text')
    if (value.trim() === '') return void fail('empty')
    return canonicalState(value) ?? void fail('unknown_state', { listedBy: 'GET /meta' })
  },
}

/** For people who do not use the API. */
export const plainStateField: Field<string> = {
  schema: { type: 'string' },
  read: (value, fail) => canonicalState(String(value)) ?? void fail('unknown_state', {}),
}

export const amenityField: Field<string> = {
  schema: { anyOf: [Shared('Amenity'), { type: 'string' }] },
  read(value, fail) {
    if (typeof value !== 'string') return void fail('not_text')
    return canonicalAmenity(value) ?? void fail('unknown_amenity', { value: cut(value) })
  },
}
