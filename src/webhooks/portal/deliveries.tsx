import { DAY_MS, toLocal } from '../../lib/time.ts'
import { useVisit } from '../../portal/context.ts'
import type { Rejected } from '../../portal/form-route.ts'
import { Badge } from '../../ui/badges.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, TextField } from '../../ui/forms.tsx'
import { type PageOf, Pager, pageHref } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { ViewLinks } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { MAX_ATTEMPTS } from '../retries.ts'
import { MAX_RESENDS } from '../rules.ts'
import type { listDeliveries, Webhook } from '../service.ts'
import { LastStatus } from './parts.tsx'

type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number]
export type Log = PageOf<Delivery> & { onlyFailed: boolean }

interface PanelProps {
  webhook: Webhook
  log: Log
  /** How long it is kept. */
  days: number
  path: string
  rejected?: Rejected | undefined
}

export function DeliveriesPanel({ webhook, log, days, path, rejected }: PanelProps) {
  const { t, agent } = useVisit()
  const views = [
    { href: path, label: t('Todas', 'All'), here: !log.onlyFailed },
    { href: `${path}?show=failed`, label: t('Fallidas', 'Failed'), here: log.onlyFailed },
  ]
  return (
    <Panel
      title={t('Entregas', 'Deliveries')}
      note={
        webhook.retries
          ? t(`Cada intento de los últimos ${days} días.`, `Every attempt in the last ${days} days.`)
          : t(
              `Un intento por evento, de los últimos ${days} días.`,
              `One attempt per event, in the last ${days} days.`,
            )
      }
      actions={<ViewLinks views={views} />}
    >
      {log.rows.length === 0 ? (
        <NoDeliveries onlyFailed={log.onlyFailed} />
      ) : (
        <Deliveries deliveries={log.rows} path={path} />
      )}
      <Pager
        page={log.page}
        hasMore={log.hasMore}
        hrefOf={pageHref(path, { show: log.onlyFailed ? 'failed' : undefined })}
      />
      {agent?.isVerified && webhook.active && (log.rows.length > 0 || rejected) && (
        <ResendForm path={path} rejected={rejected} />
      )}
    </Panel>
  )
}

function NoDeliveries({ onlyFailed }: { onlyFailed: boolean }) {
  const { t } = useVisit()
  return onlyFailed ? (
    <Empty icon="check" title={t('Sin fallas', 'No failures')} />
  ) : (
    <Empty icon="refresh" title={t('Aún no hay entregas', 'No deliveries yet')}>
      {t('Envía una prueba para ver la primera.', 'Send a test to see the first.')}
    </Empty>
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
            {delivery.code !== null && <span class="tabular-nums">{delivery.code}</span>}
            <code class="break-all">{delivery.event}</code>
            {delivery.test && <Badge tone="info">{t('Prueba', 'Test')}</Badge>}
            {delivery.attempt > 1 && <AttemptBadge attempt={delivery.attempt} />}
          </span>
          <span class="flex flex-wrap items-center gap-4 text-base-content/70">
            {delivery.duration_ms !== null && <span class="tabular-nums">{delivery.duration_ms} ms</span>}
            {delivery.attempted_at && <Time at={delivery.attempted_at} />}
            <a class="link" href={`${path}/deliveries/${delivery.id}`}>
              {t('Qué se envió', 'What was sent')}
            </a>
          </span>
        </li>
      ))}
    </ul>
  )
}

export function AttemptBadge({ attempt }: { attempt: number }) {
  const { t } = useVisit()
  return <Badge>{t(`Intento ${attempt} de ${MAX_ATTEMPTS}`, `Attempt ${attempt} of ${MAX_ATTEMPTS}`)}</Badge>
}

function ResendForm({ path, rejected }: { path: string; rejected: Rejected | undefined }) {
  const { t } = useVisit()
  const day = (ago: number) => toLocal(new Date(Date.now() - ago * DAY_MS)).slice(0, 10)
  const values = rejected?.values ?? { from: day(6), to: day(0) }
  return (
    <div class="mt-6 border-t border-base-300 pt-5">
      <h3 class="font-semibold">{t('Reenviar entregas fallidas', 'Resend failed deliveries')}</h3>
      <p class="mb-4 text-sm text-base-content/70">
        {t(
          `Las que se intentaron en estas fechas y no llegaron, con los mismos bytes; hasta ${MAX_RESENDS.toLocaleString('es-MX')} a la vez.`,
          `Those attempted on these dates that did not arrive, with the same bytes; up to ${MAX_RESENDS.toLocaleString('en-US')} at a time.`,
        )}
      </p>
      <Form action={`${path}/resend`} values={values} errors={rejected?.errors}>
        <div class="grid max-w-xl gap-4 sm:grid-cols-2">
          <TextField name="from" type="date" label={t('Desde', 'From')} required />
          <TextField name="to" type="date" label={t('Hasta', 'To')} required />
        </div>
        <Submit tone="plain" class="self-start">
          {t('Reenviar todo', 'Resend all')}
        </Submit>
      </Form>
    </div>
  )
}
