import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendDocument } from '../../files/documents.ts'
import { type LeadRow, searchLeads } from '../../leads/service.ts'
import { phoneText } from '../../lib/phone.ts'
import { Problem } from '../../lib/problem.ts'
import { MB } from '../../lib/sizes.ts'
import { fromLocal } from '../../lib/time.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Icon } from '../../ui/icons.tsx'
import { type Fact, Facts, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { agreementPdf } from '../agreement.ts'
import { type CooperationView, viewCooperation } from '../record.ts'
import { may, NO_CLIENT, type Step, stepFields } from '../rules.ts'
import { addFile, type StepDeps, takeStep } from '../service.ts'
import { NextSteps, type RejectedStep } from './steps.tsx'
import { Thread } from './thread.tsx'
import { HOME, StateBadge } from './words.tsx'

interface ById {
  Params: { id: string }
}

export type CooperationDeps = PortalDeps & StepDeps

const STEPS = (Object.keys(stepFields) as Step[]).filter(step => step !== 'file')
const UPLOAD = { files: 1, fileBytes: 15 * MB }
const LEADS_OFFERED = 50

export function registerCooperation(app: FastifyInstance, deps: CooperationDeps): void {
  const { db } = deps

  app.get<ById>('/cooperations/:id', VERIFIED, (request, reply) => send(request, reply))

  for (const step of STEPS as Exclude<Step, 'file'>[]) {
    formRoute(app, {
      path: `/cooperations/:id/${step}`,
      access: 'verified',
      run: async request =>
        takeStep(deps, signedIn(request).id, request.params.id, step, await valuesOf(request)),
      redraw: (request, reply, rejected) => send(request, reply, { ...rejected, step }),
      done: (request, reply) => goTo(reply, pathOf(request), request.visit.t('Listo.', 'Done.')),
    })
  }

  formRoute(app, {
    path: '/cooperations/:id/file',
    access: 'verified',
    upload: UPLOAD,
    run: async request =>
      addFile(deps, signedIn(request).id, request.params.id, request.uploads[0], await valuesOf(request)),
    redraw: (request, reply, rejected) => send(request, reply, { ...rejected, step: 'file' }),
    done: (request, reply) => goTo(reply, pathOf(request), request.visit.t('Listo.', 'Done.')),
  })

  app.get<ById>('/cooperations/:id/agreement.pdf', VERIFIED, async (request, reply) => {
    const view = await viewCooperation(db, request.params.id, signedIn(request).id)
    if (!may('agreement', view, view.role)) throw new Problem('not_found')
    return reply
      .type('application/pdf')
      .header('content-disposition', 'attachment; filename="acuerdo.pdf"')
      .send(agreementPdf(view, deps.publicUrl, request.visit.lang))
  })

  app.get<{ Params: { id: string; entry: string } }>(
    '/cooperations/:id/files/:entry',
    VERIFIED,
    async (request, reply) => {
      const { id, entry } = request.params
      const { entries } = await viewCooperation(db, id, signedIn(request).id)
      const file = entries.find(one => String(one.id) === entry)?.file
      if (!file) throw new Problem('not_found')
      return sendDocument(reply, deps.files, file)
    },
  )

  /** Times of the form are local to the listing; what is none stays text, which the field refuses. */
  async function valuesOf(request: FastifyRequest<ById>): Promise<Record<string, unknown>> {
    const values = Object.fromEntries(request.form)
    const at = values.showing_at
    if (at === undefined) return values
    const { zone } = await viewCooperation(db, request.params.id, signedIn(request).id)
    return { ...values, showing_at: fromLocal(at, zone) ?? at }
  }

  async function send(request: FastifyRequest<ById>, reply: FastifyReply, rejected?: RejectedStep) {
    const { t } = request.visit
    const agent = signedIn(request)
    const view = await viewCooperation(db, request.params.id, agent.id)
    const leads = view.role === 'buyer' ? await searchLeads(db, agent.id, {}, { limit: LEADS_OFFERED }) : []
    return sendScreen(
      request,
      reply,
      {
        title: view.listing.title,
        section: 'cooperations',
        subtitle: <StateBadge state={view.state} />,
        actions: (
          <a class="btn btn-ghost btn-sm" href={HOME}>
            {t('Todas las cooperaciones', 'All cooperations')}
          </a>
        ),
      },
      <Cooperation view={view} leads={leads} rejected={rejected} />,
    )
  }
}

const pathOf = ({ params }: FastifyRequest<ById>) => `${HOME}/${params.id}`

/** An offer is about nobody until its need's agent links a lead. */
const shownClient = ({ client }: CooperationView) => (client === NO_CLIENT ? null : client)

interface CooperationProps {
  view: CooperationView
  leads: LeadRow[]
  rejected: RejectedStep | undefined
}

function Cooperation({ view, leads, rejected }: CooperationProps) {
  const path = `${HOME}/${view.id}`
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div class="order-2 flex min-w-0 flex-col gap-6 lg:order-1">
        <Thread
          entries={view.entries}
          hash={view.hash}
          path={path}
          isOffer={view.proposed_by === 'owner'}
          zone={view.zone}
        />
      </div>
      <div class="order-1 flex min-w-0 flex-col gap-6 lg:order-2">
        <About view={view} path={path} />
        <NextSteps view={view} leads={leads} rejected={rejected} path={path} />
      </div>
    </div>
  )
}

