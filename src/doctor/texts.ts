const MAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu
/** Ten digits as people write them in Mexico, with or without 52 and 1; never a price or a longer number. */
const PHONE =
  /(?<![\d$.,#-])(?:\+?52[\s.-]{0,2})?(?:1[\s.-]{0,2})?\(?\d{2,3}\)?[\s.-]{0,2}\d{3,4}[\s.-]{0,2}\d{4}(?!\d|[.,]\d|\s?m[²2t])/gu
/** What announces them. */
const LABEL =
  /(?:\b(?:informes|ll[aá]ma(?:me|nos|r)?|marca|escr[ií]be(?:me|nos)?)(?: al?)?[:\s]\s*)?(?:\b(?:tel[eé]fonos?|tels?|cels?|celular|whats\s?app|phone|mobile|e-?mail|correo)\b[.:]?\s*)?/u

const digitsOf = (text: string) => text.replace(/\D/g, '').length
const isPhone = (text: string) => digitsOf(text) >= 10 && digitsOf(text) <= 13

export const hasContact = (text: string): boolean =>
  new RegExp(MAIL).test(text) || [...text.matchAll(PHONE)].some(([found]) => isPhone(found))

/** The text without phones and mail addresses, and without what announced them. */
export function withoutContact(text: string): string {
  const labeled = (pattern: RegExp) => new RegExp(LABEL.source + pattern.source, 'giu')
  // Stored text has no NUL: it marks where something was taken out, with its punctuation.
  return text
    .replace(labeled(MAIL), '\0')
    .replace(labeled(PHONE), found => (isPhone(found) ? '\0' : found))
    .replace(/([.,;:!?]?)[ \t]*\0+[ \t]*([.,;:]?)[ \t]*/g, (_, before: string, after: string) =>
      before === '' || after === '.' ? `${after} ` : `${before} `,
    )
    .replace(/[ \t]+$/gm, '')
    .trim()
}

const LETTERS = /\p{L}/gu
const CAPITALS = /\p{Lu}/gu
/** Shorter texts may be abbreviations. */
const LEAST_LETTERS = 12

export function isShouted(text: string): boolean {
  const letters = text.match(LETTERS)?.length ?? 0
  return letters >= LEAST_LETTERS && (text.match(CAPITALS)?.length ?? 0) / letters > 0.7
}

/** Abbreviations that stay as they are. */
const KEPT =
  /^(?:CDMX|EDOMEX|IVA|GDL|MTY|SUM|PB|PH|II|III|IV|VI|VII|VIII|IX|XI|XII|TV|KM|M2|MXN|USD|UNAM|IMSS|INFONAVIT)$/u

/** In small letters, with a capital at the start of each sentence. Names lose theirs: better than shouting. */
export const inSentences = (text: string): string =>
  text
    .replace(/[\p{L}\p{N}²]+/gu, word => (KEPT.test(word) ? word : word.toLowerCase()))
    .replace(
      /(^|[.!?…]\s+|\n\s*|[¡¿])(\p{Ll})/gu,
      (_, before: string, first: string) => before + first.toUpperCase(),
    )
