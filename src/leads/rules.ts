import type { Words } from '../lib/i18n.ts'

export const LEAD_STATUSES = [
  'new',
  'contacted',
  'qualified',
  'showing',
  'negotiation',
  'won',
  'lost',
] as const
export const KINDS = ['info', 'tour'] as const
export const LANGS = ['es', 'en'] as const
export const INTERESTS = ['sale', 'rental'] as const
export const TOUR_STATUSES = ['requested', 'confirmed', 'done', 'cancelled', 'no_show'] as const
export const ID_STATUSES = ['verified', 'pending'] as const

export const MAX_NOTE = 5_000

/** How far ahead a showing can be requested. */
export const SHOWING_DAYS = 90

/** Source labels reserved for the service; API callers may not use them. */
export const reservedSource = (label: string): boolean =>
  /^(widget|collection):/i.test(label) || /^(site|portal|test)$/i.test(label)

/** Label for a lead's source, if known. */
export function sourceWords(source: string, t: Words): string {
  if (source === 'site') return t('Página de la propiedad', 'Listing page')
  if (source === 'portal') return t('Capturado por ti', 'Entered by you')
  if (source === 'api') return t('Tu sistema, por API', 'Your system, by API')
  if (source.startsWith('widget:')) return t('Widget en tu sitio', 'Widget on your site')
  if (source.startsWith('collection:')) return t('Colección compartida', 'Shared collection')
  return source
}
