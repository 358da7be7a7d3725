import type { FastifyInstance } from 'fastify'
import { Steps } from '../../market/portal/results.tsx'
import { Commission, pathOf } from '../../market/portal/words.tsx'
import type { MarketListing } from '../../market/record.ts'
import { listListings, type MarketDeps } from '../../market/service.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { ownPath } from '../../portal/shell.tsx'
import { placeName, priceText, titleOf } from '../../site/words.ts'
import { ActionButton, DangerButton } from '../../ui/buttons.tsx'
import { Pager, pageFrom, pageHref, pageOf, rangeOf } from '../../ui/pager.tsx'
import { Empty, Facts, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import {
  closeNeed,
  dismissMatch,
  holdNeed,
  listMatches,
  type NeedDeps,
  type NeedRow,
  ownNeed,
} from '../service.ts'
import { budgetOf, detailsOf, HOME, headlineOf } from './words.tsx'

interface ById {
  Params: { id: string }
}

const hrefOf = ({ id }: Pick<NeedRow, 'id'>) => pageHref(`${HOME}/${id}`)

export function registerNeed(app: FastifyInstance, deps: NeedDeps & MarketDeps): void {
  const { db } = deps

  app.get<ById>('/needs/:id', VERIFIED, async (request, reply) => {
    const agent = signedIn(request)
    const need = await ownNeed(db, agent.id, request.params.id)
    await holdNeed(deps, need)
    const page = pageOf(request)
    const { rows, hasMore } = pageFrom(await listMatches(db, need.id, rangeOf(page)), page)
    const listings = await listListings(
      deps,
      rows.map(match => match.listing_id),
      agent.id,
    )
    const { lang } = request.visit
    const screen = { title: headlineOf(need, lang), section: 'needs' as const }
    return sendScreen(request, reply, screen, <NeedScreen {...{ need, listings, page, hasMore }} />)
  })

  formRoute(app, {
    path: '/needs/:id/close',
    access: 'verified',
    run: request => closeNeed(db, signedIn(request).id, request.params.id),
    done: ({ visit: { t } }, reply) => goTo(reply, HOME, t('Búsqueda cerrada.', 'Need closed.')),
  })

  formRoute(app, {
    path: '/needs/:id/dismiss',
    access: 'verified',
    run: request =>
      dismissMatch(db, signedIn(request).id, request.params.id, request.form.get('listing') ?? ''),
    done: ({ form, params, visit: { t } }, reply) =>
      goTo(
        reply,
        ownPath(form.get('back'), `${HOME}/${params.id}`),
        t('Descartada. Vuelve solo si baja de precio.', 'Dismissed. It returns only if its price drops.'),
      ),
  })
}

interface ScreenProps {
  need: NeedRow
  listings: MarketListing[]
  page: number
  hasMore: boolean
}

function NeedScreen({ need, listings, page, hasMore }: ScreenProps) {
  const { t } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div class="order-2 min-w-0 lg:order-1">
        <Panel title={t('Coincidencias', 'Matches')}>
          {listings.length === 0 && page > 1 ? (
            <p>{t('No hay más coincidencias.', 'No more matches.')}</p>
          ) : listings.length === 0 ? (
            <Empty icon="search" title={t('Aún no hay coincidencias', 'No matches yet')}>
              {t(
                'En cuanto un colega publique una, aparecerá aquí.',
                'As soon as a colleague publishes a match, it appears here.',
              )}
            </Empty>
          ) : (
            <ul class="flex flex-col divide-y divide-base-300">
              {listings.map(listing => (
                <Match key={listing.record.id} {...{ need, listing, page }} />
              ))}
            </ul>
          )}
          <Pager {...{ page, hasMore }} hrefOf={hrefOf(need)} />
        </Panel>
      </div>
      <div class="order-1 min-w-0 lg:order-2">
        <Terms need={need} />
      </div>
    </div>
  )
}

function Match({ need, listing, page }: { need: NeedRow; listing: MarketListing; page: number }) {
  const { t, lang } = useVisit()
  const { record, contact } = listing
  return (
    <li class="flex flex-col gap-2 py-4">
      <div class="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <a class="link link-hover min-w-0 font-medium break-words" href={pathOf(listing)}>
          {titleOf(record, lang)}
        </a>
        <span class="font-semibold tabular-nums">
          {record.operations.map(one => priceText(one, lang)).join(' · ')}
        </span>
      </div>
      <p class="text-sm break-words text-base-content/75">
        {placeName(record.location)} · {contact.name} · {t('comisión', 'commission')}:{' '}
        <Commission listing={listing} />
      </p>
      <div class="flex flex-wrap gap-2">
        <Steps listing={listing} />
        <ActionButton
          action={`${HOME}/${need.id}/dismiss`}
          tone="quiet"
          fields={{ listing: record.id, back: hrefOf(need)(page) }}
        >
          {t('Descartar', 'Dismiss')}
          <span class="sr-only">: {record.title}</span>
        </ActionButton>
      </div>
    </li>
  )
}

function Terms({ need }: { need: NeedRow }) {
  const { t, lang } = useVisit()
  const market = new URLSearchParams(need.query)
  if (need.places.length === 1) market.set('place', need.places[0] as string)
  const notices = {
    at_once: t('Al momento', 'Right away'),
    daily: t('Una vez al día', 'Daily'),
    none: t('Sin correo', 'No emails'),
  }
  const details = detailsOf(need, lang)
  return (
    <Panel title={t('Búsqueda', 'Need')}>
      <Facts
        stacked
        facts={[
          [t('Cliente', 'Client'), need.client ?? '—'],
          [t('Presupuesto', 'Budget'), budgetOf(need, lang) ?? '—'],
          ...(details.length > 0 ? [[t('Además', 'Also'), details.join(' · ')] as [string, string]] : []),
          [t('Nota', 'Note'), need.note ?? '—'],
          [
            t('Visible para', 'Visible to'),
            need.on_board
              ? t('Agentes verificados, sin el cliente', 'Verified agents, without the client')
              : t('Solo tú', 'Only you'),
          ],
          [t('Avisos', 'Notifications'), notices[need.notices]],
          [t('Vigente hasta', 'Valid until'), <Time at={need.until} day />],
        ]}
      />
      <div class="mt-4 flex flex-wrap gap-2">
        <a class="btn btn-sm" href={`${HOME}/${need.id}/edit`}>
          {t('Cambiar', 'Change')}
        </a>
        {need.places.length <= 1 && (
          <a class="btn btn-sm" href={`/portal/market?${market}`}>
            {t('Ver en el mercado', 'See on the market')}
          </a>
        )}
        <DangerButton
          action={`${HOME}/${need.id}/close`}
          label={t('Cerrar', 'Close')}
          question={t('Ya no recibirás coincidencias.', 'You will get no more matches.')}
          yes={t('Cerrar la búsqueda', 'Close the need')}
        />
      </div>
    </Panel>
  )
}
