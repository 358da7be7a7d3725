import { useVisit } from '../../portal/context.ts'
import { Form } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Pager, pageHref } from '../../ui/pager.tsx'
import { Empty } from '../../ui/panels.tsx'
import { SearchField } from '../../ui/search-box.tsx'
import { TabLinks, ViewLinks } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { LEAD_STATUSES } from '../rules.ts'
import type { LeadFilter, LeadRow } from '../service.ts'
import { KindBadges, nameOf, type Stage, StageBadge, stageWords } from './words.tsx'

export type InboxView = 'board' | 'table'

export interface InboxProps {
  leads: LeadRow[]
  counts: Record<string, number>
  filter: LeadFilter
  view: InboxView
  page: number
  hasMore: boolean
  now: Date
}

export function inboxPath({
  filter,
  view,
  page = 1,
}: Pick<InboxProps, 'filter' | 'view'> & { page?: number }): string {
  const { status, q } = filter
  return pageHref('/portal/leads', { view: view === 'table' ? view : undefined, status, q })(page)
}

export function Inbox(props: InboxProps) {
  const { t } = useVisit()
  const { counts, filter, leads, view } = props
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) {
    return (
      <div class="rounded-box border border-base-300 bg-base-100">
        <Empty icon="people" title={t('Todavía nadie ha preguntado', 'Nobody has asked yet')}>
          {t(
            'Quien pregunte por tus propiedades aparece aquí, con su mensaje y cómo contactarle. También te llega un correo.',
            'Whoever asks about your listings appears here, with the message and how to reach them. You also get a mail.',
          )}
        </Empty>
      </div>
    )
  }
  return (
    <div class="flex min-w-0 flex-col gap-5">
      <Bar {...props} />
      {view === 'table' && <StageTabs {...props} total={total} />}
      {leads.length === 0 && (filter.q || filter.status) ? (
        <div class="rounded-box border border-base-300 bg-base-100">
          <Empty icon="search" title={t('Nadie así', 'Nobody like that')}>
            <a class="link" href={inboxPath({ filter: {}, view })}>
              {t('Quitar los filtros', 'Remove the filters')}
            </a>
          </Empty>
        </div>
      ) : view === 'table' ? (
        <LeadTable {...props} />
      ) : (
        <Board {...props} />
      )}
    </div>
  )
}

function Bar({ filter, view }: InboxProps) {
  const { t } = useVisit()
  return (
    <div class="flex flex-wrap items-center justify-between gap-3">
      <form method="get" action="/portal/leads" class="flex min-w-0 basis-full gap-2 sm:flex-1 sm:basis-0">
        {view === 'table' && <input type="hidden" name="view" value="table" />}
        {filter.status && <input type="hidden" name="status" value={filter.status} />}
        <SearchField
          q={filter.q}
          label={t('Nombre, correo, teléfono o propiedad', 'Name, e-mail, phone or listing')}
          class="sm:max-w-md"
        />
        <button type="submit" class="btn">
          {t('Buscar', 'Search')}
        </button>
      </form>
      <ViewLinks
        views={[
          {
            href: inboxPath({ filter: { q: filter.q }, view: 'board' }),
            label: t('Tablero', 'Board'),
            here: view === 'board',
          },
          {
            href: inboxPath({ filter, view: 'table' }),
            label: t('Tabla', 'Table'),
            here: view === 'table',
          },
        ]}
      />
    </div>
  )
}

function StageTabs({ counts, filter, view, total }: InboxProps & { total: number }) {
  const { t } = useVisit()
  const words = stageWords(t)
  const tab = (status: Stage | undefined, label: string, count: number) => ({
    href: inboxPath({ filter: { ...filter, status }, view }),
    here: filter.status === status,
    label,
    count,
  })
  return (
    <TabLinks
      label={t('Por etapa', 'By stage')}
      tabs={[
        tab(undefined, t('Todos', 'All'), total),
        ...LEAD_STATUSES.map(stage => tab(stage, words[stage], counts[stage] ?? 0)),
      ]}
    />
  )
}

/** How many a column shows; the table has the rest. */
export const COLUMN_LIMIT = 20

function Board({ leads, counts, filter, now }: InboxProps) {
  const { t } = useVisit()
  const words = stageWords(t)
  return (
    <div class="-mx-4 overflow-x-auto px-4 pb-3 sm:-mx-8 sm:px-8" data-board>
      <div class="grid auto-cols-[17rem] grid-flow-col items-start gap-4">
        {LEAD_STATUSES.map(stage => {
          const inStage = leads.filter(lead => lead.status === stage)
          const count = filter.q ? inStage.length : (counts[stage] ?? 0)
          return (
            <section
              key={stage}
              class="flex min-w-0 flex-col gap-3 rounded-box bg-base-300/50 p-3"
              aria-label={words[stage]}
              data-stage={stage}
            >
              <h2 class="flex items-center justify-between px-1 text-sm font-semibold">
                {words[stage]}
                <span class="font-normal tabular-nums">{count}</span>
              </h2>
              <ul class="flex flex-col gap-3">
                {inStage.slice(0, COLUMN_LIMIT).map(lead => (
                  <LeadCard key={lead.id} lead={lead} now={now} />
                ))}
              </ul>
              {count > COLUMN_LIMIT && (
                <a
                  class="link px-1 text-sm"
                  href={inboxPath({ filter: { ...filter, status: stage }, view: 'table' })}
                >
                  {t(`Ver los ${count}`, `See all ${count}`)}
                </a>
              )}
            </section>
          )
        })}
      </div>
    </div>
  )
}

