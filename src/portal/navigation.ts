import type { Words } from '../lib/i18n.ts'
import type { IconName } from '../ui/icons.tsx'
import type { PortalAgent } from './sessions.ts'

/** Portal sections; each screen names its own. */
export type Section =
  | 'home'
  | 'listings'
  | 'import'
  | 'market'
  | 'needs'
  | 'cooperations'
  | 'leads'
  | 'contacts'
  | 'figures'
  | 'calendar'
  | 'collections'
  | 'widgets'
  | 'feeds'
  | 'keys'
  | 'webhooks'
  | 'team'
  | 'profile'
  | 'account'
  | 'operator'

export interface Place {
  section: Section
  path: string
  icon: IconName
  label: string
}

/** What an assistant uses. */
const ASSISTANT: readonly Section[] = ['home', 'listings', 'leads', 'contacts', 'calendar', 'team', 'account']

export function placesFor(t: Words, agent: PortalAgent): Place[] {
  const places = allPlaces(t, agent.isOperator)
  return agent.assistant || agent.assists
    ? places.filter(({ section }) => ASSISTANT.includes(section))
    : places
}

const allPlaces = (t: Words, isOperator: boolean): Place[] => [
  { section: 'home', path: '/portal', icon: 'home', label: t('Inicio', 'Home') },
  { section: 'listings', path: '/portal/listings', icon: 'building', label: t('Propiedades', 'Listings') },
  { section: 'import', path: '/portal/import', icon: 'document', label: t('Importar', 'Import') },
  { section: 'market', path: '/portal/market', icon: 'layers', label: t('Mercado', 'Market') },
  { section: 'needs', path: '/portal/needs', icon: 'search', label: t('Busco', 'Needs') },
  {
    section: 'cooperations',
    path: '/portal/cooperations',
    icon: 'handshake',
    label: t('Cooperaciones', 'Cooperations'),
  },
  { section: 'leads', path: '/portal/leads', icon: 'people', label: t('Prospectos', 'Leads') },
  { section: 'contacts', path: '/portal/contacts', icon: 'phone', label: t('Contactos', 'Contacts') },
  { section: 'figures', path: '/portal/figures', icon: 'chart', label: t('Estadísticas', 'Statistics') },
  { section: 'calendar', path: '/portal/calendar', icon: 'calendar', label: t('Calendario', 'Calendar') },
  {
    section: 'collections',
    path: '/portal/collections',
    icon: 'share',
    label: t('Colecciones', 'Collections'),
  },
  { section: 'widgets', path: '/portal/widgets', icon: 'code', label: t('Widgets', 'Widgets') },
  { section: 'feeds', path: '/portal/feeds', icon: 'rss', label: t('Feeds', 'Feeds') },
  { section: 'keys', path: '/portal/keys', icon: 'key', label: t('Llaves de API', 'API keys') },
  { section: 'webhooks', path: '/portal/webhooks', icon: 'bolt', label: t('Webhooks', 'Webhooks') },
  { section: 'team', path: '/portal/team', icon: 'people', label: t('Equipo', 'Team') },
  { section: 'profile', path: '/portal/profile', icon: 'person', label: t('Perfil', 'Profile') },
  { section: 'account', path: '/portal/account', icon: 'lock', label: t('Cuenta', 'Account') },
  ...(isOperator
    ? [
        {
          section: 'operator' as const,
          path: '/portal/operator',
          icon: 'shield' as const,
          label: t('Operación', 'Operator'),
        },
      ]
    : []),
]
