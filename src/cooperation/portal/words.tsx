import type { Words } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { StatusBadge } from '../../ui/badges.tsx'
import type { State } from '../rules.ts'

export const HOME = '/portal/cooperations'

export const stateWords = (t: Words): Record<State, string> => ({
  proposed: t('Propuesta', 'Proposed'),
  accepted: t('Aceptada', 'Accepted'),
  showing: t('En visitas', 'Showing'),
  offer: t('Con oferta', 'Offer made'),
  closed: t('Cerrada', 'Closed'),
  declined: t('Rechazada', 'Declined'),
  withdrawn: t('Retirada', 'Withdrawn'),
  lost: t('Perdida', 'Lost'),
  expired: t('Sin respuesta', 'Expired'),
})

export function StateBadge({ state }: { state: State }) {
  const { t } = useVisit()
  return (
    <StatusBadge of="cooperation" status={state}>
      {stateWords(t)[state]}
    </StatusBadge>
  )
}

/** What each entry of the thread says somebody did. */
export const entryWords = (t: Words, isOffer: boolean): Record<string, string> => ({
  propose: isOffer
    ? t('ofreció esta propiedad', 'offered this listing')
    : t('propuso cooperar', 'proposed a cooperation'),
  accept: t('aceptó', 'accepted'),
  counter: t('propuso otra comisión', 'countered with another split'),
  decline: t('rechazó', 'declined'),
  withdraw: t('retiró la propuesta', 'withdrew the proposal'),
  expire: t('La propuesta venció sin respuesta', 'The proposal expired without an answer'),
  message: t('escribió', 'wrote'),
  file: t('agregó un archivo', 'added a file'),
  attach: t('vinculó a su cliente', 'linked the client'),
  identify: t('pidió la identificación del comprador', 'asked the buyer for identification'),
  share: t('compartió los datos de su cliente', 'shared the client’s details'),
  showing: t('agendó una visita', 'scheduled a showing'),
  offer: t('registró una oferta', 'recorded an offer'),
  close: t('cerró la operación', 'closed the deal'),
  lose: t('dio por perdida la operación', 'marked the deal as lost'),
  dispute: t('reportó un desacuerdo', 'reported a dispute'),
  resolve: t('cerró el desacuerdo', 'resolved the dispute'),
})
