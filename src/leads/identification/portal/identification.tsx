import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formRoute, type Rejected } from '../../../portal/form-route.ts'
import { VERIFIED } from '../../../portal/guard.ts'
import { goTo, signedIn } from '../../../portal/layout.tsx'
import { allWords } from '../../../ui/messages.ts'
import type { LeadRow } from '../../service.ts'
import { askAgain, refuseIdentification, verifyIdentification } from '../service.ts'
import { type IdentificationDeps, sendPicture } from './load.ts'

interface ById {
  Params: { id: string }
}

/** The lead page that contains these forms. */
interface LeadPage {
  leadOf(request: FastifyRequest<ById>): Promise<LeadRow>
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    lead: LeadRow,
    rejected: { refusal: Rejected },
  ): Promise<FastifyReply>
}

/**
 * The agent's actions on a lead's identification. Only agents with a verified license may see visitors' documents.
 */
export function registerIdentificationForms(
  app: FastifyInstance,
  deps: IdentificationDeps,
  { leadOf, send }: LeadPage,
): void {
  const { db } = deps

  app.get<ById>('/leads/:id/identification/picture', VERIFIED, async (request, reply) =>
    sendPicture(reply, deps, (await leadOf(request)).id),
  )

  formRoute(app, {
    path: '/leads/:id/identification/verify',
    access: 'verified',
    read: leadOf,
    run: (request, lead) => verifyIdentification(db, lead.id, signedIn(request).id),
    redraw: sorry,
    done: ({ visit: { t } }, reply, _, lead) =>
      goTo(
        reply,
        pathOf(lead),
        t(
          'Identificación aceptada. Ya puedes confirmar la visita.',
          'Accepted. You can confirm the showing now.',
        ),
      ),
  })

  formRoute(app, {
    path: '/leads/:id/identification/refuse',
    access: 'verified',
    read: leadOf,
    run: (request, lead) =>
      refuseIdentification(db, lead.id, signedIn(request).id, request.form.get('reason') ?? ''),
    redraw: (request, reply, refusal, lead) => send(request, reply, lead, { refusal }),
    done: ({ visit: { t } }, reply, _, lead) =>
      goTo(
        reply,
        pathOf(lead),
        t('Rechazada. La persona recibe el motivo.', 'Rejected. The person receives the reason.'),
      ),
  })

  formRoute(app, {
    path: '/leads/:id/identification/link',
    access: 'verified',
    read: leadOf,
    run: (_, lead) => askAgain(db, deps.identities, lead, deps.now()),
    redraw: sorry,
    done: ({ visit: { t } }, reply, isSent, lead) => {
      if (isSent) return goTo(reply, pathOf(lead), t('Enviamos un enlace nuevo.', 'We sent a new link.'))
      const text = t(
        'Ya le enviamos varios correos: espera diez minutos.',
        'We already sent several emails: wait ten minutes.',
      )
      return goTo(reply, pathOf(lead), { kind: 'warning', text })
    },
  })
}

const pathOf = ({ id }: LeadRow) => `/portal/leads/${id}`

/** Back to the lead with the error on top: these forms have no field to show it next to. */
function sorry(request: FastifyRequest, reply: FastifyReply, { errors }: Rejected, lead: LeadRow) {
  const text = allWords(errors, request.visit.lang)
  return goTo(reply, pathOf(lead), { kind: 'error', text })
}
