import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readBody } from '../../../lib/fields.ts'
import { fromLocal, toLocal } from '../../../lib/time.ts'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import { ownPath, type PortalDeps } from '../../../portal/shell.tsx'
import { ActionButton, Submit } from '../../../ui/buttons.tsx'
import { Form, TextField } from '../../../ui/forms.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { allWords } from '../../../ui/messages.ts'
import { Empty, Panel } from '../../../ui/panels.tsx'
import { dateFields, finishTask, listOpenTasks, postponeTask, removeTask, type TaskRow } from '../service.ts'
import { ContactTabs, Due } from './parts.tsx'

const SHOWN = 500

export function registerTasks(app: FastifyInstance, { db, now }: PortalDeps): void {
  app.get('/tasks', async (request, reply) => {
    const { t } = request.visit
    const tasks = await listOpenTasks(db, signedIn(request).id, SHOWN)
    return sendScreen(
      request,
      reply,
      { title: t('Tareas', 'Tasks'), section: 'contacts' },
      <>
        <ContactTabs here="tasks" />
        <Panel>
          {tasks.length === 0 ? (
            <Empty icon="check" title={t('Sin tareas pendientes', 'No open tasks')}>
              {t('Agrégalas en la página de un contacto.', 'Add them on the page of a contact.')}
            </Empty>
          ) : (
            <TaskList tasks={tasks} now={now()} back="/portal/tasks" isNamed />
          )}
        </Panel>
      </>,
    )
  })

  const back = ({ form }: FastifyRequest) => ownPath(form.get('back'), '/portal/tasks')

  formRoute(app, {
    path: '/tasks/:id/done',
    run: request => {
      const doneAt = request.form.get('open') === 'on' ? null : now()
      return finishTask(db, signedIn(request).id, request.params.id, doneAt)
    },
    done: (request, reply) => goTo(reply, back(request), request.visit.t('Guardado.', 'Saved.')),
  })

  formRoute(app, {
    path: '/tasks/:id/postpone',
    run: request => {
      const text = request.form.get('due_at')?.trim() ?? ''
      const sent = readBody(dateFields, { due_at: fromLocal(text) ?? text })
      return postponeTask(db, signedIn(request).id, request.params.id, sent)
    },
    redraw: (request, reply, { errors }) =>
      goTo(reply, back(request), { kind: 'error', text: allWords(errors, request.visit.lang) }),
    done: (request, reply) => goTo(reply, back(request), request.visit.t('Fecha cambiada.', 'Date changed.')),
  })

  formRoute(app, {
    path: '/tasks/:id/remove',
    run: request => removeTask(db, signedIn(request).id, request.params.id),
    done: (request, reply) => goTo(reply, back(request), request.visit.t('Tarea quitada.', 'Task removed.')),
  })
}

interface ListProps {
  tasks: TaskRow[]
  now: Date
  /** The page to come back to. */
  back: string
  /** Links each task to its person. */
  isNamed?: boolean
}

export function TaskList({ tasks, isNamed = false, ...shared }: ListProps) {
  if (tasks.length === 0) return null
  return (
    <ul class="flex flex-col divide-y divide-base-300">
      {tasks.map(task => (
        <li key={task.id} class="flex flex-col gap-2 py-3">
          <p class={`break-words ${task.done_at ? 'text-base-content/75 line-through' : 'font-medium'}`}>
            {task.text}
          </p>
          {isNamed && (
            <a class="link text-sm break-words" href={`/portal/contacts/${task.lead_id}`}>
              {task.name}
            </a>
          )}
          {!task.done_at && <Due at={task.due_at} now={shared.now} />}
          <TaskActions task={task} {...shared} />
        </li>
      ))}
    </ul>
  )
}

function TaskActions({ task, back }: Omit<ListProps, 'tasks'> & { task: TaskRow }) {
  const { t } = useVisit()
  const path = `/portal/tasks/${task.id}`
  if (task.done_at) {
    return (
      <ActionButton action={`${path}/done`} fields={{ back, open: 'on' }} tone="quiet">
        {t('Reabrir', 'Reopen')}
      </ActionButton>
    )
  }
  return (
    <div class="flex flex-wrap items-start gap-2">
      <ActionButton action={`${path}/done`} fields={{ back }}>
        <Icon name="check" class="size-4" />
        {t('Hecha', 'Done')}
      </ActionButton>
      <details class="min-w-0">
        <summary class="btn btn-ghost btn-sm">{t('Cambiar fecha', 'Change date')}</summary>
        <Form action={`${path}/postpone`} class="mt-2 flex flex-col gap-2" prefix={`task-${task.id}-`}>
          <input type="hidden" name="back" value={back} />
          <TextField
            name="due_at"
            type="datetime-local"
            label={t('Nueva fecha', 'New date')}
            value={toLocal(task.due_at)}
            required
          />
          <Submit tone="plain" small class="self-start">
            {t('Guardar', 'Save')}
          </Submit>
        </Form>
      </details>
      <ActionButton action={`${path}/remove`} fields={{ back }} tone="quiet">
        <Icon name="trash" class="size-4" />
        <span class="sr-only">{t('Quitar tarea', 'Remove task')}</span>
      </ActionButton>
    </div>
  )
}
