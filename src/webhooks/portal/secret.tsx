import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmPassword } from '../../agents/service.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Panel } from '../../ui/panels.tsx'
import { standardSecret } from '../sender/message.ts'
import { endOverlap, renewSecret } from '../service.ts'
import { HOME, type WebhookDeps } from './deps.ts'
import { sendWebhook } from './webhook.tsx'

export function registerSecret(app: FastifyInstance, deps: WebhookDeps): void {
  const { db, throttle, openBox } = deps
  formRoute(app, {
    path: '/webhooks/:id/secret',
    access: 'verified',
    run: async request => {
      const agent = signedIn(request)
      await confirmPassword(db, throttle, agent, request.form.get('password'))
      const overlap = request.form.has('overlap')
      return renewSecret({ db, box: await openBox() }, agent.id, request.params.id, { overlap })
    },
    redraw: (request, reply, { errors }) => sendWebhook(deps, request, reply, { secretErrors: errors }),
    done: (request, reply, secret) => {
      const title = request.visit.t('Tu secreto nuevo', 'Your new secret')
      const isOverlapping = request.form.has('overlap')
      return sendNewSecret(request, reply, title, { secret, id: request.params.id, isOverlapping })
    },
  })

  formRoute(app, {
    path: '/webhooks/:id/secret/end',
    run: request => endOverlap(db, signedIn(request).id, request.params.id),
    done: ({ params, visit }, reply) =>
      goTo(
        reply,
        `${HOME}/${params.id}`,
        visit.t('El secreto anterior ya no firma.', 'The previous secret no longer signs.'),
      ),
  })
}

interface NewSecretProps {
  secret: string
  id: string
  /** The one before it still signs. */
  isOverlapping?: boolean
}

/** No redirect: the secret is shown only in this response. */
export function sendNewSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  title: string,
  shown: NewSecretProps,
) {
  return sendScreen(request, reply, { title, section: 'webhooks' }, <NewSecret {...shown} />)
}

function NewSecret({ secret, id, isOverlapping = false }: NewSecretProps) {
  const { t } = useVisit()
  return (
    <Panel class="max-w-3xl">
      <div class="flex flex-col gap-5">
        <p>
          <strong>
            {t(
              'Guarda el secreto ahora: no lo volveremos a mostrar.',
              'Save the secret now: it will not be shown again.',
            )}
          </strong>{' '}
          {t(
            'Con él compruebas la firma X-SVC-Signature de cada entrega.',
            'Use it to verify the X-SVC-Signature of each delivery.',
          )}
        </p>
        {isOverlapping && (
          <p>
            {t(
              'El anterior también firma durante 24 horas: X-SVC-Signature lleva su firma y X-SVC-Signature-Next la del nuevo. Cámbialo en tu servidor antes de que terminen.',
              'The previous one also signs for 24 hours: X-SVC-Signature has its signature, X-SVC-Signature-Next that of the new one. Change it on your server before they end.',
            )}
          </p>
        )}
        <Copyable text={secret} label={t('Secreto', 'Secret')} />
        <details class="text-sm">
          <summary class="cursor-pointer">
            {t('Para bibliotecas de Standard Webhooks', 'For Standard Webhooks libraries')}
          </summary>
          <div class="mt-3">
            <Copyable
              text={standardSecret(secret)}
              label={t('Secreto para Standard Webhooks', 'Secret for Standard Webhooks')}
            />
          </div>
        </details>
        <a class="btn self-start" href={`${HOME}/${id}`}>
          {t('Ya lo guardé', 'I saved it')}
        </a>
      </div>
    </Panel>
  )
}
