/** The form in which two texts are compared: no accents, no case, single spaces. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The words of a text, lower-case and composed. Both what is indexed and what is asked pass through here. */
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

/** For SQL: matches what contains the text, in which `%` and `_` are letters like others. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
