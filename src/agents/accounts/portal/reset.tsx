import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { rememberDevice } from '../../../portal/devices.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { OPEN } from '../../../portal/guard.ts'
import { goTo, sendScreen } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Form, type Shown } from '../../../ui/forms.tsx'
import { resetPassword } from '../service.ts'
import { NewPasswordField } from './fields.tsx'
import { requireLink } from './mailed-link.ts'

/** Target of the password reset link. */
export function registerReset(app: FastifyInstance, deps: PortalDeps): void {
  const { db, throttle, now } = deps
  const read = (request: FastifyRequest) => requireLink(deps, request, 'reset')

  app.get('/reset', OPEN, async (request, reply) => send(request, reply, {}, await read(request)))

  formRoute(app, {
    path: '/reset',
    access: 'anyone',
    read,
    run: ({ form, ip }, token) => {
      const password = form.get('new_password') ?? ''
      return resetPassword(db, throttle, { token, password, address: ip, now: now() })
    },
    redraw: send,
    done: async (request, reply, agentId) => {
      await rememberDevice(deps, reply, agentId)
      const { t } = request.visit
      return goTo(
        reply,
        '/portal/sign-in',
        t(
          'Cambiaste tu contraseña. Ya puedes iniciar sesión.',
          'Your password was changed. You can sign in now.',
        ),
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
      title: t('Elige una contraseña nueva', 'Choose a new password'),
      subtitle: t('Se cerrarán todas tus sesiones.', 'You will be signed out everywhere.'),
    },
    <Form action="/portal/reset" errors={errors}>
      <input type="hidden" name="token" value={token} />
      <NewPasswordField name="new_password" label={t('Contraseña nueva', 'New password')} />
      <Submit>{t('Guardar', 'Save')}</Submit>
    </Form>,
  )
}
