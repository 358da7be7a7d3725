import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { numberText } from '../../../lib/i18n.ts'
import { onRecord } from '../../../portal/audit.ts'
import { useVisit } from '../../../portal/context.ts'
import { sendDesk } from '../../../portal/desk.tsx'
import { formRoute } from '../../../portal/form-route.ts'
import { OPERATOR } from '../../../portal/guard.ts'
import { goTo, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Badge } from '../../../ui/badges.tsx'
import { ActionButton, Submit } from '../../../ui/buttons.tsx'
import { Form, type Shown, TextField } from '../../../ui/forms.tsx'
import { Empty, Panel } from '../../../ui/panels.tsx'
import { createAgency, listAllAgencies, setAgencyActive } from '../../operator/service.ts'

const HERE = '/portal/operator/agencies'

export function registerAgenciesDesk(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/operator/agencies', OPERATOR, async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/operator/agencies',
    access: 'operator',
    run: request =>
      onRecord(
        db,
        signedIn(request),
        tx => createAgency(tx, request.form.get('name') ?? ''),
        agency => ({ action: 'agency.create', subject: agency.name, subjectId: agency.id }),
      ),
    redraw: send,
    done: ({ visit }, reply) => goTo(reply, HERE, visit.t('Inmobiliaria creada.', 'Agency created.')),
  })

  for (const [name, active] of [
    ['activate', true],
    ['deactivate', false],
  ] as const) {
    formRoute(app, {
      path: `/operator/agencies/:id/${name}`,
      access: 'operator',
      run: request =>
        onRecord(
          db,
          signedIn(request),
          tx => setAgencyActive(tx, request.params.id, active),
          agency => ({ action: `agency.${name}`, subject: agency.name, subjectId: agency.id }),
        ),
      done: ({ visit }, reply) => goTo(reply, HERE, visit.t('Listo.', 'Done.')),
    })
  }

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const agencies = await listAllAgencies(db)
    return sendDesk(request, reply, { tab: 'agencies' }, <Agencies agencies={agencies} {...shown} />)
  }
}

type Agency = Awaited<ReturnType<typeof listAllAgencies>>[number]

function Agencies({ agencies, ...shown }: Shown & { agencies: Agency[] }) {
  const { t, lang } = useVisit()
  const empty = agencies.filter(one => one.agents === 0)
  return (
    <div class="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Panel>
        {agencies.length === 0 ? (
          <Empty icon="building" title={t('Aún no hay inmobiliarias', 'No agencies yet')} />
        ) : (
          <>
            <AgencyList agencies={agencies.filter(one => one.agents > 0)} />
            {empty.length > 0 && (
              <details class="mt-4">
                <summary class="cursor-pointer text-sm">
                  {t('Sin agentes', 'Without agents')} ({numberText(empty.length, lang)})
                </summary>
                <AgencyList agencies={empty} />
              </details>
            )}
          </>
        )}
      </Panel>
      <Panel title={t('Nueva inmobiliaria', 'New agency')} class="self-start">
        <Form action="/portal/operator/agencies" {...shown}>
          <TextField name="name" label={t('Nombre', 'Name')} maxlength={120} required />
          <Submit class="self-start">{t('Crear', 'Create')}</Submit>
        </Form>
      </Panel>
    </div>
  )
}

function AgencyList({ agencies }: { agencies: Agency[] }) {
  const { t, lang } = useVisit()
  const number = (value: number) => numberText(value, lang)
  return (
    <ul class="flex flex-col divide-y divide-base-300">
      {agencies.map(agency => (
        <li key={agency.id} class="flex flex-wrap items-center justify-between gap-3 py-3">
          <div class="min-w-0">
            <p class="flex flex-wrap items-center gap-2 font-medium break-words">
              {agency.name}
              {!agency.active && <Badge tone="warning">{t('Inactiva', 'Inactive')}</Badge>}
            </p>
            <p class="text-sm text-base-content/70">
              {agency.agents === 1
                ? t('1 agente', '1 agent')
                : t(`${number(agency.agents)} agentes`, `${number(agency.agents)} agents`)}
            </p>
          </div>
          <ActionButton
            action={`/portal/operator/agencies/${agency.id}/${agency.active ? 'deactivate' : 'activate'}`}
          >
            {agency.active ? t('Desactivar', 'Deactivate') : t('Activar', 'Activate')}
          </ActionButton>
        </li>
      ))}
    </ul>
  )
}
