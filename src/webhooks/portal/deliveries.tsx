import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { findSent, type listDeliveries } from '../service.ts'
import { HOME, type WebhookDeps } from './deps.ts'
import { LastStatus } from './parts.tsx'

export function registerDeliveries(app: FastifyInstance, { db }: WebhookDeps): void {
  app.get<{ Params: { id: string; uid: string } }>(
    '/webhooks/:id/deliveries/:uid',
    async (request, reply) => {
      const { id, uid } = request.params
      const sent = await findSent(db, signedIn(request).id, id, uid)
      const { t } = request.visit
      return sendScreen(
        request,
        reply,
        { title: t('Lo que se envió', 'What was sent'), section: 'webhooks' },
        <SentBody sent={sent} id={id} />,
      )
    },
  )
}

type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number]

export function DeliveriesPanel({ deliveries, path }: { deliveries: Delivery[]; path: string }) {
  const { t } = useVisit()
  return (
    <Panel
      title={t('Entregas', 'Deliveries')}
      note={t(
        'Un intento por evento, de los últimos 30 días.',
        'One attempt per event, of the last 30 days.',
      )}
    >
      {deliveries.length === 0 ? (
        <Empty icon="refresh" title={t('Aún no hay entregas', 'No deliveries yet')}>
          {t('Envía una prueba para ver la primera.', 'Send a test to see the first.')}
        </Empty>
      ) : (
        <Deliveries deliveries={deliveries} path={path} />
      )}
    </Panel>
  )
}

function Deliveries({ deliveries, path }: { deliveries: Delivery[]; path: string }) {
  const { t } = useVisit()
  return (
    <ul class="flex flex-col divide-y divide-base-300">
      {deliveries.map(delivery => (
        <li
          key={delivery.id}
          class="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 text-sm"
        >
          <span class="flex min-w-0 flex-wrap items-center gap-2">
            <LastStatus status={delivery.status} code={delivery.code} />
            <code class="break-all">{delivery.event}</code>
            {delivery.test && <Badge tone="info">{t('Prueba', 'Test')}</Badge>}
          </span>
          <span class="flex flex-wrap items-center gap-4 text-base-content/70">
            {delivery.duration_ms !== null && <span class="tabular-nums">{delivery.duration_ms} ms</span>}
            {delivery.attempted_at && <Time at={delivery.attempted_at} />}
            {!delivery.test && (
              <a class="link" href={`${path}/deliveries/${delivery.id}`}>
                {t('Qué se envió', 'What was sent')}
              </a>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function SentBody({ sent, id }: { sent: Awaited<ReturnType<typeof findSent>>; id: string }) {
  const { t } = useVisit()
  return (
    <Panel>
      <div class="flex flex-col gap-5">
        <p class="flex flex-wrap items-center gap-2 text-sm">
          <LastStatus status={sent.status} code={sent.code} />
          <code>{sent.event}</code>
          <Time at={sent.attempted_at} />
        </p>
        <p class="text-sm break-all text-base-content/70">
          X-SVC-Event: {sent.event}
          <br />
          X-SVC-Delivery: {sent.id}
        </p>
        {sent.body === undefined ? (
          <p>{t('De las pruebas no guardamos el cuerpo.', 'The body of tests is not kept.')}</p>
        ) : (
          <pre class="rounded-field bg-base-200 p-4 text-sm break-all whitespace-pre-wrap">
            <code>{sent.body}</code>
          </pre>
        )}
        <a class="btn self-start" href={`${HOME}/${id}`}>
          {t('Volver', 'Back')}
        </a>
      </div>
    </Panel>
  )
}
