export type Lang = 'es' | 'en'

/** Both languages side by side where they are used: `t('Guardar', 'Save')`, so nothing is left untranslated. */
export type Words = (es: string, en: string) => string

export const wordsIn =
  (lang: Lang): Words =>
  (es, en) =>
    lang === 'es' ? es : en

/** Locales for dates and numbers. */
export const LOCALES: Record<Lang, string> = { es: 'es-MX', en: 'en-US' }

/** The `lang` of a page; its English is not tied to a country. */
export const LANG_TAGS: Record<Lang, string> = { es: 'es-MX', en: 'en' }

export type None = Record<string, never>
/** Plain text, or a function of its parameters. */
type Phrase<P> = P extends None ? string : (params: P) => string
/** Texts in both languages: a missing language or an unknown parameter does not compile. */
export type Phrases<P> = { readonly [C in keyof P]: Readonly<Record<Lang, Phrase<P[C]>>> }

/** Kept: making one takes ten times as long as using it, and a page of results shows a hundred numbers. */
const numberFormats = new Map<string, Intl.NumberFormat>()

export function numberText(value: number, lang: Lang, decimals = 2): string {
  const key = `${lang} ${decimals}`
  const format =
    numberFormats.get(key) ?? new Intl.NumberFormat(LOCALES[lang], { maximumFractionDigits: decimals })
  numberFormats.set(key, format)
  return format.format(value)
}
