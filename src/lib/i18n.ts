export type Lang = 'es' | 'en'

/** Both languages side by side where they are used: `t('Guardar', 'Save')`. Nothing can be left untranslated. */
export type Words = (es: string, en: string) => string

export const wordsIn =
  (lang: Lang): Words =>
  (es, en) =>
    lang === 'es' ? es : en
