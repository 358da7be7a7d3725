import type { ComponentChildren } from 'preact'
import type { Words } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { ActionButton, type Tone } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { TabLinks } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { confirmBefore } from '../confirmation.ts'
import type { HistoryEntry } from '../history.ts'
import { CELL_MICRO } from '../location.ts'
import { HistoryList } from './history.tsx'
import type { OwnListing } from './inventory.ts'
import { PreviewCard } from './preview.tsx'
import { type AgentTransition, StatusBadge } from './words.tsx'

export type ListingTab = 'overview' | 'edit' | 'photos' | 'history'

export function ListingTabs({ id, here }: { id: string; here: ListingTab }) {
  const { t } = useVisit()
  const base = `/portal/listings/${id}`
  const tabs = [
    { tab: 'overview', href: base, label: t('Resumen', 'Overview') },
    { tab: 'edit', href: `${base}/edit`, label: t('Editar', 'Edit') },
    { tab: 'photos', href: `${base}/photos`, label: t('Fotos', 'Photos') },
    { tab: 'history', href: `${base}/history`, label: t('Historial', 'History') },
  ]
  return (
    <TabLinks
      label={t('Esta propiedad', 'This listing')}
      tabs={tabs.map(({ tab, href, label }) => ({ href, label, here: tab === here }))}
    />
  )
}

interface OverviewProps {
  listing: OwnListing
  history: HistoryEntry[]
  reconfirmDays: number
}

export function ListingOverview({ listing, history, reconfirmDays }: OverviewProps) {
  const { t } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div class="order-2 flex min-w-0 flex-col gap-6 lg:order-1">
        <Panel
          title={t('Así la ven los demás', 'How others see it')}
          actions={
            listing.status === 'published' && (
              <a class="btn btn-sm" href={`/propiedades/${listing.slug}`}>
                <Icon name="external" class="size-4" />
                {t('Página pública', 'Public page')}
              </a>
            )
          }
        >
          <div class="mx-auto max-w-lg">
            <PreviewCard fields={listing} cover={listing.images[0]?.thumb} />
          </div>
        </Panel>
        <Panel
          title={t('Últimos cambios', 'Latest changes')}
          actions={
            <a class="link text-sm" href={`/portal/listings/${listing.id}/history`}>
              {t('Ver todos', 'See all')}
            </a>
          }
        >
          <HistoryList entries={history} createdAt={listing.created_at} brief />
        </Panel>
      </div>
      <div class="order-1 flex min-w-0 flex-col gap-6 lg:order-2">
        <StatusPanel {...{ listing, history, reconfirmDays }} />
        <Missing listing={listing} />
        <Panel title={t('Prospectos', 'Leads')}>
          <a class="link" href={`/portal/leads?q=${encodeURIComponent(listing.title)}`}>
            {listing.leads === 1 ? t('1 persona preguntó', '1 person asked') : null}
            {listing.leads !== 1
              ? t(`${listing.leads} personas preguntaron`, `${listing.leads} people asked`)
              : null}
          </a>
        </Panel>
        <Where listing={listing} />
      </div>
    </div>
  )
}

interface Action {
  by: AgentTransition
  label: string
  tone?: Tone
}

function StatusPanel({ listing, history, reconfirmDays }: OverviewProps) {
  const { t, agent } = useVisit()
  const { status } = listing
  const canPublish = agent?.isVerified ?? false
  const publish = (label: string): Action[] => (canPublish ? [{ by: 'publish', label, tone: 'primary' }] : [])
  const actions: Action[] =
    status === 'suspended'
      ? []
      : status === 'published'
        ? [
            ...publish(t('Reconfirmar', 'Reconfirm')),
            ...(listing.sale_price === null ? [] : [{ by: 'sell' as const, label: t('Se vendió', 'Sold') }]),
            ...(listing.rent_price === null ? [] : [{ by: 'rent' as const, label: t('Se rentó', 'Rented') }]),
            { by: 'unpublish', label: t('Despublicar', 'Unpublish') },
            { by: 'withdraw', label: t('Retirar', 'Withdraw'), tone: 'danger' },
          ]
        : status === 'draft'
          ? [
              ...publish(t('Publicar', 'Publish')),
              { by: 'withdraw', label: t('Retirar', 'Withdraw'), tone: 'danger' },
            ]
          : [
              ...publish(t('Volver a publicar', 'Relist')),
              { by: 'unpublish', label: t('Pasar a borrador', 'Back to draft') },
            ]
  return (
    <Panel title={t('Estado', 'Status')} actions={<StatusBadge status={status} />}>
      <p class="mb-4 text-sm text-base-content/80">
        <StatusSentence {...{ listing, history, reconfirmDays }} />
      </p>
      <div class="flex flex-wrap gap-2">
        {actions.map(({ by, label, tone = 'plain' }) => (
          <ActionButton
            key={by}
            action={`/portal/listings/${listing.id}/status`}
            fields={{ action: by }}
            tone={tone}
          >
            {label}
          </ActionButton>
        ))}
      </div>
    </Panel>
  )
}

