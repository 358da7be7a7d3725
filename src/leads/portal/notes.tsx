import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { readBody } from '../../lib/fields.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { ActionButton, Submit } from '../../ui/buttons.tsx'
import { Form, TextArea } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { noteFields } from '../details.ts'
import { addNote, type LeadRow, removeNote } from '../service.ts'
import { type LeadPage, pathOf } from './lead-page.ts'

export function registerNotes(app: FastifyInstance, db: Db, { leadOf, send }: LeadPage): void {
  formRoute(app, {
    path: '/leads/:id/notes',
    read: leadOf,
    run: (request, lead) => {
      const sent = readBody(noteFields, { note: request.form.get('note') ?? '' })
      return addNote(db, signedIn(request).id, lead.id, sent)
    },
    redraw: (request, reply, note, lead) => send(request, reply, lead, { note }),
    done: ({ visit }, reply, _, lead) => goTo(reply, pathOf(lead), visit.t('Nota agregada.', 'Note added.')),
  })

  formRoute(app, {
    path: '/leads/:id/notes/remove',
    read: leadOf,
    run: (request, lead) => removeNote(db, signedIn(request).id, lead.id, request.form.get('note') ?? ''),
    done: ({ visit }, reply, _, lead) => goTo(reply, pathOf(lead), visit.t('Nota quitada.', 'Note removed.')),
  })
}

export interface LeadNote {
  id: string
  at: Date
  text: string
}

interface NotesProps {
  lead: LeadRow
  notes: LeadNote[]
  note?: Rejected
}

export function Notes({ lead, notes, note }: NotesProps) {
  const { t } = useVisit()
  const path = pathOf(lead)
  return (
    <Panel title={t('Notas', 'Notes')} note={t('Solo tú las ves.', 'Only you can see them.')}>
      <div class="flex flex-col gap-5">
        {!lead.erased_at && (
          <Form action={`${path}/notes`} class="flex flex-col gap-3" {...(note ?? {})}>
            <TextArea name="note" label={t('Nueva nota', 'New note')} rows={3} maxlength={5_000} required />
            <div>
              <Submit tone="plain">{t('Agregar nota', 'Add note')}</Submit>
            </div>
          </Form>
        )}
        {notes.length > 0 && (
          <ol class="flex flex-col divide-y divide-base-300">
            {notes.map(one => (
              <li key={one.id} class="flex items-start justify-between gap-3 py-3">
                <div class="min-w-0">
                  <p class="text-sm text-base-content/75">
                    <Time at={one.at} />
                  </p>
                  <p class="break-words whitespace-pre-line">{one.text}</p>
                </div>
                <ActionButton action={`${path}/notes/remove`} fields={{ note: one.id }} tone="quiet">
                  <Icon name="trash" class="size-4" />
                  <span class="sr-only">{t('Quitar nota', 'Remove note')}</span>
                </ActionButton>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Panel>
  )
}
