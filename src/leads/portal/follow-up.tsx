import { useVisit } from '../../portal/context.ts'
import { Icon } from '../../ui/icons.tsx'
import { Time } from '../../ui/time.tsx'
import type { LeadRow } from '../service.ts'

export function FollowUp({ lead, now }: { lead: LeadRow; now: Date }) {
  const { t } = useVisit()
  if (!lead.follow_up_at || lead.status === 'won' || lead.status === 'lost') return null
  const isLate = lead.follow_up_at < now
  return (
    <p class={`flex items-center gap-1.5 ${isLate ? 'font-medium text-error' : 'text-base-content/75'}`}>
      <Icon name="calendar" class="size-4" />
      {isLate ? t('Seguimiento vencido:', 'Follow-up overdue:') : t('Seguimiento:', 'Follow-up:')}{' '}
      <Time at={lead.follow_up_at} day />
    </p>
  )
}
