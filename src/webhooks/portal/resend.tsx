import type { FastifyInstance } from 'fastify'
import { issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import { DAY_MS, fromLocal } from '../../lib/time.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { allWords } from '../../ui/messages.ts'
import { findSent, resend, resendFailed } from '../service.ts'
import { HOME, takeResend, type WebhookDeps } from './deps.ts'
import { sendWebhook } from './webhook.tsx'

export function registerResends(app: FastifyInstance, deps: WebhookDeps): void {
  const { db, throttle } = deps
  formRoute(app, {
    path: '/webhooks/:id/resend',
    access: 'verified',
    run: async request => {
      const { id } = signedIn(request)
      const period = periodOf(request.form)
      await takeResend(throttle, id)
      return resendFailed(db, id, request.params.id, period)
    },
    redraw: (request, reply, rejected) => sendWebhook(deps, request, reply, { resend: rejected }),
    done: ({ params, visit: { t } }, reply, count) =>
      goTo(
        reply,
        `${HOME}/${params.id}`,
        count === 0
          ? t(
              'Nada que enviar: nada falló en esas fechas.',
              'Nothing to send: nothing failed on those dates.',
            )
          : t(`Entregas por reenviar: ${count}.`, `Deliveries to resend: ${count}.`),
      ),
  })

  formRoute(app, {
    path: '/webhooks/:id/deliveries/:uid/resend',
    access: 'verified',
    run: async request => {
      const { id } = signedIn(request)
      // Whose it is comes first: another agent's does not exist.
      await findSent(db, id, request.params.id, request.params.uid)
      await takeResend(throttle, id)
      return resend(db, id, request.params.id, request.params.uid)
    },
    redraw: ({ params, visit }, reply, { errors }) =>
      goTo(reply, `${HOME}/${params.id}/deliveries/${params.uid}`, {
        kind: 'error',
        text: allWords(errors, visit.lang),
      }),
    done: ({ params, visit: { t } }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, t('La estamos reenviando.', 'It is being resent.')),
  })
}

/** Whole days, both included. */
function periodOf(form: URLSearchParams): { from: Date; to: Date } {
  const midnight = (name: string) => fromLocal(`${form.get(name) ?? ''}T00:00`)
  const [from, last] = [midnight('from'), midnight('to')]
  if (!from || !last || from > last)
    throw new Problem('validation', { issues: [issue('to', 'not_a_period')] })
  return { from, to: new Date(last.getTime() + DAY_MS) }
}
