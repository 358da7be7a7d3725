import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { type Action, onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { attempt } from '../../ui/messages.ts'
import { PAGE_SIZE } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import {
  type IdentificationDeps,
  IdentificationPanel,
  loadIdentification,
  sendPicture,
} from '../identification/portal/identification.tsx'
import {
  listWaiting,
  refuseIdentification,
  verifyIdentification,
  type WaitingRow,
} from '../identification/service.ts'
import { findLeadForDesk, type LeadRow } from '../service.ts'

interface ById {
  Params: { id: string }
}

/** The operator's look at identifications, for agents who ask for help. Each is told in the log. */
export function registerLeadsOperator(app: FastifyInstance, deps: IdentificationDeps): void {
  const { db } = deps

  async function leadOf({ params: { id } }: FastifyRequest<ById>) {
    const lead = await findLeadForDesk(db, id)
    if (!lead?.identification) throw new Problem('not_found')
    return lead
  }

  /** The log outlives the person's data: it names the agent and the lead, not the person. */
  const entry = (lead: Pick<LeadRow, 'id'> & { agent_name: string }, action: Action) => ({
    action,
    subject: lead.agent_name,
    subjectId: lead.id,
  })

  app.get('/operator/identifications', OPERATOR, async (request, reply) => {
    const waiting = await listWaiting(db, PAGE_SIZE)
    return sendDesk(request, reply, { tab: 'identifications' }, <Waiting waiting={waiting} />)
  })

  const noteOpened = (request: FastifyRequest, lead: LeadRow & { agent_name: string }, part?: string) =>
    onRecord(
      db,
      signedIn(request),
      async () => lead,
      () => ({ ...entry(lead, 'identification.open'), note: part }),
    )

  app.get<ById>('/operator/identifications/:id', OPERATOR, async (request, reply) => {
    const lead = await leadOf(request)
    await noteOpened(request, lead)
    return send(request, reply, lead)
  })

  app.get<ById>('/operator/identifications/:id/picture', OPERATOR, async (request, reply) => {
    const lead = await leadOf(request)
    await noteOpened(request, lead, request.visit.t('La foto', 'The picture'))
    return sendPicture(reply, deps, lead.id)
  })

  app.post<ById>('/operator/identifications/:id/verify', OPERATOR, async (request, reply) => {
    const operator = signedIn(request)
    const lead = await leadOf(request)
    const done = await attempt(() =>
      onRecord(
        db,
        operator,
        tx => verifyIdentification(tx, lead.id, operator.id),
        () => entry(lead, 'identification.verify'),
      ),
    )
    return finish(request, reply, lead, done.errors)
  })

  app.post<ById>('/operator/identifications/:id/refuse', OPERATOR, async (request, reply) => {
    const operator = signedIn(request)
    const lead = await leadOf(request)
    const reason = request.form.get('reason') ?? ''
    const done = await attempt(() =>
      onRecord(
        db,
        operator,
        tx => refuseIdentification(tx, lead.id, operator.id, reason),
        () => entry(lead, 'identification.refuse'),
      ),
    )
    return finish(request, reply, lead, done.errors)
  })

  function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    lead: Awaited<ReturnType<typeof leadOf>>,
    errors: string[] | undefined,
  ) {
    if (errors) {
      reply.code(422)
      return send(request, reply, lead, { values: request.form, errors })
    }
    const text = request.visit.t('Guardado. Avisamos por correo.', 'Saved. They hear of it by mail.')
    return goTo(reply, '/portal/operator/identifications', text)
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    lead: Awaited<ReturnType<typeof leadOf>>,
    refusal?: { values: URLSearchParams; errors: string[] },
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
        <IdentificationPanel {...{ lead, shown, path, refusal }} canAsk={false} />
      </div>,
    )
  }
}

function Waiting({ waiting }: { waiting: WaitingRow[] }) {
  const { t } = useVisit()
  return (
    <Panel>
      {waiting.length === 0 ? (
        <Empty icon="shield" title={t('Nada por revisar', 'Nothing to check')}>
          {t(
            'Las identificaciones de quienes piden una visita aparecen aquí mientras su agente no las revisa.',
            'Identifications of people who ask for a showing appear here until their agent checks them.',
          )}
        </Empty>
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {waiting.map(one => (
            <li key={one.lead_id}>
              <a
                href={`/portal/operator/identifications/${one.lead_id}`}
                class="flex flex-wrap items-center justify-between gap-3 py-4 hover:text-primary"
              >
                <span class="min-w-0">
                  <span class="block font-medium break-words">{one.agent_name}</span>
                  <span class="block text-sm break-words text-base-content/70">{one.listing_title}</span>
                </span>
                <span class="text-sm text-base-content/70">
                  <Time at={one.submitted_at} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Request({ lead }: { lead: LeadRow & { agent_name: string } }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Visita pedida', 'Showing asked for')}>
      <dl class="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[11rem_minmax(0,1fr)]">
        <dt class="text-base-content/70">{t('Agente', 'Agent')}</dt>
        <dd class="break-words">{lead.agent_name}</dd>
        <dt class="text-base-content/70">{t('Propiedad', 'Listing')}</dt>
        <dd class="break-words">{lead.listing_title ?? '—'}</dd>
        <dt class="text-base-content/70">{t('Para', 'For')}</dt>
        <dd>{lead.tour_at ? <Time at={lead.tour_at} /> : '—'}</dd>
      </dl>
    </Panel>
  )
}
