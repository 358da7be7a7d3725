import { type Lang, LOCALES } from './i18n.ts'

/**
 * The one zone of this service, that of central Mexico: pages and mails show it, and it is what people mean in the
 * date fields of browsers, which know no zone.
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
} as const
export type TimeStyle = keyof typeof STYLES

// Made once: making one takes longer than drawing the line it stands in.
const formats = (lang: Lang) =>
  Object.fromEntries(
    Object.entries(STYLES).map(([name, style]) => [
      name,
      new Intl.DateTimeFormat(LOCALES[lang], { ...style, timeZone: ZONE }),
    ]),
  ) as Record<TimeStyle, Intl.DateTimeFormat>
const FORMATS: Record<Lang, Record<TimeStyle, Intl.DateTimeFormat>> = { es: formats('es'), en: formats('en') }

/** The one way in which a moment is written for people. */
export const timeText = (at: Date, style: TimeStyle, lang: Lang): string => FORMATS[lang][style].format(at)

/** A day of the calendar, `2030-01-05`: it has no hour that a zone could move. */
export const dayText = (day: string, options: Intl.DateTimeFormatOptions, lang: Lang): string =>
  new Intl.DateTimeFormat(LOCALES[lang], { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00Z`))

const parts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
})

/** `2026-03-01T10:30`, as a field of type datetime-local wants it. */
export const toLocal = (at: Date): string => parts.format(at).replace(' ', 'T').slice(0, 16)

/** A date alone means nine in the morning. Undefined if it is no date; `0026`, typed for 2026, is no year of ours. */
export function fromLocal(text: string): Date | undefined {
  const match = /^((?:19|20|21)\d\d-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d)?)?$/.exec(text)
  if (!match) return undefined
  const wanted = `${match[1]}T${match[2] ?? '09:00'}`
  const asUtc = new Date(`${wanted}:00Z`)
  if (Number.isNaN(asUtc.getTime())) return undefined
  // How far the zone is from UTC then; asked once more, because the guess may lie across a change of clocks.
  const offset = (at: Date) => new Date(`${toLocal(at)}:00Z`).getTime() - at.getTime()
  const guess = new Date(asUtc.getTime() - offset(asUtc))
  const at = new Date(asUtc.getTime() - offset(guess))
  // 30 February would have become 2 March.
  return toLocal(at) === wanted ? at : undefined
}
