import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Field } from './fields.ts'

/**
 * The E.164 form of a phone number as written in Mexico, or undefined. Drops old trunk prefixes (044, 045, 01, +52 1).
 */
export function normalizePhone(text: string): string | undefined {
  const digits = text.replace(/[^\d+]/g, '')
  const local = digits.replace(/^(?:\+?521(?=\d{10}$)|04[45](?=\d{10}$)|01(?=\d{10}$))/, '')
  const phone = parsePhoneNumberFromString(local, 'MX')
  return phone?.isPossible() ? phone.number : undefined
}

export const phoneField: Field<string> = {
  schema: { type: 'string', description: 'As people in Mexico write it, or with a country code.' },
  read: (value, fail) =>
    (typeof value === 'string' ? normalizePhone(value) : undefined) ?? void fail('not_a_phone'),
}
