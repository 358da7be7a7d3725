import type { FastifyInstance } from 'fastify'
import { findCalendarKey, renewCalendarKey } from '../../../agents/service.ts'
import type { Lang, Words } from '../../../lib/i18n.ts'
import { capital } from '../../../lib/text.ts'
import { dayText, toLocal } from '../../../lib/time.ts'
import { useVisit } from '../../../portal/context.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Badge, type BadgeTone } from '../../../ui/badges.tsx'
import { DangerButton } from '../../../ui/buttons.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Empty, Panel } from '../../../ui/panels.tsx'
import { tourWords } from '../../portal/words.tsx'
import {
  byDay,
  dayOf,
  feedPath,
  listShowings,
  monthAfter,
  rangeOf,
  readMonth,
  type Showing,
  weeksOf,
} from '../calendar.ts'

const HOME = '/portal/calendar'

export function registerCalendar(app: FastifyInstance, { db, now, publicUrl }: PortalDeps): void {
  app.get('/calendar', async (request, reply) => {
    const agent = signedIn(request)
    const { t } = request.visit
    const month = readMonth((request.query as URLSearchParams).get('month'), now())
    const [showings, upcoming, key] = await Promise.all([
      listShowings(db, agent.id, rangeOf(month)),
      listShowings(db, agent.id, { from: now() }, 1),
      findCalendarKey(db, agent.id),
    ])
    return sendScreen(
      request,
      reply,
      {
        title: t('Calendario', 'Calendar'),
        section: 'calendar',
        subtitle: t(
          'Las visitas que confirmaste, en hora del centro de México.',
          'The showings you confirmed, in the time of central Mexico.',
        ),
      },
      <Calendar
        month={month}
        today={dayOf(now())}
        showings={showings}
        next={upcoming[0]}
        feedUrl={`${publicUrl}${feedPath(key)}`}
      />,
    )
  })

  app.post('/calendar/renew', async (request, reply) => {
    await renewCalendarKey(db, signedIn(request).id)
    const text = request.visit.t(
      'Tu calendario tiene una dirección nueva. La anterior ya no funciona.',
      'Your calendar has a new address. The old one no longer works.',
    )
    return goTo(reply, HOME, text)
  })
}

interface CalendarProps {
  month: string
  today: string
  showings: Showing[]
  /** The first one from now on, in whatever month. */
  next: Showing | undefined
  feedUrl: string
}

function Calendar(props: CalendarProps) {
  const days = byDay(props.showings)
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div class="flex min-w-0 flex-col gap-6">
        <MonthLinks month={props.month} />
        <Agenda {...props} days={days} />
      </div>
      <div class="flex min-w-0 flex-col gap-6">
        <div class="hidden lg:block">
          <MonthAtAGlance {...props} days={days} />
        </div>
        <Subscription url={props.feedUrl} />
      </div>
    </div>
  )
}

const dateWords = (lang: Lang, options: Intl.DateTimeFormatOptions, day: string): string =>
  capital(dayText(day, options, lang))
const monthName = (lang: Lang, month: string) =>
  dateWords(lang, { month: 'long', year: 'numeric' }, `${month}-01`)
const dayName = (lang: Lang, day: string) =>
  dateWords(lang, { weekday: 'long', day: 'numeric', month: 'long' }, day)

const monthHref = (month: string) => `${HOME}?month=${month}`

function MonthLinks({ month }: { month: string }) {
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

function Agenda(props: CalendarProps & { days: Map<string, Showing[]> }) {
  const { t } = useVisit()
  const { days, month, today, next } = props
  const past = [...days].filter(([day]) => day < today)
  const ahead = [...days].filter(([day]) => day >= today)
  // Of a month that is over, all is past and all is what one came for.
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
                : t('Sin visitas por delante este mes', 'No showings ahead this month')
            }
            action={<NextMonthLink next={next} month={month} />}
          >
            {t(
              'Cuando confirmes una visita en la ficha de un prospecto, aparece aquí.',
              'A showing appears here once you confirm it on a lead’s page.',
            )}
          </Empty>
        </Panel>
      )}
      {!isOver && past.length > 0 && (
        <details class="min-w-0">
          <summary class="cursor-pointer py-2 font-medium">
            {t('Las que ya pasaron este mes', 'Earlier this month')} ({past.flatMap(([, all]) => all).length})
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
      {t('La próxima:', 'The next one:')} {monthName(lang, nextMonth)}
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

const TONES: Record<Showing['tour_status'], BadgeTone> = {
  confirmed: 'success',
  done: 'neutral',
  no_show: 'warning',
  cancelled: 'error',
}

const personOf = (showing: Showing, t: Words) =>
  showing.erased_at ? t('Persona eliminada', 'Erased person') : showing.name

function ShowingLine({ showing }: { showing: Showing }) {
  const { t } = useVisit()
  const isCancelled = showing.tour_status === 'cancelled'
  return (
    <li class="flex min-w-0 gap-4 p-4 sm:gap-6 sm:px-5">
      <time
        dateTime={showing.showing_at.toISOString()}
        class={`w-12 shrink-0 text-lg font-semibold tabular-nums ${isCancelled ? 'line-through' : 'text-primary'}`}
      >
        {toLocal(showing.showing_at).slice(11)}
      </time>
      <div class="min-w-0 flex-1">
        <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
          <a class="link link-hover font-medium break-words" href={`/portal/leads/${showing.id}`}>
            {personOf(showing, t)}
          </a>
          <Badge tone={TONES[showing.tour_status]}>{tourWords(t)[showing.tour_status]}</Badge>
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
            <a class="link" href={`tel:${showing.phone.replace(/[^\d+]/g, '')}`}>
              {showing.phone}
            </a>
          </p>
        )}
      </div>
    </li>
  )
}

function MonthAtAGlance(props: CalendarProps & { days: Map<string, Showing[]> }) {
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

function Subscription({ url }: { url: string }) {
  const { t, agent } = useVisit()
  return (
    <Panel title={t('En tu teléfono', 'On your phone')}>
      {agent?.isVerified ? (
        <div class="flex flex-col gap-4 text-sm">
          <p>
            {t(
              'Agrega esta dirección a Google Calendar, Outlook o tu iPhone y las visitas se mantienen al día solas.',
              'Add this address to Google Calendar, Outlook or your iPhone and the showings keep up to date by themselves.',
            )}
          </p>
          <Copyable text={url} label={t('Dirección del calendario', 'Address of the calendar')} stacked />
          <a class="btn" href={url.replace(/^https?:/, 'webcal:')}>
            <Icon name="calendar" />
            {t('Suscribirme', 'Subscribe')}
          </a>
          <p class="text-base-content/75">
            {t(
              'Quien tenga la dirección ve tus visitas: no la compartas.',
              'Whoever has the address sees your showings: do not share it.',
            )}
          </p>
          <div>
            <DangerButton
              action={`${HOME}/renew`}
              label={t('Cambiar la dirección', 'Change the address')}
              question={t(
                'La dirección actual deja de funcionar y tendrás que agregar la nueva.',
                'The current address stops working and you will have to add the new one.',
              )}
              yes={t('Sí, cambiarla', 'Yes, change it')}
            />
          </div>
        </div>
      ) : (
        <p class="text-sm">
          {t(
            'Podrás llevarte el calendario cuando verifiquemos tu licencia.',
            'You can take the calendar with you once your licence is verified.',
          )}
        </p>
      )}
    </Panel>
  )
}
