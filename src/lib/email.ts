/** What tells one mailbox from another: `ana+anything@` arrives at `ana@`. */
export const mailboxOf = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@')

/** Shaped like an address; whether it exists only a message can tell. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>",;:()[\]\\]+@[^\s@.<>",;:()[\]\\]+(\.[^\s@.<>",;:()[\]\\]+)+$/.test(text)
