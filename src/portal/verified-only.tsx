import { Empty, Panel } from '../ui/panels.tsx'
import { useVisit } from './context.ts'

/** Instead of a page that only verified agents have: what it is for, and the way there. */
export function VerifiedOnly({ children }: { children: string }) {
  const { t } = useVisit()
  return (
    <Panel>
      <Empty
        icon="shield"
        title={t('Disponible con tu licencia verificada', 'Available with a verified license')}
        action={
          <a class="btn btn-primary" href="/portal/licence">
            {t('Verificar mi licencia', 'Verify my license')}
          </a>
        }
      >
        {children}
      </Empty>
    </Panel>
  )
}
