import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../lib/problem.ts'
import { useVisit } from '../../../portal/context.ts'
import { goTo, sendScreen } from '../../../portal/layout.tsx'
import { Refusal } from '../../../portal/refusal.ts'
import { ownPath, type PortalDeps } from '../../../portal/shell.tsx'
import { signIn } from '../../../portal/visit.ts'
import { Submit } from '../../../ui/buttons.tsx'
import { Choices, Form, type Shown, TextField } from '../../../ui/forms.tsx'
import { attempt } from '../../../ui/messages.ts'
import { MIN_PASSWORD, prepareNobody } from '../passwords.ts'
import {
  checkSignIn,
  confirmEmail,
  findByToken,
  forgotPassword,
  type Purpose,
  resetPassword,
  sendConfirmation,
  signUp,
} from '../service.ts'

const OPEN = { config: { access: 'anyone' as const } }

/** The pages before one is signed in. */
export function registerEntry(app: FastifyInstance, deps: PortalDeps): void {
  const { db, throttle, now } = deps
  app.addHook('onReady', async () => void (await prepareNobody()))

  app.get('/sign-in', OPEN, async (request, reply) => {
    const next = ownPath((request.query as URLSearchParams).get('next'))
    if (request.visit.agent) return reply.redirect(next, 303)
    return sendSignIn(request, reply, { next })
  })

  app.post('/sign-in', OPEN, async (request, reply) => {
    const { form, visit } = request
    const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
    const result = await checkSignIn(db, throttle, { email, password, address: request.ip })
    const next = ownPath(form.get('next'))
    if (result.outcome === 'ok') {
      await signIn(deps, request, reply, result.agentId)
      return goTo(request, reply, next)
    }
    if (result.outcome === 'unconfirmed') {
      await sendConfirmation(db, result.agentId)
      return goTo(request, reply, '/portal/check-mail')
    }
    const { t } = visit
    const isTooMany = result.outcome === 'too_many'
    const error = isTooMany
      ? t('Demasiados intentos. Espera diez minutos.', 'Too many tries. Wait ten minutes.')
      : t('El correo o la contraseña no son correctos.', 'The e-mail or the password is not right.')
    reply.code(isTooMany ? 429 : 422)
    return sendSignIn(request, reply, { next, email, error })
  })

  app.get('/sign-up', OPEN, async (request, reply) => sendSignUp(request, reply))

  app.post('/sign-up', OPEN, async (request, reply) => {
    const { form, visit } = request
    const { t } = visit
    if (!throttle.address.take(request.ip).allowed) {
      throw new Refusal(
        'rate_limited',
        t('Demasiados intentos. Espera diez minutos.', 'Too many tries. Wait ten minutes.'),
      )
    }
    const text = (name: string) => form.get(name) ?? ''
    const done = await attempt(() =>
      signUp(db, {
        name: text('name'),
        email: text('email'),
        phone: text('phone'),
        password: text('password'),
        agency: text('works') === 'agency' ? text('agency') : null,
        lang: visit.lang,
      }),
    )
    if (done.errors) {
      reply.code(422)
      return sendSignUp(request, reply, { values: form, errors: done.errors })
    }
    return goTo(request, reply, '/portal/check-mail')
  })

  app.get('/check-mail', OPEN, async (request, reply) => {
    const { t } = request.visit
    return sendScreen(
      request,
      reply,
      { title: t('Revisa tu correo', 'Check your mail') },
      <p>
        {t(
          'Te enviamos un mensaje con el siguiente paso. Si no llega en unos minutos, mira en el correo no deseado.',
          'We sent you a message with the next step. If it does not arrive within minutes, look into your spam folder.',
        )}
      </p>,
    )
  })

  app.get('/confirm', OPEN, async (request, reply) => {
    const token = await requireLink(request, 'confirm')
    return sendConfirm(request, reply, token)
  })

  app.post('/confirm', OPEN, async (request, reply) => {
    const { form, visit } = request
    const token = await requireLink(request, 'confirm')
    const password = form.get('password') ?? ''
    const done = await attempt(() => confirmEmail(db, throttle, { token, password, now: now() }))
    if (done.errors) {
      reply.code(422)
      return sendConfirm(request, reply, token, done.errors)
    }
    await signIn(deps, request, reply, done.value)
    const { t } = visit
    return goTo(
      request,
      reply,
      '/portal/licence',
      t('Tu correo está confirmado. ¡Te damos la bienvenida!', 'Your e-mail is confirmed. Welcome!'),
    )
  })

  app.get('/forgotten', OPEN, async (request, reply) => {
    const { t } = request.visit
    return sendScreen(
      request,
      reply,
      {
        title: t('Recupera tu acceso', 'Get back in'),
        subtitle: t(
          'Te enviamos un enlace para elegir otra contraseña.',
          'We send you a link to choose another password.',
        ),
      },
      <Forgotten />,
    )
  })

  app.post('/forgotten', OPEN, async (request, reply) => {
    await forgotPassword(db, throttle, request.form.get('email') ?? '', request.ip)
    return goTo(request, reply, '/portal/check-mail')
  })

  app.get('/reset', OPEN, async (request, reply) => {
    const token = await requireLink(request, 'reset')
    return sendReset(request, reply, token)
  })

  app.post('/reset', OPEN, async (request, reply) => {
    const token = await requireLink(request, 'reset')
    const password = request.form.get('new_password') ?? ''
    const done = await attempt(() => resetPassword(db, { token, password, now: now() }))
    if (done.errors) {
      reply.code(422)
      return sendReset(request, reply, token, done.errors)
    }
    const { t } = request.visit
    return goTo(
      request,
      reply,
      '/portal/sign-in',
      t('Tu contraseña es nueva. Ya puedes entrar.', 'Your password is new. You can sign in now.'),
    )
  })

  /** Says why a link does not work, in words a person can act on. */
  async function requireLink(request: FastifyRequest, purpose: Purpose): Promise<string> {
    const token = request.form.get('token') ?? (request.query as URLSearchParams).get('token') ?? ''
    try {
      await findByToken(db, token, purpose, now())
      return token
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { t } = request.visit
      throw new Refusal(
        'not_found',
        t(
          'Este enlace ya se usó o venció. Entra con tu correo y te enviamos otro.',
          'This link was used or has expired. Sign in with your e-mail and we send you another.',
        ),
      )
    }
  }
}

function sendSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: { next: string; email?: string; error?: string },
) {
  const { t } = request.visit
  return sendScreen(request, reply, { title: t('Inicia sesión', 'Sign in') }, <SignIn {...shown} />)
}

function SignIn({ next, email, error }: { next: string; email?: string; error?: string }) {
  const { t } = useVisit()
  return (
    <>
      <Form action="/portal/sign-in" values={{ email }} errors={error ? [error] : []}>
        <input type="hidden" name="next" value={next} />
        <EmailField autocomplete="username" />
        <PasswordField />
        <Submit>{t('Entrar', 'Sign in')}</Submit>
      </Form>
      <div class="mt-6 flex flex-wrap justify-between gap-3 text-sm">
        <a class="link" href="/portal/forgotten">
          {t('Olvidé mi contraseña', 'I forgot my password')}
        </a>
        <a class="link" href="/portal/sign-up">
          {t('Crear una cuenta', 'Create an account')}
        </a>
      </div>
    </>
  )
}

const EmailField = ({ autocomplete = 'email' }: { autocomplete?: string }) => {
  const { t } = useVisit()
  return (
    <TextField
      name="email"
      type="email"
      label={t('Correo electrónico', 'E-mail')}
      autocomplete={autocomplete}
      maxlength={254}
      required
    />
  )
}

function PasswordField() {
  const { t } = useVisit()
  return (
    <TextField
      name="password"
      type="password"
      label={t('Contraseña', 'Password')}
      autocomplete="current-password"
      required
    />
  )
}

