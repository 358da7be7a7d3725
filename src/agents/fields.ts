import { type Field, filled } from '../lib/fields.ts'
import { nameOf } from '../lib/names.ts'
import { phoneField } from '../lib/phone.ts'

/** Shared by agents and agencies. */
export const MAX_NAME = 120

export const personFields = { name: nameOf(filled({ min: 3, max: MAX_NAME })), phone: phoneField }

/** Reason for a rejection; the recipient must be able to act on it. */
export const reasonField: Field<string> = filled({ min: 5, max: 500 })
