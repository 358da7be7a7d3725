import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../lib/problem.ts'
import { onRecord } from '../../../portal/audit.ts'
import { useVisit } from '../../../portal/context.ts'
import { OPERATOR, sendDesk } from '../../../portal/desk.tsx'
import { goTo, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Badge } from '../../../ui/badges.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Checkbox, Form, TextArea } from '../../../ui/forms.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { attempt } from '../../../ui/messages.ts'
import { PAGE_SIZE } from '../../../ui/pager.tsx'
import { Empty, type Fact, Facts, Panel } from '../../../ui/panels.tsx'
import { TabLinks } from '../../../ui/tabs.tsx'
import { Time } from '../../../ui/time.tsx'
import { findLicenceRequest, listLicenceRequests, refuseLicence, verifyLicence } from '../service.ts'

type Status = 'pending' | 'verified' | 'refused'
type Request = Awaited<ReturnType<typeof listLicenceRequests>>[number]

interface ById {
  Params: { id: string }
}

export function registerLicencesDesk(app: FastifyInstance, { db, files }: PortalDeps): void {
  app.get('/operator/licences', OPERATOR, async (request, reply) => {
    const asked = (request.query as URLSearchParams).get('status')
    const status: Status = asked === 'verified' || asked === 'refused' ? asked : 'pending'
    const requests = await listLicenceRequests(db, status, PAGE_SIZE)
    return sendDesk(request, reply, { tab: 'licences' }, <Licences status={status} requests={requests} />)
  })

  app.get<ById>('/operator/licences/:id', OPERATOR, async (request, reply) =>
    send(request, reply, request.params.id),
  )

  app.post<ById>('/operator/licences/:id/verify', OPERATOR, async (request, reply) => {
    const operator = signedIn(request)
    const { t } = request.visit
    const { id } = request.params
    const withAgency = request.form.has('with_agency')
    const { name } = await onRecord(
      db,
      operator,
      tx => verifyLicence(tx, { operatorId: operator.id, requestId: id, withAgency }),
      found => ({
        action: 'licence.verify',
        subject: `${found.name} <${found.email}>`,
        subjectId: found.agent_id,
        note: `${found.state}, ${found.authority}, ${found.number}`,
      }),
    )
    return goTo(
      reply,
      '/portal/operator/licences',
      t(`${name} está verificado. Le avisamos por correo.`, `${name} is verified and gets a mail.`),
    )
  })

  app.post<ById>('/operator/licences/:id/refuse', OPERATOR, async (request, reply) => {
    const operator = signedIn(request)
    const { t } = request.visit
    const { id } = request.params
    const reason = request.form.get('reason') ?? ''
    const done = await attempt(() =>
      onRecord(
        db,
        operator,
        tx => refuseLicence(tx, { operatorId: operator.id, requestId: id }, reason),
        found => ({
          action: 'licence.refuse',
          subject: `${found.name} <${found.email}>`,
          subjectId: found.agent_id,
          note: reason,
        }),
      ),
    )
    if (done.errors) {
      reply.code(422)
      return send(request, reply, id, done.errors)
    }
    return goTo(
      reply,
      '/portal/operator/licences',
      t(
        'Rechazaste la solicitud. El agente recibe el motivo.',
        'Refused. The agent gets the reason by mail.',
      ),
    )
  })

  /** A stranger's file: as a download with a name and a type of ours, never opened within the site. */
  app.get<ById>('/operator/licences/:id/document', OPERATOR, async (request, reply) => {
    const found = await findLicenceRequest(db, request.params.id)
    if (!found?.document || !(await files.exists('documents', found.document))) {
      throw new Problem('not_found')
    }
    await onRecord(
      db,
      signedIn(request),
      async () => found,
      () => ({
        action: 'licence.open',
        subject: `${found.name} <${found.email}>`,
        subjectId: found.agent_id,
      }),
    )
    const file = await files.stream('documents', found.document)
    if (!file) throw new Problem('not_found')
    const extension = found.document_type === 'application/pdf' ? 'pdf' : 'webp'
    return reply
      .type(found.document_type as string)
      .header('content-length', file.bytes)
      .header('content-disposition', `attachment; filename="licencia-${found.id}.${extension}"`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(file.content)
  })

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    errors: readonly string[] = [],
  ) {
    const found = await findLicenceRequest(db, id)
    if (!found) throw new Problem('not_found')
    return sendDesk(
      request,
      reply,
      { tab: 'licences', title: found.name },
      <OneLicence found={found} errors={errors} />,
    )
  }
}

