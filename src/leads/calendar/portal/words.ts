import type { Lang } from '../../../lib/i18n.ts'
import { capital } from '../../../lib/text.ts'
import { dayText } from '../../../lib/time.ts'

export const HOME = '/portal/calendar'

export const dateWords = (lang: Lang, options: Intl.DateTimeFormatOptions, day: string): string =>
  capital(dayText(day, options, lang))
export const monthName = (lang: Lang, month: string) =>
  dateWords(lang, { month: 'long', year: 'numeric' }, `${month}-01`)
export const dayName = (lang: Lang, day: string) =>
  dateWords(lang, { weekday: 'long', day: 'numeric', month: 'long' }, day)

export const monthHref = (month: string) => `${HOME}?month=${month}`
