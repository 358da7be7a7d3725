import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import type { searchAgents } from './service.ts'

export type Agent = Awaited<ReturnType<typeof searchAgents>>[number]

export function Marks({
  agent,
}: {
  agent: Pick<Agent, 'verified_at' | 'is_test' | 'is_operator' | 'email_confirmed_at'>
}) {
  const { t } = useVisit()
  return (
    <span class="flex flex-wrap gap-1.5">
      {agent.verified_at ? (
        <Badge tone="success">{t('Verificado', 'Verified')}</Badge>
      ) : (
        <Badge tone="warning">{t('Sin verificar', 'Not verified')}</Badge>
      )}
      {agent.is_test && <Badge tone="info">{t('Cuenta de prueba', 'Test account')}</Badge>}
      {agent.is_operator && <Badge tone="primary">{t('Operación', 'Operator')}</Badge>}
      {!agent.email_confirmed_at && (
        <Badge tone="error">{t('Correo sin confirmar', 'Email not confirmed')}</Badge>
      )}
    </span>
  )
}
