/** The form in which texts are compared: no accents, no case, single spaces. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The words of a text, lowercase and in NFC. Used for both indexed text and queries. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.map(word => word.slice(0, 60)) ?? []
  )
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A LIKE pattern that matches text containing `text`, with `%` and `_` taken literally. */
export const likePattern = (text: string): string => `%${startPattern(text)}`

/** The same for text that starts with `text`. */
export const startPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`

/** Whole characters, which are up to two units of the string. */
export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join('')

/** At most `length` characters, to be shown; what was cut off is marked. */
export function cut(text: string, length = 40): string {
  const start = firstCharacters(text, length)
  return start === text ? text : `${start}…`
}
