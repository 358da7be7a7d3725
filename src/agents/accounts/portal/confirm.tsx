import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formRoute } from '../../../portal/form-route.ts'
import { OPEN } from '../../../portal/guard.ts'
import { goTo, sendScreen } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { signIn } from '../../../portal/visit.ts'
import { Submit } from '../../../ui/buttons.tsx'
import { Form, type Shown } from '../../../ui/forms.tsx'
import { confirmEmail } from '../service.ts'
import { PasswordField } from './fields.tsx'
import { requireLink } from './mailed-link.ts'

/** Target of the confirmation link. */
export function registerConfirm(app: FastifyInstance, deps: PortalDeps): void {
  const { db, throttle, now } = deps
  const read = (request: FastifyRequest) => requireLink(deps, request, 'confirm')

  app.get('/confirm', OPEN, async (request, reply) => send(request, reply, {}, await read(request)))

  formRoute(app, {
    path: '/confirm',
    access: 'anyone',
    read,
    run: ({ form }, token) =>
      confirmEmail(db, throttle, { token, password: form.get('password') ?? '', now: now() }),
    redraw: send,
    done: async (request, reply, agentId) => {
      await signIn(deps, request, reply, agentId)
      const { t } = request.visit
      return goTo(
        reply,
        '/portal/licence',
        t('Tu correo está confirmado. ¡Te damos la bienvenida!', 'Your email is confirmed. Welcome!'),
      )
    },
  })
}

function send(request: FastifyRequest, reply: FastifyReply, { errors }: Shown, token: string) {
  const { t } = request.visit
  return sendScreen(
    request,
    reply,
    {
      title: t('Confirma tu correo', 'Confirm your email'),
      subtitle: t('Escribe la contraseña que elegiste.', 'Enter the password you chose.'),
    },
    <Form action="/portal/confirm" errors={errors}>
      <input type="hidden" name="token" value={token} />
      <PasswordField />
      <Submit>{t('Confirmar y entrar', 'Confirm and sign in')}</Submit>
    </Form>,
  )
}
