import { type Field, filled } from '../lib/fields.ts'
import { nameOf } from '../lib/names.ts'
import { phoneField } from '../lib/phone.ts'

/** Of agents and of agencies. */
export const MAX_NAME = 120

export const personFields = { name: nameOf(filled({ min: 3, max: MAX_NAME })), phone: phoneField }

/** Why the operator says no: whoever reads it must be able to act on it. */
export const reasonField: Field<string> = filled({ min: 5, max: 500 })
