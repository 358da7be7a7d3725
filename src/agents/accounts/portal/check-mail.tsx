import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookie, cookieName, readCookies } from '../../../http/cookies.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { OPEN } from '../../../portal/guard.ts'
import { goTo, sendScreen } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Form } from '../../../ui/forms.tsx'
import { confirmAgain, forgotPassword } from '../service.ts'

/** What was typed: kept in the visitor's own browser, so the page says nothing about accounts. */
interface Awaited {
  kind: 'confirm' | 'reset'
  email: string
}

const AWAITED = 'awaited'
const HOUR_SECONDS = 3600

export function goToCheckMail(reply: FastifyReply, secure: boolean, { kind, email }: Awaited) {
  const value = Buffer.from(`${kind} ${email.slice(0, 254)}`).toString('base64url')
  reply.header('set-cookie', cookie(AWAITED, value, { secure, maxAgeSeconds: HOUR_SECONDS }))
  return goTo(reply, '/portal/check-mail')
}

function awaitedOf(request: FastifyRequest, secure: boolean): Awaited | undefined {
  const sent = readCookies(request.headers.cookie).get(cookieName(AWAITED, secure)) ?? ''
  const [, kind, email] = /^(confirm|reset) (\S+@\S+)$/.exec(Buffer.from(sent, 'base64url').toString()) ?? []
  return email ? { kind: kind as Awaited['kind'], email } : undefined
}

/** The same page and the same answer whether or not the account exists, so strangers learn nothing. */
export function registerCheckMail(app: FastifyInstance, { db, throttle, now, secure }: PortalDeps): void {
  app.get('/check-mail', OPEN, async (request, reply) => {
    const { t } = request.visit
    const awaited = awaitedOf(request, secure)
    return sendScreen(
      request,
      reply,
      { title: t('Revisa tu correo', 'Check your email') },
      <CheckMail awaited={awaited} t={t} />,
    )
  })

  formRoute(app, {
    path: '/check-mail',
    access: 'anyone',
    run: async request => {
      const awaited = awaitedOf(request, secure)
      if (!awaited) return
      const to = { email: awaited.email, address: request.ip, now: now() }
      await (awaited.kind === 'reset' ? forgotPassword : confirmAgain)(db, throttle, to)
    },
    done: ({ visit: { t } }, reply) =>
      goTo(
        reply,
        '/portal/check-mail',
        t(
          'Lo enviamos otra vez. Si ya pediste varios, espera diez minutos.',
          'Sent again. If you have asked several times, wait ten minutes.',
        ),
      ),
  })
}

function CheckMail({ awaited, t }: { awaited: Awaited | undefined; t: FastifyRequest['visit']['t'] }) {
  return (
    <>
      <p>
        {awaited ? (
          <>
            {t('Te enviamos un mensaje con el siguiente paso a', 'We sent a message with the next step to')}{' '}
            <strong class="break-all">{awaited.email}</strong>.
          </>
        ) : (
          t('Te enviamos un mensaje con el siguiente paso.', 'We sent you a message with the next step.')
        )}{' '}
        {t(
          'Si no llega en unos minutos, revisa tu carpeta de correo no deseado.',
          'If it does not arrive in a few minutes, check your spam folder.',
        )}
      </p>
      {awaited && (
        <div class="mt-6 flex flex-wrap items-center gap-4">
          <Form action="/portal/check-mail">
            <Submit>{t('Enviar de nuevo', 'Send again')}</Submit>
          </Form>
          <a class="link text-sm" href={awaited.kind === 'reset' ? '/portal/forgotten' : '/portal/sign-up'}>
            {t('Corregir el correo', 'Use another email')}
          </a>
        </div>
      )}
    </>
  )
}
