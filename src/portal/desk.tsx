import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Words } from '../lib/i18n.ts'
import { PillLinks, TabLinks } from '../ui/tabs.tsx'
import { sendScreen } from './layout.tsx'

/** The operator's screens: a row of groups, and a row of the screens of the group. */
type DeskTab =
  | 'overview'
  | 'licences'
  | 'agents'
  | 'agencies'
  | 'identifications'
  | 'people'
  | 'listings'
  | 'duplicates'
  | 'disputes'
  | 'keys'
  | 'webhooks'
  | 'widgets'
  | 'feeds'
  | 'rates'
  | 'limits'
  | 'notice'
  | 'health'
  | 'audit'

interface Group {
  label: string
  tabs: [DeskTab, string][]
}

const groupsIn = (t: Words): Group[] => [
  { label: t('Resumen', 'Overview'), tabs: [['overview', t('Resumen', 'Overview')]] },
  {
    label: t('Personas', 'People'),
    tabs: [
      ['licences', t('Licencias', 'Licenses')],
      ['agents', t('Agentes', 'Agents')],
      ['agencies', t('Inmobiliarias', 'Agencies')],
      ['identifications', t('Identificaciones', 'Identifications')],
      ['people', t('Derechos ARCO', 'Data requests')],
    ],
  },
  {
    label: t('Propiedades', 'Listings'),
    tabs: [
      ['listings', t('Propiedades', 'Listings')],
      ['duplicates', t('Duplicados', 'Duplicates')],
      ['disputes', t('Desacuerdos', 'Disputes')],
    ],
  },
  {
    label: t('Conexiones', 'Connections'),
    tabs: [
      ['keys', t('Llaves', 'Keys')],
      ['webhooks', t('Webhooks', 'Webhooks')],
      ['widgets', t('Widgets', 'Widgets')],
      ['feeds', t('Feeds', 'Feeds')],
    ],
  },
  {
    label: t('Ajustes', 'Settings'),
    tabs: [
      ['rates', t('Tipo de cambio', 'Exchange rate')],
      ['limits', t('Límites', 'Limits')],
      ['notice', t('Aviso de privacidad', 'Privacy notice')],
    ],
  },
  {
    label: t('Sistema', 'System'),
    tabs: [
      ['health', t('Estado', 'Health')],
      ['audit', t('Bitácora', 'Audit log')],
    ],
  },
]

const pathOf = (tab: DeskTab) => (tab === 'overview' ? '/portal/operator' : `/portal/operator/${tab}`)

export function sendDesk(
  request: FastifyRequest,
  reply: FastifyReply,
  { tab, title, frames = false }: { tab: DeskTab; title?: string; frames?: boolean },
  content: ComponentChildren,
): FastifyReply {
  const { t } = request.visit
  const groups = groupsIn(t)
  const isIn = ({ tabs }: Group) => tabs.some(([name]) => name === tab)
  const screens = groups.find(isIn)?.tabs ?? []
  return sendScreen(
    request,
    reply,
    { title: title ?? screens.find(([name]) => name === tab)?.[1] ?? '', section: 'operator', frames },
    <>
      <div class="flex flex-col gap-3">
        <TabLinks
          label={t('Operación', 'Operator')}
          wraps
          tabs={groups.map(group => ({
            href: pathOf(group.tabs[0]?.[0] ?? 'overview'),
            label: group.label,
            here: isIn(group),
          }))}
        />
        {screens.length > 1 && (
          <PillLinks
            label={t('Pantallas', 'Screens')}
            links={screens.map(([name, label]) => ({ href: pathOf(name), label, here: name === tab }))}
          />
        )}
      </div>
      {content}
    </>,
  )
}