function About({ view, path }: { view: CooperationView; path: string }) {
  const { t } = useVisit()
  const { listing, person, role } = view
  const other = view.others[role === 'buyer' ? 'owner' : 'buyer']
  const buyer = {
    none: t('Sin identificar', 'Not identified'),
    pending: t('Identificación pedida', 'Identification requested'),
    verified: t('Identificado', 'Identified'),
  }
  const facts: Fact[] = [
    [
      t('Propiedad', 'Listing'),
      <a class="link" href={`/portal/market/${listing.id}`}>
        {listing.title}
      </a>,
    ],
    [t('Precio', 'Price'), listing.price],
    [t('Dirección exacta', 'Exact address'), view.address],
    [
      role === 'buyer'
        ? t('Agente de la propiedad', 'Listing agent')
        : t('Agente del cliente', 'Client’s agent'),
      [other.name, other.phone && phoneText(other.phone), other.email].filter(Boolean).join(', '),
    ],
    [t('Comisión', 'Split'), view.amount ? `${view.split} = ${view.amount}` : view.split],
    [
      t('Cliente', 'Client'),
      view.isErased
        ? t('Eliminado a petición del cliente', 'Removed at the client’s request')
        : shownClient(view),
    ],
    [
      t('Nombre y contacto', 'Name and contact'),
      person &&
        [person.name, person.phone && phoneText(person.phone), person.email].filter(Boolean).join(', '),
    ],
    [t('Busca', 'Looking for'), view.wish],
    [t('Comprador', 'Buyer'), buyer[view.buyer]],
    [t('Visita', 'Showing'), view.showingAt && <Time at={view.showingAt} zone={view.zone} />],
  ]
  return (
    <Panel title={t('Acuerdo', 'Agreement')}>
      <div class="flex flex-col gap-4">
        <Facts facts={facts} stacked />
        {view.leadId && (
          <a class="link text-sm" href={`/portal/leads/${view.leadId}`}>
            {t('Abrir el prospecto', 'Open the lead')}
          </a>
        )}
        {view.needId && (
          <a class="link text-sm" href={`/portal/needs/${view.needId}`}>
            {t('Abrir mi búsqueda', 'Open my need')}
          </a>
        )}
        {may('agreement', view, role) && (
          <a class="btn btn-sm self-start" href={`${path}/agreement.pdf`}>
            <Icon name="document" class="size-4" />
            {t('Acuerdo en PDF', 'Agreement as PDF')}
          </a>
        )}
      </div>
    </Panel>
  )
}
