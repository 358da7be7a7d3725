import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Icon } from '../../ui/icons.tsx'
import { pageFrom, pageOf, rangeOf } from '../../ui/pager.tsx'
import { Empty } from '../../ui/panels.tsx'
import { SearchField } from '../../ui/search-box.tsx'
import { TabLinks, ViewLinks } from '../../ui/tabs.tsx'
import { LEAD_STATUSES } from '../rules.ts'
import { countLeads, type LeadFilter, searchLeads } from '../service.ts'
import { Board } from './board.tsx'
import { type InboxProps, inboxPath } from './inbox.ts'
import { LeadTable } from './table.tsx'
import { isStage, type Stage, stageWords } from './words.tsx'

const BOARD_LIMIT = 500
const TABLE_PAGE = 50

export function registerLeads(app: FastifyInstance, { db, now }: PortalDeps): void {
  app.get('/leads', async (request, reply) => {
    const agent = signedIn(request)
    const { t } = request.visit
    const query = request.query as URLSearchParams
    const filter = filterOf(query)
    const view = query.get('view') === 'table' || filter.status ? 'table' : 'board'
    const page = pageOf(request)
    const range = view === 'board' ? { limit: BOARD_LIMIT } : rangeOf(page, TABLE_PAGE)
    const [found, counts] = await Promise.all([
      searchLeads(db, agent.id, filter, range),
      countLeads(db, agent.id),
    ])
    const { rows: leads, hasMore } = pageFrom(found, page, view === 'board' ? BOARD_LIMIT : TABLE_PAGE)
    return sendScreen(
      request,
      reply,
      {
        title: t('Prospectos', 'Leads'),
        section: 'leads',
        assets: ['leads.js'],
        actions: agent.isVerified && (
          <div class="flex flex-wrap gap-2">
            {!agent.assistant && (
              <a class="btn" href="/portal/leads/export.csv" download>
                <Icon name="download" />
                CSV
              </a>
            )}
            <a class="btn btn-primary" href="/portal/leads/new">
              <Icon name="plus" />
              {t('Nuevo prospecto', 'New lead')}
            </a>
          </div>
        ),
      },
      <Inbox {...{ leads, counts, filter, view, page, hasMore }} now={now()} />,
    )
  })
}

function filterOf(query: URLSearchParams): LeadFilter {
  const stage = query.get('status') ?? ''
  return {
    status: isStage(stage) ? stage : undefined,
    q: query.get('q')?.replaceAll('\0', '').trim().slice(0, 200) || undefined,
  }
}

function Inbox(props: InboxProps) {
  const { t } = useVisit()
  const { counts, filter, leads, view } = props
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) {
    return (
      <div class="rounded-box border border-base-300 bg-base-100">
        <Empty icon="people" title={t('Aún no tienes prospectos', 'No leads yet')}>
          {t(
            'Aquí aparecen quienes preguntan por tus propiedades, con su mensaje y sus datos de contacto. También te avisamos por correo.',
            'People who inquire about your listings appear here, with their message and contact details. We also email you.',
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
          <Empty icon="search" title={t('Sin resultados', 'No results')}>
            <a class="link" href={inboxPath({ filter: {}, view })}>
              {t('Quitar los filtros', 'Clear filters')}
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
          label={t('Nombre, correo, teléfono o propiedad', 'Name, email, phone or listing')}
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
