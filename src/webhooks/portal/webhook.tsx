import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton, DangerButton } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icons.tsx'
import { allWords } from '../../ui/messages.ts'
import { pageFrom, pageOf, rangeOf } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { sender } from '../sender/sender.ts'
import * as service from '../service.ts'
import { DeliveriesPanel, type Log } from './deliveries.tsx'
import { HOME, takeTest, type WebhookDeps } from './deps.ts'
import { LastStatus } from './parts.tsx'
import { Settings, type SettingsErrors } from './settings.tsx'

interface ById {
  Params: { id: string }
}

export function registerWebhook(app: FastifyInstance, deps: WebhookDeps): void {
  const { db, network, policy, openBox, throttle } = deps
  const send = sender({ network, policy })

  app.get<ById>('/webhooks/:id', async (request, reply) => sendWebhook(deps, request, reply))

  formRoute(app, {
    path: '/webhooks/:id/events',
    run: request =>
      service.chooseEvents(db, signedIn(request).id, request.params.id, request.form.getAll('events')),
    redraw: (request, reply, { errors }) => sendWebhook(deps, request, reply, { eventErrors: errors }),
    done: ({ params, visit }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, visit.t('Eventos guardados.', 'Events saved.')),
  })

  formRoute(app, {
    path: '/webhooks/:id/delivery',
    run: request =>
      service.chooseDelivery(db, signedIn(request).id, request.params.id, {
        retries: request.form.has('retries'),
        standardHeaders: request.form.has('standard_headers'),
      }),
    done: ({ params, visit }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, visit.t('Entrega guardada.', 'Delivery saved.')),
  })

  formRoute(app, {
    path: '/webhooks/:id/test',
    access: 'verified',
    run: async request => {
      const { id } = signedIn(request)
      await takeTest(throttle, id)
      return service.testWebhook({ db, box: await openBox(), send }, id, request.params.id)
    },
    redraw: ({ params, visit }, reply, { errors }) =>
      goTo(reply, `${HOME}/${params.id}`, { kind: 'error', text: allWords(errors, visit.lang) }),
    done: ({ params, visit: { t } }, reply, { status, code, durationMs }) => {
      const result = `${status}${code === null ? '' : ` (${code})`} · ${durationMs} ms`
      return goTo(reply, `${HOME}/${params.id}`, {
        kind: status === 'ok' ? 'success' : 'error',
        text: t(`Prueba enviada: ${result}`, `Test sent: ${result}`),
      })
    },
  })

  formRoute(app, {
    path: '/webhooks/:id/pause',
    run: request => service.pauseWebhook(db, signedIn(request).id, request.params.id),
    done: ({ params, visit }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, visit.t('Webhook en pausa.', 'Webhook paused.')),
  })

  formRoute(app, {
    path: '/webhooks/:id/resume',
    access: 'verified',
    run: request => service.resumeWebhook(db, signedIn(request).id, request.params.id),
    done: ({ params, visit }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, visit.t('Webhook activo.', 'Webhook active.')),
  })

  formRoute(app, {
    path: '/webhooks/:id/remove',
    run: request => service.removeWebhook(db, signedIn(request).id, request.params.id),
    done: ({ visit }, reply) => goTo(reply, HOME, visit.t('Webhook eliminado.', 'Webhook removed.')),
  })
}

export async function sendWebhook(
  { db, eventRetentionDays: days }: WebhookDeps,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
  errors: WebhookErrors = {},
) {
  const agent = signedIn(request)
  const { id } = request.params
  const webhook = (await service.listWebhooks(db, agent.id)).find(one => one.id === id)
  if (!webhook) throw new Problem('not_found')
  const page = pageOf(request)
  const onlyFailed = (request.query as URLSearchParams).get('show') === 'failed'
  const found = await service.listDeliveries(db, agent.id, id, { ...rangeOf(page), onlyFailed })
  const log = { ...pageFrom(found, page), onlyFailed }
  return sendScreen(
    request,
    reply,
    { title: new URL(webhook.url).host, section: 'webhooks' },
    <OneWebhook webhook={webhook} log={log} days={days} {...errors} />,
  )
}

interface WebhookErrors extends SettingsErrors {
  resend?: Rejected
}

interface OneProps extends WebhookErrors {
  webhook: service.Webhook
  log: Log
  days: number
}

function OneWebhook({ webhook, log, days, resend, ...errors }: OneProps) {
  const { t, agent } = useVisit()
  const path = `${HOME}/${webhook.id}`
  return (
    <>
      <Panel>
        <div class="flex flex-wrap items-center justify-between gap-4">
          <div class="min-w-0">
            <p class="font-mono text-sm break-all">{webhook.url}</p>
            <p class="mt-2 flex flex-wrap items-center gap-2 text-sm text-base-content/70">
              {t('Último estatus', 'Last status')}
              <LastStatus status={webhook.last_status} code={webhook.last_code} />
              {webhook.last_at && <Time at={webhook.last_at} />}
              {!webhook.active && <Badge tone="warning">{t('En pausa', 'Paused')}</Badge>}
            </p>
          </div>
          <div class="flex flex-wrap gap-2">
            {agent?.isVerified && (
              <ActionButton action={`${path}/test`} tone="primary">
                <Icon name="play" class="size-4" />
                {t('Probar', 'Test')}
              </ActionButton>
            )}
            <ActionButton action={`${path}/${webhook.active ? 'pause' : 'resume'}`}>
              {webhook.active ? t('Pausar', 'Pause') : t('Reanudar', 'Resume')}
            </ActionButton>
            <DangerButton
              action={`${path}/remove`}
              label={t('Eliminar', 'Remove')}
              question={t(
                'Se borra con su secreto y sus entregas. Las entregas pendientes no se envían.',
                'Its secret and deliveries are removed too. Pending deliveries are not sent.',
              )}
              yes={t('Eliminar webhook', 'Remove webhook')}
            />
          </div>
        </div>
      </Panel>
      <Settings webhook={webhook} path={path} {...errors} />
      <DeliveriesPanel webhook={webhook} log={log} days={days} path={path} rejected={resend} />
    </>
  )
}
