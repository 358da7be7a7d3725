import type { FastifyInstance } from 'fastify'
import { type Action, onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { OPERATOR, sendDesk } from '../../portal/desk.tsx'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton, DangerButton, Submit } from '../../ui/buttons.tsx'
import { Face } from '../../ui/face.tsx'
import { Checkbox, Form, SelectField } from '../../ui/forms.tsx'
import { PAGE_SIZE, type PageOf, Pager, pageOf } from '../../ui/pager.tsx'
import { Empty, type Fact, Facts, Panel } from '../../ui/panels.tsx'
import { queryOf, SearchBox } from '../../ui/search-box.tsx'
import { Time } from '../../ui/time.tsx'
import {
  assignAgency,
  findAgent,
  listAllAgencies,
  searchAgents,
  setTestAccount,
  verifyAgent,
} from './service.ts'

interface ById {
  Params: { id: string }
}

export function registerAgentsDesk(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/operator/agents', OPERATOR, async (request, reply) => {
    const [q, page] = [queryOf(request), pageOf(request)]
    const found = await searchAgents(db, q, { limit: PAGE_SIZE + 1, offset: (page - 1) * PAGE_SIZE })
    const shown = { page, hasMore: found.length > PAGE_SIZE }
    return sendDesk(
      request,
      reply,
      { tab: 'agents' },
      <Agents agents={found.slice(0, PAGE_SIZE)} q={q} {...shown} />,
    )
  })

  app.get<ById>('/operator/agents/:id', OPERATOR, async (request, reply) => {
    const [agent, agencies] = await Promise.all([findAgent(db, request.params.id), listAllAgencies(db)])
    return sendDesk(
      request,
      reply,
      { tab: 'agents', title: agent.name },
      <OneAgent agent={agent} agencies={agencies} />,
    )
  })

  /** What is done, how it is called in the log, and who does it. */
  const SWITCHES = {
    verify: ['agent.verify', (tx, id) => verifyAgent(tx, id, true)],
    unverify: ['agent.unverify', (tx, id) => verifyAgent(tx, id, false)],
    test: ['agent.test', (tx, id) => setTestAccount(tx, id, true)],
    untest: ['agent.untest', (tx, id) => setTestAccount(tx, id, false)],
  } satisfies Record<
    string,
    [Action, (tx: Parameters<typeof findAgent>[0], id: string) => ReturnType<typeof findAgent>]
  >

  for (const [name, [action, work]] of Object.entries(SWITCHES)) {
    app.post<ById>(`/operator/agents/:id/${name}`, OPERATOR, async (request, reply) => {
      const { id } = request.params
      await onRecord(
        db,
        signedIn(request),
        tx => work(tx, id),
        agent => ({ action, subject: `${agent.name} <${agent.email}>`, subjectId: agent.id }),
      )
      return goTo(reply, `/portal/operator/agents/${id}`, request.visit.t('Hecho.', 'Done.'))
    })
  }

  app.post<ById>('/operator/agents/:id/agency', OPERATOR, async (request, reply) => {
    const { id } = request.params
    const { form, visit } = request
    await onRecord(
      db,
      signedIn(request),
      tx => assignAgency(tx, id, form.get('agency') ?? '', form.has('is_admin')),
      ({ agent, agency }) => ({
        action: 'agent.assign',
        subject: `${agent.name} <${agent.email}>`,
        subjectId: agent.id,
        note: agency ? `${agency.name}${form.has('is_admin') ? ' (admin)' : ''}` : '—',
      }),
    )
    return goTo(reply, `/portal/operator/agents/${id}`, visit.t('Inmobiliaria asignada.', 'Agency assigned.'))
  })
}

type Agent = Awaited<ReturnType<typeof searchAgents>>[number]

function Marks({
  agent,
}: {
  agent: Pick<Agent, 'verified_at' | 'is_test' | 'is_operator' | 'email_confirmed_at'>
}) {
  const { t } = useVisit()
  return (
    <span class="flex flex-wrap gap-1.5">
      {agent.verified_at ? (
        <Badge tone="success">{t('Verificado', 'Verified')}</Badge>
      ) : (
        <Badge tone="warning">{t('Sin verificar', 'Not verified')}</Badge>
      )}
      {agent.is_test && <Badge tone="info">{t('Cuenta de prueba', 'Test account')}</Badge>}
      {agent.is_operator && <Badge tone="primary">{t('Operación', 'Operator')}</Badge>}
      {!agent.email_confirmed_at && (
        <Badge tone="error">{t('Correo sin confirmar', 'E-mail not confirmed')}</Badge>
      )}
    </span>
  )
}

function Agents({ agents, q, page, hasMore }: { agents: Agent[]; q: string } & PageOf) {
  const { t } = useVisit()
  return (
    <Panel>
      <SearchBox action="/portal/operator/agents" q={q} label={t('Nombre o correo', 'Name or e-mail')} />
      {agents.length === 0 ? (
        <Empty icon="people" title={t('Nadie con ese nombre', 'Nobody of that name')} />
      ) : (
        <ul class="mt-4 flex flex-col divide-y divide-base-300">
          {agents.map(agent => (
            <li key={agent.id}>
              <a
                href={`/portal/operator/agents/${agent.id}`}
                class="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 hover:text-primary"
              >
                <Face name={agent.name} photo={agent.photo} />
                <span class="min-w-0 flex-1">
                  <span class="block font-medium break-words">{agent.name}</span>
                  <span class="block text-sm break-words text-base-content/70">
                    {agent.email}
                    {agent.agency && ` · ${agent.agency}`}
                  </span>
                </span>
                <Marks agent={agent} />
              </a>
            </li>
          ))}
        </ul>
      )}
      <Pager path="/portal/operator/agents" q={q} page={page} hasMore={hasMore} />
    </Panel>
  )
}

function OneAgent(props: {
  agent: Awaited<ReturnType<typeof findAgent>>
  agencies: Awaited<ReturnType<typeof listAllAgencies>>
}) {
  const { t } = useVisit()
  const { agent, agencies } = props
  const path = `/portal/operator/agents/${agent.id}`
  const facts: Fact[] = [
    [t('Correo', 'E-mail'), agent.email],
    [t('Teléfono', 'Phone'), agent.phone],
    [
      t('Licencia', 'Licence'),
      [agent.license_state, agent.license_authority, agent.license_number].filter(Boolean).join(', '),
    ],
    [t('Inmobiliaria', 'Agency'), agent.agency],
    [t('Inmobiliaria que indica', 'Agency claimed'), agent.agency_wanted],
    [t('Propiedades', 'Listings'), String(agent.listings ?? 0)],
    [t('Prospectos', 'Leads'), String(agent.leads ?? 0)],
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
              label={t('Quitar verificación', 'Take verification back')}
              question={t(
                'Sus llaves dejan de funcionar y sus propiedades desaparecen para todos.',
                'The keys stop working and the listings vanish for everybody.',
              )}
              yes={t('Quitar verificación', 'Take verification back')}
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
        </div>
      </Panel>
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
            label={t('Administra la página de la inmobiliaria', 'Looks after the agency page')}
          />
          <Submit class="self-start">{t('Asignar', 'Assign')}</Submit>
        </Form>
      </Panel>
    </div>
  )
}
