import type { Words } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { Badge, StatusBadge } from '../../ui/badges.tsx'
import { type INTERESTS, LEAD_STATUSES, type TOUR_STATUSES } from '../rules.ts'
import type { LeadRow } from '../service.ts'

export type Stage = (typeof LEAD_STATUSES)[number]

export const isStage = (text: string): text is Stage => (LEAD_STATUSES as readonly string[]).includes(text)

export const stageWords = (t: Words): Record<Stage, string> => ({
  new: t('Nuevo', 'New'),
  contacted: t('Contactado', 'Contacted'),
  qualified: t('Calificado', 'Qualified'),
  showing: t('En visitas', 'Showing'),
  negotiation: t('Negociando', 'Negotiating'),
  won: t('Ganado', 'Won'),
  lost: t('Perdido', 'Lost'),
})

export function StageBadge({ stage }: { stage: string }) {
  const { t } = useVisit()
  return (
    <StatusBadge of="lead" status={stage as Stage}>
      {stageWords(t)[stage as Stage]}
    </StatusBadge>
  )
}

export const tourWords = (t: Words): Record<(typeof TOUR_STATUSES)[number], string> => ({
  requested: t('Solicitada', 'Requested'),
  confirmed: t('Confirmada', 'Confirmed'),
  done: t('Realizada', 'Done'),
  cancelled: t('Cancelada', 'Canceled'),
  no_show: t('No asistió', 'No-show'),
})

export const interestWords = (t: Words): Record<(typeof INTERESTS)[number], string> => ({
  sale: t('Comprar', 'Buying'),
  rental: t('Rentar', 'Renting'),
})

export const nameOf = (lead: LeadRow, t: Words): string =>
  lead.erased_at ? t('Datos eliminados', 'Data erased') : lead.name

const waitingWords = ({ identification }: LeadRow, t: Words): string =>
  identification === 'submitted'
    ? t('Identificación por revisar', 'Identification to review')
    : t('Falta identificarse', 'Not identified yet')

export function KindBadges({ lead }: { lead: LeadRow }) {
  const { t } = useVisit()
  return (
    <>
      {lead.kind === 'tour' && <Badge tone="primary">{t('Solicita visita', 'Wants a showing')}</Badge>}
      {lead.awaiting_id && (
        <StatusBadge of="identification" status={lead.identification === 'submitted' ? 'submitted' : 'asked'}>
          {waitingWords(lead, t)}
        </StatusBadge>
      )}
      {lead.id_status === 'verified' && (
        <StatusBadge of="identification" status="verified">
          {t('Identificado', 'Identified')}
        </StatusBadge>
      )}
    </>
  )
}
