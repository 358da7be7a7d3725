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

/** As people in Mexico write it: `33 1234 5678`, `998 123 4567`; numbers of other countries with their code. */
export function phoneText(phone: string): string {
  const parsed = parsePhoneNumberFromString(normalizePhone(phone) ?? phone, 'MX')
  if (!parsed?.isPossible()) return phone
  return parsed.countryCallingCode === '52' ? parsed.formatNational() : parsed.formatInternational()
}

/** For `tel:` links. */
export const dialed = (phone: string): string => normalizePhone(phone) ?? phone.replace(/[^\d+]/g, '')

/** Without a phone, WhatsApp asks whom to send the message to. */
export const whatsAppHref = (phone: string | null, message?: string): string =>
  `https://wa.me/${phone ? dialed(phone).slice(1) : ''}${message ? `?text=${encodeURIComponent(message)}` : ''}`

export const phoneField: Field<string> = {
  schema: { type: 'string', description: 'As people in Mexico write it, or with a country code.' },
  read: (value, fail) =>
    (typeof value === 'string' ? normalizePhone(value) : undefined) ?? void fail('not_a_phone'),
}
