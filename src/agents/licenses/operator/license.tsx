import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Issue } from '../../../lib/issue.ts'
import { phoneText } from '../../../lib/phone.ts'
import { Problem } from '../../../lib/problem.ts'
import { onRecord } from '../../../portal/audit.ts'
import { useVisit } from '../../../portal/context.ts'
import { sendDesk } from '../../../portal/desk.tsx'
import { formRoute } from '../../../portal/form-route.ts'
import { OPERATOR } from '../../../portal/guard.ts'
import { goTo, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Checkbox, Form, type Shown, TextArea } from '../../../ui/forms.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { type Fact, Facts, Panel } from '../../../ui/panels.tsx'
import { Time } from '../../../ui/time.tsx'
import { LicenseBadge } from '../portal/badge.tsx'
import { findLicenseRequest, refuseLicense, verifyLicense } from '../service.ts'

interface ById {
  Params: { id: string }
}

type Request = NonNullable<Awaited<ReturnType<typeof findLicenseRequest>>>

const LIST = '/portal/operator/licences'

export function registerLicenseDesk(app: FastifyInstance, { db }: PortalDeps): void {
  app.get<ById>('/operator/licences/:id', OPERATOR, async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/operator/licences/:id/verify',
    access: 'operator',
    run: request => {
      const operator = signedIn(request)
      const { params, form } = request
      const decision = { operatorId: operator.id, requestId: params.id, withAgency: form.has('with_agency') }
      return onRecord(
        db,
        operator,
        tx => verifyLicense(tx, decision),
        found => ({
          action: 'licence.verify',
          ...subjectOf(found),
          note: `${found.state}, ${found.authority}, ${found.number}`,
        }),
      )
    },
    done: ({ visit: { t } }, reply, { name }) =>
      goTo(
        reply,
        LIST,
        t(`Verificaste a ${name}. Le avisamos por correo.`, `${name} is verified and was notified by email.`),
      ),
  })

  formRoute(app, {
    path: '/operator/licences/:id/refuse',
    access: 'operator',
    run: request => {
      const operator = signedIn(request)
      const reason = request.form.get('reason') ?? ''
      return onRecord(
        db,
        operator,
        tx => refuseLicense(tx, { operatorId: operator.id, requestId: request.params.id }, reason),
        found => ({ action: 'licence.refuse', ...subjectOf(found), note: reason }),
      )
    },
    redraw: send,
    done: ({ visit: { t } }, reply) =>
      goTo(
        reply,
        LIST,
        t(
          'Rechazaste la solicitud. El agente recibe el motivo.',
          'Rejected. The agent receives the reason by email.',
        ),
      ),
  })

  async function send(request: FastifyRequest<ById>, reply: FastifyReply, { errors = [] }: Shown = {}) {
    const found = await findLicenseRequest(db, request.params.id)
    if (!found) throw new Problem('not_found')
    return sendDesk(
      request,
      reply,
      { tab: 'licences', title: found.name, frames: found.document_type === 'application/pdf' },
      <OneLicense found={found} errors={errors} />,
    )
  }
}

/** What a sandboxed answer may do: nothing, not even run the scripts of a PDF. */
const SANDBOXED = "default-src 'none'; sandbox"

export function registerLicenseDocument(app: FastifyInstance, { db, files }: PortalDeps): void {
  /** An untrusted file, with our own name and type: saved, or shown inside the page of the request. Both are logged. */
  app.get<ById>('/operator/licences/:id/document', OPERATOR, async (request, reply) => {
    const found = await openDocument(request)
    return sendFile(reply, found, {
      'content-disposition': `attachment; filename="${nameOf(found)}"`,
      'content-security-policy': SANDBOXED,
    })
  })

  app.get<ById>('/operator/licences/:id/preview', OPERATOR, async (request, reply) => {
    const found = await openDocument(request)
    return sendFile(reply, found, {
      'content-disposition': `inline; filename="${nameOf(found)}"`,
      'content-security-policy': `${SANDBOXED}; frame-ancestors 'self'`,
    })
  })

  async function openDocument(request: FastifyRequest<ById>) {
    const found = await findLicenseRequest(db, request.params.id)
    const { document } = found ?? {}
    if (!found || !document || !(await files.exists('documents', document))) throw new Problem('not_found')
    return onRecord(
      db,
      signedIn(request),
      async () => ({ ...found, document }),
      () => ({ action: 'licence.open', ...subjectOf(found) }),
    )
  }

  async function sendFile(
    reply: FastifyReply,
    { document, document_type }: { document: string; document_type: string | null },
    headers: Record<string, string>,
  ) {
    const file = await files.stream('documents', document)
    if (!file) throw new Problem('not_found')
    return reply
      .type(document_type as string)
      .headers({ 'content-length': file.bytes, ...headers })
      .send(file.content)
  }
}

