import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Words } from '../lib/i18n.ts'
import { useVisit } from './context.ts'
import { Icon } from './icons.tsx'
import { sendScreen } from './layout.tsx'
import { TabLinks } from './pieces.tsx'

/** The operator's screens stand beside each other under one row of tabs. */
type DeskTab =
  | 'overview'
  | 'licences'
  | 'agents'
  | 'agencies'
  | 'listings'
  | 'keys'
  | 'webhooks'
  | 'widgets'
  | 'identifications'
  | 'health'
  | 'audit'

export const OPERATOR = { config: { access: 'operator' as const } }

const tabsIn = (t: Words): [DeskTab, string][] => [
  ['overview', t('Resumen', 'Overview')],
  ['licences', t('Licencias', 'Licences')],
  ['agents', t('Agentes', 'Agents')],
  ['agencies', t('Inmobiliarias', 'Agencies')],
  ['listings', t('Propiedades', 'Listings')],
  ['keys', t('Llaves', 'Keys')],
  ['webhooks', t('Webhooks', 'Webhooks')],
  ['widgets', t('Widgets', 'Widgets')],
  ['identifications', t('Identificaciones', 'Identifications')],
  ['health', t('Sistema', 'System')],
  ['audit', t('Bitácora', 'Audit log')],
]

const pathOf = (tab: DeskTab) => (tab === 'overview' ? '/portal/operator' : `/portal/operator/${tab}`)

export function sendDesk(
  request: FastifyRequest,
  reply: FastifyReply,
  { tab, title }: { tab: DeskTab; title?: string },
  content: ComponentChildren,
): FastifyReply {
  const { t } = request.visit
  const tabs = tabsIn(t)
  return sendScreen(
    request,
    reply,
    { title: title ?? tabs.find(([name]) => name === tab)?.[1] ?? '', section: 'operator' },
    <>
      <TabLinks
        label={t('Operación', 'Operator')}
        tabs={tabs.map(([name, label]) => ({ href: pathOf(name), label, here: name === tab }))}
      />
      {content}
    </>,
  )
}

/** A search box above a list; a plain GET form, so that the address can be kept. */
export function SearchBox({ action, q, label }: { action: string; q: string; label: string }) {
  const { t } = useVisit()
  return (
    <form method="get" action={action} class="flex gap-2">
      <input
        type="search"
        name="q"
        value={q}
        aria-label={label}
        placeholder={label}
        class="input min-w-0 flex-1"
        maxLength={100}
      />
      <button type="submit" class="btn btn-primary">
        <Icon name="search" />
        <span class="sr-only sm:not-sr-only">{t('Buscar', 'Search')}</span>
      </button>
    </form>
  )
}

export type Fact = [label: string, value: ComponentChildren]

/** What is known of somebody or something; what is not known is left out. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl class="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[11rem_minmax(0,1fr)]">
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <>
            <dt class="text-base-content/70">{label}</dt>
            <dd class="break-words">{value}</dd>
          </>
        ))}
    </dl>
  )
}

export interface PageOf {
  page: number
  hasMore: boolean
}

export const PAGE_SIZE = 25

/** `?page=3`, from 1 on; anything else is the first. */
export function pageOf(request: FastifyRequest): number {
  const page = Number((request.query as URLSearchParams).get('page') ?? 1)
  return Number.isInteger(page) && page > 0 && page < 10_000 ? page : 1
}

export const queryOf = (request: FastifyRequest): string =>
  ((request.query as URLSearchParams).get('q') ?? '').replaceAll('\0', '').trim().slice(0, 100)

export function Pager({ path, q, page, hasMore }: PageOf & { path: string; q?: string }) {
  const { t } = useVisit()
  if (page === 1 && !hasMore) return null
  const to = (number: number) =>
    `${path}?${new URLSearchParams({ ...(q ? { q } : {}), page: String(number) })}`
  return (
    <nav aria-label={t('Páginas', 'Pages')} class="mt-5 flex items-center justify-between gap-3">
      {page > 1 ? (
        <a class="btn btn-sm" href={to(page - 1)}>
          {t('Anterior', 'Previous')}
        </a>
      ) : (
        <span />
      )}
      <span class="text-sm text-base-content/70">{t(`Página ${page}`, `Page ${page}`)}</span>
      {hasMore ? (
        <a class="btn btn-sm" href={to(page + 1)}>
          {t('Siguiente', 'Next')}
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}
