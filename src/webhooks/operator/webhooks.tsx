import type { FastifyInstance } from 'fastify'
import { numberText } from '../../lib/i18n.ts'
import { onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { ActionButton } from '../../ui/buttons.tsx'
import { PAGE_SIZE } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { LastStatus } from '../portal/parts.tsx'
import { findWebhook, listFailing, pauseWebhook } from '../service.ts'

export function registerWebhooksOperator(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/operator/webhooks', OPERATOR, async (request, reply) => {
    const failing = await listFailing(db, PAGE_SIZE)
    return sendDesk(request, reply, { tab: 'webhooks' }, <Failing failing={failing} />)
  })

  formRoute(app, {
    path: '/operator/webhooks/:id/pause',
    access: 'operator',
    run: request => {
      const { id } = request.params
      return onRecord(
        db,
        signedIn(request),
        async tx => {
          const webhook = await findWebhook(tx, id)
          await pauseWebhook(tx, webhook.agent_id, id)
          return webhook
        },
        ({ url }) => ({ action: 'webhook.pause', subject: new URL(url).host, subjectId: id }),
      )
    },
    done: ({ visit }, reply) =>
      goTo(reply, '/portal/operator/webhooks', visit.t('Webhook en pausa.', 'Webhook paused.')),
  })
}

function Failing({ failing }: { failing: Awaited<ReturnType<typeof listFailing>> }) {
  const { t, lang } = useVisit()
  const number = (value: number) => numberText(value, lang)
  return (
    <Panel title={t('Webhooks con fallas', 'Failing webhooks')}>
      {failing.length === 0 ? (
        <Empty icon="check" title={t('Sin fallas', 'No failures')} />
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {failing.map(webhook => (
            <li key={webhook.id} class="flex flex-wrap items-center justify-between gap-3 py-3">
              <div class="min-w-0">
                <p class="font-mono text-sm break-all">{webhook.url}</p>
                <p class="mt-1 flex flex-wrap items-center gap-2 text-sm text-base-content/70">
                  {webhook.agent}
                  <LastStatus status={webhook.last_status} code={webhook.last_code} />
                  {webhook.last_code}
                  {t(`${number(webhook.failures)} seguidas`, `${number(webhook.failures)} in a row`)}
                  {webhook.last_at && <Time at={webhook.last_at} />}
                </p>
              </div>
              <ActionButton action={`/portal/operator/webhooks/${webhook.id}/pause`}>
                {t('Pausar', 'Pause')}
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
