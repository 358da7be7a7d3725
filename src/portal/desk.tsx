import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Words } from '../lib/i18n.ts'
import { TabLinks } from '../ui/tabs.tsx'
import { sendScreen } from './layout.tsx'

/** The operator's screens share one row of tabs. */
type DeskTab =
  | 'overview'
  | 'licences'
  | 'agents'
  | 'agencies'
  | 'listings'
  | 'duplicates'
  | 'keys'
  | 'webhooks'
  | 'widgets'
  | 'feeds'
  | 'identifications'
  | 'rates'
  | 'people'
  | 'disputes'
  | 'health'
  | 'audit'

const tabsIn = (t: Words): [DeskTab, string][] => [
  ['overview', t('Resumen', 'Overview')],
  ['licences', t('Licencias', 'Licenses')],
  ['agents', t('Agentes', 'Agents')],
  ['agencies', t('Inmobiliarias', 'Agencies')],
  ['listings', t('Propiedades', 'Listings')],
  ['duplicates', t('Duplicados', 'Duplicates')],
  ['keys', t('Llaves', 'Keys')],
  ['webhooks', t('Webhooks', 'Webhooks')],
  ['widgets', t('Widgets', 'Widgets')],
  ['feeds', t('Feeds', 'Feeds')],
  ['rates', t('Tipo de cambio', 'Exchange rate')],
  ['identifications', t('Identificaciones', 'Identifications')],
  ['people', t('Derechos ARCO', 'Data requests')],
  ['disputes', t('Desacuerdos', 'Disputes')],
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
