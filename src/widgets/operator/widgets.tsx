import type { FastifyInstance } from 'fastify'
import { numberText } from '../../lib/i18n.ts'
import { onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { DangerButton } from '../../ui/buttons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { kindWords } from '../rules.ts'
import { listInUse, revokeWidget } from '../service.ts'

const SHOWN = 300

export function registerWidgetsOperator(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/operator/widgets', OPERATOR, async (request, reply) =>
    sendDesk(request, reply, { tab: 'widgets' }, <Widgets widgets={await listInUse(db, SHOWN)} />),
  )

  formRoute(app, {
    path: '/operator/widgets/:id/revoke',
    access: 'operator',
    run: request => {
      const { id } = request.params
      return onRecord(
        db,
        signedIn(request),
        tx => revokeWidget(tx, id),
        ({ name }) => ({ action: 'widget.revoke', subject: name, subjectId: id }),
      )
    },
    done: ({ visit }, reply) =>
      goTo(reply, '/portal/operator/widgets', visit.t('Widget revocado.', 'Widget revoked.')),
  })
}

function Widgets({ widgets }: { widgets: Awaited<ReturnType<typeof listInUse>> }) {
  const { t, lang } = useVisit()
  const number = (value: number) => numberText(value, lang)
  return (
    <Panel
      title={t('Widgets en uso', 'Widgets in use')}
      note={t('Primero los que tienen más prospectos.', 'Most leads first.')}
    >
      {widgets.length === 0 ? (
        <Empty icon="code" title={t('Aún no hay widgets', 'No widgets yet')} />
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {widgets.map(widget => (
            <li key={widget.id} class="flex flex-wrap items-center justify-between gap-3 py-3">
              <div class="min-w-0">
                <p class="flex flex-wrap items-center gap-2 font-medium break-words">
                  {widget.name} <Badge>{kindWords(t)[widget.kind]}</Badge>
                </p>
                <p class="text-sm break-words text-base-content/70">
                  {widget.agent} · {widget.domains.join(', ')}
                </p>
              </div>
              <div class="flex items-center gap-4">
                <span class="text-sm tabular-nums">
                  {t(`${number(widget.leads)} prospectos`, `${number(widget.leads)} leads`)}
                </span>
                <DangerButton
                  action={`/portal/operator/widgets/${widget.id}/revoke`}
                  label={t('Revocar', 'Revoke')}
                  question={t(
                    'Dejará de mostrarse en todos los sitios al instante, y el agente no podrá reactivarlo.',
                    'It disappears from every site immediately, and the agent cannot turn it back on.',
                  )}
                  yes={t('Revocar widget', 'Revoke widget')}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
