import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import type { Storage } from '../files/storage.ts'
import type { Uploads } from '../files/uploads.ts'
import { answerTo, logFault } from '../http/errors.ts'
import type { AddressLimit, RateLimit } from '../http/rate-limit.ts'
import type { Lang } from '../lib/i18n.ts'
import { Problem } from '../lib/problem.ts'
import type { DeviceDeps } from './devices.ts'
import { ErrorScreen } from './error.tsx'
import { registerGuard } from './guard.ts'
import { goTo, sendScreen } from './layout.tsx'
import { Refusal } from './refusal.ts'
import { rememberChoice, signOut } from './visit.ts'

/** Dependencies of every screen. */
export interface PortalDeps extends DeviceDeps {
  db: Db
  publicUrl: string
  /** Whether the site is served over https. */
  secure: boolean
  files: Storage
  /** Of the mail folder; with an agent's address only what was sent to that agent or from a form to a visitor. */
  removeMails(contacts: readonly string[], agentEmail?: string): Promise<number>
  uploads: Uploads
  /** Password attempts (agents/accounts/throttle.ts). */
  throttle: { account: RateLimit; everywhere: RateLimit; address: AddressLimit }
  /** How long a listing stays published without reconfirmation. */
  reconfirmDays: number
  now: () => Date
  /** Stores the agent's language, for emails and other browsers. */
  setLang(agentId: string, lang: Lang): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    portalIsSecure: boolean
  }
}

/** Shared setup of every screen. Register it first, in the scope of /portal. */
export async function registerPortal(app: FastifyInstance, deps: PortalDeps): Promise<void> {
  app.decorate('portalIsSecure', deps.secure)
  app.addHook('onRoute', route => {
    route.schema = { ...route.schema, hide: true }
    // Form tokens and personal data, next to what a link to a list can fill in (docs/decisions/0017-compression.md).
    route.config = { ...route.config, compression: 'never' }
  })
  app.setNotFoundHandler(() => {
    throw new Problem('not_found')
  })
  app.setErrorHandler<Error>((error, request, reply) => {
    const { status, headers, body } = answerTo(error, request.id)
    logFault(error, status, request)
    reply.headers(headers).removeHeader('www-authenticate')
    const ownWords = error instanceof Refusal ? error.message : undefined
    const { t } = request.visit ?? {}
    // The visit could not be loaded, as when the database is down: no page can be rendered.
    if (!t) return reply.code(status).type('text/plain; charset=utf-8').send(body.message)
    return sendScreen(
      request,
      reply,
      { title: t('Algo salió mal', 'Something went wrong'), status },
      <ErrorScreen status={status} message={ownWords} requestId={request.id} />,
    )
  })
  await registerGuard(app, deps)

  app.post('/preferences', { config: { access: 'anyone' } }, async (request, reply) => {
    const { form, visit } = request
    const [lang, theme] = [form.get('lang'), form.get('theme')]
    if (lang === 'es' || lang === 'en') {
      rememberChoice(reply, deps.secure, { lang })
      if (visit.agent) {
        await deps.setLang(visit.agent.id, lang)
      }
    }
    if (theme === 'light' || theme === 'dark' || theme === 'system') {
      rememberChoice(reply, deps.secure, { theme })
    }
    return goTo(reply, ownPath(form.get('back')))
  })

  app.post('/sign-out', async (request, reply) => {
    await signOut(deps, request, reply)
    return goTo(reply, '/portal/sign-in', request.visit.t('Cerraste tu sesión.', 'You signed out.'))
  })
}

/** Accepts only portal paths: prevents open redirects. */
export function ownPath(path: string | null | undefined, fallback = '/portal'): string {
  return path && /^\/portal(\/[\w\-./]*)?(\?[\w\-.=&%+]*)?$/.test(path) && !path.includes('..')
    ? path
    : fallback
}
