import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmPassword } from '../../agents/service.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Panel } from '../../ui/panels.tsx'
import { renewSecret } from '../service.ts'
import { HOME, type WebhookDeps } from './deps.ts'
import { sendWebhook } from './webhook.tsx'

export function registerSecret(app: FastifyInstance, { db, throttle, openBox }: WebhookDeps): void {
  formRoute(app, {
    path: '/webhooks/:id/secret',
    access: 'verified',
    run: async request => {
      const agent = signedIn(request)
      await confirmPassword(db, throttle, agent, request.form.get('password'))
      return renewSecret({ db, box: await openBox() }, agent.id, request.params.id)
    },
    redraw: (request, reply, { errors }) => sendWebhook(db, request, reply, { secretErrors: errors }),
    done: (request, reply, secret) => {
      const title = request.visit.t('Tu secreto nuevo', 'Your new secret')
      return sendNewSecret(request, reply, title, { secret, id: request.params.id })
    },
  })
}

interface NewSecretProps {
  secret: string
  id: string
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

function NewSecret({ secret, id }: NewSecretProps) {
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