function Licences({ status, requests }: { status: Status; requests: Request[] }) {
  const { t } = useVisit()
  const tab = (value: Status, label: string) => ({
    href: `/portal/operator/licences?status=${value}`,
    label,
    here: status === value,
  })
  return (
    <Panel>
      <TabLinks
        label={t('Estado', 'Status')}
        tabs={[
          tab('pending', t('Pendientes', 'Pending')),
          tab('verified', t('Verificadas', 'Verified')),
          tab('refused', t('Rechazadas', 'Refused')),
        ]}
      />
      {requests.length === 0 ? (
        <Empty icon="shield" title={t('Nada por aquí', 'Nothing here')} />
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {requests.map(one => (
            <li key={one.id}>
              <a
                href={`/portal/operator/licences/${one.id}`}
                class="flex flex-wrap items-center justify-between gap-3 py-4 hover:text-primary"
              >
                <span class="min-w-0">
                  <span class="block font-medium break-words">{one.name}</span>
                  <span class="block text-sm break-words text-base-content/70">
                    {one.state} · {one.number} · {one.email}
                  </span>
                </span>
                <span class="text-sm text-base-content/70">
                  <Time at={one.created_at} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function OneLicence({ found, errors }: { found: Request; errors: readonly string[] }) {
  const { t } = useVisit()
  const facts: Fact[] = [
    [t('Correo', 'E-mail'), found.email],
    [t('Teléfono', 'Phone'), found.phone],
    [t('Estado', 'State'), found.state],
    [t('Autoridad', 'Authority'), found.authority],
    [t('Número', 'Number'), found.number],
    [t('Inmobiliaria que indica', 'Agency claimed'), found.agency_wanted],
    [t('Motivo del rechazo', 'Reason of refusal'), found.reason],
    [t('Enviada', 'Sent'), <Time key="sent" at={found.created_at} />],
  ]
  return (
    <div class="grid gap-6 lg:grid-cols-2">
      <Panel title={t('Solicitud', 'Request')} actions={<StatusBadge status={found.status} />}>
        <Facts facts={facts} />
        {found.document && (
          <a class="btn mt-6" href={`/portal/operator/licences/${found.id}/document`}>
            <Icon name="download" />
            {t('Descargar documento', 'Download document')}
          </a>
        )}
      </Panel>
      {found.status === 'pending' && (
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
              <Submit class="self-start">{t('Verificar licencia', 'Verify licence')}</Submit>
            </Form>
          </Panel>
          <Panel title={t('Rechazar', 'Refuse')}>
            <Form action={`/portal/operator/licences/${found.id}/refuse`} errors={errors}>
              <TextArea
                name="reason"
                label={t('Motivo', 'Reason')}
                hint={t('El agente lo recibe por correo.', 'The agent gets it by mail.')}
                rows={3}
                maxlength={500}
                required
              />
              <Submit tone="danger" class="self-start">
                {t('Rechazar solicitud', 'Refuse request')}
              </Submit>
            </Form>
          </Panel>
        </div>
      )}
    </div>
  )
}

function StatusBadge({ status }: { status: Status }) {
  const { t } = useVisit()
  if (status === 'pending') return <Badge tone="info">{t('Pendiente', 'Pending')}</Badge>
  if (status === 'verified') return <Badge tone="success">{t('Verificada', 'Verified')}</Badge>
  return <Badge tone="error">{t('Rechazada', 'Refused')}</Badge>
}
