import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Issue } from '../../../lib/issue.ts'
import { Problem } from '../../../lib/problem.ts'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import { endSessionById, endSessions, listSessions, REMEMBERED_DAYS } from '../../../portal/sessions.ts'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { signOut } from '../../../portal/visit.ts'
import { Badge } from '../../../ui/badges.tsx'
import { ActionButton, Submit } from '../../../ui/buttons.tsx'
import { Form, type Shown } from '../../../ui/forms.tsx'
import { Panel } from '../../../ui/panels.tsx'
import { Time } from '../../../ui/time.tsx'
import { confirmPassword, setPassword } from '../service.ts'
import { NewPasswordField, PasswordField } from './fields.tsx'

/** The signed-in agent's password and sessions. */
export function registerAccount(app: FastifyInstance, deps: PortalDeps): void {
  const { db, throttle, now } = deps

  app.get('/account', async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/account/password',
    run: async request => {
      const { form, visit } = request
      const agent = signedIn(request)
      await confirmPassword(db, throttle, agent, form.get('password'))
      await setPassword(db, agent.id, form.get('new_password') ?? '')
      await endSessions(db, agent.id, visit.sessionHash)
    },
    redraw: send,
    done: (request, reply) => {
      const { t } = request.visit
      return goTo(
        reply,
        '/portal/account',
        t(
          'Cambiaste tu contraseña y cerramos tus otras sesiones.',
          'Your password was changed and your other sessions were signed out.',
        ),
      )
    },
  })

  formRoute(app, {
    path: '/account/sessions/:id/end',
    run: async request => {
      if (!(await endSessionById(db, signedIn(request).id, request.params.id))) throw new Problem('not_found')
    },
    done: (request, reply) =>
      goTo(reply, '/portal/account', request.visit.t('Sesión cerrada.', 'Session ended.')),
  })

  formRoute(app, {
    path: '/account/sessions/end',
    run: request => endSessions(db, signedIn(request).id),
    done: async (request, reply) => {
      await signOut(deps, request, reply)
      const { t } = request.visit
      return goTo(
        reply,
        '/portal/sign-in',
        t('Cerraste tu sesión en todos los dispositivos.', 'You signed out everywhere.'),
      )
    },
  })

  async function send(request: FastifyRequest, reply: FastifyReply, { errors = [] }: Shown = {}) {
    const { t, sessionHash } = request.visit
    const rows = await listSessions(db, signedIn(request).id, now())
    return sendScreen(
      request,
      reply,
      { title: t('Cuenta', 'Account'), section: 'account' },
      <Account sessions={sessionsOf(rows, sessionHash)} errors={errors} />,
    )
  }
}

interface ShownSession {
  id: string
  isThis: boolean
  browser: string
  address: string
  created_at: Date
  seen_at: Date
  is_remembered: boolean
}

const sessionsOf = (
  rows: Awaited<ReturnType<typeof listSessions>>,
  own: Buffer | undefined,
): ShownSession[] =>
  rows.map(({ hash, browser, ...row }) => ({
    ...row,
    isThis: own?.equals(hash) ?? false,
    browser: browserName(browser),
  }))

/** Enough to tell a phone from a computer; full user agents are too long to read. */
function browserName(userAgent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)(?=[A-Za-z]*\/)/.exec(userAgent)?.[1] ?? '?'
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(userAgent)?.[1] ?? '?'
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }
  return `${names[browser] ?? browser} · ${names[system] ?? system}`
}

function Account({ sessions, errors }: { sessions: ShownSession[]; errors: readonly Issue[] }) {
  const { t } = useVisit()
  return (
    <div class="grid gap-6 lg:grid-cols-2">
      <Panel title={t('Cambiar contraseña', 'Change password')}>
        <Form action="/portal/account/password" errors={errors}>
          <PasswordField label={t('Contraseña actual', 'Current password')} />
          <NewPasswordField name="new_password" label={t('Contraseña nueva', 'New password')} />
          <Submit class="self-start">{t('Cambiar contraseña', 'Change password')}</Submit>
        </Form>
      </Panel>
      <Panel
        title={t('Sesiones abiertas', 'Active sessions')}
        note={t(
          `Una sesión termina a las 12 horas, o tras una hora de inactividad; si elegiste mantenerla abierta, a los ${REMEMBERED_DAYS} días.`,
          `A session ends after 12 hours, or after an hour of inactivity; if you chose to stay signed in, after ${REMEMBERED_DAYS} days.`,
        )}
      >
        <ul class="flex flex-col divide-y divide-base-300">
          {sessions.map(session => (
            <li key={session.id} class="flex flex-wrap items-center justify-between gap-3 py-3">
              <div class="min-w-0 text-sm">
                <p class="flex flex-wrap items-center gap-2 font-medium">
                  {session.browser}
                  {session.isThis && <Badge tone="success">{t('Esta sesión', 'This session')}</Badge>}
                  {session.is_remembered && (
                    <Badge>{t(`${REMEMBERED_DAYS} días`, `${REMEMBERED_DAYS} days`)}</Badge>
                  )}
                </p>
                <p class="text-base-content/70">
                  {session.address} · <Time at={session.seen_at} />
                </p>
              </div>
              {!session.isThis && (
                <ActionButton action={`/portal/account/sessions/${session.id}/end`}>
                  {t('Cerrar', 'End')}
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
        <div class="mt-4">
          <ActionButton action="/portal/account/sessions/end" tone="danger">
            {t('Cerrar sesión en todas partes', 'Sign out everywhere')}
          </ActionButton>
        </div>
      </Panel>
    </div>
  )
}
