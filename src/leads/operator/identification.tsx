import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/database.ts'
import { Problem } from '../../lib/problem.ts'
import { zoneOf } from '../../lib/zones.ts'
import { type Action, onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { type IdentificationDeps, loadIdentification, sendPicture } from '../identification/portal/load.ts'
import { IdentificationPanel } from '../identification/portal/panel.tsx'
import { refuseIdentification, verifyIdentification } from '../identification/service.ts'
import { findLeadForDesk } from '../service.ts'

interface ById {
  Params: { id: string }
}

type DeskLead = NonNullable<Awaited<ReturnType<typeof findLeadForDesk>>>

/** Operator access to identifications, for agents who ask for help. Every access is logged. */
export function registerIdentificationDesk(app: FastifyInstance, deps: IdentificationDeps): void {
  const { db } = deps

  app.get<ById>('/operator/identifications/:id', OPERATOR, async (request, reply) => {
    const lead = await leadOf(request)
    await noteOpened(db, request, lead)
    return send(request, reply, undefined, lead)
  })

  app.get<ById>('/operator/identifications/:id/picture', OPERATOR, async (request, reply) => {
    const lead = await leadOf(request)
    await noteOpened(db, request, lead, request.visit.t('La foto', 'The photo'))
    return sendPicture(reply, deps, lead.id)
  })

  formRoute(app, {
    path: '/operator/identifications/:id/verify',
    access: 'operator',
    read: leadOf,
    run: (request, lead) => {
      const operator = signedIn(request)
      return onRecord(
        db,
        operator,
        tx => verifyIdentification(tx, lead.id, operator.id),
        () => entry(lead, 'identification.verify'),
      )
    },
    redraw: send,
    done,
  })

  formRoute(app, {
    path: '/operator/identifications/:id/refuse',
    access: 'operator',
    read: leadOf,
    run: (request, lead) => {
      const operator = signedIn(request)
      return onRecord(
        db,
        operator,
        tx => refuseIdentification(tx, lead.id, operator.id, request.form.get('reason') ?? ''),
        () => entry(lead, 'identification.refuse'),
      )
    },
    redraw: send,
    done,
  })

  async function leadOf({ params: { id } }: FastifyRequest<ById>) {
    const lead = await findLeadForDesk(db, id)
    if (!lead?.identification) throw new Problem('not_found')
    return lead
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Rejected | undefined,
    lead: DeskLead,
  ) {
    const shown = await loadIdentification(deps, lead)
    if (!shown) throw new Problem('not_found')
    const path = `/portal/operator/identifications/${lead.id}`
    return sendDesk(
      request,
      reply,
      { tab: 'identifications' },
      <div class="grid max-w-3xl gap-6">
        <Request lead={lead} />
        <IdentificationPanel {...{ lead, shown, path }} refusal={refusal} canAsk={false} />
      </div>,
    )
  }
}

/** The log outlives the person's data, so it names the agent and the lead, not the person. */
const entry = (lead: DeskLead, action: Action) => ({
  action,
  subject: lead.agent_name,
  subjectId: lead.id,
})

function noteOpened(db: Db, request: FastifyRequest, lead: DeskLead, part?: string) {
  return onRecord(
    db,
    signedIn(request),
    async () => lead,
    () => ({ ...entry(lead, 'identification.open'), note: part }),
  )
}

const done = ({ visit: { t } }: FastifyRequest, reply: FastifyReply) =>
  goTo(
    reply,
    '/portal/operator/identifications',
    t('Guardado. Avisamos por correo.', 'Saved. They were notified by email.'),
  )

function Request({ lead }: { lead: DeskLead }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Visita solicitada', 'Requested showing')}>
      <dl class="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[11rem_minmax(0,1fr)]">
        <dt class="text-base-content/70">{t('Agente', 'Agent')}</dt>
        <dd class="break-words">{lead.agent_name}</dd>
        <dt class="text-base-content/70">{t('Propiedad', 'Listing')}</dt>
        <dd class="break-words">{lead.listing_title ?? '—'}</dd>
        <dt class="text-base-content/70">{t('Para', 'For')}</dt>
        <dd>{lead.tour_at ? <Time at={lead.tour_at} zone={zoneOf(lead.listing_whereabouts)} /> : '—'}</dd>
      </dl>
    </Panel>
  )
}
