import type { Words } from '../../../lib/i18n.ts'
import { dialed, phoneText } from '../../../lib/phone.ts'
import { timeText } from '../../../lib/time.ts'
import { zoneOf } from '../../../lib/zones.ts'
import { useVisit } from '../../../portal/context.ts'
import { Badge, StatusBadge } from '../../../ui/badges.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Empty, Panel } from '../../../ui/panels.tsx'
import { tourWords } from '../../portal/words.tsx'
import { dayOf, type Showing } from '../calendar.ts'
import { dayName, monthHref, monthName } from './words.ts'

interface AgendaProps {
  month: string
  today: string
  days: Map<string, Showing[]>
  /** The next showing, in any month. */
  next: Showing | undefined
}

export function Agenda({ days, month, today, next }: AgendaProps) {
  const { t } = useVisit()
  const past = [...days].filter(([day]) => day < today)
  const ahead = [...days].filter(([day]) => day >= today)
  // For a past month, show everything.
  const isOver = month < today.slice(0, 7)
  return (
    <>
      {(isOver ? past : ahead).map(([day, showings]) => (
        <Day key={day} day={day} showings={showings} isToday={day === today} />
      ))}
      {(isOver ? past : ahead).length === 0 && (
        <Panel>
          <Empty
            icon="calendar"
            title={
              isOver
                ? t('No hubo visitas este mes', 'There were no showings this month')
                : t('No hay más visitas este mes', 'No more showings this month')
            }
            action={<NextMonthLink next={next} month={month} />}
          >
            {t(
              'Cuando confirmes una visita en la ficha de un prospecto o la agendes en una cooperación, aparece aquí.',
              'A showing appears here once you confirm it on a lead’s page or schedule it in a cooperation.',
            )}
          </Empty>
        </Panel>
      )}
      {!isOver && past.length > 0 && (
        <details class="min-w-0">
          <summary class="cursor-pointer py-2 font-medium">
            {t('Anteriores este mes', 'Earlier this month')} ({past.flatMap(([, all]) => all).length})
          </summary>
          <div class="mt-4 flex flex-col gap-6">
            {past.map(([day, showings]) => (
              <Day key={day} day={day} showings={showings} isToday={false} />
            ))}
          </div>
        </details>
      )}
    </>
  )
}

function NextMonthLink({ next, month }: { next: Showing | undefined; month: string }) {
  const { t, lang } = useVisit()
  const nextMonth = next && dayOf(next.showing_at).slice(0, 7)
  if (!nextMonth || nextMonth === month) {
    return (
      <a class="btn" href="/portal/leads">
        {t('Ver prospectos', 'See leads')}
      </a>
    )
  }
  return (
    <a class="btn btn-primary" href={monthHref(nextMonth)}>
      {t('Próxima:', 'Next:')} {monthName(lang, nextMonth)}
    </a>
  )
}

function Day(props: { day: string; showings: Showing[]; isToday: boolean }) {
  const { t, lang } = useVisit()
  return (
    <section id={`day-${props.day}`} class="min-w-0 scroll-mt-20">
      <h3 class="mb-2 flex items-center gap-2 font-semibold">
        {dayName(lang, props.day)}
        {props.isToday && <Badge tone="primary">{t('Hoy', 'Today')}</Badge>}
      </h3>
      <ul class="flex flex-col divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
        {props.showings.map(showing => (
          <ShowingLine key={showing.id} showing={showing} />
        ))}
      </ul>
    </section>
  )
}

const personOf = (showing: Showing, t: Words) =>
  showing.erased_at ? t('Datos eliminados', 'Data erased') : showing.name

function ShowingLine({ showing }: { showing: Showing }) {
  const { t, lang } = useVisit()
  const isCanceled = showing.tour_status === 'cancelled'
  return (
    <li class="flex min-w-0 gap-4 p-4 sm:gap-6 sm:px-5">
      <time
        dateTime={showing.showing_at.toISOString()}
        class={`w-24 shrink-0 text-lg font-semibold tabular-nums ${isCanceled ? 'line-through' : 'text-primary'}`}
      >
        {timeText(showing.showing_at, 'hour', lang, zoneOf(showing.whereabouts))}
      </time>
      <div class="min-w-0 flex-1">
        <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
          <a class="link link-hover font-medium break-words" href={showing.path}>
            {personOf(showing, t)}
          </a>
          <StatusBadge of="showing" status={showing.tour_status}>
            {tourWords(t)[showing.tour_status]}
          </StatusBadge>
        </div>
        {showing.listing_title && <p class="break-words">{showing.listing_title}</p>}
        {showing.place && (
          <p class="flex items-start gap-1.5 text-sm text-base-content/75">
            <Icon name="pin" class="mt-0.5 size-4" />
            <span class="min-w-0 break-words">{showing.place}</span>
          </p>
        )}
        {showing.phone && (
          <p class="text-sm">
            <a class="link whitespace-nowrap" href={`tel:${dialed(showing.phone)}`}>
              {phoneText(showing.phone)}
            </a>
          </p>
        )}
      </div>
    </li>
  )
}
