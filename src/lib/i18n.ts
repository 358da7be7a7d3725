export type Lang = 'es' | 'en'

/** Both languages side by side where they are used: `t('Guardar', 'Save')`. Nothing can be left untranslated. */
export type Words = (es: string, en: string) => string

export const wordsIn =
  (lang: Lang): Words =>
  (es, en) =>
    lang === 'es' ? es : en

/** `sábado, 5 de enero de 2030, 10:30`, in the time of the centre of Mexico. */
export const momentText = (at: Date, lang: Lang): string =>
  new Intl.DateTimeFormat(lang === 'es' ? 'es-MX' : 'en-US', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'America/Mexico_City',
  }).format(at)
