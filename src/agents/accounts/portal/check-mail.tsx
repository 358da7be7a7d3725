import type { FastifyInstance } from 'fastify'
import { OPEN } from '../../../portal/guard.ts'
import { sendScreen } from '../../../portal/layout.tsx'

/** The same page whether or not the account exists, so strangers learn nothing. */
export function registerCheckMail(app: FastifyInstance): void {
  app.get('/check-mail', OPEN, async (request, reply) => {
    const { t } = request.visit
    return sendScreen(
      request,
      reply,
      { title: t('Revisa tu correo', 'Check your email') },
      <p>
        {t(
          'Te enviamos un mensaje con el siguiente paso. Si no llega en unos minutos, revisa tu carpeta de correo no deseado.',
          'We sent you a message with the next step. If it does not arrive in a few minutes, check your spam folder.',
        )}
      </p>,
    )
  })
}
