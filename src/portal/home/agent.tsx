import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import { latestLicenseRequest } from '../../agents/licenses/service.ts'
import { findOwnProfile } from '../../agents/profiles/service.ts'
import { countAwaiting } from '../../cooperation/service.ts'
import { countTasks } from '../../leads/contacts/service.ts'
import { countByWeek, countLeads } from '../../leads/service.ts'
import { numberText } from '../../lib/i18n.ts'
import { dayText } from '../../lib/time.ts'
import { countByStatus, countToDo } from '../../listings/counts.ts'
import { STATUSES } from '../../lookups/catalog.ts'
import { countFresh } from '../../needs/service.ts'
import { BarChart, Shares } from '../../ui/charts.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { countFailing } from '../../webhooks/service.ts'
import { useVisit } from '../context.ts'
import { sendScreen, signedIn } from '../layout.tsx'
import type { PortalDeps } from '../shell.tsx'
import { FirstSteps, type Steps } from './first-steps.tsx'

const WEEKS = 12

/** The home page: what needs attention, then statistics. */
export function registerPortalHome(app: FastifyInstance, { db, now, reconfirmDays }: PortalDeps): void {
  app.get('', async (request, reply) => {
    const agent = signedIn(request)
    const { t } = request.visit
    const [leads, weeks, toDo, statuses, failingWebhooks, awaiting, matches, overdue, profile, license] =
      await Promise.all([
        countLeads(db, agent.id),
        countByWeek(db, agent.id, now(), WEEKS),
        countToDo(db, agent.id, reconfirmDays),
        countByStatus(db, agent.id),
        countFailing(db, agent.id),
        countAwaiting(db, agent.id),
        countFresh(db, agent.id),
        countTasks(db, agent.id, now()),
        findOwnProfile(db, agent.id),
        latestLicenseRequest(db, agent.id),
      ])
    const attention = { ...toDo, newLeads: leads.new ?? 0, failingWebhooks, awaiting, matches, overdue }
    const steps: Steps = {
      license: agent.isVerified || license?.status === 'pending',
      profile: profile.photo !== null && profile.bio !== null,
      listing: statuses.length > 0,
      published: statuses.some(({ status }) => status !== 'draft'),
    }
    const first = agent.name.split(' ')[0] as string
    return sendScreen(
      request,
      reply,
      {
        title: t(`Hola, ${first}`, `Hello, ${first}`),
        section: 'home',
        actions: (
          <a class="btn btn-primary" href="/portal/listings/new">
            <Icon name="plus" />
            {t('Nueva propiedad', 'New listing')}
          </a>
        ),
      },
      <>
        <FirstSteps steps={steps} />
        <Home attention={attention} weeks={weeks} statuses={statuses} />
      </>,
    )
  })
}

interface HomeProps {
  attention: Awaited<ReturnType<typeof countToDo>> & {
    newLeads: number
    failingWebhooks: number
    /** Cooperations in which the other side waits for the agent. */
    awaiting: number
    /** Listings that were lately found for the agent's needs. */
    matches: number
    /** Tasks. */
    overdue: number
  }
  weeks: Awaited<ReturnType<typeof countByWeek>>
  statuses: Awaited<ReturnType<typeof countByStatus>>
}

function Home({ attention, weeks, statuses }: HomeProps) {
  const { t, lang } = useVisit()
  const bars = weeks.map(({ week, leads }) => {
    const monday = dayText(week.toISOString().slice(0, 10), { day: 'numeric', month: 'short' }, lang)
    return {
      label: monday.replace('.', ''),
      value: leads,
      title: t(`Semana del ${monday}`, `Week of ${monday}`),
    }
  })
  const total = numberText(
    weeks.reduce((sum, { leads }) => sum + leads, 0),
    lang,
  )
  return (
    <>
      <Attention attention={attention} />
      <div class="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel
          title={t('Prospectos por semana', 'Leads per week')}
          note={t(`${total} en ${WEEKS} semanas`, `${total} in ${WEEKS} weeks`)}
        >
          <BarChart bars={bars} caption={t('Prospectos por semana', 'Leads per week')} />
        </Panel>
        <Panel title={t('Propiedades por estatus', 'Listings by status')}>
          {statuses.length === 0 ? (
            <Empty icon="building" title={t('Aún no tienes propiedades', 'No listings yet')}>
              {t('Empieza con un borrador: solo tú lo ves.', 'Start with a draft: only you can see it.')}
            </Empty>
          ) : (
            <Shares
              shares={statuses.map(({ status, count }) => ({
                label: STATUSES[status][lang],
                value: count,
                href: `/portal/listings?status=${status}`,
              }))}
            />
          )}
        </Panel>
      </div>
    </>
  )
}

function Attention({ attention }: Pick<HomeProps, 'attention'>) {
  const { t } = useVisit()
  const { newLeads, toReconfirm, failingWebhooks, incompleteDrafts, awaiting, matches, overdue } = attention
  const isQuiet = Object.values(attention).every(count => count === 0)
  if (isQuiet) {
    return (
      <Panel>
        <Empty icon="check" title={t('Todo al día', 'All caught up')}>
          {t('Aquí verás lo que requiera tu atención.', 'What needs your attention will show up here.')}
        </Empty>
      </Panel>
    )
  }
  return (
    <section aria-label={t('Requiere tu atención', 'Needs your attention')}>
      <ul class="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-3">
        <Task icon="people" count={newLeads} href="/portal/leads?status=new">
          {t('Prospectos nuevos', 'New leads')}
        </Task>
        <Task icon="calendar" count={overdue} href="/portal/tasks">
          {t('Tareas vencidas', 'Overdue tasks')}
        </Task>
        <Task icon="handshake" count={awaiting} href="/portal/cooperations">
          {t('Cooperaciones por responder', 'Cooperations to answer')}
        </Task>
        <Task icon="search" count={matches} href="/portal/needs">
          {t('Coincidencias recientes', 'Recent matches')}
        </Task>
        <Task icon="refresh" count={toReconfirm} href="/portal/listings?reconfirm=1">
          {t('Por reconfirmar', 'To reconfirm')}
        </Task>
        <Task icon="pencil" count={incompleteDrafts} href="/portal/listings?status=draft">
          {t('Borradores incompletos', 'Incomplete drafts')}
        </Task>
        <Task icon="bolt" count={failingWebhooks} href="/portal/webhooks">
          {t('Webhooks con fallas', 'Failing webhooks')}
        </Task>
      </ul>
    </section>
  )
}

function Task(props: { icon: IconName; count: number; href: string; children: ComponentChildren }) {
  const { icon, count, href, children } = props
  const isDue = count > 0
  const { lang } = useVisit()
  return (
    <li class="min-w-0">
      <a
        href={href}
        class="flex h-full flex-col gap-3 rounded-box border border-base-300 bg-base-100 p-4 hover:border-primary sm:flex-row sm:items-center sm:gap-4 sm:p-5"
      >
        <span
          class={`grid size-11 shrink-0 place-items-center rounded-full ${isDue ? 'bg-secondary/15 text-secondary' : 'bg-base-200 text-base-content/70'}`}
        >
          <Icon name={icon} />
        </span>
        <span class="min-w-0">
          <span class="block text-2xl font-semibold tabular-nums">{numberText(count, lang)}</span>
          <span class="block text-sm text-base-content/75">{children}</span>
        </span>
      </a>
    </li>
  )
}