export function NewPasswordField({ name, label }: { name: string; label: string }) {
  const { t } = useVisit()
  return (
    <TextField
      name={name}
      type="password"
      label={label}
      hint={t(
        `Al menos ${MIN_PASSWORD} caracteres. Una frase es fácil de recordar y difícil de adivinar.`,
        `At least ${MIN_PASSWORD} characters. A phrase is easy to remember and hard to guess.`,
      )}
      autocomplete="new-password"
      minlength={MIN_PASSWORD}
      required
    />
  )
}

function sendSignUp(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
  const { t } = request.visit
  return sendScreen(
    request,
    reply,
    {
      title: t('Crea tu cuenta de agente', 'Create your agent account'),
      subtitle: t('Gratis. Después verificamos tu licencia.', 'Free. Then we verify your licence.'),
    },
    <SignUpForm {...shown} />,
  )
}

function SignUpForm({ values = {}, errors = [] }: Shown) {
  const { t } = useVisit()
  return (
    <>
      <Form action="/portal/sign-up" values={values} errors={errors}>
        <TextField
          name="name"
          label={t('Nombre completo', 'Full name')}
          autocomplete="name"
          maxlength={120}
          required
        />
        <EmailField />
        <TextField
          name="phone"
          type="tel"
          label={t('Teléfono', 'Phone')}
          hint={t('Diez dígitos, o con clave de país.', 'Ten digits, or with the country code.')}
          autocomplete="tel"
          required
        />
        <NewPasswordField name="password" label={t('Contraseña', 'Password')} />
        <Choices
          name="works"
          label={t('¿Cómo trabajas?', 'How do you work?')}
          options={[
            { value: 'independent', label: t('Por mi cuenta', 'On my own') },
            { value: 'agency', label: t('En una inmobiliaria', 'At an agency') },
          ]}
        />
        <TextField
          name="agency"
          label={t('Nombre de la inmobiliaria', 'Name of the agency')}
          hint={t('Solo si trabajas en una.', 'Only if you work at one.')}
          autocomplete="organization"
          maxlength={120}
        />
        <Submit>{t('Crear cuenta', 'Create account')}</Submit>
      </Form>
      <p class="mt-6 text-sm">
        {t('¿Ya tienes cuenta?', 'Already have an account?')}{' '}
        <a class="link" href="/portal/sign-in">
          {t('Inicia sesión', 'Sign in')}
        </a>
      </p>
    </>
  )
}

function sendConfirm(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  errors?: readonly string[],
) {
  const { t } = request.visit
  return sendScreen(
    request,
    reply,
    {
      title: t('Confirma tu correo', 'Confirm your e-mail'),
      subtitle: t('Escribe la contraseña que elegiste.', 'Type the password you chose.'),
    },
    <Form action="/portal/confirm" errors={errors}>
      <input type="hidden" name="token" value={token} />
      <PasswordField />
      <Submit>{t('Confirmar y entrar', 'Confirm and sign in')}</Submit>
    </Form>,
  )
}

function sendReset(request: FastifyRequest, reply: FastifyReply, token: string, errors?: readonly string[]) {
  const { t } = request.visit
  return sendScreen(
    request,
    reply,
    {
      title: t('Elige una contraseña nueva', 'Choose a new password'),
      subtitle: t('Se cerrarán todas tus sesiones.', 'All your sessions will end.'),
    },
    <Form action="/portal/reset" errors={errors}>
      <input type="hidden" name="token" value={token} />
      <NewPasswordField name="new_password" label={t('Contraseña nueva', 'New password')} />
      <Submit>{t('Guardar', 'Save')}</Submit>
    </Form>,
  )
}

function Forgotten() {
  const { t } = useVisit()
  return (
    <Form action="/portal/forgotten">
      <EmailField autocomplete="username" />
      <Submit>{t('Enviar enlace', 'Send link')}</Submit>
    </Form>
  )
}
