import type { Words } from '../../lib/i18n.ts'
import { EVENTS, type EventName } from '../../outbox/store.ts'
import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton, DangerButton, Submit } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Checkbox, Form, PasswordAgain, TextField } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import type { findSent, listDeliveries, Webhook } from '../service.ts'

const HOME = '/portal/webhooks'

const eventWords = (t: Words): Record<EventName, string> => ({
  'lead.created': t('Llega un prospecto', 'A lead arrives'),
  'lead.updated': t('Cambias la etapa de un prospecto', 'You change the stage of a lead'),
  'listing.published': t('Se publica o reconfirma una propiedad', 'A listing is published or reconfirmed'),
  'listing.unpublished': t('Una propiedad deja de estar publicada', 'A listing is no longer published'),
  'listing.updated': t('Editas aquí una propiedad publicada', 'You edit a published listing here'),
})

function EventChoices() {
  const { t } = useVisit()
  const words = eventWords(t)
  return (
    <fieldset class="flex flex-col gap-3">
      <legend class="mb-2 text-sm font-medium">{t('Eventos', 'Events')}</legend>
      {EVENTS.map(event => (
        <Checkbox key={event} name="events" of={event} label={`${words[event]} (${event})`} />
      ))}
    </fieldset>
  )
}

/** The texts are those receivers' programmers know; the exact code is told beside. */
function LastStatus({ status, code }: { status: string | null; code: number | null }) {
  const { t } = useVisit()
  if (status === null) return <Badge>{t('Sin entregas', 'No deliveries')}</Badge>
  return (
    <span class="tooltip-bottom" title={code === null ? status : String(code)}>
      <Badge tone={status === 'ok' ? 'success' : 'error'}>{status}</Badge>
    </span>
  )
}

export function Webhooks(props: {
  webhooks: Webhook[]
  values: URLSearchParams | undefined
  errors: readonly string[]
}) {
  const { t, agent } = useVisit()
  const { webhooks, values, errors } = props
  return (
    <>
      <Panel>
        {webhooks.length === 0 ? (
          <Empty icon="bolt" title={t('Aún no tienes webhooks', 'No webhooks yet')}>
            {agent?.isVerified
              ? t('Agrega el primero aquí abajo.', 'Add the first one below.')
              : t(
                  'Podrás agregarlos cuando verifiquemos tu licencia.',
                  'You can add them once your licence is verified.',
                )}
          </Empty>
        ) : (
          <div class="overflow-x-auto">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">{t('Dirección', 'URL')}</th>
                  <th scope="col" class="hidden sm:table-cell">
                    {t('Eventos', 'Events')}
                  </th>
                  <th scope="col">{t('Último estado', 'Last status')}</th>
                </tr>
              </thead>
              <tbody>
                {webhooks.map(webhook => (
                  <tr key={webhook.id}>
                    <td class="max-w-xs">
                      <a class="link font-medium break-all" href={`${HOME}/${webhook.id}`}>
                        {webhook.url}
                      </a>{' '}
                      {!webhook.active && <Badge tone="warning">{t('En pausa', 'Paused')}</Badge>}
                    </td>
                    <td class="hidden text-sm sm:table-cell">{webhook.events.join(', ')}</td>
                    <td class="text-sm">
                      <LastStatus status={webhook.last_status} code={webhook.last_code} />{' '}
                      {webhook.last_at && <Time at={webhook.last_at} />}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Panel>
      {agent?.isVerified && (
        <Panel title={t('Agregar un webhook', 'Add a webhook')} class="max-w-3xl">
          <Form action={HOME} values={values ?? { events: EVENTS }} errors={errors}>
            <TextField
              name="url"
              type="url"
              label={t('Dirección de tu servidor', 'URL of your server')}
              hint={t(
                'https y pública. Se comprueba ahora y en cada entrega.',
                'https and public. Checked now and at every delivery.',
              )}
              placeholder="https://"
              maxlength={2048}
              attributes={{
                'hx-get': `${HOME}/check`,
                'hx-trigger': 'input changed delay:600ms',
                'hx-target': '#url-check',
              }}
              required
            />
            <div id="url-check" aria-live="polite" class="-mt-3 empty:hidden" />
            <EventChoices />
            <PasswordAgain />
            <Submit class="self-start">{t('Agregar webhook', 'Add webhook')}</Submit>
          </Form>
        </Panel>
      )}
    </>
  )
}

export function UrlCheck({ isEmpty, message }: { isEmpty: boolean; message: string | undefined }) {
  const { t } = useVisit()
  if (isEmpty) return <span />
  return message ? (
    <p class="text-sm font-medium text-error">
      {t('La dirección', 'The URL')} {message}.
    </p>
  ) : (
    <p class="flex items-center gap-1.5 text-sm font-medium text-success">
      <Icon name="check" class="size-4" />
      {t('Dirección correcta', 'This URL is fine')}
    </p>
  )
}

export function NewSecret({ secret, id }: { secret: string; id: string }) {
  const { t } = useVisit()
  return (
    <Panel class="max-w-3xl">
      <div class="flex flex-col gap-5">
        <p>
          <strong>
            {t(
              'Guarda el secreto ahora: no se vuelve a mostrar.',
              'Keep the secret now: it is not shown again.',
            )}
          </strong>{' '}
          {t(
            'Con él compruebas la firma X-SVC-Signature de cada entrega.',
            'With it you verify the X-SVC-Signature of each delivery.',
          )}
        </p>
        <Copyable text={secret} label={t('Secreto', 'Secret')} />
        <a class="btn self-start" href={`${HOME}/${id}`}>
          {t('Ya lo guardé', 'I have kept it')}
        </a>
      </div>
    </Panel>
  )
}

type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number]

export function OneWebhook(props: { webhook: Webhook; deliveries: Delivery[]; errors: readonly string[] }) {
  const { t, agent } = useVisit()
  const { webhook, deliveries, errors } = props
  const path = `${HOME}/${webhook.id}`
  const secretErrors = errors.filter(error => error.startsWith('password'))
  return (
    <>
      <Panel>
        <div class="flex flex-wrap items-center justify-between gap-4">
          <div class="min-w-0">
            <p class="font-mono text-sm break-all">{webhook.url}</p>
            <p class="mt-2 flex flex-wrap items-center gap-2 text-sm text-base-content/70">
              {t('Último estado', 'Last status')}
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
                'Se borra con su secreto y sus entregas. Lo que espera no se envía.',
                'It goes with its secret and its deliveries. What waits is not sent.',
              )}
              yes={t('Eliminar webhook', 'Remove webhook')}
            />
          </div>
        </div>
      </Panel>
      <div class="grid gap-6 lg:grid-cols-2">
        <Panel title={t('Eventos', 'Events')}>
          <Form
            action={`${path}/events`}
            values={{ events: webhook.events }}
            errors={errors.filter(error => !error.startsWith('password'))}
          >
            <EventChoices />
            <Submit tone="plain" class="self-start">
              {t('Guardar eventos', 'Save events')}
            </Submit>
          </Form>
        </Panel>
        {agent?.isVerified && (
          <Panel
            title={t('Secreto', 'Secret')}
            note={t('El anterior deja de valer al instante.', 'The old one stops at once.')}
          >
            <Form action={`${path}/secret`} errors={secretErrors}>
              <PasswordAgain />
              <Submit tone="plain" class="self-start">
                {t('Crear secreto nuevo', 'Make a new secret')}
              </Submit>
            </Form>
          </Panel>
        )}
      </div>
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
    </>
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

export function SentBody({ sent, id }: { sent: Awaited<ReturnType<typeof findSent>>; id: string }) {
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
