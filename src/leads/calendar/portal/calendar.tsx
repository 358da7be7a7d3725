import type { FastifyInstance } from 'fastify'
import { findCalendarKey } from '../../../agents/service.ts'
import { sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { byDay, dayOf, feedPath, listShowings, rangeOf, readMonth, type Showing } from '../calendar.ts'
import { Agenda } from './agenda.tsx'
import { MonthAtAGlance, MonthLinks } from './month.tsx'
import { registerSubscription, Subscription } from './subscription.tsx'

export function registerCalendar(app: FastifyInstance, deps: PortalDeps): void {
  const { db, now, publicUrl } = deps
  registerSubscription(app, deps)

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
          'Las visitas que confirmaste, en la hora local de cada propiedad.',
          'The showings you confirmed, in the local time of each property.',
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
}

interface CalendarProps {
  month: string
  today: string
  showings: Showing[]
  /** The next showing, in any month. */
  next: Showing | undefined
  feedUrl: string
}

function Calendar({ month, today, showings, next, feedUrl }: CalendarProps) {
  const days = byDay(showings)
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div class="flex min-w-0 flex-col gap-6">
        <MonthLinks month={month} />
        <Agenda {...{ month, today, days, next }} />
      </div>
      <div class="flex min-w-0 flex-col gap-6">
        <div class="hidden lg:block">
          <MonthAtAGlance {...{ month, today, days }} />
        </div>
        <Subscription url={feedUrl} />
      </div>
    </div>
  )
}