function LeadCard({ lead, now }: { lead: LeadRow; now: Date }) {
  const { t } = useVisit()
  return (
    <li
      class="flex min-w-0 flex-col gap-1.5 rounded-field border border-base-300 bg-base-100 p-3 text-sm shadow-xs"
      data-lead={lead.id}
    >
      <a class="link truncate font-medium link-hover" href={`/portal/leads/${lead.id}`}>
        {nameOf(lead, t)}
      </a>
      {lead.listing_title && <p class="truncate text-base-content/75">{lead.listing_title}</p>}
      <p class="flex flex-wrap items-center gap-1.5 text-base-content/75">
        <Time at={lead.created_at} day />
        <KindBadges lead={lead} />
      </p>
      <FollowUp lead={lead} now={now} />
      <StageForm lead={lead} back="/portal/leads" />
    </li>
  )
}

export function FollowUp({ lead, now }: { lead: LeadRow; now: Date }) {
  const { t } = useVisit()
  if (!lead.follow_up_at || lead.status === 'won' || lead.status === 'lost') return null
  const isLate = lead.follow_up_at < now
  return (
    <p class={`flex items-center gap-1.5 ${isLate ? 'font-medium text-error' : 'text-base-content/75'}`}>
      <Icon name="calendar" class="size-4" />
      {isLate ? t('Seguimiento vencido:', 'Follow-up was due:') : t('Seguimiento:', 'Follow-up:')}{' '}
      <Time at={lead.follow_up_at} day />
    </p>
  )
}

/** With a script, choosing is enough; without, the button does it. */
export function StageForm({ lead, back, wide = false }: { lead: LeadRow; back: string; wide?: boolean }) {
  const { t } = useVisit()
  const words = stageWords(t)
  return (
    <Form action={`/portal/leads/${lead.id}/stage`} class="flex gap-2">
      <input type="hidden" name="back" value={back} />
      <select
        name="stage"
        class={`select min-w-0 grow ${wide ? '' : 'select-xs'}`}
        aria-label={t(`Etapa de ${nameOf(lead, t)}`, `Stage of ${nameOf(lead, t)}`)}
        data-auto
      >
        {LEAD_STATUSES.map(stage => (
          <option key={stage} value={stage} selected={stage === lead.status}>
            {words[stage]}
          </option>
        ))}
      </select>
      <button type="submit" class={`btn ${wide ? '' : 'btn-xs'}`}>
        {t('Mover', 'Move')}
      </button>
    </Form>
  )
}

function LeadTable(props: InboxProps) {
  const { t } = useVisit()
  const { leads, filter, view, page, hasMore, now } = props
  return (
    <>
      <div class="overflow-x-auto rounded-box border border-base-300 bg-base-100">
        <table class="table">
          <thead class="text-base-content/80">
            <tr>
              <th>{t('Prospecto', 'Lead')}</th>
              <th class="hidden md:table-cell">{t('Propiedad', 'Listing')}</th>
              <th class="hidden sm:table-cell">{t('Etapa', 'Stage')}</th>
              <th class="hidden lg:table-cell">{t('Recibido', 'Received')}</th>
            </tr>
          </thead>
          <tbody>
            {leads.map(lead => (
              <tr key={lead.id} class="hover:bg-base-200/60">
                <td class="min-w-0">
                  <a class="link font-medium break-words link-hover" href={`/portal/leads/${lead.id}`}>
                    {nameOf(lead, t)}
                  </a>
                  <p class="text-sm break-all text-base-content/75">{lead.phone ?? lead.email}</p>
                  <p class="flex flex-wrap gap-1.5">
                    <span class="sm:hidden">
                      <StageBadge stage={lead.status} />
                    </span>
                    <KindBadges lead={lead} />
                  </p>
                  <FollowUp lead={lead} now={now} />
                </td>
                <td class="hidden max-w-xs md:table-cell">
                  <span class="line-clamp-2 text-sm text-base-content/80">{lead.listing_title}</span>
                </td>
                <td class="hidden sm:table-cell">
                  <StageBadge stage={lead.status} />
                </td>
                <td class="hidden text-base-content/75 lg:table-cell">
                  <Time at={lead.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} hasMore={hasMore} hrefOf={page => inboxPath({ filter, view, page })} />
    </>
  )
}
