import type { Lang } from './i18n.ts'
import { type Issue, issueWords, type Wording } from './issue.ts'

/** Texts for people: mentions of JSON or of API calls make no sense next to a form field. */
const PAGE_WORDS: Wording = {
  null_not_allowed: { en: 'is required', es: 'es obligatorio' },
  empty: { en: 'is required', es: 'es obligatorio' },
  unknown_events: { en: 'choose at least one', es: 'elige al menos uno' },
  unknown_amenity: {
    en: ({ value }) => `“${value}” is not on the list`,
    es: ({ value }) => `«${value}» no está en la lista`,
  },
  not_a_url: {
    en: 'must be an address that begins with https://',
    es: 'debe ser una dirección que empiece con https://',
  },
  not_a_public_url: {
    en: 'must be a public address that begins with https://',
    es: 'debe ser una dirección pública que empiece con https://',
  },
}

/** Like `issueWords`, for a page. `wording` overrides single texts. */
export const pageWords = (issue: Issue, lang: Lang, wording?: Wording): string =>
  issueWords(issue, lang, { ...PAGE_WORDS, ...wording })
