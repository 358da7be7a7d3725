import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** E.164 of a phone as people in Mexico write it, or undefined. Old trunk prefixes (044, 045, 01, +52 1) are dropped. */
export function normalisePhone(text: string): string | undefined {
  const digits = text.replace(/[^\d+]/g, '')
  const local = digits.replace(/^(?:\+?521(?=\d{10}$)|04[45](?=\d{10}$)|01(?=\d{10}$))/, '')
  const phone = parsePhoneNumberFromString(local, 'MX')
  return phone?.isPossible() ? phone.number : undefined
}
