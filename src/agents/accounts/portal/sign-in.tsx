import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Issue, issue } from '../../../lib/issue.ts'
import { useVisit } from '../../../portal/context.ts'
import { deviceOf } from '../../../portal/devices.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { OPEN } from '../../../portal/guard.ts'
import { goTo, sendScreen } from '../../../portal/layout.tsx'
import { REMEMBERED_DAYS } from '../../../portal/sessions.ts'
import { ownPath, type PortalDeps } from '../../../portal/shell.tsx'
import { signIn } from '../../../portal/visit.ts'
import { Submit } from '../../../ui/buttons.tsx'
import { Checkbox, Form } from '../../../ui/forms.tsx'
import { prepareNobody } from '../passwords.ts'
import { checkSignIn, sendConfirmation } from '../service.ts'
import { goToCheckMail } from './check-mail.tsx'
import { EmailField, PasswordField } from './fields.tsx'

export function registerSignIn(app: FastifyInstance, deps: PortalDeps): void {
  const { db, throttle, now } = deps
  app.addHook('onReady', async () => void (await prepareNobody()))

  app.get('/sign-in', OPEN, async (request, reply) => {
    const next = ownPath((request.query as URLSearchParams).get('next'))
    if (request.visit.agent) return reply.redirect(next, 303)
    return send(request, reply, { next })
  })

  formRoute(app, {
    path: '/sign-in',
    access: 'anyone',
    read: ({ form }) => ({ email: form.get('email') ?? '', next: ownPath(form.get('next')) }),
    run: (request, { email }) => {
      const password = request.form.get('password') ?? ''
      const device = deviceOf(deps, request)
      return checkSignIn(db, throttle, { email, password, address: request.ip, device })
    },
    done: async (request, reply, result, { email, next }) => {
      if (result.outcome === 'ok') {
        await signIn(deps, request, reply, result.agentId, request.form.get('remember') === 'on')
        return goTo(reply, next)
      }
      if (result.outcome === 'unconfirmed') {
        await sendConfirmation(db, result.agentId, now())
        return goToCheckMail(reply, deps.secure, { kind: 'confirm', email })
      }
      const isTooMany = result.outcome === 'too_many'
      const errors = [issue('', isTooMany ? 'too_many_sign_ins' : 'wrong_sign_in')]
      reply.code(isTooMany ? 429 : 422)
      return send(request, reply, { next, email, errors })
    },
  })
}

interface SignInProps {
  next: string
  email?: string
  errors?: readonly Issue[]
}

function send(request: FastifyRequest, reply: FastifyReply, shown: SignInProps) {
  const { t } = request.visit
  return sendScreen(request, reply, { title: t('Inicia sesión', 'Sign in') }, <SignIn {...shown} />)
}

function SignIn({ next, email, errors }: SignInProps) {
  const { t } = useVisit()
  return (
    <>
      <Form action="/portal/sign-in" values={{ email }} errors={errors}>
        <input type="hidden" name="next" value={next} />
        <EmailField autocomplete="username" />
        <PasswordField />
        <Checkbox
          name="remember"
          label={t(
            `Mantener mi sesión abierta ${REMEMBERED_DAYS} días`,
            `Keep me signed in for ${REMEMBERED_DAYS} days`,
          )}
          hint={t('No lo uses en una computadora compartida.', 'Do not use it on a shared computer.')}
        />
        <Submit>{t('Entrar', 'Sign in')}</Submit>
      </Form>
      <div class="mt-6 flex flex-wrap justify-between gap-3 text-sm">
        <a class="link" href="/portal/forgotten">
          {t('Olvidé mi contraseña', 'Forgot your password?')}
        </a>
        <a class="link" href="/portal/sign-up">
          {t('Crear una cuenta', 'Create an account')}
        </a>
      </div>
    </>
  )
}
