import type { FastifyInstance } from 'fastify'
import { FindingsPanel } from '../../doctor/portal/findings.tsx'
import { listFindings, type Shown } from '../../doctor/service.ts'
import { FigureStats, ViewsPanel } from '../../figures/portal/parts.tsx'
import { findFigures } from '../../figures/service.ts'
import { countForListing } from '../../needs/service.ts'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { findSuspensionReason } from '../history.ts'
import { type Entries, HistoryList, listLatest } from './history.tsx'
import type { OwnListing } from './inventory.ts'
import { PreviewCard } from './preview.tsx'
import { type ById, ownListing, screenOf, withTabs } from './shared.tsx'
import { StatusPanel } from './status.tsx'
import { Where } from './where.tsx'

export function registerListing(app: FastifyInstance, { db, reconfirmDays, now }: PortalDeps): void {
  app.get<ById>('/listings/:id', async (request, reply) => {
    const listing = await ownListing(db, request)
    const history = await listLatest(db, listing)
    const suspension = listing.status === 'suspended' ? await findSuspensionReason(db, listing.id) : undefined
    const needs = signedIn(request).isVerified ? await countForListing(db, listing.id) : 0
    const findings = await listFindings(db, signedIn(request).id, { listingId: listing.id, limit: 20 })
    const figures = await findFigures(db, signedIn(request).id, now().getTime(), listing.id)
    const content = (
      <Overview {...{ listing, history, suspension, reconfirmDays, needs, findings, figures }} />
    )
    return sendScreen(request, reply, screenOf(listing), withTabs(listing, 'overview', content))
  })
}

interface OverviewProps {
  listing: OwnListing
  history: Entries
  suspension: string | undefined
  reconfirmDays: number
  /** How many needs of colleagues it matches. */
  needs: number
  findings: Shown[]
  figures: Awaited<ReturnType<typeof findFigures>>
}

function Overview(props: OverviewProps) {
  const { listing, history, suspension, reconfirmDays, needs, findings, figures } = props
  const { t } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div class="order-2 flex min-w-0 flex-col gap-6 lg:order-1">
        <Panel
          title={t('Así la ven los demás', 'How others see it')}
          actions={
            <div class="flex flex-wrap gap-2">
              <a class="btn btn-sm" href={`/portal/listings/new?from=${listing.id}`}>
                <Icon name="copy" class="size-4" />
                {t('Duplicar', 'Duplicate')}
              </a>
              {listing.status === 'published' && (
                <a class="btn btn-sm" href={`/propiedades/${listing.slug}`}>
                  <Icon name="external" class="size-4" />
                  {t('Página pública', 'Public page')}
                </a>
              )}
            </div>
          }
        >
          <div class="mx-auto max-w-lg">
            <PreviewCard fields={listing} cover={listing.images[0]?.thumb} />
          </div>
        </Panel>
        <FigureStats sum={figures.sum} />
        <ViewsPanel days={figures.days} />
        <Panel
          title={t('Últimos cambios', 'Latest changes')}
          actions={
            <a class="link text-sm" href={`/portal/listings/${listing.id}/history`}>
              {t('Ver todos', 'See all')}
            </a>
          }
        >
          <HistoryList {...history} brief />
        </Panel>
      </div>
      <div class="order-1 flex min-w-0 flex-col gap-6 lg:order-2">
        <StatusPanel {...{ listing, suspension, reconfirmDays }} />
        <FindingsPanel findings={findings} />
        <Missing listing={listing} />
        <Panel title={t('Prospectos', 'Leads')}>
          <a class="link" href={`/portal/leads?q=${encodeURIComponent(listing.title)}`}>
            {listing.leads === 1 ? t('1 persona preguntó', '1 inquiry') : null}
            {listing.leads !== 1
              ? t(`${listing.leads} personas preguntaron`, `${listing.leads} inquiries`)
              : null}
          </a>
        </Panel>
        {needs > 0 && (
          <Panel title={t('Busco', 'Needs')}>
            <a class="link" href={`/portal/needs/board?listing=${listing.id}`}>
              {needs === 1
                ? t('1 búsqueda de colegas coincide', '1 need from a colleague matches')
                : t(`${needs} búsquedas de colegas coinciden`, `${needs} needs from colleagues match`)}
            </a>
          </Panel>
        )}
        <Where listing={listing} />
      </div>
    </div>
  )
}

/** Suggestions to improve the listing, if any. */
function Missing({ listing }: { listing: OwnListing }) {
  const { t } = useVisit()
  const base = `/portal/listings/${listing.id}`
  const steps: [missing: boolean, label: string, href: string][] = [
    [listing.images.length < 5, t('Al menos cinco fotos', 'At least five photos'), `${base}/photos`],
    [
      (listing.description?.length ?? 0) < 200,
      t('Una descripción de unos renglones', 'A description a few lines long'),
      `${base}/edit#description`,
    ],
    [listing.lat === null, t('La ubicación en el mapa', 'Location on the map'), `${base}/edit#lat`],
    [
      listing.construction_m2 === null && listing.lot_m2 === null,
      t('Los metros cuadrados', 'The area in square meters'),
      `${base}/edit#construction_m2`,
    ],
    [listing.features.length === 0, t('Las amenidades', 'The amenities'), `${base}/edit`],
  ]
  const missing = steps.filter(([isMissing]) => isMissing)
  if (missing.length === 0) return null
  return (
    <Panel title={t('Para mejorar tu anuncio', 'To improve this listing')}>
      <ul class="flex flex-col gap-2 text-sm">
        {missing.map(([, label, href]) => (
          <li key={label} class="flex items-center gap-2">
            <Icon name="plus" class="size-4 text-primary" />
            <a class="link" href={href}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
