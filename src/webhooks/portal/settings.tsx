import type { Issue } from '../../lib/issue.ts'
import { useVisit } from '../../portal/context.ts'
import { ActionButton, Submit } from '../../ui/buttons.tsx'
import { Checkbox, Form, PasswordAgain } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import type { Webhook } from '../service.ts'
import { EventChoices } from './parts.tsx'

export interface SettingsErrors {
  eventErrors?: readonly Issue[]
  secretErrors?: readonly Issue[]
}

export function Settings({
  webhook,
  path,
  eventErrors,
  secretErrors,
}: SettingsErrors & { webhook: Webhook; path: string }) {
  const { t, agent } = useVisit()
  return (
    <div class="grid items-start gap-6 lg:grid-cols-2">
      <Panel title={t('Eventos', 'Events')}>
        <Form action={`${path}/events`} values={{ events: webhook.events }} errors={eventErrors}>
          <EventChoices />
          <Submit tone="plain" class="self-start">
            {t('Guardar eventos', 'Save events')}
          </Submit>
        </Form>
      </Panel>
      <div class="flex min-w-0 flex-col gap-6">
        <DeliverySettings webhook={webhook} path={path} />
        {agent?.isVerified && <Secret webhook={webhook} path={path} errors={secretErrors} />}
      </div>
    </div>
  )
}

function DeliverySettings({ webhook, path }: { webhook: Webhook; path: string }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Entrega', 'Delivery')}>
      <Form action={`${path}/delivery`}>
        <Checkbox
          name="retries"
          checked={webhook.retries}
          label={t('Reintentar lo que falla', 'Retry what fails')}
          hint={t(
            'Hasta 8 intentos en unas 28 horas. Respetamos Retry-After; con 410 el webhook se pausa. Sin esto, un intento.',
            'Up to 8 attempts over about 28 hours. We honor Retry-After; 410 pauses the webhook. Otherwise, one attempt.',
          )}
        />
        <Checkbox
          name="standard_headers"
          checked={webhook.standard_headers}
          label={t('Encabezados de Standard Webhooks', 'Standard Webhooks headers')}
          hint={t(
            'webhook-id, webhook-timestamp y webhook-signature, además de X-SVC-Signature.',
            'webhook-id, webhook-timestamp and webhook-signature, in addition to X-SVC-Signature.',
          )}
        />
        <Submit tone="plain" class="self-start">
          {t('Guardar entrega', 'Save delivery')}
        </Submit>
      </Form>
    </Panel>
  )
}

interface SecretProps {
  webhook: Webhook
  path: string
  errors?: readonly Issue[] | undefined
}

function Secret({ webhook: { overlap_until: until }, path, errors }: SecretProps) {
  const { t } = useVisit()
  const isOverlapping = until !== null && until > new Date()
  return (
    <Panel title={t('Secreto', 'Secret')}>
      {isOverlapping && (
        <div class="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-box bg-base-200 p-4 text-sm">
          <p>
            {t('El secreto anterior también firma hasta', 'The previous secret also signs until')}{' '}
            <Time at={until} />
          </p>
          <ActionButton action={`${path}/secret/end`}>
            {t('Desactivar el anterior', 'Deactivate the previous one')}
          </ActionButton>
        </div>
      )}
      <Form action={`${path}/secret`} errors={errors}>
        <PasswordAgain />
        <div class="flex flex-wrap gap-2">
          {!isOverlapping && (
            <Submit name="overlap" value="on">
              {t('Rotar con 24 horas de traslape', 'Rotate with a 24-hour overlap')}
            </Submit>
          )}
          <Submit tone="plain">{t('Reemplazar al instante', 'Replace immediately')}</Submit>
        </div>
        <p class="text-sm text-base-content/70">
          {!isOverlapping &&
            t(
              'Con traslape, los dos secretos firman cada entrega durante 24 horas. ',
              'With an overlap, both secrets sign each delivery for 24 hours. ',
            )}
          {t('Reemplázalo al instante solo si se filtró.', 'Replace it immediately only if it leaked.')}
        </p>
      </Form>
    </Panel>
  )
}
