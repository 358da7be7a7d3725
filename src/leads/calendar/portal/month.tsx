import { useVisit } from '../../../portal/context.ts'
import { Panel } from '../../../ui/panels.tsx'
import { monthAfter, type Showing, weeksOf } from '../calendar.ts'
import { dateWords, dayName, monthHref, monthName } from './words.ts'

export function MonthLinks({ month }: { month: string }) {
  const { t, lang } = useVisit()
  return (
    <nav class="flex items-center justify-between gap-3" aria-label={t('Meses', 'Months')}>
      <a
        class="btn btn-sm"
        rel="prev"
        href={monthHref(monthAfter(month, -1))}
        aria-label={monthName(lang, monthAfter(month, -1))}
      >
        ←
      </a>
      <h2 class="text-xl font-semibold">{monthName(lang, month)}</h2>
      <a
        class="btn btn-sm"
        rel="next"
        href={monthHref(monthAfter(month, 1))}
        aria-label={monthName(lang, monthAfter(month, 1))}
      >
        →
      </a>
    </nav>
  )
}

interface MonthProps {
  month: string
  today: string
  days: Map<string, Showing[]>
}

export function MonthAtAGlance(props: MonthProps) {
  const { t, lang } = useVisit()
  const weekdays = Array.from({ length: 7 }, (_, i) => `2024-01-0${i + 1}`)
  return (
    <Panel>
      <table class="w-full table-fixed text-center text-sm">
        <caption class="mb-3 text-left font-semibold">{monthName(lang, props.month)}</caption>
        <thead>
          <tr>
            {weekdays.map(day => (
              <th
                key={day}
                scope="col"
                class="pb-1 font-medium text-base-content/75"
                abbr={dateWords(lang, { weekday: 'long' }, day)}
              >
                {dateWords(lang, { weekday: 'narrow' }, day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(props.month).map(week => (
            <tr key={week.find(Boolean)}>
              {week.map((day, i) => (
                <td key={day ?? i} class="p-0.5">
                  {day && (
                    <DayCell
                      day={day}
                      count={props.days.get(day)?.filter(one => one.tour_status !== 'cancelled').length ?? 0}
                      isToday={day === props.today}
                      label={dayName(lang, day)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="mt-3 text-sm text-base-content/75">
        {t('Los días marcados tienen visitas.', 'Marked days have showings.')}
      </p>
    </Panel>
  )
}

function DayCell(props: { day: string; count: number; isToday: boolean; label: string }) {
  const { t } = useVisit()
  const number = Number(props.day.slice(8))
  const ring = props.isToday ? 'ring-2 ring-primary' : ''
  const shape = `grid aspect-square place-items-center rounded-field ${ring}`
  if (props.count === 0) return <span class={shape}>{number}</span>
  const count =
    props.count === 1 ? t('1 visita', '1 showing') : t(`${props.count} visitas`, `${props.count} showings`)
  return (
    <a
      href={`#day-${props.day}`}
      class={`${shape} bg-primary font-semibold text-primary-content`}
      aria-label={`${props.label}: ${count}`}
      title={count}
    >
      {number}
    </a>
  )
}
