import type { Field } from './fields.ts'

/** What tells one mailbox from another: `ana+anything@` arrives at `ana@`. */
export const mailboxOf = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@')

/** Shaped like an address; whether it exists only a message can tell. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>",;:()[\]\\]+@[^\s@.<>",;:()[\]\\]+(\.[^\s@.<>",;:()[\]\\]+)+$/.test(text)

export const emailField: Field<string> = {
  schema: { type: 'string', format: 'email', maxLength: 254 },
  read(value, fail) {
    const address = typeof value === 'string' ? value.trim() : ''
    return isEmail(address) ? address : void fail('not_an_email')
  },
}
