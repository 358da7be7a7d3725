import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { OPERATOR } from '../../portal/guard.ts'
import type { PortalDeps } from '../../portal/shell.tsx'
import { PAGE_SIZE } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { listWaiting, type WaitingRow } from '../identification/service.ts'

export function registerIdentificationsDesk(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/operator/identifications', OPERATOR, async (request, reply) => {
    const waiting = await listWaiting(db, PAGE_SIZE)
    return sendDesk(request, reply, { tab: 'identifications' }, <Waiting waiting={waiting} />)
  })
}

function Waiting({ waiting }: { waiting: WaitingRow[] }) {
  const { t } = useVisit()
  return (
    <Panel>
      {waiting.length === 0 ? (
        <Empty icon="shield" title={t('Nada por revisar', 'Nothing to review')}>
          {t(
            'Las identificaciones de quienes piden una visita aparecen aquí mientras su agente no las revisa.',
            'Identifications of people who request a showing appear here until their agent reviews them.',
          )}
        </Empty>
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {waiting.map(one => (
            <li key={one.lead_id}>
              <a
                href={`/portal/operator/identifications/${one.lead_id}`}
                class="flex flex-wrap items-center justify-between gap-3 py-4 hover:text-primary"
              >
                <span class="min-w-0">
                  <span class="block font-medium break-words">{one.agent_name}</span>
                  <span class="block text-sm break-words text-base-content/70">{one.listing_title}</span>
                </span>
                <span class="text-sm text-base-content/70">
                  <Time at={one.submitted_at} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
