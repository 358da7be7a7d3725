import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import { Icon } from '../../ui/icons.tsx'
import { findHandover, listHeirs } from '../handover.ts'
import { registerIdentificationForms } from '../identification/portal/identification.tsx'
import {
  type IdentificationDeps,
  loadIdentification,
  type ShownIdentification,
} from '../identification/portal/load.ts'
import { IdentificationPanel } from '../identification/portal/panel.tsx'
import { findOwnLead, type LeadRow, listNotes } from '../service.ts'
import { Contact, Message } from './contact.tsx'
import { Details, registerDetails } from './details.tsx'
import { Privacy, registerErase } from './erase.tsx'
import { HandOverPanel, type HandOverProps, registerHandOver } from './hand-over.tsx'
import { type ById, type LeadPage, pathOf, type RejectedForms } from './lead-page.ts'
import { type LeadNote, Notes, registerNotes } from './notes.tsx'
import { registerStage, StagePanel } from './stage.tsx'
import { nameOf, StageBadge } from './words.tsx'

export function registerLead(app: FastifyInstance, deps: IdentificationDeps): void {
  const { db, now } = deps
  const page: LeadPage = { leadOf, send }

  app.get<ById>('/leads/:id', async (request, reply) => send(request, reply, await leadOf(request)))

  registerIdentificationForms(app, deps, page)
  registerStage(app, db, page)
  registerDetails(app, db, page)
  registerNotes(app, db, page)
  registerErase(app, deps, page)
  registerHandOver(app, db, page)

  async function leadOf(request: FastifyRequest<ById>): Promise<LeadRow> {
    const lead = await findOwnLead(db, signedIn(request).id, request.params.id)
    if (!lead) throw new Problem('not_found')
    return lead
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    lead: LeadRow,
    rejected: RejectedForms = {},
  ) {
    const { t } = request.visit
    const notes = await listNotes(db, lead.id)
    const { isVerified, assistant } = signedIn(request)
    const identification = isVerified && !assistant ? await loadIdentification(deps, lead) : undefined
    const heirs = assistant ? [] : await listHeirs(db, lead.agent_id)
    const handover = await findHandover(db, lead.id)
    return sendScreen(
      request,
      reply,
      {
        title: nameOf(lead, t),
        section: 'leads',
        assets: ['leads.js'],
        subtitle: <StageBadge stage={lead.status} />,
        actions: (
          <div class="flex flex-wrap gap-2">
            {!lead.erased_at && (
              <a class="btn btn-sm" href={`/portal/contacts/${lead.id}`}>
                <Icon name="calendar" class="size-4" />
                {t('Contacto y tareas', 'Contact and tasks')}
              </a>
            )}
            <a class="btn btn-ghost btn-sm" href="/portal/leads">
              {t('Todos los prospectos', 'All leads')}
            </a>
          </div>
        ),
      },
      <LeadScreen {...{ lead, notes, identification, heirs, handover, now: now() }} {...rejected} />,
    )
  }
}

interface LeadProps extends RejectedForms, HandOverProps {
  notes: LeadNote[]
  now: Date
  identification: ShownIdentification | undefined
}

function LeadScreen({ lead, notes, now, identification, heirs, handover, ...rejected }: LeadProps) {
  const { agent } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div class="flex min-w-0 flex-col gap-6">
        <Contact lead={lead} />
        <Message lead={lead} />
        {identification && (
          <IdentificationPanel
            lead={lead}
            shown={identification}
            path={`${pathOf(lead)}/identification`}
            refusal={rejected.refusal}
            canAsk
          />
        )}
        <Notes lead={lead} notes={notes} {...rejected} />
      </div>
      <div class="flex min-w-0 flex-col gap-6">
        <StagePanel lead={lead} now={now} />
        <Details lead={lead} {...rejected} />
        <HandOverPanel {...{ lead, heirs, handover }} />
        {!agent?.assistant && <Privacy lead={lead} />}
      </div>
    </div>
  )
}
