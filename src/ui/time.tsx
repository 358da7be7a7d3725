import { useReader } from './context.ts'

const ZONE = 'America/Mexico_City'

const formats = (locale: string) => {
  const date = { timeZone: ZONE, dateStyle: 'medium' } as const
  return {
    day: new Intl.DateTimeFormat(locale, date),
    moment: new Intl.DateTimeFormat(locale, { ...date, timeStyle: 'short' }),
  }
}
// Made once: making one takes longer than drawing the line it stands in.
const FORMATS = { es: formats('es-MX'), en: formats('en-GB') }

/** A moment as people there write it; the machine's form stands behind it. */
export function Time({ at, day = false }: { at: Date; day?: boolean }) {
  const { lang } = useReader()
  return (
    <time dateTime={at.toISOString()} class="whitespace-nowrap">
      {FORMATS[lang][day ? 'day' : 'moment'].format(at)}
    </time>
  )
}