function StatusSentence({ listing, history, reconfirmDays }: OverviewProps) {
  const { t, agent } = useVisit()
  switch (listing.status) {
    case 'published':
      return (
        <>
          {t('Se puede encontrar. Reconfírmala antes del', 'It can be found. Reconfirm it before')}{' '}
          <Time at={confirmBefore(listing.confirmed_at, reconfirmDays)} day />{' '}
          {t('para que siga a la vista.', 'to keep it in sight.')}
        </>
      )
    case 'draft':
      return agent?.isVerified
        ? t('Solo tú la ves.', 'Only you see it.')
        : t(
            'Solo tú la ves. Podrás publicarla cuando verifiquemos tu licencia.',
            'Only you see it. You can publish it once your licence has been verified.',
          )
    case 'expired':
      return t(
        'La ocultamos porque pasó mucho tiempo sin reconfirmarse.',
        'We hid it because it was not reconfirmed for a long time.',
      )
    case 'suspended':
      return suspensionWords(history, t)
    default:
      return t(
        'Ya no se muestra; la conservamos con su historia.',
        'No longer shown; we keep it and its history.',
      )
  }
}

function suspensionWords(history: HistoryEntry[], t: Words): string {
  const reason = history.find(entry => entry.action === 'suspend')?.fields.reason?.[1]
  return reason
    ? t(`El operador la suspendió: ${reason}`, `The operator suspended it: ${reason}`)
    : t(
        'El operador la suspendió; escríbele para saber por qué.',
        'The operator suspended it; write to find out why.',
      )
}

/** What would make the listing better, while something would. */
function Missing({ listing }: { listing: OwnListing }) {
  const { t } = useVisit()
  const base = `/portal/listings/${listing.id}`
  const steps: [missing: boolean, label: string, href: string][] = [
    [listing.images.length < 5, t('Al menos cinco fotos', 'At least five photos'), `${base}/photos`],
    [
      (listing.description?.length ?? 0) < 200,
      t('Una descripción de unos renglones', 'A description of a few lines'),
      `${base}/edit#description`,
    ],
    [listing.lat === null, t('El punto en el mapa', 'The point on the map'), `${base}/edit#lat`],
    [
      listing.construction_m2 === null && listing.lot_m2 === null,
      t('Los metros cuadrados', 'The square metres'),
      `${base}/edit#construction_m2`,
    ],
    [listing.features.length === 0, t('Las amenidades', 'The amenities'), `${base}/edit`],
  ]
  const missing = steps.filter(([isMissing]) => isMissing)
  if (missing.length === 0) return null
  return (
    <Panel title={t('Para que luzca más', 'To make it shine')}>
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

function Where({ listing }: { listing: OwnListing }) {
  const { t } = useVisit()
  const { lat, lng, public_lat, public_lng } = listing
  if (lat === null || lng === null || public_lat === null || public_lng === null) return null
  return (
    <Panel title={t('Ubicación', 'Location')}>
      <CellFigure
        exact={{ lat, lng }}
        shown={{ lat: public_lat, lng: public_lng }}
        isExact={listing.show_exact_address}
      />
      <dl class="mt-4 flex flex-col gap-2 text-sm">
        <Legend dot="bg-secondary" term={t('Punto exacto', 'Exact point')}>
          {lat}, {lng}
        </Legend>
        {listing.show_exact_address ? (
          <p class="text-base-content/75">
            {t('Todos ven el punto exacto.', 'Everybody sees the exact point.')}
          </p>
        ) : (
          <Legend dot="bg-primary" term={t('Lo que ven los demás', 'What others see')}>
            {public_lat}, {public_lng}
          </Legend>
        )}
      </dl>
    </Panel>
  )
}

function Legend({ dot, term, children }: { dot: string; term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt class="flex items-center gap-2">
        <span class={`size-2.5 rounded-full ${dot}`} aria-hidden="true" />
        {term}
      </dt>
      <dd class="pl-4.5 font-mono text-sm text-base-content/75">{children}</dd>
    </div>
  )
}

interface FigureProps {
  exact: { lat: number; lng: number }
  shown: { lat: number; lng: number }
  isExact: boolean
}

/** The public cell among its neighbours, drawn on the server: the exact point and the one others see. */
function CellFigure({ exact, shown, isExact }: FigureProps) {
  const { t } = useVisit()
  const micro = (degrees: number) => Math.round(degrees * 1e6)
  const corner = (degrees: number) => Math.floor(micro(degrees) / CELL_MICRO) * CELL_MICRO
  const cell = { lat: corner(exact.lat), lng: corner(exact.lng) }
  // A degree of longitude is shorter than one of latitude.
  const narrow = Math.cos((exact.lat * Math.PI) / 180)
  const unit = 100
  const x = (lng: number) => ((micro(lng) - cell.lng) / CELL_MICRO + 0.5) * unit * narrow
  const y = (lat: number) => (1.5 - (micro(lat) - cell.lat) / CELL_MICRO) * unit
  const width = 2 * unit * narrow
  const lines = [0.5, 1.5]
  return (
    <svg
      viewBox={`0 0 ${width} ${2 * unit}`}
      class="w-full rounded-field bg-base-200"
      role="img"
      aria-label={t('La zona pública y el punto exacto', 'The public area and the exact point')}
    >
      {lines.map(at => (
        <g key={at} class="stroke-base-300">
          <line x1={at * unit * narrow} x2={at * unit * narrow} y1="0" y2={2 * unit} />
          <line y1={at * unit} y2={at * unit} x1="0" x2={width} />
        </g>
      ))}
      {!isExact && (
        <>
          <rect
            x={0.5 * unit * narrow}
            y={0.5 * unit}
            width={unit * narrow}
            height={unit}
            class="fill-primary/20 stroke-primary"
          />
          <circle cx={x(shown.lng)} cy={y(shown.lat)} r="4" class="fill-primary" />
        </>
      )}
      <circle
        cx={x(exact.lng)}
        cy={y(exact.lat)}
        r="5"
        class="fill-secondary stroke-base-100"
        stroke-width="1.5"
      />
    </svg>
  )
}