const nameOf = ({ id, document_type }: Pick<Request, 'id' | 'document_type'>) =>
  `licencia-${id}.${document_type === 'application/pdf' ? 'pdf' : 'webp'}`

/** As named in the audit log. */
const subjectOf = ({ name, email, agent_id }: Pick<Request, 'name' | 'email' | 'agent_id'>) => ({
  subject: `${name} <${email}>`,
  subjectId: agent_id,
})

function OneLicense({ found, errors }: { found: Request; errors: readonly Issue[] }) {
  const { t } = useVisit()
  const facts: Fact[] = [
    [t('Correo', 'Email'), found.email],
    [t('Teléfono', 'Phone'), found.phone && phoneText(found.phone)],
    [t('Estado', 'State'), found.state],
    [t('Autoridad', 'Authority'), found.authority],
    [t('Número', 'Number'), found.number],
    [t('Inmobiliaria que indica', 'Agency claimed'), found.agency_wanted],
    [t('Motivo del rechazo', 'Reason for rejection'), found.reason],
    [t('Enviada', 'Sent'), <Time key="sent" at={found.created_at} />],
  ]
  return (
    <div class="grid gap-6 lg:grid-cols-2">
      <Panel title={t('Solicitud', 'Request')} actions={<LicenseBadge status={found.status} />}>
        <Facts facts={facts} />
      </Panel>
      {found.status === 'pending' && <Decision found={found} errors={errors} />}
      {found.document && <Document found={found} />}
    </div>
  )
}

/** A picture, or a PDF in the browser's own viewer. Without one, the download remains. */
function Document({ found }: { found: Request }) {
  const { t } = useVisit()
  const path = `/portal/operator/licences/${found.id}`
  const title = t(`Documento de ${found.name}`, `Document of ${found.name}`)
  return (
    <Panel
      title={t('Documento', 'Document')}
      class="lg:col-span-2"
      actions={
        <a class="btn btn-sm" href={`${path}/document`}>
          <Icon name="download" />
          {t('Descargar documento', 'Download document')}
        </a>
      }
    >
      {found.document_type === 'application/pdf' ? (
        <iframe
          src={`${path}/preview#navpanes=0&view=FitH`}
          title={title}
          class="h-[70vh] w-full rounded-field border border-base-300 bg-base-200"
        />
      ) : (
        <img src={`${path}/preview`} alt={title} class="max-h-[80vh] rounded-field border border-base-300" />
      )}
    </Panel>
  )
}

function Decision({ found, errors }: { found: Request; errors: readonly Issue[] }) {
  const { t } = useVisit()
  return (
    <div class="flex flex-col gap-6">
      <Panel title={t('Verificar', 'Verify')}>
        <Form action={`/portal/operator/licences/${found.id}/verify`} values={{ with_agency: 'on' }}>
          {found.agency_wanted && (
            <Checkbox
              name="with_agency"
              label={t(
                `Asignarlo a «${found.agency_wanted}» (se crea si no existe)`,
                `Assign to “${found.agency_wanted}” (created if new)`,
              )}
            />
          )}
          <Submit class="self-start">{t('Verificar licencia', 'Verify license')}</Submit>
        </Form>
      </Panel>
      <Panel title={t('Rechazar', 'Reject')}>
        <Form action={`/portal/operator/licences/${found.id}/refuse`} errors={errors}>
          <TextArea
            name="reason"
            label={t('Motivo', 'Reason')}
            hint={t('El agente lo recibe por correo.', 'The agent receives it by email.')}
            rows={3}
            maxlength={500}
            required
          />
          <Submit tone="danger" class="self-start">
            {t('Rechazar solicitud', 'Reject request')}
          </Submit>
        </Form>
      </Panel>
    </div>
  )
}
