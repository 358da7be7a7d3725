import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PersonAlert } from '../../alerts/service.ts'
import { issue } from '../../lib/issue.ts'
import { phoneText } from '../../lib/phone.ts'
import { refuseIfAny } from '../../lib/problem.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { ActionButton, Submit } from '../../ui/buttons.tsx'
import { Checkbox, Form, TextField } from '../../ui/forms.tsx'
import { PAGE_SIZE } from '../../ui/pager.tsx'
import { Empty, Panel, Stat } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { isContact, type PersonLead } from '../persons.ts'
import { eraseOnRecord, exportOnRecord, findOnRecord } from './requests.ts'

const HERE = '/portal/operator/people'

interface Shown {
  contact?: string
  leads?: PersonLead[]
  alerts?: PersonAlert[]
  rejected?: Rejected
}

/** For people who ask for their data. All by POST: an address in a URL would stay in histories and logs. */
export function registerPeopleDesk(app: FastifyInstance, { db, removeMails }: PortalDeps): void {
  app.get('/operator/people', OPERATOR, async (request, reply) => send(request, reply, {}))

  formRoute(app, {
    path: '/operator/people',
    access: 'operator',
    run: async request => findOnRecord(db, signedIn(request), contactOf(request)),
    redraw: (request, reply, rejected) => send(request, reply, { rejected }),
    done: (request, reply, held) => send(request, reply, { contact: typedIn(request), ...held }),
  })

  formRoute(app, {
    path: '/operator/people/export',
    access: 'operator',
    run: async request => exportOnRecord(db, signedIn(request), contactOf(request)),
    redraw: (request, reply, rejected) => send(request, reply, { rejected }),
    done: (_, reply, data) =>
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="person.json"')
        .send(JSON.stringify(data, null, 2)),
  })

  formRoute(app, {
    path: '/operator/people/erase',
    access: 'operator',
    run: async request => {
      const contact = contactOf(request)
      if (request.form.get('sure') !== 'on') refuseIfAny([issue('sure', 'not_confirmed')])
      return eraseOnRecord(db, signedIn(request), contact, removeMails)
    },
    redraw: async (request, reply, rejected) => {
      const contact = typedIn(request)
      if (!isContact(contact)) return send(request, reply, { rejected })
      const held = await findOnRecord(db, signedIn(request), contact)
      return send(request, reply, { contact, ...held, rejected })
    },
    done: ({ visit: { t } }, reply, { leads, alerts, mails }) =>
      goTo(
        reply,
        HERE,
        t(
          `Datos eliminados: ${leads} prospectos, ${alerts} avisos y ${mails} archivos de correo.`,
          `Data erased: ${leads} leads, ${alerts} alerts and ${mails} mail files.`,
        ),
      ),
  })
}

const typedIn = ({ form }: FastifyRequest) => (form.get('contact') ?? '').trim()

function contactOf(request: FastifyRequest): string {
  const contact = typedIn(request)
  if (!isContact(contact)) refuseIfAny([issue('contact', 'email_or_phone')])
  return contact
}

function send(request: FastifyRequest, reply: FastifyReply, shown: Shown) {
  return sendDesk(request, reply, { tab: 'people' }, <People {...shown} />)
}

const WORDING = {
  email_or_phone: { es: 'escribe un correo o un teléfono', en: 'enter an email address or a phone number' },
}

function People({ contact, leads, alerts = [], rejected }: Shown) {
  const { t } = useVisit()
  const search = leads ? { values: { contact } } : rejected
  return (
    <div class="grid gap-6">
      <Panel
        title={t('Derechos ARCO', 'Data requests')}
        note={t(
          'Cada búsqueda, descarga y eliminación queda en la bitácora, sin los datos de la persona.',
          'Every search, download and erasure is in the audit log, without the person’s data.',
        )}
      >
        <Form action={HERE} {...search} wording={WORDING} class="flex max-w-xl flex-col gap-4">
          <TextField
            name="contact"
            label={t('Correo o teléfono', 'Email or phone')}
            autocomplete="off"
            maxlength={254}
            required
          />
          <Submit class="self-start">{t('Buscar', 'Search')}</Submit>
        </Form>
      </Panel>
      {contact && leads && <Held contact={contact} leads={leads} alerts={alerts} errors={rejected?.errors} />}
    </div>
  )
}

interface HeldProps {
  contact: string
  leads: PersonLead[]
  alerts: PersonAlert[]
  errors: Rejected['errors'] | undefined
}

function Held({ contact, leads, alerts, errors }: HeldProps) {
  const { t } = useVisit()
  if (leads.length + alerts.length === 0) {
    return (
      <Panel>
        <Empty
          icon="people"
          title={t('No tenemos datos de esta persona', 'We hold no data about this person')}
        />
      </Panel>
    )
  }
  const agents = new Set(leads.map(({ agent }) => agent)).size
  const notes = leads.reduce((sum, lead) => sum + lead.notes, 0)
  const documents = leads.filter(lead => lead.has_document).length
  return (
    <>
      <div class="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-5">
        <Stat label={t('Prospectos', 'Leads')} value={leads.length} />
        <Stat label={t('Agentes', 'Agents')} value={agents} />
        <Stat label={t('Notas', 'Notes')} value={notes} />
        <Stat label={t('Identificaciones', 'Identifications')} value={documents} />
        <Stat label={t('Avisos', 'Alerts')} value={alerts.length} />
      </div>
      <Panel
        title={t('Prospectos', 'Leads')}
        actions={
          <ActionButton action={`${HERE}/export`} fields={{ contact }}>
            {t('Descargar JSON', 'Download JSON')}
          </ActionButton>
        }
      >
        <Leads leads={leads} />
      </Panel>
      <Erase contact={contact} errors={errors} />
    </>
  )
}

/** The first of them; the download has all. */
function Leads({ leads }: { leads: PersonLead[] }) {
  return (
    <ul class="flex flex-col divide-y divide-base-300">
      {leads.slice(0, PAGE_SIZE).map(lead => (
        <li key={lead.id} class="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
          <span class="min-w-0">
            <span class="block font-medium break-words">{lead.name}</span>
            <span class="block text-sm break-words text-base-content/70">
              {[lead.email, lead.phone && phoneText(lead.phone)].filter(Boolean).join(' · ')}
            </span>
          </span>
          <span class="text-sm break-words text-base-content/70">
            {lead.agent} · <Time at={lead.created_at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Erase({ contact, errors }: Pick<HeldProps, 'contact' | 'errors'>) {
  const { t } = useVisit()
  return (
    <Panel title={t('Eliminar sus datos', 'Erase their data')} class="max-w-2xl">
      <p class="mb-4 text-sm text-base-content/75">
        {t(
          'Se eliminan nombre, correo, teléfono, mensajes, notas, tareas e identificaciones en todos los agentes y en sus cooperaciones, y sus avisos. No se puede deshacer.',
          'Name, email, phone, messages, notes, tasks and identifications are erased for every agent and in their cooperations, and their alerts. This cannot be undone.',
        )}
      </p>
      <Form action={`${HERE}/erase`} errors={errors} prefix="erase-">
        <input type="hidden" name="contact" value={contact} />
        <Checkbox
          name="sure"
          label={t('Sí, eliminar sus datos para siempre', 'Yes, erase their data for good')}
        />
        <Submit tone="danger" class="self-start">
          {t('Eliminar', 'Erase')}
        </Submit>
      </Form>
    </Panel>
  )
}
