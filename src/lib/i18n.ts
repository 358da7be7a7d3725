export type Lang = 'es' | 'en'

/** Both languages side by side where they are used: `t('Guardar', 'Save')`. Nothing can be left untranslated. */
export type Words = (es: string, en: string) => string

export const wordsIn =
  (lang: Lang): Words =>
  (es, en) =>
    lang === 'es' ? es : en

/** How dates and numbers are written. */
export const LOCALES: Record<Lang, string> = { es: 'es-MX', en: 'en-US' }

/** What a page says of itself: its English is for readers anywhere. */
export const LANG_TAGS: Record<Lang, string> = { es: 'es-MX', en: 'en' }

export type None = Record<string, never>
/** Plain text, or a sentence made from its parameters. */
type Phrase<P> = P extends None ? string : (params: P) => string
/** Each of these in both languages: one that lacks a language, or uses a parameter that is not there, does not compile. */
export type Phrases<P> = { readonly [C in keyof P]: Readonly<Record<Lang, Phrase<P[C]>>> }

export const numberText = (value: number, lang: Lang, decimals = 2): string =>
  value.toLocaleString(LOCALES[lang], { maximumFractionDigits: decimals })
