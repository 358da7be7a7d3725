import { type Lang, LOCALES } from './i18n.ts'

/**
 * The service's time zone, central Mexico: pages and mail use it, and browsers' date inputs, which have no zone, are
 * read in it. Showings are in the zone of their listing (zones.ts).
 */
export const ZONE = 'America/Mexico_City'

export const DAY_MS = 24 * 60 * 60 * 1000

const STYLES = {
  /** `5 ene 2030` */
  day: { dateStyle: 'medium' },
  /** `5 ene 2030, 10:30 a.m.` */
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  /** `5 de enero de 2030` */
  longDay: { dateStyle: 'long' },
  /** `sábado, 5 de enero de 2030, 10:30 a.m.` */
  longMoment: { dateStyle: 'full', timeStyle: 'short' },
  /** `10:30 a.m.` */
  hour: { timeStyle: 'short' },
} as const
export type TimeStyle = keyof typeof STYLES

// Created once: creating a formatter costs more than rendering the line it appears in. Zones are few.
const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(locale: string, name: string, zone: string, style: Intl.DateTimeFormatOptions) {
  const key = `${locale} ${name} ${zone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...style, timeZone: zone })
  formats.set(key, format)
  return format
}

/** The only formatter of moments for people. */
export const timeText = (at: Date, style: TimeStyle, lang: Lang, zone: string = ZONE): string =>
  formatOf(LOCALES[lang], style, zone, STYLES[style]).format(at)

/** A calendar day, `2030-01-05`, formatted in UTC so that no zone shifts it. */
export const dayText = (day: string, options: Intl.DateTimeFormatOptions, lang: Lang): string =>
  formatOf(LOCALES[lang], JSON.stringify(options), 'UTC', options).format(new Date(`${day}T00:00Z`))

const PARTS = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const

/** `2026-03-01T10:30`, the value of a datetime-local input. */
export const toLocal = (at: Date, zone: string = ZONE): string =>
  formatOf('sv-SE', 'parts', zone, PARTS).format(at).replace(' ', 'T').slice(0, 16)

/** A date alone means 9 a.m. Undefined if it is not a date; `0026`, typed for 2026, is rejected. */
export function fromLocal(text: string, zone: string = ZONE): Date | undefined {
  const match = /^((?:19|20|21)\d\d-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d)?)?$/.exec(text)
  if (!match) return undefined
  const wanted = `${match[1]}T${match[2] ?? '09:00'}`
  const asUtc = new Date(`${wanted}:00Z`)
  if (Number.isNaN(asUtc.getTime())) return undefined
  // The zone's offset from UTC at that time; computed twice, because the first guess may fall across a clock change.
  const offset = (at: Date) => new Date(`${toLocal(at, zone)}:00Z`).getTime() - at.getTime()
  const guess = new Date(asUtc.getTime() - offset(asUtc))
  const at = new Date(asUtc.getTime() - offset(guess))
  // February 30 would have become March 2.
  return toLocal(at, zone) === wanted ? at : undefined
}
