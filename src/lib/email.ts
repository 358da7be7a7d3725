import type { Field } from './fields.ts'

/** Identifies a mailbox: `ana+anything@` is delivered to `ana@`. */
export const mailboxOf = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@')

/** Checks the format only; whether the address exists is known once mail arrives. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>",;:()[\]\\]+@[^\s@.<>",;:()[\]\\]+(\.[^\s@.<>",;:()[\]\\]+)+$/.test(text)

export const emailField: Field<string> = {
  schema: { type: 'string', format: 'email', maxLength: 254 },
  read(value, fail) {
    const address = typeof value === 'string' ? value.trim() : ''
    return isEmail(address) ? address : void fail('not_an_email')
  },
}
