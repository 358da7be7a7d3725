import type { FastifyInstance } from 'fastify'
import { dialed, phoneText } from '../../lib/phone.ts'
import { Problem } from '../../lib/problem.ts'
import { isUuid } from '../../lib/uuid.ts'
import { findListing, type MarketDeps } from '../../market/service.ts'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import { Badge } from '../../ui/badges.tsx'
import { type PageOf, Pager, pageFrom, pageHref, pageOf, rangeOf } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { listBoard, type NeedDeps, type OnBoard } from '../service.ts'
import { explain } from './explain.tsx'
import { budgetOf, detailsOf, HOME, headlineOf } from './words.tsx'

export function registerBoard(app: FastifyInstance, deps: NeedDeps & MarketDeps): void {
  app.get('/needs/board', async (request, reply) => {
    const agent = signedIn(request)
    if (!agent.isVerified) return explain(request, reply)
    const { t } = request.visit
    const listingId = (request.query as URLSearchParams).get('listing') ?? undefined
    // Only for one's own: what others' listings match is between them.
    const listing = listingId && isUuid(listingId) ? await findListing(deps, listingId, agent.id) : undefined
    if (listingId !== undefined && !listing?.isOwn) throw new Problem('not_found')
    const page = pageOf(request)
    const found = pageFrom(await listBoard(deps.db, { listingId, ...rangeOf(page) }), page)
    const screen = {
      title: t('Tablero: lo que buscan tus colegas', 'Board: what colleagues are looking for'),
      section: 'needs' as const,
      subtitle: listing
        ? t(`Coinciden con «${listing.record.title}»`, `Matching “${listing.record.title}”`)
        : t('Si tienes una propiedad que coincida, ofrécela.', 'If you have a match, offer it.'),
    }
    return sendScreen(
      request,
      reply,
      screen,
      <Board found={found} agentId={agent.id} listingId={listingId} />,
    )
  })
}

interface BoardProps {
  found: PageOf<OnBoard>
  agentId: string
  listingId: string | undefined
}

function Board({ found, agentId, listingId }: BoardProps) {
  const { t } = useVisit()
  return (
    <Panel>
      {found.rows.length === 0 ? (
        <Empty
          icon="search"
          title={t('Tus colegas aún no publican búsquedas', 'Your colleagues have not posted any needs yet')}
        >
          {t('Publica tú la primera búsqueda.', 'Post the first need yourself.')}
        </Empty>
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {found.rows.map(need => (
            <Line key={need.id} need={need} isOwn={need.agent_id === agentId} listingId={listingId} />
          ))}
        </ul>
      )}
      <Pager
        page={found.page}
        hasMore={found.hasMore}
        hrefOf={pageHref(`${HOME}/board`, { listing: listingId })}
      />
    </Panel>
  )
}

function Line({ need, isOwn, listingId }: { need: OnBoard; isOwn: boolean; listingId: string | undefined }) {
  const { t, lang } = useVisit()
  const headline = headlineOf(need, lang)
  const address = encodeURIComponent(need.agent_email).replace('%40', '@')
  return (
    <li class="flex flex-col gap-1 py-4">
      <div class="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h2 class="min-w-0 font-medium break-words">{headline}</h2>
        <span class="font-semibold">{budgetOf(need, lang)}</span>
      </div>
      <p class="text-sm break-words text-base-content/75 empty:hidden">{detailsOf(need, lang).join(' · ')}</p>
      {need.note && <p class="text-sm break-words whitespace-pre-line">{need.note}</p>}
      <p class="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        {isOwn ? <Badge tone="info">{t('Tuya', 'Yours')}</Badge> : <span>{need.agent_name}</span>}
        {!isOwn && (
          <a class="link" href={`${HOME}/${need.id}/offer${listingId ? `?listing=${listingId}` : ''}`}>
            {listingId
              ? t('Ofrecer esta propiedad', 'Offer this listing')
              : t('Ofrecer una mía', 'Offer one of mine')}
            <span class="sr-only">: {headline}</span>
          </a>
        )}
        {!isOwn && (
          <a class="link" href={`mailto:${address}?subject=${encodeURIComponent(headline)}`}>
            {t('Escribir', 'Message')}
          </a>
        )}
        {!isOwn && need.agent_phone && (
          <a class="link whitespace-nowrap" href={`tel:${dialed(need.agent_phone)}`}>
            {phoneText(need.agent_phone)}
          </a>
        )}
        <span class="text-base-content/75">
          {t('hasta', 'until')} <Time at={need.until} day />
        </span>
      </p>
    </li>
  )
}
