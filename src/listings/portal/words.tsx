import type { Lang, Words } from '../../lib/i18n.ts'
import { formatAmount } from '../../lib/money.ts'
import { type ListingStatus, priceWith, STATUSES } from '../../lookups/catalog.ts'
import { useVisit } from '../../portal/context.ts'
import { StatusBadge } from '../../ui/badges.tsx'
import { FIELDS, type ListingFields } from '../fields.ts'
import type { HistoryAction } from '../history.ts'
import type { Transition } from '../rules.ts'

export function ListingBadge({ status }: { status: ListingStatus }) {
  const { lang } = useVisit()
  return (
    <StatusBadge of="listing" status={status}>
      {STATUSES[status][lang]}
    </StatusBadge>
  )
}

type Prices = Pick<
  ListingFields,
  'sale_price' | 'sale_currency' | 'rent_price' | 'rent_currency' | 'rent_period'
>

/** «$4,500,000 MXN», «$28,000 MXN al mes»: sale first. */
export function priceLines(prices: Prices, lang: Lang): string[] {
  const { sale_price, sale_currency, rent_price, rent_currency, rent_period } = prices
  const lines: string[] = []
  if (sale_price !== null && sale_currency) lines.push(formatAmount(sale_price, sale_currency))
  if (rent_price !== null && rent_currency) {
    lines.push(priceWith(formatAmount(rent_price, rent_currency), rent_period ?? 'monthly', lang))
  }
  return lines
}

/** Field labels on the form and in the history. */
export const fieldNames = (t: Words) =>
  ({
    ...Object.fromEntries(Object.entries(FIELDS).map(([name, { es, en }]) => [name, t(es, en)])),
    reason: t('Motivo', 'Reason'),
  }) as Record<keyof typeof FIELDS | 'reason', string>

export const historyWords = (t: Words): Record<HistoryAction, string> => ({
  create: t('Creada como borrador', 'Created as draft'),
  edit: t('Editada', 'Edited'),
  photos: t('Fotos cambiadas', 'Photos changed'),
  publish: t('Publicada', 'Published'),
  reconfirm: t('Reconfirmada', 'Reconfirmed'),
  unpublish: t('Despublicada, de vuelta a borrador', 'Unpublished, back to draft'),
  withdraw: t('Retirada', 'Withdrawn'),
  sell: t('Marcada como vendida', 'Marked as sold'),
  rent: t('Marcada como rentada', 'Marked as rented'),
  expire: t('Oculta por falta de reconfirmación', 'Hidden: not reconfirmed'),
  suspend: t('Suspendida por el operador', 'Suspended by the operator'),
  lift: t('Suspensión levantada; es un borrador', 'Suspension lifted; it is a draft'),
})

/** Status transitions open to agents; the rest are the operator's. */
export type AgentTransition = Exclude<Transition, 'suspend'>
export const AGENT_TRANSITIONS: readonly AgentTransition[] = [
  'publish',
  'unpublish',
  'withdraw',
  'sell',
  'rent',
]

export const doneWords = (t: Words): Record<AgentTransition | 'reconfirm', string> => ({
  publish: t('Publicada: ya está visible en la bolsa.', 'Published: it is now visible on the exchange.'),
  reconfirm: t(
    'Reconfirmada. Gracias por mantenerla al día.',
    'Reconfirmed. Thanks for keeping it up to date.',
  ),
  unpublish: t('Ya no está publicada; es un borrador.', 'No longer published; it is a draft.'),
  withdraw: t(
    'Retirada. La conservamos por si quieres volver a publicarla.',
    'Withdrawn. We keep it in case you relist it.',
  ),
  sell: t('¡Felicidades por la venta!', 'Congratulations on the sale!'),
  rent: t('¡Felicidades por la renta!', 'Congratulations on the rental!'),
})

export const placeOf = (row: { neighborhood: string | null; city: string; state: string }) =>
  [row.neighborhood, row.city, row.state].filter(Boolean).join(', ')
