import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { OPEN } from '../../../portal/guard.ts'
import { sendScreen } from '../../../portal/layout.tsx'
import { Refusal } from '../../../portal/refusal.ts'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Choices, Form, type Shown, TextField } from '../../../ui/forms.tsx'
import { signUp } from '../service.ts'
import { goToCheckMail } from './check-mail.tsx'
import { EmailField, NewPasswordField } from './fields.tsx'

export function registerSignUp(app: FastifyInstance, { db, throttle, now, secure }: PortalDeps): void {
  app.get('/sign-up', OPEN, async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/sign-up',
    access: 'anyone',
    run: async ({ form, ip, visit: { t, lang } }) => {
      if (!(await throttle.address.take(ip)).allowed) {
        throw new Refusal(
          'rate_limited',
          t('Demasiados intentos. Espera diez minutos.', 'Too many attempts. Wait ten minutes.'),
        )
      }
      const text = (name: string) => form.get(name) ?? ''
      const sent = {
        name: text('name'),
        email: text('email'),
        phone: text('phone'),
        password: text('password'),
        agency: text('works') === 'agency' ? text('agency') : null,
        lang,
      }
      await signUp(db, sent, now())
    },
    redraw: send,
    done: ({ form }, reply) =>
      goToCheckMail(reply, secure, { kind: 'confirm', email: form.get('email') ?? '' }),
  })
}

function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
  const { t } = request.visit
  return sendScreen(
    request,
    reply,
    {
      title: t('Crea tu cuenta de agente', 'Create your agent account'),
      subtitle: t(
        'Gratis. Después verificamos tu licencia.',
        'It is free. We will verify your license next.',
      ),
    },
    <SignUp {...shown} />,
  )
}

function SignUp({ values = {}, errors = [] }: Shown) {
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
          label={t('Nombre de la inmobiliaria', 'Agency name')}
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
