import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { VerifiedOnly } from '../../portal/verified-only.tsx'
import { Badge } from '../../ui/badges.tsx'
import { type PageOf, Pager, pageFrom, pageHref, pageOf, rangeOf } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { NO_CLIENT } from '../rules.ts'
import { type CooperationInList, listCooperations, roleIn } from '../service.ts'
import { HOME, StateBadge } from './words.tsx'

export function registerCooperations(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/cooperations', async (request, reply) => {
    const agent = signedIn(request)
    const { t } = request.visit
    const page = pageOf(request)
    const screen = {
      title: t('Cooperaciones', 'Cooperations'),
      section: 'cooperations' as const,
      subtitle: t(
        'Lo que acuerdas con colegas para tus clientes y los suyos.',
        'What you agree with colleagues for your clients and theirs.',
      ),
    }
    if (!agent.isVerified) {
      const why = t(
        'Los agentes con licencia verificada proponen cooperar en propiedades de colegas y acuerdan la comisión aquí.',
        'Agents with a verified license propose to cooperate on colleagues’ listings and agree on the commission here.',
      )
      return sendScreen(request, reply, screen, <VerifiedOnly>{why}</VerifiedOnly>)
    }
    const found = pageFrom(await listCooperations(db, agent.id, rangeOf(page)), page)
    return sendScreen(request, reply, screen, <Cooperations found={found} agentId={agent.id} />)
  })
}

function Cooperations({ found, agentId }: { found: PageOf<CooperationInList>; agentId: string }) {
  const { t } = useVisit()
  return (
    <Panel>
      {found.rows.length === 0 ? (
        <Empty
          icon="handshake"
          title={t('Aún no cooperas con nadie', 'No cooperations yet')}
          action={
            <a class="btn btn-primary" href="/portal/market">
              {t('Buscar en el mercado', 'Search the market')}
            </a>
          }
        >
          {t(
            'Encuentra una propiedad para tu cliente y propón cooperar a su agente.',
            'Find a listing for your client and propose a cooperation to its agent.',
          )}
        </Empty>
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {found.rows.map(row => (
            <Line key={row.id} row={row} agentId={agentId} />
          ))}
        </ul>
      )}
      <Pager page={found.page} hasMore={found.hasMore} hrefOf={pageHref(HOME)} />
    </Panel>
  )
}

function Line({ row, agentId }: { row: CooperationInList; agentId: string }) {
  const { t } = useVisit()
  const role = roleIn(row, agentId)
  const other = role === 'buyer' ? row.owner_name : row.buyer_agent_name
  return (
    <li class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4">
      <div class="min-w-0">
        <a class="link link-hover font-medium break-words" href={`${HOME}/${row.id}`}>
          {row.listing_title}
        </a>
        <p class="text-sm break-words text-base-content/75">
          {row.proposed_by === role ? t('Con', 'With') : t('Propone', 'Proposed by')} {other}
          {row.client !== NO_CLIENT && ` · ${t('cliente', 'client')} ${row.client}`}
          {row.proposed_by === 'owner' && ` · ${t('para una búsqueda', 'for a need')}`}
        </p>
      </div>
      <div class="flex flex-wrap items-center gap-2 text-sm">
        {row.awaited === role && <Badge tone="warning">{t('Te toca responder', 'Waiting for you')}</Badge>}
        {row.disputed_at && <Badge tone="error">{t('En desacuerdo', 'In dispute')}</Badge>}
        <StateBadge state={row.state} />
        <Time at={row.updated_at} day />
      </div>
    </li>
  )
}
