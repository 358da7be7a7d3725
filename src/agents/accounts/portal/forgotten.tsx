import type { FastifyInstance } from 'fastify'
import { formRoute } from '../../../portal/form-route.ts'
import { OPEN } from '../../../portal/guard.ts'
import { sendScreen } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Form } from '../../../ui/forms.tsx'
import { forgotPassword } from '../service.ts'
import { goToCheckMail } from './check-mail.tsx'
import { EmailField } from './fields.tsx'

export function registerForgotten(app: FastifyInstance, { db, throttle, now, secure }: PortalDeps): void {
  app.get('/forgotten', OPEN, async (request, reply) => {
    const { t } = request.visit
    return sendScreen(
      request,
      reply,
      {
        title: t('Recupera tu contraseña', 'Reset your password'),
        subtitle: t(
          'Te enviaremos un enlace para elegir una contraseña nueva.',
          'We will send you a link to choose a new password.',
        ),
      },
      <Form action="/portal/forgotten">
        <EmailField autocomplete="username" />
        <Submit>{t('Enviar enlace', 'Send link')}</Submit>
      </Form>,
    )
  })

  formRoute(app, {
    path: '/forgotten',
    access: 'anyone',
    run: ({ form, ip }) =>
      forgotPassword(db, throttle, { email: form.get('email') ?? '', address: ip, now: now() }),
    done: ({ form }, reply) =>
      goToCheckMail(reply, secure, { kind: 'reset', email: form.get('email') ?? '' }),
  })
}
