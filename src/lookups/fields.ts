import type { Field } from '../lib/fields.ts'
import { canonicalAmenity } from './amenities.ts'
import { canonicalState } from './states.ts'

/** A state by any of its usual names, and a label by any of its aliases: understood alike in bodies and in queries. */
export const stateField: Field<string> = {
  schema: { type: 'string' },
  read(value, fail) {
    if (typeof value !== 'string') return void fail('must be text')
    if (value.trim() === '') return void fail('must not be empty')
    return canonicalState(value) ?? void fail('must be a Mexican state as listed by GET /meta')
  },
}

export const amenityField: Field<string> = {
  schema: { type: 'string' },
  read(value, fail) {
    if (typeof value !== 'string') return void fail('must be text')
    return (
      canonicalAmenity(value) ?? void fail(`"${value.slice(0, 80)}" is not an amenity listed by GET /meta`)
    )
  },
}
