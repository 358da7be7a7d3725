import { useVisit } from '../../../portal/context.ts'
import { StatusBadge } from '../../../ui/badges.tsx'

export function LicenseBadge({ status }: { status: 'pending' | 'verified' | 'refused' }) {
  const { t } = useVisit()
  const words = {
    pending: t('Pendiente', 'Pending'),
    verified: t('Verificada', 'Verified'),
    refused: t('Rechazada', 'Rejected'),
  }
  return (
    <StatusBadge of="licence" status={status}>
      {words[status]}
    </StatusBadge>
  )
}
