import type { Field } from './fields.ts'

/** Removes line breaks and other controls, which could start a new mail header, and deceptive formatting characters. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Text that mail programs turn into a link. An abbreviated name, such as «Ma.Elena», does not count. */
const WEB_ADDRESS =
  /(?:https?:\/\/|www\.)\S*|\S+@\S+\.\S+|(?<![\p{L}\d.-])(?:[\p{L}\d-]+\.)+(?:com|net|org|mx|info|biz|io|co|xyz|top|site|online|shop|store|club|app|dev|link|click|live|page|web|ru|cn|tk|ly|gl|us|tv|cc|ws|es|me)(?![\p{L}\d])\S*/giu

export const withoutWebAddresses = (text: string): string => text.replace(WEB_ADDRESS, '…')
const hasWebAddress = (text: string): boolean => withoutWebAddresses(text) !== text

/** Collapses the text to one line. */
export const onOneLine = (field: Field<string>): Field<string> => ({
  ...field,
  read(value, fail) {
    const read = field.read(value, fail)
    return read === undefined ? undefined : oneLine(read)
  },
})

/** A person's display name, which others read in their mail. */
export const nameOf = (field: Field<string>): Field<string> => ({
  ...field,
  read(value, fail) {
    const name = onOneLine(field).read(value, fail)
    return name !== undefined && hasWebAddress(name) ? void fail('web_address') : name
  },
})
