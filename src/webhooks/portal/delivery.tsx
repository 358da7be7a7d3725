import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import { ActionButton } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Facts, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { findSent } from '../service.ts'
import { AttemptBadge } from './deliveries.tsx'
import { HOME, type WebhookDeps } from './deps.ts'
import { LastStatus } from './parts.tsx'

export function registerDelivery(app: FastifyInstance, { db }: WebhookDeps): void {
  app.get<{ Params: { id: string; uid: string } }>(
    '/webhooks/:id/deliveries/:uid',
    async (request, reply) => {
      const { id, uid } = request.params
      const sent = await findSent(db, signedIn(request).id, id, uid)
      const { t } = request.visit
      return sendScreen(
        request,
        reply,
        { title: t('Entrega', 'Delivery'), section: 'webhooks' },
        <OneDelivery sent={sent} path={`${HOME}/${id}`} />,
      )
    },
  )
}

type Sent = Awaited<ReturnType<typeof findSent>>

function OneDelivery({ sent, path }: { sent: Sent; path: string }) {
  const { t, agent } = useVisit()
  const mayResend = sent.body !== undefined && sent.isActive && agent?.isVerified
  return (
    <>
      <Panel>
        <div class="flex flex-wrap items-start justify-between gap-4">
          <Facts
            facts={[
              [t('Estatus', 'Status'), <LastStatus key="s" status={sent.status} code={sent.code} />],
              [t('Código', 'Code'), sent.code],
              [t('Evento', 'Event'), <code key="e">{sent.event}</code>],
              [t('Enviado', 'Sent'), <Time key="t" at={sent.attempted_at} />],
              [t('Tardó', 'Took'), sent.duration_ms === null ? null : `${sent.duration_ms} ms`],
              [t('Intento', 'Attempt'), sent.attempt > 1 && <AttemptBadge attempt={sent.attempt} />],
              [t('Siguiente intento', 'Next attempt'), sent.next_at && <Time at={sent.next_at} />],
            ]}
          />
          <div class="flex flex-wrap gap-2">
            {mayResend && (
              <ActionButton action={`${path}/deliveries/${sent.id}/resend`} tone="primary">
                <Icon name="refresh" class="size-4" />
                {t('Reenviar', 'Resend')}
              </ActionButton>
            )}
            <a class="btn btn-sm" href={path}>
              {t('Volver', 'Back')}
            </a>
          </div>
        </div>
      </Panel>
      <Panel title={t('Lo que se envió', 'What was sent')}>
        <div class="flex flex-col gap-4">
          <Headers sent={sent} />
          {sent.body === undefined ? (
            <p>{t('De las pruebas no guardamos el cuerpo.', 'The body of a test is not stored.')}</p>
          ) : (
            <Quoted text={sent.body} />
          )}
        </div>
      </Panel>
      <Panel title={t('Lo que respondió tu servidor', 'What your server answered')}>
        <Answer sent={sent} />
      </Panel>
    </>
  )
}

function Headers({ sent: { sent_headers: headers, status } }: { sent: Sent }) {
  const { t } = useVisit()
  if (!headers)
    return (
      <p class="text-sm text-base-content/70">
        {status === null
          ? t('Aún se está enviando.', 'It is still being sent.')
          : t('No se pudo conectar: no salió nada.', 'There was no connection: nothing was sent.')}
      </p>
    )
  return <Quoted text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
}

function Answer({ sent: { answer, code } }: { sent: Sent }) {
  const { t } = useVisit()
  if (answer && answer.length > 0) return <Quoted text={readable(answer)} />
  const why =
    code === null
      ? t('No hubo respuesta completa.', 'There was no complete answer.')
      : answer
        ? t('Una respuesta sin cuerpo.', 'An answer without a body.')
        : t(
            'No guardamos las respuestas de direcciones que no son públicas.',
            'Answers from addresses that are not public are not stored.',
          )
  return <p class="text-sm text-base-content/70">{why}</p>
}

function Quoted({ text }: { text: string }) {
  return (
    <pre class="rounded-field bg-base-200 p-4 text-sm break-all whitespace-pre-wrap">
      <code>{text}</code>
    </pre>
  )
}

/** Any bytes, as text that a page can hold. */
const readable = (bytes: Buffer) => bytes.toString('utf8').replace(/[^\P{Cc}\n\t]/gu, '\uFFFD')
