import type { FastifyInstance } from 'fastify'
import { countLeads } from '../../leads/service.ts'
import { numberText } from '../../lib/i18n.ts'
import { phoneText } from '../../lib/phone.ts'
import { countListingsOf } from '../../listings/counts.ts'
import { type Action, onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { ActionButton, DangerButton, Submit } from '../../ui/buttons.tsx'
import { Checkbox, Form, SelectField } from '../../ui/forms.tsx'
import { type Fact, Facts, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { Marks } from './marks.tsx'
import {
  assignAgency,
  findAgent,
  listAllAgencies,
  setTestAccount,
  signOutAgent,
  verifyAgent,
} from './service.ts'

interface ById {
  Params: { id: string }
}

/** Each action with its name in the audit log. */
const SWITCHES = {
  verify: ['agent.verify', (tx, id) => verifyAgent(tx, id, true)],
  unverify: ['agent.unverify', (tx, id) => verifyAgent(tx, id, false)],
  test: ['agent.test', (tx, id) => setTestAccount(tx, id, true)],
  untest: ['agent.untest', (tx, id) => setTestAccount(tx, id, false)],
  'sign-out': ['agent.sign-out', signOutAgent],
} satisfies Record<
  string,
  [Action, (tx: Parameters<typeof findAgent>[0], id: string) => ReturnType<typeof findAgent>]
>

export function registerAgentDesk(app: FastifyInstance, { db }: PortalDeps): void {
  app.get<ById>('/operator/agents/:id', OPERATOR, async (request, reply) => {
    const agent = await findAgent(db, request.params.id)
    const [agencies, listings, leads] = await Promise.all([
      listAllAgencies(db),
      countListingsOf(db, agent.id),
      countLeads(db, agent.id),
    ])
    const counts = { listings, leads: Object.values(leads).reduce((sum, count) => sum + count, 0) }
    return sendDesk(
      request,
      reply,
      { tab: 'agents', title: agent.name },
      <OneAgent agent={agent} counts={counts} agencies={agencies} />,
    )
  })

  for (const [name, [action, work]] of Object.entries(SWITCHES)) {
    formRoute(app, {
      path: `/operator/agents/:id/${name}`,
      access: 'operator',
      run: request =>
        onRecord(
          db,
          signedIn(request),
          tx => work(tx, request.params.id),
          agent => ({ action, subject: `${agent.name} <${agent.email}>`, subjectId: agent.id }),
        ),
      done: ({ params, visit }, reply) => goTo(reply, pathOf(params.id), visit.t('Listo.', 'Done.')),
    })
  }

  formRoute(app, {
    path: '/operator/agents/:id/agency',
    access: 'operator',
    run: request => {
      const { params, form } = request
      const isAdmin = form.has('is_admin')
      return onRecord(
        db,
        signedIn(request),
        tx => assignAgency(tx, params.id, form.get('agency') ?? '', isAdmin),
        ({ agent, agency }) => ({
          action: 'agent.assign',
          subject: `${agent.name} <${agent.email}>`,
          subjectId: agent.id,
          note: agency ? `${agency.name}${isAdmin ? ' (admin)' : ''}` : '—',
        }),
      )
    },
    done: ({ params, visit }, reply) =>
      goTo(reply, pathOf(params.id), visit.t('Inmobiliaria asignada.', 'Agency assigned.')),
  })
}

const pathOf = (id: string) => `/portal/operator/agents/${id}`

interface AgentProps {
  agent: Awaited<ReturnType<typeof findAgent>>
  counts: { listings: number; leads: number }
  agencies: Awaited<ReturnType<typeof listAllAgencies>>
}

function OneAgent({ agent, counts, agencies }: AgentProps) {
  const { t, lang } = useVisit()
  const path = pathOf(agent.id)
  const facts: Fact[] = [
    [t('Correo', 'Email'), agent.email],
    [t('Teléfono', 'Phone'), agent.phone && phoneText(agent.phone)],
    [
      t('Licencia', 'License'),
      [agent.license_state, agent.license_authority, agent.license_number].filter(Boolean).join(', '),
    ],
    [t('Inmobiliaria', 'Agency'), agent.agency],
    [t('Inmobiliaria que indica', 'Agency claimed'), agent.agency_wanted],
    [t('Propiedades', 'Listings'), numberText(counts.listings, lang)],
    [t('Prospectos', 'Leads'), numberText(counts.leads, lang)],
    [t('Desde', 'Since'), <Time key="since" at={agent.created_at} day />],
  ]
  return (
    <div class="grid gap-6 lg:grid-cols-2">
      <Panel title={t('Agente', 'Agent')} actions={<Marks agent={agent} />}>
        <Facts facts={facts} />
        <div class="mt-6 flex flex-wrap gap-2">
          {agent.verified_at ? (
            <DangerButton
              action={`${path}/unverify`}
              label={t('Quitar verificación', 'Revoke verification')}
              question={t(
                'Sus llaves dejan de funcionar, sus sesiones se cierran y sus propiedades dejan de mostrarse.',
                'The agent’s keys stop working, sessions end, and listings are hidden from everyone.',
              )}
              yes={t('Quitar verificación', 'Revoke verification')}
            />
          ) : (
            <ActionButton action={`${path}/verify`} tone="primary">
              {t('Verificar', 'Verify')}
            </ActionButton>
          )}
          <ActionButton action={`${path}/${agent.is_test ? 'untest' : 'test'}`}>
            {agent.is_test
              ? t('Hacer cuenta real', 'Make it a real account')
              : t('Hacer cuenta de prueba', 'Make it a test account')}
          </ActionButton>
          <ActionButton action={`${path}/sign-out`}>{t('Cerrar sus sesiones', 'End sessions')}</ActionButton>
        </div>
      </Panel>
      <AgencyPanel agent={agent} agencies={agencies} path={path} />
    </div>
  )
}

function AgencyPanel({ agent, agencies, path }: Omit<AgentProps, 'counts'> & { path: string }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Inmobiliaria', 'Agency')} class="self-start">
      <Form
        action={`${path}/agency`}
        values={{ agency: agent.agency_id, is_admin: agent.is_agency_admin ? 'on' : undefined }}
      >
        <SelectField
          name="agency"
          label={t('Pertenece a', 'Belongs to')}
          empty={t('Ninguna: por su cuenta', 'None: independent')}
          options={agencies.map(({ id, name, active }) => ({
            value: id,
            label: active ? name : `${name} (${t('inactiva', 'inactive')})`,
          }))}
          required
        />
        <Checkbox
          name="is_admin"
          label={t('Administra la página de la inmobiliaria', 'Manages the agency page')}
        />
        <Submit class="self-start">{t('Asignar', 'Assign')}</Submit>
      </Form>
    </Panel>
  )
}
