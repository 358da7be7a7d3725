import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../../lib/fields.ts'
import { phoneText } from '../../../lib/phone.ts'
import { Problem } from '../../../lib/problem.ts'
import { fromLocal } from '../../../lib/time.ts'
import { useVisit } from '../../../portal/context.ts'
import { formRoute, type Rejected } from '../../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Form, TextArea, TextField } from '../../../ui/forms.tsx'
import { Panel } from '../../../ui/panels.tsx'
import { Time } from '../../../ui/time.tsx'
import { noteFields } from '../../details.ts'
import { ContactWays } from '../../portal/ways.tsx'
import { StageBadge } from '../../portal/words.tsx'
import { addNote } from '../../service.ts'
import {
  addTask,
  type ContactLead,
  listLeadsOfPerson,
  listNotesOf,
  listTasksOf,
  MAX_TASK,
  type TaskRow,
  taskFields,
} from '../service.ts'
import { TaskList } from './tasks.tsx'

interface ById {
  Params: { id: string }
}

interface Forms {
  task?: Rejected
  note?: Rejected
}

const pathOf = (leads: readonly ContactLead[]) => `/portal/contacts/${leads[0]?.id}`

/** Named by any lead of the person; notes and tasks belong to the latest. */
export function registerContact(app: FastifyInstance, { db, now }: PortalDeps): void {
  app.get<ById>('/contacts/:id', async (request, reply) => send(request, reply, await leadsOf(request)))

  formRoute(app, {
    path: '/contacts/:id/notes',
    read: leadsOf,
    run: (request, [latest]) => {
      const sent = readBody(noteFields, { note: request.form.get('note') ?? '' })
      return addNote(db, signedIn(request).id, latest.id, sent)
    },
    redraw: (request, reply, note, leads) => send(request, reply, leads, { note }),
    done: ({ visit }, reply, _, leads) =>
      goTo(reply, pathOf(leads), visit.t('Nota agregada.', 'Note added.')),
  })

  formRoute(app, {
    path: '/contacts/:id/tasks',
    read: leadsOf,
    run: (request, [latest]) => {
      const given = (name: string) => request.form.get(name)?.trim() ?? ''
      const sent = { task: given('task'), due_at: fromLocal(given('due_at')) ?? given('due_at') }
      return addTask(db, signedIn(request).id, latest.id, readBody(taskFields, sent))
    },
    redraw: (request, reply, task, leads) => send(request, reply, leads, { task }),
    done: ({ visit: { t } }, reply, _, leads) =>
      goTo(
        reply,
        pathOf(leads),
        t('Tarea agregada. Te la recordaremos por correo.', 'Task added. We will email you a reminder.'),
      ),
  })

  async function leadsOf(request: FastifyRequest<ById>): Promise<[ContactLead, ...ContactLead[]]> {
    const [latest, ...others] = await listLeadsOfPerson(db, signedIn(request).id, request.params.id)
    if (!latest) throw new Problem('not_found')
    return [latest, ...others]
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    leads: readonly [ContactLead, ...ContactLead[]],
    forms: Forms = {},
  ) {
    const ids = leads.map(({ id }) => id)
    const [notes, tasks] = await Promise.all([listNotesOf(db, ids), listTasksOf(db, ids)])
    return sendScreen(
      request,
      reply,
      { title: leads[0].name, section: 'contacts' },
      <ContactScreen {...{ leads, notes, tasks, now: now() }} {...forms} />,
    )
  }
}

interface Props extends Forms {
  leads: readonly [ContactLead, ...ContactLead[]]
  notes: Awaited<ReturnType<typeof listNotesOf>>
  tasks: TaskRow[]
  now: Date
}

function ContactScreen({ leads, notes, tasks, now, ...forms }: Props) {
  const { t } = useVisit()
  const phone = leads.find(lead => lead.phone)
  const person = {
    name: leads[0].name,
    email: leads.find(({ email }) => email)?.email ?? null,
    phone: phone?.phone ?? null,
    phone_e164: phone?.phone_e164 ?? null,
  }
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-2">
      <div class="flex min-w-0 flex-col gap-6">
        <Panel title={t('Contacto', 'Contact')}>
          <ContactWays person={person} />
          <p class="mt-4 text-sm break-words text-base-content/75">
            {[person.phone && phoneText(person.phone), person.email].filter(Boolean).join(' · ')}
          </p>
        </Panel>
        <Panel title={t('Tareas', 'Tasks')}>
          <div class="flex flex-col gap-5">
            <TaskForm path={pathOf(leads)} rejected={forms.task} />
            <TaskList tasks={tasks} now={now} back={pathOf(leads)} />
          </div>
        </Panel>
      </div>
      <div class="flex min-w-0 flex-col gap-6">
        <LeadsPanel leads={leads} />
        <NotesPanel path={pathOf(leads)} notes={notes} rejected={forms.note} />
      </div>
    </div>
  )
}

function TaskForm({ path, rejected }: { path: string; rejected: Rejected | undefined }) {
  const { t } = useVisit()
  return (
    <Form action={`${path}/tasks`} class="flex flex-col gap-3" {...rejected}>
      <TextField name="task" label={t('Nueva tarea', 'New task')} maxlength={MAX_TASK} required />
      <TextField
        name="due_at"
        type="datetime-local"
        label={t('Para cuándo', 'Due')}
        hint={t(
          'Hora del centro de México. A esa hora te lo recordamos por correo.',
          'Central Mexico time. We email you a reminder then.',
        )}
        required
      />
      <Submit tone="plain" class="self-start">
        {t('Agregar tarea', 'Add task')}
      </Submit>
    </Form>
  )
}

function LeadsPanel({ leads }: Pick<Props, 'leads'>) {
  const { t } = useVisit()
  return (
    <Panel title={t('Prospectos', 'Leads')}>
      <ul class="flex flex-col divide-y divide-base-300">
        {leads.map(lead => (
          <li key={lead.id} class="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
            <a class="link min-w-0 break-words link-hover" href={`/portal/leads/${lead.id}`}>
              {lead.listing_title ?? t('Sin propiedad', 'No listing')}
            </a>
            <span class="flex items-center gap-2 text-sm text-base-content/75">
              <StageBadge stage={lead.status} />
              <Time at={lead.created_at} day />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function NotesPanel(props: { path: string; notes: Props['notes']; rejected: Rejected | undefined }) {
  const { t } = useVisit()
  const { path, notes, rejected } = props
  return (
    <Panel title={t('Notas', 'Notes')} note={t('Solo tú las ves.', 'Only you can see them.')}>
      <div class="flex flex-col gap-5">
        <Form action={`${path}/notes`} class="flex flex-col gap-3" {...rejected}>
          <TextArea name="note" label={t('Nueva nota', 'New note')} rows={3} maxlength={5_000} required />
          <Submit tone="plain" class="self-start">
            {t('Agregar nota', 'Add note')}
          </Submit>
        </Form>
        {notes.length > 0 && (
          <ol class="flex flex-col divide-y divide-base-300">
            {notes.map(one => (
              <li key={one.id} class="py-3">
                <p class="text-sm text-base-content/75">
                  <Time at={one.at} />
                </p>
                <p class="break-words whitespace-pre-line">{one.text}</p>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Panel>
  )
}
